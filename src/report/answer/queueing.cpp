#include "report/answer/queueing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/answer/host_wait.h"
#include "report/answer/phrases.h"
#include "report/number_format.h"
#include "report/terminal/terminal_text.h"

namespace weir {
namespace {

// The frames in which the link was full, from the first to the last, and how many they are.
std::pair<Span, std::size_t> full_time(const Measurements& m, PortId port) {
  Span span{Time{0}, m.end};
  std::size_t full = 0;
  for (std::size_t f = 0; f < m.frames.size(); ++f) {
    if (port.index >= m.frames[f].load.size() || m.frames[f].load[port.index] < kRootLoad * 255) continue;
    if (full++ == 0) span.from = frame_span(m, f).from;
    span.to = frame_span(m, f).to;
  }
  return {span, full};
}

// Flows take much longer than alone, and packets that join the longest queue wait much longer than others travel.
bool queues_slow_flows(const AnalysedRun& run) {
  constexpr double kSlow = 4;
  const Measurements& m = run.m();
  const Topology& t = run.topology();
  double longest_ps = 0;
  for (std::uint32_t p = 0; p < m.ports.size(); ++p) {
    if (!t.to({p}).valid() || t.is_host(t.node_of({p}))) continue;
    const auto rate = static_cast<double>(t.link(PortId{p}).rate.bits_per_second);
    longest_ps = std::max(longest_ps, 8e12 * static_cast<double>(m.ports[p].peak_output_bytes) / rate);
  }
  return std::ranges::any_of(run.digest.classes, [&](const ClassDigest& c) {
    return c.slowdown && c.slowdown->all.complete > 0 && c.slowdown->all.p99 >= kSlow && c.summary.latency &&
           longest_ps >= kSlow * c.summary.latency->min_ps;
  });
}

// "other uplinks of L1 are less busy meanwhile (one of them 52.0 %)": where the links of the switch to the same level
// share the traffic unevenly.
std::string uneven_clause(const AnalysedRun& run, const QueueingLink& queue) {
  constexpr double kClearly = 0.8;
  const Topology& t = run.topology();
  const NodeId here = t.node_of(queue.port), next = t.node_of(t.to(queue.port));
  if (t.is_host(here) || t.is_host(next) || !t.has_levels() || t.level(next) <= t.level(here)) return "";
  double least = 1;
  for (std::uint32_t p = 0; p < run.m().ports.size(); ++p) {
    if (t.node_of({p}) != here || !t.to({p}).valid() || PortId{p} == queue.port) continue;
    const NodeId other = t.node_of(t.to({p}));
    if (t.is_host(other) || t.level(other) != t.level(next)) continue;
    least = std::min(least, link_load(run.m(), {p}, queue.from_to));
  }
  if (least >= kClearly * queue.load) return "";
  return fmt::format("other uplinks of {} are less busy meanwhile (one of them {})", printable(t.name(here)),
                     format_share(least));
}

}  // namespace

std::string queue_phrase(const QueueingLink& queue) {
  return fmt::format("{}busy {} from {} to {}",
                     queue.peak > 0 ? fmt::format("up to {}, ", format_bytes(static_cast<double>(queue.peak))) : "",
                     format_share(queue.load), format_time(queue.from_to.from), format_time(queue.from_to.to));
}

std::optional<QueueingLink> queueing_link(const AnalysedRun& run) {
  constexpr double kRaised = 2;  // latency over that before: less may come from packets in a few queues
  const CongestionReport& congestion = run.digest.congestion;
  if (!congestion.roots.empty() || !congestion.unexplained.empty() || congestion.coarse) return {};
  const bool raised = std::any_of(run.digest.classes.begin(), run.digest.classes.end(),
                                  [](const ClassDigest& c) { return c.impact && c.impact->rise() >= kRaised; });
  if (!raised && !queues_slow_flows(run)) return {};
  const Measurements& m = run.m();
  const Topology& t = run.topology();
  std::optional<QueueingLink> fullest;
  std::pair<double, std::size_t> most{0, 0};  // bytes waiting on average; where that is not known, frames
  for (std::uint32_t p = 0; p < m.ports.size(); ++p) {
    if (!t.to({p}).valid() || t.is_host(t.node_of({p}))) continue;
    const auto [span, full] = full_time(m, {p});
    const std::pair here{m.ports[p].mean_output_bytes, full};
    if (here <= most) continue;
    most = here;
    fullest = QueueingLink{{p}, span, link_load(m, {p}, span), m.ports[p].peak_output_bytes};
  }
  return fullest;
}

std::string queueing_clause(const AnalysedRun& run, const QueueingLink& queue) {
  const std::string waiting = unsent_at_hosts(run), uneven = uneven_clause(run, queue);
  std::string text = fmt::format(
      "no port is held back, but packets queue at {}, in a switch that has enough memory for them: {}",
      link_name(run.topology(), queue.port), queue_phrase(queue));
  if (!uneven.empty()) text += "; " + uneven;
  if (!waiting.empty()) text += "; packets wait at the hosts: " + waiting;
  return text;
}

}  // namespace weir
