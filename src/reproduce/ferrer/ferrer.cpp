#include "reproduce/ferrer/ferrer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weir::ferrer {
namespace {

constexpr double kPsPerCycle = 1000;
constexpr double kBitsPerSecond = 8e9;  // of one byte per cycle

ClassId class_named(const Measurements& m, std::string_view name) {
  for (std::uint32_t i = 0; i < m.classes.size(); ++i)
    if (m.classes[i].name == name) return {i};
  throw InputError("no class " + std::string(name));
}

double marked_share(const ClassResult& c, bool two_bits) {
  if (c.received == 0) return 0;
  const std::uint64_t marked = !two_bits ? c.marked : c.marks_by_bits.empty() ? 0 : c.marks_by_bits[3];
  return 100.0 * static_cast<double>(marked) / static_cast<double>(c.received);
}

// Bins of the hot link's series between the first and the last hot delivery, both left out: they are partly idle.
void read_hot_link(const Measurements& m, const ClassResult& hot, Pulse& pulse) {
  std::size_t first = hot.series.size(), last = 0;
  for (std::size_t b = 0; b < hot.series.size(); ++b) {
    if (hot.series[b].received == 0) continue;
    first = std::min(first, b);
    last = b;
  }
  if (m.watched.empty() || first + 1 >= last) return;
  const std::vector<WatchBin>& link = m.watched.front().series;
  double sum = 0;
  pulse.hot_link_lowest = 1;
  for (std::size_t b = first + 1; b < last && b < link.size(); ++b) {
    const double share = std::min(1.0, link[b].rate / kBitsPerSecond);
    sum += share;
    pulse.hot_link_lowest = std::min(pulse.hot_link_lowest, share);
  }
  pulse.hot_link = sum / static_cast<double>(last - first - 1);
}

}  // namespace

std::string_view load_name(Load load) {
  constexpr std::string_view kNames[] = {"low", "medium", "high"};
  return kNames[static_cast<int>(load)];
}

std::vector<Override> size_settings(Sizes sizes) {
  switch (sizes) {
    case Sizes::b256: return {};
    case Sizes::b512: return {{"packet.payload", "[512]"}, {"switch.buffer", "2KiB"}};
    case Sizes::b1024: return {{"packet.payload", "[1024]"}, {"switch.buffer", "4KiB"}};
    case Sizes::mixed: return {{"packet.payload", "[64, 512]"}, {"switch.buffer", "2KiB"}};
  }
  return {};
}

std::vector<Override> rate_settings(double bytes_per_cycle) {
  const std::string rate = fmt::format("{:g}Gbps", 8 * bytes_per_cycle);
  return {{"traffic.cold.total_rate", rate}, {"traffic.hot.total_rate", rate}};
}

Contender scheme(std::string_view name) { return {std::string(name), {{"scheme.name", std::string(name)}}}; }

Contender parts(std::string label, const std::vector<Override>& settings) {
  Contender contender{std::move(label), {{"scheme.name", "marking"}}};
  for (const Override& setting : settings) contender.settings.push_back({"scheme." + setting.key, setting.value});
  return contender;
}

Scenario pulse(const Reproduction& r, const NetworkCase& network, double bytes_per_cycle, const Contender& contender,
               const std::vector<Override>& more) {
  std::vector<Override> all = rate_settings(bytes_per_cycle);
  all.insert(all.end(), contender.settings.begin(), contender.settings.end());
  all.insert(all.end(), more.begin(), more.end());
  return r.scenario(fmt::format("ferrer/{}.toml", network.file), all);
}

Pulse read_pulse(const Outcome& outcome, bool two_bits) {
  const Measurements& m = outcome.measurements;
  const ClassId cold = class_named(m, "cold"), hot = class_named(m, "hot");
  Pulse pulse;
  pulse.cold_peak = summarize(m, cold).peak_latency_ps.value_or(0) / kPsPerCycle;
  pulse.hot_peak = summarize(m, hot).peak_latency_ps.value_or(0) / kPsPerCycle;
  double sum = 0, bytes = 0, packets = 0;
  for (std::uint32_t c = 0; c < m.classes.size(); ++c) {
    for (const ClassBin& bin : m.classes[c].series) sum += bin.latency_sum_ps / kPsPerCycle;
    bytes += static_cast<double>(m.classes[c].received_bytes);
    packets += static_cast<double>(m.classes[c].received);
  }
  pulse.all_mean = packets > 0 ? sum / packets : 0;
  const auto latency = summarize(m, cold).latency;
  pulse.cold_mean = latency ? latency->mean_ps / kPsPerCycle : 0;
  pulse.accepted = bytes * kPsPerCycle / static_cast<double>(m.end.ps);
  if (const auto event = find_event(m, {})) {
    if (const auto impact = impact_of(m, cold, *event)) {
      pulse.before = impact->latency_before_ps / kPsPerCycle;
      pulse.dip = impact->dip().value_or(0);
      pulse.recovery = impact->recovery ? static_cast<double>(impact->recovery->ps) / kPsPerCycle : -1;
    }
    pulse.hot_end = static_cast<double>((event->span.to - event->span.from).ps) / kPsPerCycle;
  }
  pulse.cold_marked = marked_share(m.classes[cold.index], two_bits);
  pulse.hot_marked = marked_share(m.classes[hot.index], two_bits);
  read_hot_link(m, m.classes[hot.index], pulse);
  return pulse;
}

Curve class_curve(const Outcome& outcome, std::string_view traffic_class, Series what, std::string label) {
  const Measurements& m = outcome.measurements;
  Curve curve{std::move(label), {}, {}, false};
  std::size_t bins = 0;
  for (const ClassResult& c : m.classes) bins = std::max(bins, c.series.size());
  for (std::size_t b = 0; b < bins; ++b) {
    double sum = 0, packets = 0, bytes = 0;
    for (const ClassResult& c : m.classes) {
      if ((!traffic_class.empty() && c.name != traffic_class) || b >= c.series.size()) continue;
      sum += c.series[b].latency_sum_ps;
      packets += static_cast<double>(c.series[b].received);
      bytes += static_cast<double>(c.series[b].received_bytes);
    }
    const double length = static_cast<double>(bin_length(m, b).ps) / kPsPerCycle;
    if ((what == Series::latency && packets == 0) || length <= 0) continue;
    curve.x.push_back(static_cast<double>(bin_start(m, b).ps) / kPsPerCycle);
    curve.y.push_back(what == Series::latency ? sum / packets / kPsPerCycle : bytes / length);
  }
  return curve;
}

Curve hot_link_curve(const Outcome& outcome, std::string label) {
  const Measurements& m = outcome.measurements;
  Curve curve{std::move(label), {}, {}, false};
  if (m.watched.empty()) return curve;
  const std::vector<WatchBin>& link = m.watched.front().series;
  for (std::size_t b = 0; b < link.size(); ++b) {
    curve.x.push_back(static_cast<double>(m.watch_bin.ps) * static_cast<double>(b) / kPsPerCycle);
    curve.y.push_back(100 * std::min(1.0, link[b].rate / kBitsPerSecond));
  }
  return curve;
}

Figure figure(std::string name, std::string title, Series what) {
  return {std::move(name), std::move(title), "cycles",
          what == Series::latency ? "latency from generation [cycles]" : "payload [bytes/cycle]", {}, false, false};
}

std::vector<double> rates_of(const Reproduction& r, const NetworkCase& network) {
  std::vector<double> rates(std::begin(network.bytes_per_cycle), std::end(network.bytes_per_cycle));
  if (r.quick()) return rates;
  const double high = network.bytes_per_cycle[2];
  for (const double factor : {1.3, 1.6}) rates.push_back(std::round(factor * high * 10) / 10);
  if (r.full())
    for (const double factor : {0.15, 0.5, 0.85, 1.15, 2.0}) rates.push_back(std::round(factor * high * 10) / 10);
  std::sort(rates.begin(), rates.end());
  return rates;
}

std::vector<std::vector<Pulse>> latency_against_traffic(Reproduction& r, const std::string& name,
                                                        const std::string& title, const NetworkCase& network,
                                                        const std::vector<Contender>& contenders,
                                                        const std::vector<double>& bytes_per_cycle,
                                                        const std::vector<Override>& more) {
  const std::size_t rates = bytes_per_cycle.size();
  std::vector<std::vector<Pulse>> pulses(contenders.size(), std::vector<Pulse>(rates));
  r.parallel(contenders.size() * rates, [&](std::size_t i) {
    const std::size_t c = i / rates, k = i % rates;
    pulses[c][k] = read_pulse(simulate(pulse(r, network, bytes_per_cycle[k], contenders[c], more)));
  });
  Figure cold{
      name + "-cold", title + ": cold flows", "traffic [bytes/cycle]", "mean latency [cycles]", {}, false, true};
  Figure all{name + "-all", title + ": all packets", "traffic [bytes/cycle]", "mean latency [cycles]", {}, false, true};
  for (std::size_t c = 0; c < contenders.size(); ++c) {
    Curve of_cold{contenders[c].label, {}, {}, false}, of_all = of_cold;
    for (const Pulse& p : pulses[c]) {
      of_cold.x.push_back(p.accepted);
      of_cold.y.push_back(p.cold_mean);
      of_all.x.push_back(p.accepted);
      of_all.y.push_back(p.all_mean);
    }
    cold.curves.push_back(std::move(of_cold));
    all.curves.push_back(std::move(of_all));
  }
  r.figure(std::move(cold));
  r.figure(std::move(all));
  return pulses;
}

std::string cycles(double value) {
  if (value < 1000) return fmt::format("{:.0f}", value);
  const std::string digits = fmt::format("{:.0f}", value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace weir::ferrer
