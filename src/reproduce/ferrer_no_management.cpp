// Paper 001, section 8.2: what a hot spot does to innocent flows when nothing is done about it.
#include <fmt/format.h>

#include <algorithm>

#include "measure/derive.h"
#include "measure/digest.h"
#include "reproduce/entries.h"

namespace weir {
namespace {

ClassId class_named(const Measurements& m, std::string_view name) {
  for (std::uint32_t i = 0; i < m.classes.size(); ++i)
    if (m.classes[i].name == name) return {i};
  throw InputError("no class " + std::string(name));
}

Curve curve(const Measurements& m, const std::string& name, const std::vector<std::optional<double>>& series, double scale) {
  Curve c{name, {}, {}, false};
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (!series[i]) continue;
    c.x.push_back(bin_start(m, i).nanoseconds());
    c.y.push_back(*series[i] * scale);
  }
  return c;
}

}  // namespace

void ferrer_no_management(Reproduction& r) {
  const std::vector<Outcome> outcomes = r.run({r.scenario("ferrer/bmin-4-ary-5-fly.toml", {{"measure.bin", "10us"}})});
  const Measurements& m = outcomes[0].measurements;
  const ClassId cold = class_named(m, "cold"), hot = class_named(m, "hot");
  const CongestionReport congestion = find_congestion(m, outcomes[0].network->topology);
  const std::optional<Event> event = find_event(m, congestion);
  if (!event) throw InputError("ferrer/fig-8.4: the pulse was not found in the series");
  const Impact impact = impact_of(m, cold, *event).value();
  r.statement("cold latency rises by orders of magnitude during the pulse", impact.rise() >= 100,
              fmt::format("{:.0f} to {:.0f} cycles, {:.0f}x", impact.latency_before_ps / 1e3, impact.latency_peak_ps / 1e3,
                          impact.rise()));
  r.statement("cold throughput falls during the pulse", impact.dip().value_or(1) < 0.8,
              fmt::format("to {:.0f} % of before", 100 * impact.dip().value_or(1)));
  const auto latency = latency_series(m, cold);
  const auto throughput = throughput_series(m, cold);
  const auto last = latency.size() - 2;  // the last bin may be short
  const bool calm = latency[last].value_or(1e18) < 2 * impact.latency_before_ps;
  const bool flowing = throughput[last].value_or(0) > 0.9 * impact.throughput_before;
  r.statement("latency and throughput recover after the pulse", calm && flowing && impact.recovery.has_value(),
              fmt::format("after {:.0f} cycles: {:.0f} cycles, {:.0f} % of the throughput",
                          impact.recovery.value_or(Time{}).nanoseconds(), latency[last].value_or(0) / 1e3,
                          100 * throughput[last].value_or(0) / impact.throughput_before));
  r.figure({"cold-latency", "Latency of cold flows, no management", "cycles", "latency from generation [cycles]",
            {curve(m, "cold", latency, 1e-3)}, false, false});
  r.figure({"cold-throughput", "Throughput of cold flows, no management", "cycles", "bytes/cycle",
            {curve(m, "cold", throughput, 1.0 / 8e9)}, false, false});
  r.figure({"hot-latency", "Latency of hot flows, no management", "cycles", "latency from generation [cycles]",
            {curve(m, "hot", latency_series(m, hot), 1e-3)}, false, false});
}

}  // namespace weir
