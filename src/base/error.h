// Bad input. Everything a user can get wrong ends as an InputError that says where, what, and what would be right;
// the program prints it and exits with 2.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace weir {

// Where a value was written. `file` is a path, or "--set" for a command line override, or empty for a default.
struct SourcePosition {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  std::string text() const {
    if (file.empty()) return "";
    return line == 0 ? file + ": " : file + ":" + std::to_string(line) + ": ";
  }
};

class InputError : public std::runtime_error {
 public:
  InputError(const SourcePosition& where, const std::string& what)
      : std::runtime_error(where.text() + what), where_(where) {}
  explicit InputError(const std::string& what) : std::runtime_error(what) {}
  const SourcePosition& where() const { return where_; }

 private:
  SourcePosition where_;
};

}  // namespace weir
