// A file that is written completely or not at all: it is written beside the name it is to have and renamed at the end,
// so that an older file survives every failure. Every failed write, and the flush to disk at the end, becomes an
// InputError with the path and the system's reason. Streams would swallow a full disk.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/files/scratch.h"

namespace weir {

class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void close();  // flushes to disk and takes the name; without it nothing has happened

 private:
  void flush();
  void write_beside();
  std::filesystem::path path_, target_;
  std::string buffer_;
  std::optional<Scratch> scratch_;  // nothing where the file is a device or a pipe
  int fd_ = -1;
};

void write_file(const std::filesystem::path& path, std::string_view text);

// Throws InputError if no file can be written there, or if it is one of `inputs`, which would be destroyed. Call it
// before any work, so that a typing error costs no time.
void check_output_file(const std::filesystem::path& path, const std::vector<std::filesystem::path>& inputs = {});

// True if both names stand for one file that exists.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

// "cannot write PATH: REASON", with advice where the reason has an obvious one. `error` is an errno value.
[[noreturn]] void refuse_write(const std::filesystem::path& path, int error);

}  // namespace weir
