// Walks along one line of a file whose blanks may have been mangled on the way, as logs of terminals do.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weir {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  void skip_blanks() {
    while (!text_.empty() && is_blank(text_.front())) text_.remove_prefix(1);
  }
  bool at_end() const { return text_.empty(); }
  std::string_view rest() const { return text_; }

  // Takes `word` if the text goes on with it.
  bool take(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  template <class Number>
  std::optional<Number> take_number(int base = 10) {
    Number number = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number, base);
    if (error != std::errc()) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return number;
  }
  // What stands before the next blank.
  std::string_view take_word() {
    skip_blanks();
    std::size_t length = 0;
    while (length < text_.size() && !is_blank(text_[length])) ++length;
    const std::string_view word = text_.substr(0, length);
    text_.remove_prefix(length);
    return word;
  }

  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

 private:
  std::string_view text_;
};

// Calls visit(line, number) for every line, without its end, numbered from 1.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  std::uint32_t number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    visit(text.substr(at, end - at), number);
    at = end + 1;
  }
}

}  // namespace weir
