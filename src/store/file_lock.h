// One writer at a time for a file that is written over hours. The lock lies beside the file, not in it: a database has
// locks of its own, and on network file systems they would be the same ones. It ends with the process, however that
// ends.
#pragma once
#include <filesystem>

namespace weir {

class FileLock {
 public:
  // Takes "<file>.lock". Throws InputError if somebody has it, saying who, or if it cannot be made.
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

}  // namespace weir
