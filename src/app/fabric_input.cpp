// The file of a fabric becomes the smallest scenario with it, so that --set works on both.
#include "app/fabric_input.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/runner.h"
#include "base/file_text.h"
#include "network/topologies/topology_files.h"
#include "run/simulate.h"
#include "scenario/toml/toml_tree.h"

namespace weir {
namespace {

// What vocabulary() knows, with traffic optional: a fabric is worth a question before anybody sends.
Vocabulary without_required_traffic() {
  Vocabulary relaxed = vocabulary();
  for (SectionSpec& section : relaxed.sections)
    if (section.name == "traffic") section.required = false;
  return relaxed;
}

}  // namespace

Scenario read_fabric_scenario(const std::string& file, const std::string& format, const std::vector<std::string>& set) {
  const std::vector<Override> overrides = parse_overrides(set);
  static const Vocabulary relaxed = without_required_traffic();
  if (file.ends_with(".toml")) {
    if (format != "auto") throw InputError("--format is for fabric files, not for scenarios");
    return parse_scenario_file(file, relaxed, overrides);
  }
  if (!std::filesystem::exists(file)) throw InputError(file + ": there is no such file");
  const bool names_simulator = format == "htsim" || format == "ns3";
  const std::string_view simulator =
      names_simulator ? std::string_view(format)
      : format == "auto" && std::filesystem::is_regular_file(file)  // a pipe would be read up here
          ? simulator_of_fabric(read_text_file(file))
          : "";
  std::string text = fmt::format("[topology]\nkind = \"{}\"\npath = {}\n", simulator.empty() ? "file" : simulator,
                                 toml_quoted(file));
  if (simulator.empty()) text += fmt::format("format = \"{}\"\n", format);
  return parse_scenario_text(text, "", relaxed, overrides);
}

}  // namespace weir
