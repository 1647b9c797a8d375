// See result_dir.h. Errors of the file system are InputErrors: the user can do something about each of them.
#include "store/result_dir.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>
#include <sstream>

#include "base/error.h"
#include "store/csv.h"
#include "store/json.h"
#include "store/output_file.h"
#include "store/sqlite.h"

namespace weir {
namespace fs = std::filesystem;
namespace {

constexpr const char* kManifest = "MANIFEST";
constexpr const char* kManifestHead = "weir result 1";

enum class Place { free, empty, result };

// Names that weir wrote into the directory, or nothing if it is not a result of ours.
std::set<std::string> manifest_names(const fs::path& directory) {
  std::ifstream file(directory / kManifest);
  std::string line;
  if (!std::getline(file, line) || line != kManifestHead) return {};
  std::set<std::string> names{kManifest};
  while (std::getline(file, line)) names.insert(line);
  return names;
}

// Follows a link, so that the directory behind it is replaced and not the link; and drops a trailing slash.
fs::path target_of(const fs::path& directory) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(fs::absolute(directory), error);
  if (error) refuse_write(directory, error.value());
  if (!path.has_filename()) path = path.parent_path();
  return path;
}

Place inspect(const fs::path& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found) return Place::free;
  if (error) refuse_write(directory, error.value());
  if (status.type() != fs::file_type::directory)
    throw InputError("cannot write results to " + directory.string() + ": it is a file; give a directory");
  const fs::directory_iterator entries(directory, error);
  if (error) refuse_write(directory, error.value());
  const std::set<std::string> ours = manifest_names(directory);
  std::set<std::string> foreign;
  for (const auto& entry : entries)
    if (!ours.contains(entry.path().filename().string())) foreign.insert(entry.path().filename().string());
  if (ours.empty() && foreign.empty()) return Place::empty;
  if (ours.empty())
    throw InputError("will not write results to " + directory.string() +
                     ": it exists and is not a weir result; choose another directory or remove it");
  if (!foreign.empty())
    throw InputError("will not replace the results in " + directory.string() + ": it also holds " + *foreign.begin() +
                     ", which weir did not write; move that away or choose another directory");
  return Place::result;
}

// The hidden sibling; removed again unless it was put in place.
class Workplace {
 public:
  explicit Workplace(const fs::path& target) {
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    if (error) refuse_write(target.parent_path(), error.value());
    // mkdir rather than mkdtemp, so that the result is as readable as the user's other directories.
    const std::string stem = "." + target.filename().string() + ".tmp-" + std::to_string(::getpid()) + "-";
    for (int attempt = 0;; ++attempt) {
      path_ = target.parent_path() / (stem + std::to_string(attempt));
      if (::mkdir(path_.c_str(), 0777) == 0) return;
      if (errno != EEXIST || attempt == 1000) refuse_write(target.parent_path(), errno);
    }
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const fs::path& path() const { return path_; }

  void put_in_place(const fs::path& target, Place place) {
    if (place != Place::result) {
      if (::rename(path_.c_str(), target.c_str()) != 0) refuse_write(target, errno);
      return;
    }
    // Swap old and new in one step; the destructor then removes the old one.
    if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) return;
    if (errno != EINVAL && errno != ENOSYS) refuse_write(target, errno);
    const fs::path old = path_.string() + ".old";
    if (::rename(target.c_str(), old.c_str()) != 0) refuse_write(target, errno);
    if (::rename(path_.c_str(), target.c_str()) != 0) {
      const int reason = errno;
      ::rename(old.c_str(), target.c_str());
      refuse_write(target, reason);
    }
    path_ = old;
  }

 private:
  fs::path path_;
};

void check_labels(const std::vector<PreparedRun>& runs) {
  std::set<std::string> labels;
  for (const PreparedRun& run : runs)
    if (!labels.insert(run.record.label).second)
      throw InputError("two runs are both called \"" + run.record.label + "\"; give each its own label");
}

void check_extra_names(const ExtraFiles& extra) {
  for (const auto& [name, content] : extra)
    if (name.empty() || name.find_first_of("/\n") != std::string::npos || name == "." || name == "..")
      throw InputError("\"" + name + "\" is not a file name");
}

std::vector<std::string> write_scenarios(const fs::path& directory, const std::vector<PreparedRun>& runs) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    names.push_back(runs.size() == 1 ? "scenario.toml" : "scenario-" + std::to_string(i + 1) + ".toml");
    write_file(directory / names.back(), runs[i].config);
  }
  return names;
}

void write_database(const fs::path& path, const std::vector<PreparedRun>& runs) {
  ResultDatabase database(path);
  for (const PreparedRun& run : runs) database.add(run);
  database.close();
}

void write_manifest(const fs::path& directory, std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  std::string text = std::string(kManifestHead) + "\n";
  for (const std::string& name : names) text += name + "\n";
  write_file(directory / kManifest, text);
}

}  // namespace

void check_result_dir(const fs::path& directory) {
  const fs::path target = target_of(directory);
  inspect(target);
  // The nearest directory that exists must take new entries.
  fs::path parent = target.parent_path();
  std::error_code error;
  while (!fs::exists(parent, error) && parent.has_relative_path()) parent = parent.parent_path();
  if (!fs::is_directory(parent, error))
    throw InputError("cannot write " + directory.string() + ": " + parent.string() + " is not a directory");
  if (::access(parent.c_str(), W_OK | X_OK) != 0) refuse_write(directory, errno);
}

void write_results(const fs::path& directory, const std::vector<RunRecord>& records, const ExtraFiles& extra) {
  std::vector<PreparedRun> runs;
  for (const RunRecord& record : records) runs.push_back(prepare(record));
  write_results(directory, runs, extra);
}

void write_results(const fs::path& directory, const std::vector<PreparedRun>& runs, const ExtraFiles& extra) {
  check_labels(runs);
  check_extra_names(extra);
  const fs::path target = target_of(directory);
  const Place place = inspect(target);
  Workplace work(target);
  std::vector<std::string> names = write_csv_files(work.path(), runs);
  for (const std::string& name : write_scenarios(work.path(), runs)) names.push_back(name);
  const std::pair<std::string, std::string> documents[] = {{"result.json", json_document(runs)},
                                                           {"timing.json", json_timing(runs)}};
  for (const auto& [name, content] : documents) {
    write_file(work.path() / name, content);
    names.push_back(name);
  }
  write_database(work.path() / "result.sqlite", runs);
  names.push_back("result.sqlite");
  for (const auto& [name, content] : extra) {
    write_file(work.path() / name, content);
    names.push_back(name);
  }
  write_manifest(work.path(), std::move(names));
  work.put_in_place(target, place);
}

}  // namespace weir
