// Comma separated values, as people and spreadsheets write them: quoted cells, doubled quotes, line breaks inside
// quotes, CRLF, a byte order mark, blank lines and # comment lines. Every record keeps its line number, because whoever
// reads one has to be able to say which line is wrong. Text that a spreadsheet would take for a formula is written with
// an apostrophe before it, and read without.
#pragma once
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace weir {

// A spreadsheet calculates what begins so, and a formula may start programs. A number is only a number. Apostrophes
// before it count as part of it, so that reading gives back what was written.
inline bool is_csv_formula(std::string_view text) {
  while (text.starts_with('\'')) text.remove_prefix(1);
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return false;
  double number = 0;
  const char *begin = text.data() + (text.front() == '+' ? 1 : 0), *end = text.data() + text.size();
  const auto [last, error] = std::from_chars(begin, end, number);
  return error != std::errc{} || last != end;
}

// A cell of text: in quotes if it must be (RFC 4180), and never a formula.
inline std::string csv_text(std::string_view text) {
  std::string result = is_csv_formula(text) ? "'" : "";
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  if (text.empty() || (text.find_first_of(",\"\r\n") == std::string_view::npos && text.front() != '#' &&
                       !is_blank(text.front()) && !is_blank(text.back())))
    return result.append(text);
  result.insert(0, 1, '"');
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

struct CsvRecord {
  std::uint32_t line = 0;  // 1 = first line of the file
  std::vector<std::string> cells;
};

class CsvSplitter {
 public:
  CsvSplitter(std::string_view file, std::string_view text) : file_(file), text_(text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  // False at the end of the text. Blank lines and lines that begin with # are skipped.
  bool next(CsvRecord& record) {
    while (at_ < text_.size() && skip_line_without_cells()) {
    }
    if (at_ >= text_.size()) return false;
    record.line = line_;
    record.cells.clear();
    bool more = true;
    while (more) record.cells.push_back(cell(more));
    return true;
  }

 private:
  [[noreturn]] void refuse(std::uint32_t line, const std::string& what) const {
    throw InputError(SourcePosition{file_, line, 0}, what);
  }
  char here() const { return at_ < text_.size() ? text_[at_] : '\n'; }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  bool skip_line_without_cells() {
    std::size_t i = at_;
    while (i < text_.size() && is_blank(text_[i])) ++i;
    if (i < text_.size() && text_[i] != '\n' && text_[i] != '#') return false;
    while (i < text_.size() && text_[i] != '\n') ++i;
    at_ = i + 1;
    ++line_;
    return true;
  }

  // Reads one cell and the separator after it; `more` tells whether that was a comma.
  std::string cell(bool& more) {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    std::string value = here() == '"' && at_ < text_.size() ? quoted() : plain();
    if (value.starts_with('\'') && is_csv_formula(std::string_view(value).substr(1))) value.erase(0, 1);
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    more = here() == ',' && at_ < text_.size();
    if (!more && here() != '\n') refuse(line_, "after a closing quote only a comma or the end of the line may follow");
    if (!more) ++line_;
    ++at_;
    return value;
  }

  std::string plain() {
    const std::size_t begin = at_;
    while (here() != ',' && here() != '\n') {
      if (text_[at_] == '"')
        refuse(line_, "a quote inside a cell; put the whole cell in quotes and double the inner ones");
      ++at_;
    }
    std::size_t end = at_;
    while (end > begin && is_blank(text_[end - 1])) --end;
    return std::string(text_.substr(begin, end - begin));
  }

  std::string quoted() {
    const std::uint32_t opened = line_;
    std::string value;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] != '"') {
        value += text_[at_];
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        value += '"';
        ++at_;
      } else {
        ++at_;
        return value;
      }
    }
    refuse(opened, "a quote is opened here and never closed");
  }

  std::string file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

inline std::vector<CsvRecord> split_csv(std::string_view file, std::string_view text) {
  CsvSplitter splitter(file, text);
  std::vector<CsvRecord> records;
  for (CsvRecord record; splitter.next(record);) records.push_back(std::move(record));
  return records;
}

}  // namespace weir
