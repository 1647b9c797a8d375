// See scenario_copy.h.
#include "store/files/scenario_copy.h"

#include <algorithm>

#include "store/files/output_file.h"

namespace weir {
namespace fs = std::filesystem;
namespace {

constexpr std::uintmax_t kLargestCopy = std::uintmax_t{64} << 20;
constexpr std::string_view kPrefix = "input-";

bool names_a_file(const Value& value) { return value.type == ParamType::file && value.is_set; }

bool worth_a_copy(const fs::path& source) {
  std::error_code error;
  return fs::is_regular_file(source, error) && fs::file_size(source, error) <= kLargestCopy;
}

}  // namespace

std::vector<fs::path> named_files(const Scenario& scenario) {
  std::vector<fs::path> files;
  for (const Section& section : scenario.sections)
    for (const Value& value : section.values)
      if (names_a_file(value)) files.emplace_back(value.text);
  return files;
}

std::string ScenarioCopies::text_of(const Scenario& scenario) {
  Scenario copy = scenario;
  for (Section& section : copy.sections)
    for (Value& value : section.values)
      if (names_a_file(value))
        value.written_path =
            worth_a_copy(value.text) ? copied(value.text) : fs::absolute(value.text).lexically_normal().string();
  return copy.canonical();
}

// A copy that is run again keeps its name.
std::string ScenarioCopies::copied(const fs::path& source) {
  for (const Copy& copy : copies_)
    if (same_file(copy.source, source)) return copy.name;
  std::string base = source.filename().string();
  if (base.starts_with(kPrefix)) base = base.substr(kPrefix.size());
  const auto taken = [&](const std::string& name) {
    return std::any_of(copies_.begin(), copies_.end(), [&](const Copy& copy) { return copy.name == name; });
  };
  std::string name = std::string(kPrefix) + base;
  for (int number = 2; taken(name); ++number) name = std::string(kPrefix) + std::to_string(number) + "-" + base;
  copies_.push_back({name, source});
  return name;
}

}  // namespace weir
