// See throughput.h. All in packets per bin.
#include "measure/throughput.h"

#include <algorithm>
#include <cmath>

namespace weir {
namespace {

constexpr double kShort = 0.8;
constexpr double kDeviations = 3;  // of a count that is drawn at random

bool is_short(double received, double expected) {
  return received < std::min(kShort * expected, expected - kDeviations * std::sqrt(expected));
}

// Flows of the class that were open at some time of each bin.
std::vector<double> open_flows(const Measurements& m, ClassId traffic_class, std::size_t bins) {
  std::vector<double> change(bins + 1, 0);
  const auto bin_of = [&](Time t) { return std::min(bins, static_cast<std::size_t>(t / m.bin)); };
  for (const FlowResult& flow : m.flows) {
    if (flow.traffic_class != traffic_class || flow.start == kNever) continue;
    const std::size_t from = bin_of(flow.start);
    change[from] += 1;
    if (flow.completion != kNever) change[std::min(bins, bin_of(flow.completion) + 1)] -= 1;
  }
  std::vector<double> open(bins, 0);
  double now = 0;
  for (std::size_t b = 0; b < bins; ++b) open[b] = now += change[b];
  return open;
}

// Packets generated and not yet received at the end of each bin.
std::vector<double> backlog_of(const ClassResult& c) {
  std::vector<double> backlog;
  double now = 0;
  for (const ClassBin& bin : c.series)
    backlog.push_back(now += static_cast<double>(bin.generated) - static_cast<double>(bin.received));
  return backlog;
}

double mean_of(const std::vector<double>& values, std::size_t first, std::size_t end) {
  double sum = 0;
  for (std::size_t b = first; b < end; ++b) sum += values[b];
  return sum / static_cast<double>(end - first);
}

}  // namespace

std::vector<bool> bins_short_of_throughput(const Measurements& m, ClassId traffic_class, std::size_t first,
                                           std::size_t end) {
  const ClassResult& c = m.classes[traffic_class.index];
  const std::size_t bins = c.series.size();
  std::vector<bool> result(bins, false);
  end = std::min(end, bins);
  if (first >= end || m.bin.ps <= 0) return result;
  std::vector<double> received;
  for (const ClassBin& bin : c.series) received.push_back(static_cast<double>(bin.received));
  const double calm = mean_of(received, first, end);
  const std::vector<double> open = open_flows(m, traffic_class, bins), backlog = backlog_of(c);
  const double calm_open = mean_of(open, first, end), calm_backlog = mean_of(backlog, first, end);
  for (std::size_t b = end; b < bins; ++b) {
    // The packets of a flow are made when they can be sent: only that it is open tells that there is more to come.
    const double piled_up = std::max(0.0, backlog[b - 1] - calm_backlog);
    const double expected = calm_open > 0 ? calm * open[b] / calm_open
                                          : std::min(calm, static_cast<double>(c.series[b].generated) + piled_up);
    result[b] = is_short(received[b], expected);
  }
  return result;
}

}  // namespace weir
