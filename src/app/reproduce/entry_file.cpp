#include "app/reproduce/entry_file.h"

#include <cmath>

#include "base/file_text.h"
#include "base/hash.h"
#include "store/files/output_file.h"

namespace weir {
namespace {

constexpr const char* kEntryFile = "entry.json";

FinishedEntry entry_of(const nlohmann::ordered_json& file) {
  FinishedEntry finished;
  finished.document = file.at("entry");
  EntryResult& entry = finished.result;
  entry.id = finished.document.at("id");
  entry.title = finished.document.at("title");
  entry.notes = finished.document.at("notes").get<std::vector<std::string>>();
  entry.simulations = finished.document.at("simulations");
  entry.seconds = file.at("seconds");
  for (const auto& c : finished.document.value("checks", nlohmann::ordered_json::array())) {
    Check check;
    check.what = c.at("what");
    check.paper = c.at("paper");
    check.measured = c.at("measured");
    check.kind = kind_named(c.at("kind").get<std::string>()).value();
    check.tolerance = c.value("tolerance", 0.0);
    check.reason = c.value("reason", "");
    check.second = c.value("second", "");
    check.verdict = verdict_named(c.at("verdict").get<std::string>()).value();
    entry.checks.push_back(std::move(check));
  }
  return finished;
}

}  // namespace

std::string program_hash() {
  Hash128 hash;
  hash.add(read_text_file("/proc/self/exe"));
  return hash.hex();
}

nlohmann::ordered_json entry_json(const EntryResult& entry) {
  nlohmann::ordered_json j{{"id", entry.id}, {"title", entry.title}, {"simulations", entry.simulations},
                           {"seconds", std::round(entry.seconds)}};
  for (const Check& check : entry.checks) {
    nlohmann::ordered_json c{{"what", check.what}, {"kind", kind_name(check.kind)}, {"paper", check.paper},
                             {"measured", check.measured}, {"verdict", verdict_name(check.verdict)}};
    if (check.kind == CheckKind::value) {
      c["paper_number"] = check.paper_number;
      c["measured_number"] = check.measured_number;
      c["tolerance"] = check.tolerance;
    }
    if (!check.second.empty()) c["second"] = check.second;
    if (!check.reason.empty()) c["reason"] = check.reason;
    j["checks"].push_back(std::move(c));
  }
  for (const Figure& figure : entry.figures) j["figures"].push_back(figure_json(figure));
  j["notes"] = entry.notes;
  return j;
}

void write_entry_file(const std::filesystem::path& directory, const EntryOrigin& origin, const FinishedEntry& entry) {
  const nlohmann::ordered_json file{{"program", origin.program},
                                    {"depth", depth_name(origin.depth)},
                                    {"seconds", entry.result.seconds},
                                    {"entry", entry.document}};
  write_file(directory / kEntryFile, file.dump(1) + "\n");
}

std::optional<double> last_seconds(const std::filesystem::path& directory, Depth depth) {
  try {
    const auto file = nlohmann::ordered_json::parse(file_text((directory / kEntryFile).string()).value_or(""));
    if (file.at("depth") != depth_name(depth)) return std::nullopt;
    return file.at("seconds").get<double>();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<FinishedEntry> read_entry_file(const std::filesystem::path& directory, const EntryOrigin& origin) {
  const std::optional<std::string> text = file_text((directory / kEntryFile).string());
  if (!text) return std::nullopt;
  try {
    const auto file = nlohmann::ordered_json::parse(*text);
    if (file.at("program") != origin.program || file.at("depth") != depth_name(origin.depth)) return std::nullopt;
    return entry_of(file);
  } catch (const std::exception&) {  // broken off while it was written
    return std::nullopt;
  }
}

}  // namespace weir
