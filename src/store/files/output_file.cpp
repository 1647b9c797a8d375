#include "store/files/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"

namespace weir {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
constexpr int kMostLinks = 40;

std::string write_advice(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; free some space or choose another place with --out";
    case EFBIG:
      return "; the limit on the size of files is reached (ulimit -f)";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; choose a directory that you may write to with --out";
    default:
      return "";
  }
}

// /dev/stdout and its like stand for something that is open already, whatever it is: it must not be replaced.
bool is_stream(const fs::path& path) {
  const std::string name = fs::absolute(path).lexically_normal().string();
  for (const char* open_already : {"/dev/fd/", "/dev/std", "/proc/"})
    if (name.starts_with(open_already)) return true;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// The file behind links, there or not, so that the link stays.
fs::path behind_links(fs::path path) {
  std::error_code error;
  for (int links = 0; fs::is_symlink(path, error); ++links) {
    if (links == kMostLinks) refuse_write(path, ELOOP);
    const fs::path next = fs::read_symlink(path, error);
    if (error) refuse_write(path, error.value());
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

}  // namespace

void refuse_write(const fs::path& path, int error) {
  throw InputError("cannot write " + path.string() + ": " + std::generic_category().message(error) +
                   write_advice(error));
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

void check_output_file(const fs::path& path, const std::vector<fs::path>& inputs) {
  for (const fs::path& input : inputs)
    if (same_file(path, input))
      throw InputError("will not write to " + path.string() + ": it is an input file; choose another name");
  if (is_stream(path)) return;
  const fs::path target = behind_links(path);
  const fs::path directory = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::error_code error;
  if (!target.has_filename() || fs::is_directory(target, error))
    throw InputError("cannot write " + path.string() + ": it is a directory; give the name of a file");
  if (!fs::is_directory(directory, error))
    throw InputError("cannot write " + path.string() + ": there is no directory " + directory.string() +
                     "; make it, or choose another place");
  if (fs::exists(target, error) && ::access(target.c_str(), W_OK) != 0) refuse_write(path, errno);
  if (::access(directory.c_str(), W_OK | X_OK) != 0) refuse_write(path, errno);
}

OutputFile::OutputFile(const fs::path& path) : path_(path) {
  if (is_stream(path)) {
    fd_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd_ < 0) refuse_write(path_, errno);
  } else {
    write_beside();
  }
  buffer_.reserve(kBufferBytes);
}

void OutputFile::write_beside() {
  check_output_file(path_);
  target_ = behind_links(path_);
  scratch_.emplace(target_, ScratchKind::file);
  fd_ = scratch_->fd();
  struct stat before {};
  if (::stat(target_.c_str(), &before) == 0) ::fchmod(fd_, before.st_mode & 07777);
}

OutputFile::~OutputFile() {
  if (fd_ >= 0 && !scratch_) ::close(fd_);
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
  if (scratch_) {
    scratch_->rename_to(target_);
    scratch_.reset();
    fd_ = -1;
    return;
  }
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) refuse_write(path_, errno);
}

void write_file(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.close();
}

}  // namespace weir
