// A whole file as text, for everything that weir reads in one piece.
#pragma once
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"

namespace weir {

// Nothing if the file cannot be opened or read to its end; a directory, for one, opens and cannot be read.
inline std::optional<std::string> file_text(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) return std::nullopt;
  std::string text;
  char piece[1 << 16];
  while (const std::size_t size = std::fread(piece, 1, sizeof piece, file.get())) text.append(piece, size);
  if (std::ferror(file.get()) != 0) return std::nullopt;
  return text;
}

inline std::string read_text_file(const std::string& path) {
  std::optional<std::string> text = file_text(path);
  if (!text) throw InputError(SourcePosition{path, 0, 0}, "cannot be read");
  return *std::move(text);
}

}  // namespace weir
