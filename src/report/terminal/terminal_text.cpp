#include "report/terminal/terminal_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <utility>

namespace weir {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

CodePoint decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t value = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) != 0x80) return {};
    value = (value << 6) | (byte & 0x3F);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (overlong || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return {};
  return {value, length, true};
}

struct Range {
  std::uint32_t first, last;
};

template <std::size_t N>
bool in(const Range (&ranges)[N], std::uint32_t c) {
  return std::any_of(ranges, ranges + N, [c](Range r) { return c >= r.first && c <= r.last; });
}

bool is_zero_width(std::uint32_t c) {
  static constexpr Range kRanges[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},
                                      {0x064B, 0x065F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D},
                                      {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
  return in(kRanges, c);
}

bool is_wide(std::uint32_t c) {
  static constexpr Range kRanges[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},  {0x3400, 0x4DBF},
                                      {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},
                                      {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                                      {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  return in(kRanges, c);
}

// Controls, and the marks that turn the writing direction: either would garble what stands beside the name.
bool is_dangerous(std::uint32_t c) {
  static constexpr Range kRanges[] = {{0x00, 0x1F}, {0x7F, 0x9F}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}};
  return in(kRanges, c);
}

std::size_t width_of(const CodePoint& c) {
  if (!c.valid) return 1;
  if (is_zero_width(c.value)) return 0;
  return is_wide(c.value) ? 2 : 1;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const CodePoint c = decode(text);
    result += c.valid && !is_dangerous(c.value) ? text.substr(0, c.bytes) : kReplacement;
    text.remove_prefix(c.bytes);
  }
  return result;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint c = decode(text);
    width += width_of(c);
    text.remove_prefix(c.bytes);
  }
  return width;
}

std::string shorten(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::string result;
  std::size_t used = 0;
  while (!text.empty()) {
    const CodePoint c = decode(text);
    if (used + width_of(c) > width - 1) break;
    used += width_of(c);
    result += text.substr(0, c.bytes);
    text.remove_prefix(c.bytes);
  }
  return result + "…";
}

std::string shorten_name(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  constexpr std::size_t kLeastForBothEnds = 5;
  if (width < kLeastForBothEnds) return shorten(text, width);
  // A link keeps the end of both names: there is the port that sends.
  constexpr std::string_view kArrow = " -> ";
  const std::size_t arrow = text.find(kArrow);
  if (arrow != text.npos && width >= 2 * kLeastForBothEnds + kArrow.size()) {
    const std::size_t room = width - kArrow.size(), first = display_width(text.substr(0, arrow));
    const std::string_view to = text.substr(arrow + kArrow.size());
    const std::size_t half = std::max(room - room / 2, room - std::min(room / 2, display_width(to)));
    const std::string from = shorten_name(text.substr(0, arrow), std::min(first, half));
    return from + std::string(kArrow) + shorten_name(to, room - display_width(from));
  }
  const std::size_t head = (width - 1) / 3;
  std::string_view tail = text;
  while (display_width(tail) > width - 1 - head) tail.remove_prefix(decode(tail).bytes);
  return shorten(text, head + 1) + std::string(tail);
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  std::string result, line;
  std::size_t used = 0;
  bool empty = true;  // nothing but the margin on this line
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string word = shorten_name(text.substr(0, space), width - indent);
    text.remove_prefix(std::min(space + 1, text.size()));
    if (!empty && used + 1 + display_width(word) > width) {
      result += line + "\n";
      line.assign(indent, ' ');
      used = indent;
      empty = true;
    }
    if (!empty) line += ' ';
    used += display_width(word) + (empty ? 0 : 1);
    line += word;
    empty = false;
  }
  return result + line + "\n";
}

std::string sparkline(const std::vector<std::optional<double>>& values, std::size_t width) {
  static constexpr const char* kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t columns = std::min(values.size(), width);
  std::vector<std::optional<double>> peaks(columns);
  double highest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    auto& peak = peaks[i * columns / values.size()];
    peak = std::max(peak.value_or(*values[i]), *values[i]);
    highest = std::max(highest, *values[i]);
  }
  std::string result;
  for (const auto& peak : peaks) {
    if (!peak) {
      result += ' ';
      continue;
    }
    const double level = highest > 0 ? std::max(*peak, 0.0) / highest * 8 : 0;
    result += kBlocks[std::min<std::size_t>(7, static_cast<std::size_t>(level))];
  }
  return result;
}

std::string in_ascii(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kInstead[] = {
      {"─", "-"}, {"▁", "."}, {"▂", ":"}, {"▃", "-"}, {"▄", "="}, {"▅", "+"}, {"▆", "*"}, {"▇", "#"}, {"█", "@"},
      {"▏", "|"}, {"▎", " "}, {"▍", " "}, {"▌", " "}, {"▋", "@"}, {"▊", "@"}, {"▉", "@"}, {"…", "~"},
      {"±", "+-"}, {"×", "x"}, {"→", "->"}, {"\uFFFD", "?"}};
  std::string result;
  while (!text.empty()) {
    const auto* found = std::find_if(std::begin(kInstead), std::end(kInstead),
                                     [&](const auto& pair) { return text.starts_with(pair.first); });
    const bool replaced = found != std::end(kInstead);
    result += replaced ? found->second : text.substr(0, 1);
    text.remove_prefix(replaced ? found->first.size() : 1);
  }
  return result;
}

bool shows_utf8(const char* lc_all, const char* lc_ctype, const char* lang) {
  for (const char* setting : {lc_all, lc_ctype, lang}) {
    if (setting == nullptr || setting[0] == '\0') continue;
    std::string lower(setting);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return lower.find("utf-8") != std::string::npos || lower.find("utf8") != std::string::npos;
  }
  return true;
}

std::size_t usable_width(const char* columns, std::size_t of_terminal, std::size_t otherwise) {
  constexpr std::size_t kLeast = 40, kMost = 1000;
  std::size_t given = 0;
  if (columns != nullptr) {
    const std::string_view text(columns);
    if (std::from_chars(text.data(), text.data() + text.size(), given).ec != std::errc()) given = 0;
  }
  for (const std::size_t width : {given, of_terminal})
    if (width > 0) return std::clamp(width, kLeast, kMost);
  return otherwise;
}

}  // namespace weir
