// See event.h. Everything works on the classes' binned series, so the resolution of all times is one bin.
#include "measure/event.h"

#include <algorithm>

#include "measure/derive.h"
#include "measure/throughput.h"

namespace weir {
namespace {

constexpr std::size_t kCalmBins = 2;

struct ActiveBins {
  std::size_t first = 0, last = 0;  // bins
};

std::optional<ActiveBins> active_bins(const ClassResult& c) {
  std::optional<ActiveBins> result;
  for (std::size_t b = 0; b < c.series.size(); ++b) {
    if (c.series[b].generated + c.series[b].injected + c.series[b].received == 0) continue;
    if (!result) result = ActiveBins{b, b};
    result->last = b;
  }
  return result;
}

}  // namespace

std::optional<Event> find_event(const Measurements& m) {
  if (m.bin.ps <= 0) return {};
  std::vector<std::optional<ActiveBins>> activity;
  std::optional<std::size_t> earliest;
  for (const ClassResult& c : m.classes) {
    activity.push_back(active_bins(c));
    if (activity.back()) earliest = std::min(earliest.value_or(activity.back()->first), activity.back()->first);
  }
  std::optional<Event> event;
  for (std::uint32_t c = 0; c < activity.size(); ++c) {
    if (!activity[c] || activity[c]->first < *earliest + kCalmBins) continue;
    const Span span{bin_start(m, activity[c]->first), std::min(bin_start(m, activity[c]->last + 1), m.end)};
    if (!event) event = Event{span, {}};
    event->span = {std::min(event->span.from, span.from), std::max(event->span.to, span.to)};
    event->causes.push_back({c});
  }
  return event;
}

namespace {

// Bins that ended before the event; those after warm-up, if any of them did.
std::pair<std::size_t, std::size_t> calm_bins(const Measurements& m, const Event& event) {
  const auto end = static_cast<std::size_t>(event.span.from / m.bin);
  const auto warm = static_cast<std::size_t>((m.warmup.ps + m.bin.ps - 1) / m.bin.ps);
  return {warm < end ? warm : 0, end};
}

struct Before {
  double latency_ps = 0, highest_ps = 0, throughput = 0;
};

std::optional<Before> before_event(const Measurements& m, const ClassResult& c, const Event& event) {
  const auto [first, end] = calm_bins(m, event);
  std::uint64_t packets = 0, bytes = 0;
  double latency = 0;
  Before before;
  for (std::size_t b = first; b < std::min(end, c.series.size()); ++b) {
    const ClassBin& bin = c.series[b];
    packets += bin.received;
    bytes += bin.received_bytes;
    latency += bin.latency_sum_ps;
    if (bin.received > 0)
      before.highest_ps = std::max(before.highest_ps, bin.latency_sum_ps / static_cast<double>(bin.received));
  }
  if (packets == 0) return {};
  before.latency_ps = latency / static_cast<double>(packets);
  const Time calm = bin_start(m, end) - bin_start(m, first);
  before.throughput = bit_rate(static_cast<Bytes>(bytes), calm).value_or(0);
  return before;
}

// Mean latency of the packets delivered in these bins; nothing if there were none.
std::optional<double> mean_latency(const ClassResult& c, std::size_t first, std::size_t end) {
  std::uint64_t packets = 0;
  double latency = 0;
  for (std::size_t b = first; b < std::min(end, c.series.size()); ++b) {
    packets += c.series[b].received;
    latency += c.series[b].latency_sum_ps;
  }
  if (packets == 0) return {};
  return latency / static_cast<double>(packets);
}

// See Impact. What a queue adds to latency grows evenly where more arrives than leaves.
bool rises_by_itself(const Measurements& m, const ClassResult& c, const Event& event, const Impact& impact) {
  constexpr double kRising = 1.2;  // second half of the time before over the first: less may be chance
  if (static_cast<double>(impact.peak_at.ps) - impact.latency_peak_ps >= static_cast<double>(event.span.to.ps))
    return true;
  const auto [first, end] = calm_bins(m, event);
  const std::size_t half = (end - first) / 2;
  const auto early = mean_latency(c, first, first + half), late = mean_latency(c, end - half, end);
  if (half < kCalmBins || !early || !late || *late < kRising * *early) return false;
  const double per_bin = (*late - *early) / static_cast<double>(end - half - first);
  const double middle_of_late = static_cast<double>(end) - static_cast<double>(half) / 2;
  const double bins = static_cast<double>(impact.peak_at / m.bin) + 0.5 - middle_of_late;
  return 2 * (*late + per_bin * bins) >= impact.latency_peak_ps;
}

// The share of a class's bytes that goes to the host which receives most of them.
double share_of_main_destination(const Measurements& m, std::uint32_t c) {
  std::vector<double> bytes;
  const auto add = [&](std::uint32_t host, double amount) {
    if (host >= bytes.size()) bytes.resize(host + 1, 0);
    bytes[host] += amount;
  };
  double total = 0;
  for (std::uint32_t h = 0; m.hosts_by_class && h < host_count(m); ++h) {
    const auto received = static_cast<double>(host_of_class(m, {h}, {c})->received_bytes);
    add(h, received);
    total += received;
  }
  if (total == 0)
    for (const FlowResult& flow : m.flows) {
      if (flow.traffic_class.index != c) continue;
      add(flow.destination.index, static_cast<double>(flow.delivered));
      total += static_cast<double>(flow.delivered);
    }
  return total > 0 ? *std::max_element(bytes.begin(), bytes.end()) / total : 0;
}

// From when on a class of flows has less and less to send, so that its throughput says nothing: where flows go on
// arriving in the event, from the last of them on; otherwise from when the first one is complete.
Time end_of_full_load(const Measurements& m, ClassId traffic_class, const Event& event) {
  Time last_start{0}, first_end = kNever;
  for (const FlowResult& flow : m.flows) {
    if (flow.traffic_class != traffic_class) continue;
    if (flow.start != kNever) last_start = std::max(last_start, flow.start);
    if (flow.completion > event.span.from) first_end = std::min(first_end, flow.completion);
  }
  return last_start > event.span.from ? last_start : first_end;
}

}  // namespace

std::optional<Impact> impact_of(const Measurements& m, ClassId traffic_class, const Event& event) {
  const ClassResult& c = m.classes[traffic_class.index];
  if (m.bin.ps <= 0) return {};
  const auto before = before_event(m, c, event);
  if (!before) return {};
  Impact impact;
  impact.latency_before_ps = before->latency_ps;
  impact.throughput_before = before->throughput;
  const double limit = std::max(2 * before->latency_ps, before->highest_ps);
  const auto latency = latency_series(m, traffic_class);
  const auto throughput = throughput_series(m, traffic_class);
  const auto [calm_first, calm_end] = calm_bins(m, event);
  const auto short_of = bins_short_of_throughput(m, traffic_class, calm_first, calm_end);
  const Time stopped = end_of_full_load(m, traffic_class, event);
  bool any = false, above = false, low = false;
  Time last_trouble = event.span.from, last_above = event.span.from;
  for (auto b = static_cast<std::size_t>(event.span.from / m.bin); b < latency.size(); ++b) {
    const Time start = bin_start(m, b);
    const bool complete = bin_length(m, b) == m.bin;
    const bool offered = start + bin_length(m, b) <= stopped;
    if (complete && offered && start < event.span.to)
      impact.throughput_low = std::min(impact.throughput_low.value_or(*throughput[b]), *throughput[b]);
    if (complete) low = offered && short_of[b];
    if (latency[b]) {
      if (!any || *latency[b] > impact.latency_peak_ps) {
        impact.latency_peak_ps = *latency[b];
        impact.peak_at = start;
      }
      any = true;
      above = *latency[b] > limit;
    }
    const Time end = start + bin_length(m, b);
    if (latency[b] && above) last_trouble = last_above = end;
    if (complete && low) last_trouble = end;
  }
  if (!any) return {};
  if (!above && !low) impact.recovery = last_trouble - event.span.from;
  if (!above) impact.latency_recovery = last_above - event.span.from;
  impact.rises_by_itself = rises_by_itself(m, c, event, impact);
  return impact;
}

std::vector<bool> aggressors(const Measurements& m, const std::optional<Event>& event) {
  std::vector<bool> result(m.classes.size(), false);
  if (event && !event->causes.empty()) {
    for (const ClassId c : event->causes) result[c.index] = true;
    return result;
  }
  for (std::uint32_t c = 0; c < m.classes.size(); ++c) result[c] = share_of_main_destination(m, c) >= 0.9;
  // If every class aims at one host, none of them can be called the intruder.
  if (std::find(result.begin(), result.end(), false) == result.end()) result.assign(result.size(), false);
  return result;
}

}  // namespace weir
