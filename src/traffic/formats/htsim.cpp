// Connection matrices of htsim (.cm) as traces, and traces as such files. A connection starts at a time in picoseconds
// or when a trigger fires; its end may activate triggers. A trigger of kind oneshot or multishot with one activator,
// and a barrier that waits for all of its activators, are conditions; any other trigger would start with whichever
// activator comes first, which no trace can say.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/latest.h"
#include "traffic/formats/trace_formats.h"

namespace weir {

namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t from = line.find_first_not_of(" \t\r", at);
    if (from == line.npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t\r", from), line.size());
    words.push_back(line.substr(from, end - from));
    at = end;
  }
  return words;
}

class MatrixReader {
 public:
  MatrixReader(const std::string& file, std::string_view text) : text_(text) { trace_.file = file; }

  Trace read() {
    while (!text_.empty()) {
      ++line_;
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      words_ = words_of(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
      at_ = 0;
      if (!words_.empty() && !words_[0].starts_with('#')) read_line();
    }
    if (trace_.ranks == 0) refuse(1, "a connection matrix begins with \"Nodes\" and their number");
    if (trace_.messages.empty()) refuse(line_, "there is no connection");
    if (connections_ != 0 && connections_ != trace_.messages.size())
      refuse(line_,
             fmt::format("Connections {} was announced, but there are {}", connections_, trace_.messages.size()));
    connect_triggers();
    check_trace(trace_);
    return std::move(trace_);
  }

 private:
  struct Trigger {
    std::uint32_t line = 0, count = 0;  // count: of a barrier, else 0
    bool is_known = false;
    std::vector<std::uint32_t> activators, started;  // messages
    std::vector<bool> by_sender;                     // of the activators
  };

  [[noreturn]] void refuse(std::uint32_t line, const std::string& what) const {
    throw InputError(SourcePosition{trace_.file, line, 0}, what);
  }
  std::string_view next(std::string_view what) {
    if (at_ >= words_.size()) refuse(line_, fmt::format("{} is missing at the end of the line", what));
    return words_[at_++];
  }
  template <class T>
  T number(std::string_view text, std::string_view what) const {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      refuse(line_, fmt::format("{}: must be a whole number, not \"{}\"", what, text));
    return value;
  }
  std::uint32_t node(std::string_view text) const {
    const auto value = number<std::uint32_t>(text, "node");
    if (value >= trace_.ranks)
      refuse(line_, fmt::format("there is no node {}; the nodes are 0 to {}", value, trace_.ranks - 1));
    return value;
  }

  void read_line() {
    const std::string_view first = words_[0];
    if (first == "Nodes") {
      at_ = 1;
      trace_.ranks = number<std::uint32_t>(next("the number of nodes"), "Nodes");
      if (trace_.ranks == 0 || trace_.ranks > kMostRanks) refuse(line_, fmt::format("Nodes: 1 to {}", kMostRanks));
    } else if (first == "Connections" || first == "Triggers" || first == "Failures") {
      at_ = 1;
      const auto count = number<std::uint64_t>(next("a number"), first);
      if (first == "Connections") connections_ = count;
      if (first == "Failures" && count > 0) refuse(line_, "failures are not read; write them into [failures]");
    } else if (first == "trigger") {
      read_trigger();
    } else if (first.find("->") != first.npos) {
      read_connection();
    } else {
      refuse(line_,
             fmt::format("expected Nodes, Connections, Triggers, \"trigger\" or a connection such as \"0->1\", not "
                         "\"{}\"",
                         first));
    }
  }

  void read_trigger() {
    at_ = 1;
    if (next("\"id\"") != "id") refuse(line_, "expected \"trigger id\" and its number");
    Trigger& trigger = triggers_[number<std::uint64_t>(next("the number of the trigger"), "trigger")];
    if (trigger.is_known) refuse(line_, fmt::format("this trigger is described twice, first in line {}", trigger.line));
    trigger.is_known = true;
    trigger.line = line_;
    const std::string_view kind = next("oneshot, multishot or barrier");
    if (kind == "barrier")
      trigger.count = number<std::uint32_t>(next("the count of the barrier"), "barrier");
    else if (kind != "oneshot" && kind != "multishot")
      refuse(line_, fmt::format("a trigger is oneshot, multishot or barrier, not \"{}\"", kind));
  }

  void read_connection() {
    if (trace_.ranks == 0) refuse(line_, "\"Nodes\" and their number must come first");
    const std::size_t arrow = words_[0].find("->");
    Trace::Message m;
    m.source = node(words_[0].substr(0, arrow));
    m.destination = node(words_[0].substr(arrow + 2));
    m.bytes = kEndless;
    m.line = line_;
    if (m.source == m.destination) refuse(line_, fmt::format("node {} sends to itself", m.source));
    const auto index = static_cast<std::uint32_t>(trace_.messages.size());
    for (at_ = 1; at_ < words_.size();) {
      const std::string_view key = next("a key");
      const std::string_view value = next(key);
      if (key == "start")
        m.time = start(value);
      else if (key == "size")
        m.bytes = size(value);
      else if (key == "trigger")
        triggers_[number<std::uint64_t>(value, key)].started.push_back(index);
      else if (key == "send_done_trigger" || key == "recv_done_trigger") {
        Trigger& trigger = triggers_[number<std::uint64_t>(value, key)];
        trigger.activators.push_back(index);
        trigger.by_sender.push_back(key == "send_done_trigger");
      } else if (key != "id" && key != "prio") {
        refuse(line_, fmt::format("unknown \"{}\"; the words are id, start, trigger, size, send_done_trigger, "
                                  "recv_done_trigger and prio",
                                  key));
      }
    }
    trace_.messages.push_back(m);
  }
  Time start(std::string_view text) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool fits = error == std::errc() && end == text.data() + text.size() && value >= 0 &&
                      value <= static_cast<double>(kLatest.ps) / 2;
    if (!fits) refuse(line_, fmt::format("start: must be a time in picoseconds, not \"{}\"", text));
    return Time{std::llround(value)};
  }
  // 0: without an end.
  Bytes size(std::string_view text) const {
    const auto bytes = number<Bytes>(text, "size");
    if (bytes < 0) refuse(line_, "size: a negative number of bytes");
    return bytes == 0 ? kEndless : bytes;
  }

  void connect_triggers() {
    for (const auto& [id, t] : triggers_) {
      if (t.started.empty()) continue;
      const std::uint32_t line = trace_.messages[t.started[0]].line;
      if (!t.is_known) refuse(line, fmt::format("trigger {} is not described", id));
      if (t.activators.empty()) refuse(line, fmt::format("nothing activates trigger {}", id));
      const bool waits_for_all = t.count == 0 ? t.activators.size() == 1 : t.count == t.activators.size();
      if (!waits_for_all)
        refuse(t.line,
               fmt::format("trigger {} has {} activators and would fire after {} of them; only triggers that wait "
                           "for all of theirs can be read",
                           id, t.activators.size(), std::max(1u, t.count)));
      for (const std::uint32_t later : t.started)
        for (std::size_t i = 0; i < t.activators.size(); ++i)
          trace_.conditions.push_back({{WorkNode::Kind::flow, later},
                                       {WorkNode::Kind::flow, t.activators[i]},
                                       {},
                                       false,
                                       static_cast<bool>(t.by_sender[i])});
    }
  }

  std::string_view text_;
  Trace trace_;
  std::uint32_t line_ = 0;
  std::uint64_t connections_ = 0;
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
  std::map<std::uint64_t, Trigger> triggers_;
};

}  // namespace

Trace parse_connection_matrix(const std::string& file, std::string_view text) {
  return MatrixReader(file, text).read();
}

std::string write_connection_matrix(const Trace& trace) {
  if (!trace.steps.empty())
    throw InputError("a connection matrix of htsim has no computing times; write a GOAL schedule");
  // A trigger per message that waits; a message activates one trigger at most.
  std::vector<std::uint32_t> waits(trace.messages.size(), 0), activates(trace.messages.size(), 0);
  for (const Trace::Condition& c : trace.conditions) {
    if (c.on_start || c.delay > Time{})
      throw InputError("a connection of htsim starts at the end of others, without a delay; write a GOAL schedule");
    if (activates[c.before.index] != 0)
      throw InputError(
          "several messages wait for the same one, and in a connection matrix of htsim it activates one "
          "trigger; write a GOAL schedule");
    ++waits[c.node.index];
    activates[c.before.index] = c.node.index + 1;
  }
  std::string text = fmt::format("Nodes {}\nConnections {}\nTriggers {}\n", trace.ranks, trace.messages.size(),
                                 std::count_if(waits.begin(), waits.end(), [](std::uint32_t w) { return w > 0; }));
  for (std::uint32_t i = 0; i < trace.messages.size(); ++i) {
    const Trace::Message& m = trace.messages[i];
    text += fmt::format("{}->{} id {} ", m.source, m.destination, i + 1);
    text += waits[i] > 0 ? fmt::format("trigger {}", i + 1) : fmt::format("start {}", m.time.ps);
    text += fmt::format(" size {}", m.bytes == kEndless ? 0 : m.bytes);
    if (activates[i] != 0) text += fmt::format(" recv_done_trigger {}", activates[i]);
    text += "\n";
  }
  for (std::uint32_t i = 0; i < waits.size(); ++i)
    if (waits[i] > 0) text += fmt::format("trigger id {} barrier {}\n", i + 1, waits[i]);
  return text;
}

}  // namespace weir
