// A file that is written completely or not at all as far as the caller can tell: every failed write, and the flush to
// disk at the end, becomes an InputError with the path and the system's reason. Streams would swallow a full disk.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace weir {

class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);  // creates or empties it
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void close();  // flushes to disk; without it the file counts as abandoned

 private:
  void flush();
  std::filesystem::path path_;
  std::string buffer_;
  int fd_ = -1;
};

void write_file(const std::filesystem::path& path, std::string_view text);

// "cannot write PATH: REASON", with advice where the reason has an obvious one. `error` is an errno value.
[[noreturn]] void refuse_write(const std::filesystem::path& path, int error);

}  // namespace weir
