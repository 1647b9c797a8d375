#include "app/result_place.h"

#include <filesystem>

#include "app/process.h"
#include "app/runner.h"
#include "base/file_text.h"
#include "store/files/output_file.h"
#include "store/files/scenario_copy.h"

namespace weir {
namespace fs = std::filesystem;
namespace {

fs::path full_path(const fs::path& path) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(fs::absolute(path), error);
  return full.has_filename() ? full : full.parent_path();
}

bool lies_in(const fs::path& file, const fs::path& directory) {
  return full_path(file).parent_path() == full_path(directory);
}

// A result is replaced as a whole. What it holds of the input has to be in the new one, too: so a scenario can be run
// again where it lies, and nobody loses one with --set or to a comparison.
void check_inputs_stay(const std::string& directory, const Scenario& scenario, bool one_run) {
  ScenarioCopies copies;
  const std::string text = copies.text_of(scenario);
  for (const fs::path& input : inputs_of(scenario)) {
    if (!lies_in(input, directory)) continue;
    bool stays = one_run && input.filename() == "scenario.toml" && file_text(input.string()) == text;
    for (const ScenarioCopies::Copy& copy : copies.copies())
      stays = stays || (copy.name == input.filename() && same_file(copy.source, input));
    if (!stays)
      throw InputError("will not replace the results in " + directory + ": " + input.string() +
                       " is an input of this run and would be lost; choose another directory with --out");
  }
}

void check_json(const std::string& json, const std::string& directory, const Scenario& scenario) {
  if (json.empty() || json == "-") return;
  if (full_path(json) == full_path(directory))
    throw InputError("cannot write " + json + ": it is to be the directory of the results; give --json another name");
  if (!lies_in(json, directory)) return check_text_file(json, inputs_of(scenario));
  if (fs::path(json).filename() == "result.json") return;  // the same text
  throw InputError("will not write " + json + ": the result directory " + directory +
                   " is replaced as a whole and holds result.json already; choose another place for --json");
}

}  // namespace

std::vector<fs::path> inputs_of(const Scenario& scenario) {
  std::vector<fs::path> inputs = named_files(scenario);
  inputs.emplace_back(scenario.file);
  return inputs;
}

ResultPlace::ResultPlace(const ScenarioOptions& options, const Scenario& scenario, const std::string& suffix)
    : directory_(result_directory(options.out, scenario, suffix)) {
  check_result_dir(directory_);
  check_inputs_stay(directory_, scenario, suffix.empty());
  check_json(options.json, directory_, scenario);
  claim_.emplace(directory_);
  std::error_code error;
  when_interrupted([words = fs::exists(fs::path(directory_) / "MANIFEST", error)
                                ? "nothing was written; the results in " + directory_ + " are those of an earlier run"
                                : std::string("nothing was written")] { return words; });
}

void ResultPlace::written() {
  when_interrupted([directory = directory_] { return "the results are in " + directory; });
}

}  // namespace weir
