// See output_file.h.
#include "store/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"

namespace weir {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

std::string advice(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "; free some space or choose another place with --out";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; choose a directory that you may write to with --out";
    default:
      return "";
  }
}

}  // namespace

void refuse_write(const std::filesystem::path& path, int error) {
  throw InputError("cannot write " + path.string() + ": " + std::generic_category().message(error) + advice(error));
}

OutputFile::OutputFile(const std::filesystem::path& path) : path_(path) {
  fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) refuse_write(path_, errno);
  buffer_.reserve(kBufferBytes);
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
}

void OutputFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBufferBytes) flush();
}

void OutputFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse_write(path_, errno);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void OutputFile::close() {
  flush();
  // Devices and pipes cannot be synchronised, and need not be.
  if (::fsync(fd_) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS) refuse_write(path_, errno);
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) refuse_write(path_, errno);
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.close();
}

}  // namespace weir
