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
// The same for names, cut in the middle: those of large switches differ at their end, where chip and port are.
std::string shorten_name(std::string_view text, std::size_t width);
std::string wrap(std::string_view text, std::size_t width,
                 std::size_t indent = 0);  // breaks at spaces; ends with a newline

// The same with characters that every terminal has, as wide as before: for those that do not show UTF-8.
std::string in_ascii(std::string_view text);
// Does a terminal with these settings (LC_ALL, LC_CTYPE, LANG; nullptr = not set) show UTF-8? Without any it does.
bool shows_utf8(const char* lc_all, const char* lc_ctype, const char* lang);
// Columns of the terminal, if it tells a number that can be used: by COLUMNS, or by itself (0 = it does not).
std::size_t usable_width(const char* columns, std::size_t of_terminal, std::size_t otherwise);

// A row of block characters, one per value, at most `width` of them (each then shows the maximum of its part). Gaps
// are blank.
std::string sparkline(const std::vector<std::optional<double>>& values, std::size_t width = 60);

}  // namespace weir
