// See minkenberg.h: from watched ports to numbers and curves.
#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "reproduce/minkenberg/minkenberg.h"

namespace weir::minkenberg {

const WatchedPort& watched(const Outcome& outcome, std::string_view port) {
  const Topology& topology = outcome.network->topology;
  for (const WatchedPort& w : outcome.measurements.watched)
    if (w.name == port || topology.name(topology.node_of(w.port)) == port) return w;
  fail(__FILE__, __LINE__, "a port that is not watched");
}

std::vector<double> rates(const WatchedPort& port) {
  std::vector<double> series;
  for (const WatchBin& bin : port.series) series.push_back(bin.rate / 8e6);
  return series;
}

std::vector<double> queues(const WatchedPort& port) {
  std::vector<double> series;
  for (const WatchBin& bin : port.series) series.push_back(bin.queue_mean / 1e3);
  return series;
}

double mean(const std::vector<double>& series, std::size_t from_ms, std::size_t to_ms) {
  const std::size_t to = std::min(to_ms, series.size()), from = std::min(from_ms, to);
  if (from == to) return 0;
  return std::accumulate(series.begin() + static_cast<std::ptrdiff_t>(from),
                         series.begin() + static_cast<std::ptrdiff_t>(to), 0.0) /
         static_cast<double>(to - from);
}

Curve curve(std::string name, const std::vector<double>& series) {
  Curve c{std::move(name), {}, series, false};
  for (std::size_t i = 0; i < series.size(); ++i) c.x.push_back(static_cast<double>(i) + 0.5);
  return c;
}

std::vector<Override> adaptive(std::string_view timing) {
  std::vector<Override> overrides{{"routing.choice", "snooping"}};
  if (!timing.empty()) overrides.push_back({"routing.snoop_timing", std::string(timing)});
  return overrides;
}

}  // namespace weir::minkenberg
