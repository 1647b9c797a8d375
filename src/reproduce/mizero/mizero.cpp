#include "reproduce/mizero/mizero.h"

#include <fmt/format.h>

#include <algorithm>

namespace weir::mizero {

ClassId flow_class(const Measurements& m, std::string_view name) {
  for (std::uint32_t i = 0; i < m.classes.size(); ++i)
    if (m.classes[i].name == name) return {i};
  throw InputError("no flow " + std::string(name));
}

const FlowResult& flow_of(const Measurements& m, std::string_view name) {
  const ClassId wanted = flow_class(m, name);
  for (const FlowResult& flow : m.flows)
    if (flow.traffic_class == wanted) return flow;
  throw InputError("no flow " + std::string(name));
}

double rate_between(const Measurements& m, std::string_view name, Time from, Time to) {
  const ClassResult& c = m.classes[flow_class(m, name).index];
  double bytes = 0;
  for (std::size_t i = 0; i < c.series.size(); ++i) {
    const Time start = bin_start(m, i), end = start + bin_length(m, i);
    const Time overlap = std::min(end, to) - std::max(start, from);
    if (overlap.ps <= 0) continue;
    bytes += static_cast<double>(c.series[i].received_bytes) * static_cast<double>(overlap.ps) /
             static_cast<double>((end - start).ps);
  }
  return bytes * 8e-9 / (to - from).seconds();
}

double total_to_d(const Measurements& m, Time from, Time to) {
  return rate_between(m, "A-D", from, to) + rate_between(m, "B-D", from, to) + rate_between(m, "C-D", from, to);
}

const PortResult& port_of(const Outcome& outcome, std::string_view name) {
  const Topology& t = outcome.network->topology;
  for (std::uint32_t p = 0; p < t.ports(); ++p)
    if (t.port_name({p}) == name) return outcome.measurements.ports[p];
  throw InputError("no port " + std::string(name));
}

double waited_ticks(const PortResult& port) { return static_cast<double>(ib_counters(port).port_xmit_wait); }

Curve rate_curve(const Measurements& m, std::string_view name) {
  Curve curve{std::string(name), {}, {}, false};
  const auto series = throughput_series(m, flow_class(m, name));
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (!series[i]) continue;
    curve.x.push_back(bin_start(m, i).seconds());
    curve.y.push_back(*series[i] * 1e-9);
  }
  return curve;
}

Curve counter_curve(const Measurements& m, std::string_view counter, std::string_view port, double unit,
                    std::string label) {
  const std::string name = fmt::format("{} [s] {}", counter, port);
  Curve curve{std::move(label), {0}, {0}, false};
  for (const SchemeSeries& series : m.scheme_series) {
    if (series.name != name) continue;
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      curve.x.push_back(static_cast<double>(i + 1) * series.bin.seconds());
      curve.y.push_back(series.values[i] / unit);
    }
  }
  return curve;
}

}  // namespace weir::mizero
