// Where a run or a comparison puts what it finds: checked, and claimed for this process, before any work is done.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.h"
#include "scenario/scenario.h"
#include "store/files/result_dir.h"

namespace weir {

class ResultPlace {
 public:
  // Throws InputError if the directory or the file of --json cannot be used, or is what is read. `suffix` is added to
  // the usual name of the directory, and empty for a single run.
  ResultPlace(const ScenarioOptions& options, const Scenario& scenario, const std::string& suffix);
  const std::string& directory() const { return directory_; }
  void written();  // Ctrl-C says so from now on

 private:
  std::string directory_;
  std::optional<ResultClaim> claim_;
};

// The scenario's own file and those that it names.
std::vector<std::filesystem::path> inputs_of(const Scenario& scenario);

}  // namespace weir
