#include "reproduce/embedded.h"

#include "base/error.h"
#include "base/check.h"

namespace weir {

const EmbeddedFile* find_embedded(std::string_view path) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.path == path) return &file;
  return nullptr;
}

std::string_view embedded_file(std::string_view path) {
  const EmbeddedFile* file = find_embedded(path);
  if (file == nullptr) fail(__FILE__, __LINE__, "a file that is not embedded");
  return file->text;
}

std::string embedded_trace(const std::string& path) {
  const EmbeddedFile* file = find_embedded("scenarios/" + path.substr(path.find(':') + 1));
  if (file == nullptr) throw InputError("the program carries no file " + path);
  return std::string(file->text);
}

}  // namespace weir
