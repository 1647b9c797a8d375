// One writer at a time for what is written over hours. The lock lies beside a file, not in it: a database has locks of
// its own, and on network file systems they would be the same ones. It ends with the process, however that ends.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "store/files/scratch.h"

namespace weir {

class FileLock {
 public:
  enum class Unsupported { refuse, go_on };  // by the file system
  // Makes and takes the lock file `lock`. Throws InputError if somebody has it, or if it cannot be made: `busy` says
  // what that one is doing, `advice` what to do about it.
  FileLock(const std::filesystem::path& lock, const std::string& busy, const std::string& advice,
           Unsupported unsupported = Unsupported::refuse);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::filesystem::path path_;
  std::optional<Vanishing> vanishing_;
  int fd_ = -1;
};

// Of the result file of a sweep: "<file>.lock".
FileLock sweep_lock(const std::filesystem::path& file);

}  // namespace weir
