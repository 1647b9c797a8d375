// Which format a file has, and the way in and out of each.
#include "traffic/formats/trace_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "scenario/rank_files.h"
#include "traffic/formats/chakra.h"
#include "traffic/trace.h"

namespace weir {

namespace {

// Behind comments.
std::string_view first_word(std::string_view text) {
  while (text.starts_with('#')) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == text.npos) return {};
  return text.substr(from, std::min(text.find_first_of(" \t\r\n,", from), text.size()) - from);
}

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "time,source,destination,bytes,id,after,delay". A message that waits for others has no time of its own.
std::string write_csv(const Trace& trace) {
  if (!trace.steps.empty()) throw InputError("a table of messages has no computing times; write a GOAL schedule");
  std::vector<std::string> after(trace.messages.size());
  for (const Trace::Condition& c : trace.conditions) {
    if (c.on_start || c.delay > Time{})
      throw InputError("a table of messages has one delay per message, after the end of others; write a GOAL schedule");
    std::string& list = after[c.node.index];
    list += fmt::format("{}m{}", list.empty() ? "" : " ", c.before.index);
  }
  std::vector<std::uint32_t> order(trace.messages.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return trace.messages[a].time < trace.messages[b].time; });
  std::string text = "time,source,destination,bytes,id,after\n";
  for (const std::uint32_t i : order) {
    const Trace::Message& m = trace.messages[i];
    if (m.bytes == kEndless) throw InputError("a table of messages has only messages with an end");
    text += fmt::format("{}ps,{},{},{},m{},{}\n", m.time.ps, m.source, m.destination, m.bytes, i, after[i]);
  }
  return text;
}

// Receives, and points at which operations meet, are steps that take no time: what waits for them waits for what they
// wait for. Leaves out those, for formats that know messages only.
class Contraction {
 public:
  explicit Contraction(const Trace& trace) : t_(trace), waits_(trace.steps.size()), before_(trace.steps.size()) {
    is_idle_.assign(trace.steps.size(), true);
    for (const Trace::Condition& c : trace.conditions) {
      if (c.node.kind != WorkNode::Kind::step) continue;
      if (c.on_start || c.delay > Time{}) is_idle_[c.node.index] = false;
      waits_[c.node.index].push_back(&c);
    }
    for (std::size_t i = 0; i < trace.steps.size(); ++i)
      if (trace.steps[i].duration > Time{}) is_idle_[i] = false;
  }

  Trace contracted() {
    Trace result = t_;
    result.conditions.clear();
    result.steps.clear();
    if (std::find(is_idle_.begin(), is_idle_.end(), false) != is_idle_.end()) return t_;
    for (const Trace::Condition& c : t_.conditions) {
      if (c.node.kind != WorkNode::Kind::flow) continue;
      if (c.before.kind == WorkNode::Kind::flow) {
        result.conditions.push_back(c);
        continue;
      }
      if (c.on_start || c.delay > Time{}) return t_;
      for (const std::uint32_t message : messages_before(c.before.index))
        result.conditions.push_back({c.node, {WorkNode::Kind::flow, message}, {}, false, false});
      if (result.conditions.size() > kMost) return t_;
    }
    const auto order = [](const Trace::Condition& c) { return std::pair(c.node, c.before); };
    std::sort(result.conditions.begin(), result.conditions.end(),
              [&](const auto& a, const auto& b) { return order(a) < order(b); });
    const auto same = [&](const auto& a, const auto& b) { return order(a) == order(b); };
    result.conditions.erase(std::unique(result.conditions.begin(), result.conditions.end(), same),
                            result.conditions.end());
    return result;
  }

 private:
  // Steps do not wait for each other in a circle; they may in a long row, so this goes without recursion.
  const std::vector<std::uint32_t>& messages_before(std::uint32_t step) {
    std::vector<std::uint32_t> open{step};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      bool is_ready = true;
      for (const Trace::Condition* c : waits_[at])
        if (c->before.kind == WorkNode::Kind::step && !before_[c->before.index]) {
          open.push_back(c->before.index);
          is_ready = false;
        }
      if (!is_ready) continue;
      open.pop_back();
      if (before_[at]) continue;
      std::vector<std::uint32_t> messages;
      for (const Trace::Condition* c : waits_[at]) {
        if (c->before.kind == WorkNode::Kind::flow)
          messages.push_back(c->before.index);
        else
          messages.insert(messages.end(), before_[c->before.index]->begin(), before_[c->before.index]->end());
      }
      std::sort(messages.begin(), messages.end());
      messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
      before_[at] = std::move(messages);
    }
    return *before_[step];
  }

  static constexpr std::size_t kMost = 20'000'000;
  const Trace& t_;
  std::vector<bool> is_idle_;
  std::vector<std::vector<const Trace::Condition*>> waits_;      // by step
  std::vector<std::optional<std::vector<std::uint32_t>>> before_;  // by step: the messages, once they are known
};

}  // namespace

TraceFormat format_of(const std::string& file, std::string_view bytes) {
  if (file.ends_with(".et")) return TraceFormat::chakra;
  if (is_goal_binary(bytes)) return TraceFormat::goal_binary;
  if (bytes.find("num_ranks") != bytes.npos && bytes.find('{') != bytes.npos) return TraceFormat::goal;
  if (file.ends_with(".cm") || first_word(bytes) == "Nodes") return TraceFormat::htsim;
  return is_number(first_word(bytes)) ? TraceFormat::ns3 : TraceFormat::csv;
}

Trace parse_trace(const std::string& file, std::string_view bytes, TraceFormat format, std::uint32_t ranks, Time unit) {
  switch (format) {
    case TraceFormat::automatic:
      return parse_trace(file, bytes, format_of(file, bytes), ranks, unit);
    case TraceFormat::goal:
      return parse_goal(file, bytes, unit);
    case TraceFormat::goal_binary:
      return parse_goal_binary(file, bytes, unit);
    case TraceFormat::htsim:
      return parse_connection_matrix(file, bytes);
    case TraceFormat::ns3:
      return parse_ns3_flows(file, bytes, ranks);
    case TraceFormat::chakra: {
      const TraceFile only{file, std::string(bytes)};
      return parse_chakra({&only, 1});
    }
    case TraceFormat::csv:
      break;
  }
  return parse_trace_csv(file, bytes, ranks, unit);
}

std::string write_trace(const Trace& trace, TraceFormat format) {
  switch (format) {
    case TraceFormat::goal:
      return write_goal(trace);
    case TraceFormat::goal_binary:
      return write_goal_binary(trace);
    case TraceFormat::htsim:
      return write_connection_matrix(Contraction(trace).contracted());
    case TraceFormat::ns3:
      return write_ns3_flows(Contraction(trace).contracted());
    case TraceFormat::chakra:
      throw InputError("a Chakra trace has a file for every rank");
    case TraceFormat::automatic:
    case TraceFormat::csv:
      break;
  }
  return write_csv(Contraction(trace).contracted());
}

std::vector<TraceFile> read_trace_files(const std::string& name, FileReader read) {
  std::vector<TraceFile> files;
  for (const std::string& file : rank_files(name)) files.push_back({file, read(file)});
  return files;
}

std::vector<TraceFile> write_trace_files(const Trace& trace, TraceFormat format, const std::string& name) {
  if (format != TraceFormat::chakra) return {{name, write_trace(trace, format)}};
  constexpr std::string_view kFirst = ".0.et";
  if (!name.ends_with(kFirst))
    throw InputError("a Chakra trace has a file for every rank: give the name of the first, such as NAME.0.et");
  std::vector<TraceFile> files;
  for (std::string& bytes : write_chakra(trace))
    files.push_back(
        {fmt::format("{}.{}.et", name.substr(0, name.size() - kFirst.size()), files.size()), std::move(bytes)});
  return files;
}

}  // namespace weir
