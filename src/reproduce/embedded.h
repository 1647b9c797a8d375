// The files below reproduce/ (scenarios and what the papers print), built into the program.
#pragma once
#include <span>
#include <string_view>

namespace weir {

struct EmbeddedFile {
  std::string_view path;  // "reproduce/theory/hol.toml"
  std::string_view text;
};
std::span<const EmbeddedFile> embedded_files();
std::string_view embedded_file(std::string_view path);  // aborts if there is no such file

}  // namespace weir
