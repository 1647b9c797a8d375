// A walk over the text that knows just enough of TOML to tell quotes and comments from the rest.
#include "scenario/toml/toml_guard.h"

#include <fmt/format.h>

#include "base/error.h"

namespace weir {
namespace {

constexpr int kDeepest = 32;  // of brackets, and of names joined by dots; scenarios need four

class Guard {
 public:
  Guard(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'')
        pass_string(c);
      else if (c == '#')
        pass_comment();
      else
        pass_plain(c);
    }
  }

 private:
  bool is_at(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  void step() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }

  void pass_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') step();
  }

  void pass_plain(char c) {
    if (c == '.' && ++dots_ > kDeepest) refuse(fmt::format("more than {} names are joined by dots", kDeepest));
    if (c == '\n' || c == ',' || c == '=' || c == '{' || c == '[') dots_ = 0;
    if (c == '[' || c == '{') ++depth_;
    if (c == ']' || c == '}') --depth_;
    if (depth_ > kDeepest) refuse(fmt::format("lists and tables are nested more than {} deep", kDeepest));
    step();
  }

  // An unfinished string ends with its line or with the text; the library reports it.
  void pass_string(char quote) {
    const std::string triple(3, quote);
    const bool many_lines = is_at(triple);
    at_ += many_lines ? 3 : 1;
    while (at_ < text_.size()) {
      if (many_lines ? is_at(triple) : text_[at_] == quote) {
        at_ += many_lines ? 3 : 1;
        // Up to two more quotes belong to the end of a long string.
        for (int extra = 0; many_lines && extra < 2 && is_at(std::string_view(&quote, 1)); ++extra) ++at_;
        return;
      }
      if (!many_lines && text_[at_] == '\n') return;
      const bool escape = quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size();
      if (escape && text_[at_ + 1] != '\n') step();
      step();
    }
  }

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(SourcePosition{file_, line_, 0}, what); }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  int dots_ = 0;
  int depth_ = 0;
};

}  // namespace

void guard_toml(std::string_view text, const std::string& file) { Guard(text, file).run(); }

}  // namespace weir
