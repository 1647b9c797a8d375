// Text on a terminal: how wide it is, how to cut it, and how to keep names from the input from moving the cursor.
// Names come from files of other people; a control character in one of them must not reach the terminal.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

std::string printable(std::string_view text);                   // control characters and broken UTF-8 become U+FFFD
std::size_t display_width(std::string_view text);               // columns; CJK and emoji take two, combining marks none
std::string shorten(std::string_view text, std::size_t width);  // at most `width` columns, cut with an ellipsis
std::string wrap(std::string_view text, std::size_t width,
                 std::size_t indent = 0);  // breaks at spaces; ends with a newline

// A row of block characters, one per value, at most `width` of them (each then shows the maximum of its part). Gaps
// are blank.
std::string sparkline(const std::vector<std::optional<double>>& values, std::size_t width = 60);

}  // namespace weir
