// GOAL schedules as traces. A send is a message. A receive is a step that waits for the message it matches; a
// computation is a step that takes time.
#include <fmt/core.h>

#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "traffic/trace.h"

namespace weir {

namespace {

struct Token {
  std::string_view text;
  std::uint32_t line = 0;
};

// Words, and { } : on their own; // and /* */ and # begin comments.
class Tokens {
 public:
  Tokens(const std::string& file, std::string_view text) : file_(file), text_(text) { advance(); }

  const Token& peek() const { return token_; }
  bool at_end() const { return token_.text.empty(); }
  Token next() {
    const Token result = token_;
    advance();
    return result;
  }
  [[noreturn]] void refuse(std::uint32_t line, const std::string& what) const {
    throw InputError(SourcePosition{file_, line, 0}, what);
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  static bool is_single(char c) { return c == '{' || c == '}' || c == ':' || c == ';'; }

  bool skip_comment() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("//") || rest.starts_with('#')) {
      at_ = std::min(text_.find('\n', at_), text_.size());
      return true;
    }
    if (!rest.starts_with("/*")) return false;
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) refuse(line_, "a comment is opened here and never closed");
    for (; at_ < end + 2; ++at_) line_ += text_[at_] == '\n';
    return true;
  }

  void advance() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_]) || text_[at_] == ';') line_ += text_[at_++] == '\n';
      else if (!skip_comment()) break;
    }
    std::size_t end = at_;
    if (end < text_.size() && is_single(text_[end])) ++end;
    else
      while (end < text_.size() && !is_blank(text_[end]) && !is_single(text_[end])) ++end;
    token_ = {text_.substr(at_, end - at_), line_};
    at_ = end;
  }

  std::string file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  Token token_;
};

class GoalReader {
 public:
  GoalReader(const std::string& file, std::string_view text, Time unit) : tokens_(file, text), unit_(unit) {
    trace_.file = file;
  }

  Trace read(const PlaceOfLine& place) {
    expect("num_ranks", "a GOAL schedule begins with \"num_ranks 64\"");
    trace_.ranks = number<std::uint32_t>("number of ranks");
    if (trace_.ranks == 0) tokens_.refuse(1, "num_ranks: must be above 0");
    while (!tokens_.at_end()) read_rank();
    match();
    check_trace(trace_, place);
    return std::move(trace_);
  }

 private:
  using Channel = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;  // from, to, tag
  struct Ends {
    std::vector<WorkNode> sends, receives;
  };
  struct Requirement {  // "later requires earlier", until all labels of the rank are known
    Token later, earlier;
    bool on_start;
  };

  void expect(std::string_view word, const std::string& what) {
    if (tokens_.peek().text != word) {
      const Token& t = tokens_.peek();
      tokens_.refuse(t.line, t.text.empty() ? what + ", but the file ends here"
                                            : fmt::format("{}, not \"{}\"", what, t.text));
    }
    tokens_.next();
  }

  template <class T>
  T number(std::string_view what, bool is_size = false) {
    const Token token = tokens_.next();
    std::string_view digits = token.text;
    if (is_size && digits.size() > 1 && (digits.back() == 'b' || digits.back() == 'B')) digits.remove_suffix(1);
    T value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
      tokens_.refuse(token.line, fmt::format("{}: must be a whole number, not \"{}\"", what, token.text));
    return value;
  }

  std::uint32_t rank(std::string_view what) {
    const std::uint32_t line = tokens_.peek().line;
    const auto value = number<std::uint32_t>(what);
    if (value >= trace_.ranks)
      tokens_.refuse(line, fmt::format("{}: unknown rank {}; there are ranks 0 to {}", what, value, trace_.ranks - 1));
    return value;
  }

  void read_rank() {
    const std::uint32_t line = tokens_.peek().line;
    expect("rank", "expected \"rank\" and its number");
    rank_ = rank("rank");
    if (!described_.insert({rank_, line}).second)
      tokens_.refuse(line, fmt::format("rank {} is described twice, first in line {}", rank_, described_[rank_]));
    expect("{", "expected { after the number of the rank");
    labels_.clear();
    requirements_.clear();
    while (tokens_.peek().text != "}") {
      if (tokens_.at_end()) tokens_.refuse(line, fmt::format("rank {} is opened here and never closed by }}", rank_));
      read_statement();
    }
    tokens_.next();
    for (const Requirement& requirement : requirements_) {
      const WorkNode later = find(requirement.later), earlier = find(requirement.earlier);
      const bool own_send = earlier.kind == WorkNode::Kind::flow;
      trace_.conditions.push_back({later, earlier, {}, requirement.on_start, own_send});
    }
  }

  WorkNode find(const Token& label) const {
    const auto found = labels_.find(label.text);
    if (found == labels_.end())
      tokens_.refuse(label.line, fmt::format("rank {} has nothing labelled \"{}\"", rank_, label.text));
    return found->second;
  }

  static bool is_operation(std::string_view word) { return word == "send" || word == "recv" || word == "calc"; }

  void read_statement() {
    const Token first = tokens_.next();
    if (is_operation(first.text) && tokens_.peek().text != ":") {
      read_operation(first);
      return;
    }
    const Token second = tokens_.next();
    if (second.text == ":") {
      const Token word = tokens_.next();
      if (!is_operation(word.text))
        tokens_.refuse(word.line, fmt::format("expected send, recv or calc after the label, not \"{}\"", word.text));
      if (!labels_.emplace(first.text, read_operation(word)).second)
        tokens_.refuse(first.line, fmt::format("label \"{}\" is used twice in rank {}", first.text, rank_));
    } else if (second.text == "requires" || second.text == "irequires") {
      requirements_.push_back({first, tokens_.next(), second.text == "irequires"});
    } else {
      tokens_.refuse(first.line, fmt::format("expected send, recv, calc, \"label:\" or \"label requires label\", not "
                                             "\"{}\"",
                                             first.text));
    }
  }

  WorkNode read_operation(const Token& word) {
    if (word.text == "calc") {
      const auto units = number<std::uint64_t>("calc");
      if (static_cast<double>(units) * static_cast<double>(unit_.ps) > kLongestOfTrace)
        tokens_.refuse(word.line, "calc: takes too long");
      skip_options();
      return add_step({static_cast<std::int64_t>(units) * unit_.ps}, word.line);
    }
    const bool sends = word.text == "send";
    const Bytes bytes = number<Bytes>(word.text, true);
    if (bytes < 0) tokens_.refuse(word.line, fmt::format("{}: a negative number of bytes", word.text));
    expect(sends ? "to" : "from", fmt::format("expected {} and a rank", sends ? "\"to\"" : "\"from\""));
    const std::uint32_t other = rank(word.text);
    const std::uint64_t tag = skip_options();
    Ends& ends = channels_[sends ? Channel{rank_, other, tag} : Channel{other, rank_, tag}];
    if (!sends) return ends.receives.emplace_back(add_step({}, word.line));
    if (other == rank_) return ends.sends.emplace_back(add_step({}, word.line));
    trace_.messages.push_back({rank_, other, std::max<Bytes>(1, bytes), {}, word.line});
    return ends.sends.emplace_back(
        WorkNode{WorkNode::Kind::flow, static_cast<std::uint32_t>(trace_.messages.size() - 1)});
  }

  // Which processor or adapter of the rank works makes no difference here; the tag does.
  std::uint64_t skip_options() {
    std::uint64_t tag = 0;
    while (tokens_.peek().text == "tag" || tokens_.peek().text == "cpu" || tokens_.peek().text == "nic") {
      const bool is_tag = tokens_.next().text == "tag";
      const auto value = number<std::uint64_t>(is_tag ? "tag" : "option");
      if (is_tag) tag = value;
    }
    return tag;
  }

  WorkNode add_step(Time duration, std::uint32_t line) {
    trace_.steps.push_back({duration, line, rank_});
    return {WorkNode::Kind::step, static_cast<std::uint32_t>(trace_.steps.size() - 1)};
  }

  std::uint32_t line_of(WorkNode node) const {
    return node.kind == WorkNode::Kind::flow ? trace_.messages[node.index].line : trace_.steps[node.index].line;
  }

  void match() {
    for (const auto& [channel, ends] : channels_) {
      const auto& [from, to, tag] = channel;
      const std::size_t pairs = std::min(ends.sends.size(), ends.receives.size());
      if (ends.sends.size() > pairs)
        tokens_.refuse(line_of(ends.sends[pairs]),
                       fmt::format("rank {} never receives this (tag {} from rank {})", to, tag, from));
      if (ends.receives.size() > pairs)
        tokens_.refuse(line_of(ends.receives[pairs]),
                       fmt::format("rank {} never sends this (tag {} to rank {})", from, tag, to));
      for (std::size_t i = 0; i < pairs; ++i)
        trace_.conditions.push_back({ends.receives[i], ends.sends[i], {}, false, false});
    }
    if (trace_.messages.empty()) tokens_.refuse(1, "no rank sends anything to another one");
  }

  Tokens tokens_;
  Time unit_;
  Trace trace_;
  std::uint32_t rank_ = 0;
  std::map<std::uint32_t, std::uint32_t> described_;  // rank -> line
  std::map<std::string_view, WorkNode> labels_;
  std::vector<Requirement> requirements_;
  std::map<Channel, Ends> channels_;
};

}  // namespace

Trace parse_goal(const std::string& file, std::string_view text, Time unit, const PlaceOfLine& place) {
  return GoalReader(file, text, unit).read(place);
}

}  // namespace weir
