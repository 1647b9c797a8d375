// The files below reproduce/ (scenarios and what the papers print), built into the program.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace weir {

struct EmbeddedFile {
  std::string_view path;  // "reproduce/theory/hol.toml"
  std::string_view text;
};
std::span<const EmbeddedFile> embedded_files();
const EmbeddedFile* find_embedded(std::string_view path);  // nothing if there is no such file
std::string_view embedded_file(std::string_view path);     // aborts if there is no such file
// The program carries the traces with it: "builtin:traces/background.csv" lies in scenarios/. As a FileReader.
std::string embedded_trace(const std::string& path);

}  // namespace weir
