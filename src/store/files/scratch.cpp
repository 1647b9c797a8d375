// See scratch.h.
#include "store/files/scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <regex>
#include <string>
#include <vector>

#include "store/files/output_file.h"

namespace weir {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestStem = 200;  // bytes; file systems allow 255 for the whole name
constexpr int kAttempts = 1000;

// All that this process would leave behind; to be used with the lock held. It belongs to the process, as signals do,
// and is never destroyed, since one may come while the program ends.
struct Registry {
  struct Entry {
    fs::path path;
    bool whole_tree;
  };
  std::mutex mutex;
  std::vector<Entry> entries;

  void add(const fs::path& path, bool whole_tree) { entries.push_back({path, whole_tree}); }
  void drop(const fs::path& path) {
    std::erase_if(entries, [&](const Entry& e) { return e.path == path; });
  }
};

Registry& registry() {
  static auto* const all = new Registry;
  return *all;
}

// Somebody may still be writing into it: then it takes another round. Where nothing can be removed, nothing is gained.
void remove_tree(const fs::path& path) {
  std::error_code error;
  for (int round = 0; round < kAttempts; ++round) {
    fs::remove_all(path, error);
    if (!fs::exists(fs::symlink_status(path, error))) return;
  }
}

int open_existing(const fs::path& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); }

// Whatever has such a name and no lock belongs to a process that is no more. File systems without locks keep theirs.
void remove_leftovers(const fs::path& directory) {
  static const std::regex name_of_scratch(R"(\..+\.weir-(\d+-\d+|lock))");
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error))
    if (std::regex_match(entry->path().filename().string(), name_of_scratch)) found.push_back(entry->path());
  for (const fs::path& path : found) {
    const int fd = open_existing(path);
    if (fd < 0) continue;
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 && still_there(fd, path)) fs::remove_all(path, error);
    ::close(fd);
  }
}

// The file descriptor of a new, locked file or directory; -1 with errno if there is none.
int make_scratch(const fs::path& path, ScratchKind kind) {
  int fd = -1;
  if (kind == ScratchKind::file) {
    fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } else {
    // mkdir rather than mkdtemp, so that the result is as readable as the user's other directories.
    if (::mkdir(path.c_str(), 0777) != 0) return -1;
    fd = open_existing(path);
  }
  if (fd < 0) return -1;
  ::flock(fd, LOCK_EX);
  if (still_there(fd, path)) return fd;
  ::close(fd);  // somebody took it for a leftover before it had its lock
  errno = EEXIST;
  return -1;
}

}  // namespace

fs::path scratch_name(const fs::path& target, const std::string& ending) {
  const fs::path directory = target.has_parent_path() ? target.parent_path() : fs::path(".");
  return directory / ("." + target.filename().string().substr(0, kLongestStem) + ".weir-" + ending);
}

bool still_there(int fd, const fs::path& path) {
  struct stat mine {
  }, there{};
  return ::fstat(fd, &mine) == 0 && ::lstat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
         mine.st_dev == there.st_dev;
}

Scratch::Scratch(const fs::path& target, ScratchKind kind) {
  remove_leftovers(scratch_name(target, "").parent_path());
  for (int attempt = 0; fd_ < 0; ++attempt) {
    path_ = scratch_name(target, std::to_string(::getpid()) + "-" + std::to_string(attempt));
    const std::lock_guard lock(registry().mutex);
    fd_ = make_scratch(path_, kind);
    if (fd_ >= 0) registry().add(path_, true);
    else if (errno != EEXIST || attempt == kAttempts) refuse_write(target, errno);
  }
}

Scratch::~Scratch() {
  if (!path_.empty()) {
    const std::lock_guard lock(registry().mutex);
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    registry().drop(path_);
  }
  close_fd();
}

void Scratch::close_fd() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void Scratch::rename_to(const fs::path& target) {
  const std::lock_guard lock(registry().mutex);
  if (::rename(path_.c_str(), target.c_str()) != 0) refuse_write(target, errno);
  registry().drop(path_);
  path_.clear();
}

void Scratch::exchange_with(const fs::path& target) {
  const std::lock_guard lock(registry().mutex);
  if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) return;
  if (errno != EINVAL && errno != ENOSYS) refuse_write(target, errno);
  const fs::path old = path_.string() + "0000";  // still a name of scratch
  if (::rename(target.c_str(), old.c_str()) != 0) refuse_write(target, errno);
  if (::rename(path_.c_str(), target.c_str()) != 0) {
    const int reason = errno;
    ::rename(old.c_str(), target.c_str());
    refuse_write(target, reason);
  }
  registry().drop(path_);
  registry().add(old, true);
  path_ = old;
}

Vanishing::Vanishing(const fs::path& path) : path_(path) {
  const std::lock_guard lock(registry().mutex);
  registry().add(path_, false);
}

Vanishing::~Vanishing() {
  const std::lock_guard lock(registry().mutex);
  registry().drop(path_);
}

MadeDirectories::MadeDirectories(const fs::path& directory) {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path p = fs::absolute(directory); !fs::exists(p, error) && p.has_relative_path(); p = p.parent_path())
    if (p.has_filename()) missing.push_back(p);
  for (auto p = missing.rbegin(); p != missing.rend(); ++p) {
    if (fs::create_directory(*p, error)) made_.emplace_back(*p);
    if (error) refuse_write(*p, error.value());
  }
}

MadeDirectories::~MadeDirectories() {
  for (; !made_.empty(); made_.pop_back()) ::rmdir(made_.back().path().c_str());  // stays if there is anything in it
}

void remove_scratch() {
  registry().mutex.lock();  // for good
  auto& entries = registry().entries;
  std::for_each(entries.rbegin(), entries.rend(), [](const Registry::Entry& entry) {
    if (entry.whole_tree) remove_tree(entry.path);
    else if (::unlink(entry.path.c_str()) != 0) ::rmdir(entry.path.c_str());
  });
}

}  // namespace weir
