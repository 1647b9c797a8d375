// See result_dir.h. Errors of the file system are InputErrors: the user can do something about each of them.
#include "store/files/result_dir.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/file_text.h"
#include "store/csv.h"
#include "store/files/output_file.h"
#include "store/files/scenario_copy.h"
#include "store/json.h"
#include "store/sqlite/sqlite.h"

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

void refuse_dangling(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_symlink(fs::symlink_status(directory, error))) return;
  throw InputError("cannot write results to " + directory.string() + ": it is a link to " +
                   fs::read_symlink(directory, error).string() +
                   ", which does not exist; make that directory or remove the link");
}

// The directory is replaced as a whole. Whoever works in it would be left in one that is no more.
void refuse_irreplaceable(const fs::path& directory) {
  if (same_file(directory, "."))
    throw InputError("will not write results to " + directory.string() +
                     ": it is the current directory, and would be replaced; give the name of a directory in it");
  struct statx there {};
  if (::statx(AT_FDCWD, directory.c_str(), 0, STATX_BASIC_STATS, &there) == 0 &&
      (there.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0)
    throw InputError("cannot write results to " + directory.string() +
                     ": a mount point cannot be replaced; give the name of a directory in it");
}

Place inspect(const fs::path& directory) {
  std::error_code error;
  const fs::file_status status = fs::status(directory, error);
  if (status.type() == fs::file_type::not_found) {
    refuse_dangling(directory);
    return Place::free;
  }
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

void make_directories(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) refuse_write(directory, error.value());
}

// Another result may have appeared there since the run began.
void put_at(Scratch& work, const fs::path& target) {
  if (inspect(target) == Place::result) work.exchange_with(target);
  else work.rename_to(target);
}

// Or something that cannot be replaced: then what took so long is put beside it.
void put_in_place(Scratch& work, const fs::path& target) {
  try {
    put_at(work, target);
  } catch (const InputError& error) {
    for (int number = 2; number < 100; ++number) {
      const fs::path other = target.string() + "-" + std::to_string(number);
      std::error_code unknown;
      if (fs::exists(fs::symlink_status(other, unknown))) continue;
      work.rename_to(other);
      throw InputError(std::string(error.what()) + "\nthe new results are in " + other.string());
    }
    throw;
  }
}

void check_labels(const std::vector<AnalysedRun>& runs) {
  std::set<std::string> labels;
  for (const AnalysedRun& run : runs)
    if (!labels.insert(run.record.label).second)
      throw InputError("two runs are both called \"" + run.record.label + "\"; give each its own label");
}

void check_extra_names(const ExtraFiles& extra) {
  for (const auto& [name, content] : extra)
    if (name.empty() || name.find_first_of("/\n") != std::string::npos || name == "." || name == "..")
      throw InputError("\"" + name + "\" is not a file name");
}

std::vector<std::string> write_scenarios(const fs::path& directory, const std::vector<AnalysedRun>& runs) {
  std::vector<std::string> names;
  ScenarioCopies copies;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    names.push_back(runs.size() == 1 ? "scenario.toml" : "scenario-" + std::to_string(i + 1) + ".toml");
    write_file(directory / names.back(),
               with_calculated_values(copies.text_of(*runs[i].record.scenario), runs[i].m()));
  }
  for (const ScenarioCopies::Copy& copy : copies.copies()) {
    write_file(directory / copy.name, read_text_file(copy.source.string()));
    names.push_back(copy.name);
  }
  return names;
}

void write_database(const fs::path& path, const std::vector<AnalysedRun>& runs) {
  ResultDatabase database(path);
  for (const AnalysedRun& run : runs) database.add(run);
  database.close();
}

void write_manifest(const fs::path& directory, std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  std::string text = std::string(kManifestHead) + "\n";
  for (const std::string& name : names) text += name + "\n";
  write_file(directory / kManifest, text);
}

void write_everything(const fs::path& directory, const std::vector<AnalysedRun>& runs, const ExtraFiles& extra) {
  std::vector<std::string> names = write_csv_files(directory, runs);
  for (const std::string& name : write_scenarios(directory, runs)) names.push_back(name);
  OutputFile json(directory / "result.json");
  write_json(runs, [&](std::string_view piece) { json.write(piece); });
  json.close();
  write_file(directory / "timing.json", json_timing(runs));
  names.insert(names.end(), {"result.json", "timing.json"});
  write_database(directory / "result.sqlite", runs);
  names.push_back("result.sqlite");
  for (const auto& [name, content] : extra) {
    write_file(directory / name, content);
    names.push_back(name);
  }
  write_manifest(directory, std::move(names));
}

}  // namespace

void check_result_dir(const fs::path& directory) {
  const fs::path target = target_of(directory);
  refuse_irreplaceable(target);
  inspect(target);
  // The nearest directory that exists must take new entries.
  fs::path parent = target.parent_path();
  std::error_code error;
  for (; !fs::exists(parent, error) && parent.has_relative_path(); parent = parent.parent_path())
    refuse_dangling(parent);
  if (!fs::is_directory(parent, error))
    throw InputError("cannot write " + directory.string() + ": " + parent.string() + " is not a directory");
  if (::access(parent.c_str(), W_OK | X_OK) != 0) refuse_write(directory, errno);
}

ResultClaim::ResultClaim(const fs::path& directory) {
  const fs::path target = target_of(directory);
  check_result_dir(directory);
  parents_.emplace(target.parent_path());
  lock_.emplace(scratch_name(target, "lock"), "another weir is writing results to " + directory.string(),
                "wait for it, or choose another directory with --out", FileLock::Unsupported::go_on);
}

void write_results(const fs::path& directory, const std::vector<RunRecord>& records, const ExtraFiles& extra) {
  write_results(directory, analyse_together(records), extra);
}

void write_results(const fs::path& directory, const std::vector<AnalysedRun>& runs, const ExtraFiles& extra) {
  check_labels(runs);
  check_extra_names(extra);
  const fs::path target = target_of(directory);
  inspect(target);
  make_directories(target.parent_path());
  Scratch work(target, ScratchKind::directory);
  try {
    write_everything(work.path(), runs, extra);
  } catch (const InputError& error) {  // in terms of the name that the user knows
    std::string message = error.what();
    if (const std::size_t at = message.find(work.path().string()); at != std::string::npos)
      message.replace(at, work.path().string().size(), directory.string());
    throw InputError(message);
  }
  put_in_place(work, target);
}

}  // namespace weir
