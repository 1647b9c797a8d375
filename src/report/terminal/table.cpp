#include "report/terminal/table.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "report/terminal/terminal_text.h"

namespace weir {
namespace {

constexpr std::size_t kGap = 2;
constexpr int kNeverDropped = 9;

// The upper and the lower line of a title; one line stands below.
std::pair<std::string, std::string> title_lines(const std::string& title) {
  const std::size_t end = title.find('\n');
  if (end == title.npos) return {"", title};
  return {title.substr(0, end), title.substr(end + 1)};
}

std::size_t title_width(const std::string& title) {
  const auto [upper, lower] = title_lines(title);
  return std::max(display_width(upper), display_width(lower));
}

std::string in_one_line(std::string title) {
  std::replace(title.begin(), title.end(), '\n', ' ');
  return title;
}

std::size_t total_width(const std::vector<std::size_t>& shown, const std::vector<std::size_t>& widths) {
  std::size_t total = shown.empty() ? 0 : kGap * (shown.size() - 1);
  for (const std::size_t c : shown) total += widths[c];
  return total;
}

// Takes columns from the widest first, one at a time, so that similar columns end up similarly short.
void shrink(const std::vector<std::size_t>& shown, std::vector<std::size_t>& widths,
            const std::vector<std::size_t>& floors, std::size_t width) {
  while (total_width(shown, widths) > width) {
    std::size_t widest = shown.size();
    for (std::size_t i = 0; i < shown.size(); ++i)
      if (widths[shown[i]] > floors[shown[i]] && (widest == shown.size() || widths[shown[i]] > widths[shown[widest]]))
        widest = i;
    if (widest == shown.size()) return;
    --widths[shown[widest]];
  }
}

}  // namespace

bool wants_colour(bool is_terminal, const char* no_color) {
  return is_terminal && (no_color == nullptr || no_color[0] == '\0');
}

std::string bold(const std::string& text, const TextStyle& style) {
  return style.colour ? "\x1b[1m" + text + "\x1b[0m" : text;
}
std::string dim(const std::string& text, const TextStyle& style) {
  return style.colour ? "\x1b[2m" + text + "\x1b[0m" : text;
}

TextTable::TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

void TextTable::add(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) fail(__FILE__, __LINE__, "a table row needs one cell per column");
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

TextTable::Layout TextTable::fit(std::size_t width) const {
  std::vector<std::size_t> natural(columns_.size()), floors(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    natural[c] = title_width(columns_[c].title);
    for (const auto& row : rows_) natural[c] = std::max(natural[c], display_width(row[c]));
    floors[c] = columns_[c].min_width == 0 ? natural[c] : std::min(natural[c], columns_[c].min_width);
  }
  Layout layout{std::vector<std::size_t>(columns_.size()), natural, 0};
  std::iota(layout.shown.begin(), layout.shown.end(), std::size_t{0});
  std::erase_if(layout.shown, [&](std::size_t c) { return says_nothing(c); });
  layout.needed = total_width(layout.shown, natural);
  while (total_width(layout.shown, floors) > width) {
    std::size_t victim = layout.shown.size();
    int least = kNeverDropped;
    for (std::size_t i = 0; i < layout.shown.size(); ++i)
      if (const int importance = columns_[layout.shown[i]].importance;
          importance < kNeverDropped && importance <= least) {
        least = importance;
        victim = i;
      }
    if (victim == layout.shown.size()) break;
    layout.shown.erase(layout.shown.begin() + static_cast<std::ptrdiff_t>(victim));
  }
  shrink(layout.shown, layout.widths, floors, width);
  // Only columns that must stay are left, and they are still too wide: now they are cut, too.
  shrink(layout.shown, layout.widths, std::vector<std::size_t>(columns_.size(), 1), width);
  return layout;
}

// A column that has no value in any row is not missed.
bool TextTable::says_nothing(std::size_t column) const {
  return !rows_.empty() && !columns_[column].title.empty() &&
         std::all_of(rows_.begin(), rows_.end(),
                     [&](const auto& row) { return row[column].empty() || row[column] == "-"; });
}

std::string TextTable::line(const Layout& layout, const std::vector<std::string>& cells) const {
  std::string text;
  for (std::size_t i = 0; i < layout.shown.size(); ++i) {
    const std::size_t c = layout.shown[i];
    const std::string cell = shorten_name(cells[c], layout.widths[c]);
    const std::string padding(layout.widths[c] - display_width(cell), ' ');
    if (i > 0) text.append(kGap, ' ');
    text += columns_[c].align == Align::right ? padding + cell : cell + padding;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string TextTable::render(const TextStyle& style) const {
  const Layout layout = fit(style.width);
  std::vector<std::string> upper, lower;
  for (const TextColumn& column : columns_) {
    auto [first, second] = title_lines(column.title);
    upper.push_back(std::move(first));
    lower.push_back(std::move(second));
  }
  const std::string above = line(layout, upper);
  std::string rule;
  for (std::size_t i = 0; i < std::min(total_width(layout.shown, layout.widths), style.width); ++i) rule += "─";
  std::string text = (above.empty() ? "" : bold(above, style) + "\n") + bold(line(layout, lower), style) + "\n" +
                     dim(rule, style) + "\n";
  for (const auto& row : rows_) text += line(layout, row) + "\n";
  std::string missing;
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (std::find(layout.shown.begin(), layout.shown.end(), c) == layout.shown.end() && !says_nothing(c))
      missing += (missing.empty() ? "`" : ", `") + in_one_line(columns_[c].title) + "`";
  if (!missing.empty())
    text += dim(wrap("(columns not shown for lack of width: " + missing + "; with COLUMNS=" +
                         std::to_string(layout.needed) + " before the command, everything is shown)", style.width),
                style);
  return text;
}

std::vector<std::string> TextTable::shown(const TextStyle& style) const {
  std::vector<std::string> titles;
  for (const std::size_t c : fit(style.width).shown) titles.push_back(in_one_line(columns_[c].title));
  return titles;
}

}  // namespace weir
