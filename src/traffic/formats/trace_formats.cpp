// Which format a file has, and the way in and out of each.
#include "traffic/formats/trace_formats.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
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

}  // namespace

TraceFormat format_of(const std::string& file, std::string_view bytes) {
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
      return write_connection_matrix(trace);
    case TraceFormat::ns3:
      return write_ns3_flows(trace);
    case TraceFormat::automatic:
    case TraceFormat::csv:
      break;
  }
  return write_csv(trace);
}

}  // namespace weir
