// See file_lock.h.
#include "store/files/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "base/error.h"
#include "store/files/output_file.h"

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

constexpr int kGlances = 10;
constexpr auto kNap = std::chrono::milliseconds(20);

// Whoever removes leftovers holds the lock for a moment.
bool lock_within_moments(int fd) {
  for (int glance = 0; glance < kGlances; ++glance) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK) return false;
    std::this_thread::sleep_for(kNap);
  }
  errno = EWOULDBLOCK;
  return false;
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& lock, const std::string& busy, const std::string& advice,
                   Unsupported unsupported)
    : path_(lock) {
  for (;;) {
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) refuse_write(path_, errno);
    if (!lock_within_moments(fd_)) {
      const int reason = errno;
      if (reason != EWOULDBLOCK && unsupported == Unsupported::go_on) break;
      const std::string who = owner(fd_);
      ::close(fd_);
      if (reason != EWOULDBLOCK) refuse_write(path_, reason);
      throw InputError(busy + " (" + who + "); " + advice);
    }
    // The last owner may have removed the file between our open and our lock; then we hold a lock on nothing.
    if (still_there(fd_, path_)) break;
    ::close(fd_);
  }
  vanishing_.emplace(path_);
  // Only for the message of a second one; a full disk need not keep us from going on.
  const std::string who = myself();
  if (::ftruncate(fd_, 0) != 0 || ::pwrite(fd_, who.data(), who.size(), 0) < 0) return;
}

FileLock::~FileLock() {
  ::unlink(path_.c_str());
  ::close(fd_);
}

FileLock sweep_lock(const std::filesystem::path& file) {
  return {file.string() + ".lock", "another sweep is writing to " + file.string(),
          "wait for it, or choose another file with --out"};
}

}  // namespace weir
