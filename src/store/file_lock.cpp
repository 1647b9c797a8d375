// See file_lock.h.
#include "store/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/error.h"
#include "store/output_file.h"

namespace weir {
namespace {

std::string myself() {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  return "process " + std::to_string(::getpid()) + " on " + host;
}

std::string owner(int fd) {
  char text[512];
  const ssize_t size = ::pread(fd, text, sizeof text, 0);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : "another process";
}

// The last owner may have removed the file between our open and our lock; then we hold a lock on nothing.
bool still_there(int fd, const std::filesystem::path& path) {
  struct stat mine {
  }, there{};
  return ::fstat(fd, &mine) == 0 && ::stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
         mine.st_dev == there.st_dev;
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& file) : path_(file.string() + ".lock") {
  for (;;) {
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) refuse_write(file, errno);
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      const int reason = errno;
      const std::string who = owner(fd_);
      ::close(fd_);
      if (reason != EWOULDBLOCK) refuse_write(path_, reason);
      throw InputError("another sweep is writing to " + file.string() + " (" + who +
                       "); wait for it, or choose another file with --out");
    }
    if (still_there(fd_, path_)) break;
    ::close(fd_);
  }
  // Only for the message of a second one; a full disk need not keep us from going on.
  const std::string who = myself();
  if (::ftruncate(fd_, 0) != 0 || ::pwrite(fd_, who.data(), who.size(), 0) < 0) return;
}

FileLock::~FileLock() {
  ::unlink(path_.c_str());
  ::close(fd_);
}

}  // namespace weir
