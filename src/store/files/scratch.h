// What lies beside a file or directory while it is written: ".NAME.weir-PID-N", hidden, under a lock of its process. It
// takes the final name at the end or vanishes: with an error, and with a signal (remove_scratch). What a killed process
// left behind has no lock any more, and is removed by the next one that writes to the same place.
#pragma once
#include <deque>
#include <filesystem>
#include <string>

namespace weir {

enum class ScratchKind { file, directory };

class Scratch {
 public:
  Scratch(const std::filesystem::path& target, ScratchKind kind);
  ~Scratch();  // removes it, or what it was exchanged with
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int fd() const { return fd_; }  // of a file: open for writing

  void rename_to(const std::filesystem::path& target);  // errors as refuse_write() has them
  // Both change names, in one step where the file system can; the old one vanishes with this object.
  void exchange_with(const std::filesystem::path& target);

 private:
  void close_fd();
  std::filesystem::path path_;
  int fd_ = -1;
};

// Something that is to vanish with this process even if a signal ends it; the owner itself removes it otherwise.
class Vanishing {
 public:
  explicit Vanishing(const std::filesystem::path& file_or_empty_directory);
  ~Vanishing();
  Vanishing(const Vanishing&) = delete;
  Vanishing& operator=(const Vanishing&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Makes a directory and those above it. Of those that were not there before, the ones that are still empty at the end
// vanish again.
class MadeDirectories {
 public:
  explicit MadeDirectories(const std::filesystem::path& directory);
  ~MadeDirectories();

 private:
  std::deque<Vanishing> made_;  // outermost first
};

// Removes all of it, for good: from now on whoever makes, renames or gives up scratch waits for the end of the process.
void remove_scratch();

// The name of scratch for `target`: "DIRECTORY/.NAME.weir-ENDING".
std::filesystem::path scratch_name(const std::filesystem::path& target, const std::string& ending);

// True if `fd`, which was opened under this name and then locked, is still what the name stands for.
bool still_there(int fd, const std::filesystem::path& path);

}  // namespace weir
