// A whole file as text, for everything that weir reads in one piece.
#pragma once
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"

namespace weir {

// More than any table or trace has; /dev/zero and a pipe that never ends have more.
inline constexpr std::size_t kLargestFile = std::size_t{1} << 30;

// Nothing if the file cannot be opened or read to its end; a directory, for one, opens and cannot be read. A device, or
// a file larger than `most`, is an InputError.
inline std::optional<std::string> file_text(const std::string& path, std::size_t most = kLargestFile) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return std::nullopt;
  struct stat about {};
  if (::fstat(::fileno(file.get()), &about) == 0 && (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode)))
    throw InputError(SourcePosition{path, 0, 0}, "is a device; a file is needed");
  const auto check = [&](std::size_t size) {
    if (size > most)
      throw InputError(SourcePosition{path, 0, 0}, "is larger than " + std::to_string(most >> 20) +
                                                       " MiB, the most that is read in one piece");
  };
  if (S_ISREG(about.st_mode)) check(static_cast<std::size_t>(about.st_size));
  std::string text;
  char piece[1 << 16];
  while (const std::size_t size = std::fread(piece, 1, sizeof piece, file.get())) {
    check(text.size() + size);
    text.append(piece, size);
  }
  if (std::ferror(file.get()) != 0) return std::nullopt;
  return text;
}

inline std::string read_text_file(const std::string& path) {
  std::optional<std::string> text = file_text(path);
  struct stat about {};
  if (!text && ::stat(path.c_str(), &about) != 0 && errno == ENOENT)
    throw InputError(SourcePosition{path, 0, 0}, "there is no such file");
  if (!text) throw InputError(SourcePosition{path, 0, 0}, "cannot be read");
  return *std::move(text);
}

}  // namespace weir
