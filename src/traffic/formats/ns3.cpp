// flow.txt of ns-3's HPCC and SimAI simulations: the number of flows, then for each source, destination, priority,
// port, bytes and start in seconds. What follows the announced number is not read, as in ns-3: HPCC's own file goes on.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/latest.h"
#include "traffic/formats/trace_formats.h"

namespace weir {

namespace {

class Words {
 public:
  Words(const std::string& file, std::string_view text) : file_(file), text_(text) {}

  bool at_end() {
    while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n';
    return at_ == text_.size();
  }
  std::uint32_t line() const { return line_; }
  [[noreturn]] void refuse(const std::string& what) const { throw InputError(SourcePosition{file_, line_, 0}, what); }
  template <class T>
  T number(std::string_view what) {
    if (at_end()) refuse(fmt::format("{} is missing, the file ends here", what));
    const std::size_t from = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    const std::string_view word = text_.substr(from, at_ - from);
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
      refuse(fmt::format("{}: must be a number, not \"{}\"", what, word));
    return value;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
  std::string file_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

Trace parse_ns3_flows(const std::string& file, std::string_view text, std::uint32_t ranks) {
  Words words(file, text);
  Trace trace;
  trace.file = file;
  trace.ranks = ranks;
  const auto count = words.number<std::uint64_t>("the number of flows");
  for (std::uint64_t i = 0; i < count; ++i) {
    Trace::Message m;
    const auto node = [&](std::string_view what) {
      const auto value = words.number<std::uint32_t>(what);
      if (value >= ranks)
        words.refuse(fmt::format("{}: there is no host {}; the hosts are 0 to {}", what, value, ranks - 1));
      return value;
    };
    m.source = node("source");
    m.line = words.line();
    m.destination = node("destination");
    if (m.source == m.destination) words.refuse(fmt::format("host {} sends to itself", m.source));
    words.number<std::uint32_t>("priority");
    words.number<std::uint32_t>("port");
    m.bytes = words.number<Bytes>("bytes");
    if (m.bytes <= 0) words.refuse("bytes: must be above 0");
    const auto seconds = words.number<double>("start");
    if (!(seconds >= 0 && seconds <= kLatest.seconds() / 2)) words.refuse("start: must be a time in seconds");
    m.time = Time{std::llround(seconds * 1e12)};
    trace.messages.push_back(m);
  }
  if (trace.messages.empty()) words.refuse("there is no flow");
  return trace;
}

std::string write_ns3_flows(const Trace& trace) {
  if (!trace.conditions.empty() || !trace.steps.empty())
    throw InputError("flow.txt has only flows that start at a time; this workload has messages that wait for others");
  std::string text = fmt::format("{}\n", trace.messages.size());
  for (const Trace::Message& m : trace.messages) {
    if (m.bytes == kEndless) throw InputError("flow.txt has only flows with an end");
    text += fmt::format("{} {} 3 100 {} {}.{:012}\n", m.source, m.destination, m.bytes, m.time.ps / 1'000'000'000'000,
                        m.time.ps % 1'000'000'000'000);
  }
  return text;
}

}  // namespace weir
