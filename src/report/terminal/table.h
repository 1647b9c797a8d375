// Tables on the terminal that always fit. A table that is too wide first shortens long names, then leaves out the
// columns that matter least and says which; no line is ever longer than the width.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace weir {

inline constexpr std::size_t kTextWidth = 100;

struct TextStyle {
  std::size_t width = kTextWidth;
  bool colour = false;
};
// Colour for a stream that is a terminal, unless NO_COLOR is set (to anything but nothing).
bool wants_colour(bool is_terminal, const char* no_color);

enum class Align { left, right };

struct TextColumn {
  std::string title;          // may have two lines
  Align align = Align::right;
  int importance = 5;         // the least important is left out first, the rightmost of equals; 9 = never
  std::size_t min_width = 0;  // may be shortened to this; 0 = not at all
};

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns);
  void add(std::vector<std::string> cells);  // one per column; made printable
  bool empty() const { return rows_.empty(); }
  std::string render(const TextStyle& style) const;
  std::vector<std::string> shown(const TextStyle& style) const;  // titles that render() shows, each in one line

 private:
  struct Layout {
    std::vector<std::size_t> shown;   // column numbers
    std::vector<std::size_t> widths;  // by column number
    std::size_t needed = 0;           // width that shows all columns, uncut
  };
  Layout fit(std::size_t width) const;
  bool says_nothing(std::size_t column) const;
  std::string line(const Layout& layout, const std::vector<std::string>& cells) const;

  std::vector<TextColumn> columns_;
  std::vector<std::vector<std::string>> rows_;
};

std::string bold(const std::string& text, const TextStyle& style);
std::string dim(const std::string& text, const TextStyle& style);

}  // namespace weir
