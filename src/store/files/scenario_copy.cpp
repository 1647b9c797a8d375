#include "store/files/scenario_copy.h"

#include <algorithm>

#include "scenario/rank_files.h"
#include "store/files/output_file.h"

namespace weir {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kLargestCopy = std::uintmax_t{64} << 20;
constexpr std::string_view kPrefix = "input-";

bool names_a_file(const Value& value) { return value.type == ParamType::file && value.is_set; }

bool worth_a_copy(const std::vector<std::string>& sources) {
  std::error_code error;
  std::uintmax_t size = 0;
  for (const std::string& source : sources) {
    if (!fs::is_regular_file(source, error)) return false;
    size += fs::file_size(source, error);
  }
  return size <= kLargestCopy;
}

}  // namespace

std::vector<fs::path> named_files(const Scenario& scenario) {
  std::vector<fs::path> files;
  for (const Section& section : scenario.sections)
    for (const Value& value : section.values)
      if (names_a_file(value))
        for (const std::string& file : rank_files(value.text)) files.emplace_back(file);
  return files;
}

std::string ScenarioCopies::text_of(const Scenario& scenario) {
  Scenario copy = scenario;
  for (Section& section : copy.sections)
    for (Value& value : section.values)
      if (names_a_file(value)) {
        const std::vector<std::string> files = rank_files(value.text);
        value.written_path = worth_a_copy(files) ? copied(files) : fs::absolute(value.text).lexically_normal().string();
      }
  return copy.canonical();
}

// A copy that is run again keeps its name. Files of ranks stay beside each other under names that differ by the rank.
std::string ScenarioCopies::copied(const std::vector<std::string>& files) {
  for (const Copy& copy : copies_)
    if (same_file(copy.source, files[0])) return copy.name;
  const auto base = [](const std::string& file) {
    std::string name = fs::path(file).filename().string();
    return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
  };
  const auto taken = [&](const std::string& name) {
    return std::any_of(copies_.begin(), copies_.end(), [&](const Copy& copy) { return copy.name == name; });
  };
  std::string prefix{kPrefix};
  for (int number = 2; taken(prefix + base(files[0])); ++number)
    prefix = std::string(kPrefix) + std::to_string(number) + "-";
  for (const std::string& file : files) copies_.push_back({prefix + base(file), file});
  return prefix + base(files[0]);
}

}  // namespace weir
