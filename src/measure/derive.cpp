// See derive.h: definitions of what is reported, in the order of the header.
#include "measure/derive.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "traffic/workload.h"

namespace weir {
namespace {

std::optional<Time> known(Time t) { return t == kNever ? std::optional<Time>{} : t; }

double share_of(Time part, Time whole) {
  return whole.ps <= 0 ? 0.0 : static_cast<double>(part.ps) / static_cast<double>(whole.ps);
}

}  // namespace

std::optional<double> bit_rate(Bytes bytes, Time span) {
  if (span.ps <= 0) return {};
  return static_cast<double>(bytes) * 8e12 / static_cast<double>(span.ps);
}

double mean_of_largest(const Histogram& h, double share) {
  if (h.count() == 0) return 0;
  const double wanted = std::max(1.0, share * static_cast<double>(h.count()));
  double sum = 0, left = wanted;
  const std::vector<Histogram::Bin> bins = h.bins();
  for (std::size_t b = bins.size(); b-- > 0 && left > 0;) {
    const auto low = static_cast<double>(bins[b].low), high = static_cast<double>(bins[b].high);
    const double value = high - low <= 1 ? low : (low + high) / 2;
    const double taken = std::min(left, static_cast<double>(bins[b].count));
    sum += taken * std::clamp(value, static_cast<double>(h.min()), static_cast<double>(h.max()));
    left -= taken;
  }
  return sum / wanted;
}

std::optional<LatencySummary> summarize(const Histogram& h) {
  if (h.count() == 0) return {};
  LatencySummary s;
  s.packets = h.count();
  s.mean_ps = h.mean();
  s.p50_ps = h.quantile(0.5);
  s.p99_ps = h.quantile(0.99);
  s.max_ps = static_cast<double>(h.max());
  s.min_ps = static_cast<double>(h.min());
  s.slowest_mean_ps = mean_of_largest(h, 0.01);
  return s;
}

namespace {

std::optional<double> latency_growth(const Measurements& m, const ClassResult& c) {
  constexpr double kFewest = 100;  // packets in each half
  const Time middle{(m.warmup.ps + m.end.ps) / 2};
  double packets[2] = {0, 0}, latency[2] = {0, 0};
  for (std::size_t b = 0; b < c.series.size(); ++b) {
    const Time start = bin_start(m, b), centre{start.ps + bin_length(m, b).ps / 2};
    if (centre < m.warmup) continue;
    const int half = centre < middle ? 0 : 1;
    packets[half] += static_cast<double>(c.series[b].received);
    latency[half] += c.series[b].latency_sum_ps;
  }
  if (packets[0] < kFewest || packets[1] < kFewest || latency[0] <= 0) return {};
  return (latency[1] / packets[1]) / (latency[0] / packets[0]);
}

}  // namespace

ClassSummary summarize(const Measurements& m, ClassId traffic_class) {
  const ClassResult& c = m.classes[traffic_class.index];
  ClassSummary s;
  s.latency = summarize(c.latency);
  s.network_latency = summarize(c.network_latency);
  s.throughput = bit_rate(static_cast<Bytes>(c.received_bytes), m.end);
  s.window_throughput = bit_rate(static_cast<Bytes>(c.received_bytes_in_window), m.end - m.warmup);
  const auto series = latency_series(m, traffic_class);
  for (std::size_t bin = 0; bin < series.size(); ++bin) {
    if (!series[bin] || (s.peak_latency_ps && *series[bin] <= *s.peak_latency_ps)) continue;
    s.peak_latency_ps = series[bin];
    s.peak_at = bin_start(m, bin);
  }
  if (c.received > 0) s.marked_share = static_cast<double>(c.marked) / static_cast<double>(c.received);
  if (const std::uint64_t offered = c.generated + c.refused; offered > 0)
    s.unsent_share = static_cast<double>(offered - std::min(offered, c.injected)) / static_cast<double>(offered);
  if (m.ending == Ending::duration || m.ending == Ending::saturated) s.latency_growth = latency_growth(m, c);
  return s;
}

Time bin_start(const Measurements& m, std::size_t bin) { return m.bin * static_cast<std::int64_t>(bin); }

Time bin_length(const Measurements& m, std::size_t bin) {
  const Time rest = m.end - bin_start(m, bin);
  return std::clamp(rest, Time{0}, m.bin);
}

std::vector<std::optional<double>> latency_series(const Measurements& m, ClassId traffic_class) {
  std::vector<std::optional<double>> result;
  for (const ClassBin& bin : m.classes[traffic_class.index].series) {
    if (bin.received == 0)
      result.emplace_back();
    else
      result.emplace_back(bin.latency_sum_ps / static_cast<double>(bin.received));
  }
  return result;
}

std::vector<std::optional<double>> throughput_series(const Measurements& m, ClassId traffic_class) {
  const auto& series = m.classes[traffic_class.index].series;
  std::vector<std::optional<double>> result;
  for (std::size_t bin = 0; bin < series.size(); ++bin) {
    const Time length = bin_length(m, bin);
    // A whole packet that arrives in a fragment of a bin would be a rate that no link has.
    result.push_back(length * 2 < m.bin ? std::nullopt
                                        : bit_rate(static_cast<Bytes>(series[bin].received_bytes), length));
  }
  return result;
}

std::optional<double> flow_rate(const Measurements& m, const FlowResult& flow) {
  if (flow.start == kNever) return {};
  const Time until = flow.completion == kNever ? m.end : flow.completion;
  return bit_rate(flow.delivered, until - flow.start);
}

std::optional<double> flow_completion_ps(const FlowResult& flow) {
  if (flow.start == kNever || flow.completion == kNever) return {};
  return static_cast<double>((flow.completion - flow.start).ps);
}

std::optional<Fairness> fairness_of(const std::vector<double>& shares) {
  if (shares.empty()) return {};
  Fairness f;
  f.count = shares.size();
  f.min = f.max = shares.front();
  double sum = 0, squares = 0;
  for (const double x : shares) {
    sum += x;
    squares += x * x;
    f.min = std::min(f.min, x);
    f.max = std::max(f.max, x);
  }
  const auto n = static_cast<double>(shares.size());
  f.mean = sum / n;
  // All zero: nobody is treated worse than anybody else, so the fair values stand.
  if (squares > 0) f.jain = sum * sum / (n * squares);
  if (f.mean > 0) f.min_over_mean = f.min / f.mean;
  return f;
}

std::optional<Fairness> fairness(const Measurements& m, std::optional<ClassId> traffic_class) {
  std::vector<double> shares;
  for (const FlowResult& flow : m.flows) {
    if (traffic_class && flow.traffic_class != *traffic_class) continue;
    if (const auto rate = flow_rate(m, flow)) shares.push_back(*rate / flow.weight);
  }
  if (!m.flows.empty()) return fairness_of(shares);

  const bool one_class = traffic_class && m.classes.size() > 1;
  if (one_class && !m.hosts_by_class) return {};
  for (std::uint32_t h = 0; h < host_count(m); ++h) {
    const HostResult host = one_class ? *host_of_class(m, {h}, *traffic_class) : host_total(m, {h});
    // A starved source has injected nothing but has a backlog; it must pull the index down, not vanish from it.
    if (host.injected == 0 && host.peak_backlog_packets == 0) continue;
    if (const auto rate = bit_rate(static_cast<Bytes>(host.injected_bytes), m.end)) shares.push_back(*rate);
  }
  return fairness_of(shares);
}

std::size_t host_count(const Measurements& m) {
  return m.hosts_by_class && !m.classes.empty() ? m.hosts.size() / m.classes.size() : m.hosts.size();
}

const HostResult* host_of_class(const Measurements& m, HostId host, ClassId traffic_class) {
  if (!m.hosts_by_class) return m.classes.size() == 1 ? &m.hosts[host.index] : nullptr;
  return &m.hosts[host.index * m.classes.size() + traffic_class.index];
}

HostResult host_total(const Measurements& m, HostId host) {
  if (!m.hosts_by_class) return m.hosts[host.index];
  HostResult total;
  for (std::uint32_t c = 0; c < m.classes.size(); ++c) {
    const HostResult& part = *host_of_class(m, host, {c});
    total.injected += part.injected;
    total.received += part.received;
    total.injected_bytes += part.injected_bytes;
    total.received_bytes += part.received_bytes;
    total.peak_backlog_packets = std::max(total.peak_backlog_packets, part.peak_backlog_packets);
  }
  return total;
}

double utilisation(const Measurements& m, PortId port) { return share_of(m.ports[port.index].busy, m.end); }
double wait_share(const Measurements& m, PortId port) { return share_of(m.ports[port.index].wait, m.end); }

// An application without flows has nothing to tell, unless it is the only one.
std::vector<AppResult> apps(const Measurements& m) {
  std::map<std::uint32_t, std::set<std::uint32_t>> phases;  // of every application
  for (const FlowResult& flow : m.flows)
    if (flow.app.valid()) phases[flow.app.index].insert(flow.phase);
  if (phases.empty() && !m.phase_ends.empty()) phases[0];
  std::vector<AppResult> result;
  std::unordered_map<std::uint32_t, std::size_t> place;  // looked up only, never walked
  for (const auto& [app, numbers] : phases) {
    place.emplace(app, result.size());
    AppResult& one = result.emplace_back();
    one.app = {app};
    one.phase_numbers.assign(numbers.begin(), numbers.end());
    if (app >= m.phase_ends.size()) continue;
    for (const Time end : m.phase_ends[app]) one.phases.push_back(known(end));
  }
  std::vector<bool> open(result.size(), false);
  for (const FlowResult& flow : m.flows) {
    if (!flow.app.valid()) continue;
    const std::size_t at = place.at(flow.app.index);
    AppResult& app = result[at];
    ++app.flows;
    if (flow.completion != kNever) {
      ++app.completed;
      app.completion = std::max(app.completion.value_or(flow.completion), flow.completion);
    } else if (flow.bytes != kEndless) {
      open[at] = true;
    }
  }
  for (std::size_t a = 0; a < result.size(); ++a)
    if (open[a]) result[a].completion.reset();
  return result;
}

IbCounters ib_counters(const PortResult& port) {
  const auto ticks = [&](Time t) { return port.tick_ps == 0 ? 0 : static_cast<std::uint64_t>(t.ps) / port.tick_ps; };
  IbCounters c;
  c.port_xmit_data = port.xmit_bytes / 4;
  c.port_rcv_data = port.rcv_bytes / 4;
  c.port_xmit_pkts = port.xmit_packets;
  c.port_rcv_pkts = port.rcv_packets;
  c.port_xmit_wait = ticks(port.wait);
  c.port_xmit_cong_time = ticks(port.congested);
  return c;
}

}  // namespace weir
