// A result directory: everything a run or a comparison produced, in files that other programs read. It appears
// completely or not at all: files are written into a hidden sibling directory that takes the final name at the end.
// An earlier weir result under that name is replaced in one step; anything else that lies there is left alone, and
// the caller is told.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/files/file_lock.h"
#include "store/run_record.h"

namespace weir {

// Files beside the standard ones (a report), as name and content.
using ExtraFiles = std::vector<std::pair<std::string, std::string>>;

// Throws InputError if the directory cannot be used; call it before a long run, so that a typing error costs no time.
void check_result_dir(const std::filesystem::path& directory);

// The same, and from then on for this process alone: of several runs that are to write to one directory all but the
// first are refused before they begin. Directories that it had to make vanish again if nothing was written.
class ResultClaim {
 public:
  explicit ResultClaim(const std::filesystem::path& directory);

 private:
  std::optional<MadeDirectories> parents_;
  std::optional<FileLock> lock_;  // goes first
};

// Writes result.json, result.sqlite, the CSV files, scenario.toml (for several runs scenario-<n>.toml), timing.json and
// MANIFEST, which lists all the others.
void write_results(const std::filesystem::path& directory, const std::vector<RunRecord>& records,
                   const ExtraFiles& extra = {});
void write_results(const std::filesystem::path& directory, const std::vector<PreparedRun>& runs,
                   const ExtraFiles& extra = {});

}  // namespace weir
