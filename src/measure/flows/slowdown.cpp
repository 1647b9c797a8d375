#include "measure/flows/slowdown.h"

#include <algorithm>
#include <cmath>

#include "measure/derive.h"
#include "traffic/workload.h"

namespace weir {

namespace {

class Collected {
 public:
  void add(const Measurements& m, const FlowResult& flow) {
    ++flows_;
    const auto slowdown = slowdown_of(flow);
    if (!slowdown) return;
    values_.push_back(*slowdown);
    rates_ += flow_rate(m, flow).value_or(0);
  }
  SlowdownSummary summary() && {
    SlowdownSummary s;
    s.flows = flows_;
    s.complete = values_.size();
    if (values_.empty()) return s;
    std::sort(values_.begin(), values_.end());
    const auto count = static_cast<double>(values_.size());
    const auto percentile = [&](double q) { return values_[static_cast<std::size_t>(std::ceil(q * count)) - 1]; };
    for (const double value : values_) s.mean += value / count;
    s.p50 = percentile(0.5);
    s.p95 = percentile(0.95);
    s.p99 = percentile(0.99);
    s.max = values_.back();
    s.goodput_bps = rates_ / count;
    return s;
  }

 private:
  std::size_t flows_ = 0;
  std::vector<double> values_;
  double rates_ = 0;
};

// Started, and how slow.
using Started = std::pair<Time, double>;

double percentile_99(std::vector<double> values) {
  const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(values.size()))) - 1;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
  return values[rank];
}

// By chance 1 % of the later flows are slower than 99 % of the earlier ones. Flows that wait behind each other make it
// more: a single burst is no growth.
std::optional<SlowdownGrowth> growth_of(std::vector<Started> flows) {
  constexpr std::size_t kFewest = 100;  // of a half
  constexpr double kMoreThanChance = 0.03, kClear = 1.3, kMoreThanBurst = 20;
  const std::size_t half = flows.size() / 2;
  if (half < kFewest) return {};
  std::stable_sort(flows.begin(), flows.end(), [](const Started& a, const Started& b) { return a.first < b.first; });
  std::vector<double> early, late;
  for (std::size_t i = 0; i < flows.size(); ++i) (i < half ? early : late).push_back(flows[i].second);
  const SlowdownGrowth growth{percentile_99(early), percentile_99(late)};
  const auto slower = std::count_if(late.begin(), late.end(), [&](double value) { return value > growth.early_p99; });
  const bool clear = growth.late_p99 > kClear * growth.early_p99 &&
                     static_cast<double>(slower) >
                         std::max(kMoreThanBurst, kMoreThanChance * static_cast<double>(late.size()));
  return clear ? std::optional(growth) : std::nullopt;
}

bool has_end(const FlowResult& flow) { return flow.bytes != kEndless && flow.alone != kNever && flow.alone.ps > 0; }

// The upper ends of the bins. Sizes of all flows count, whether they have started or not, so that runs of the same
// traffic have the same bins.
std::vector<Bytes> upper_ends(std::vector<Bytes> sizes, const SizeBins& bins) {
  std::sort(sizes.begin(), sizes.end());
  std::vector<Bytes> ends = bins.edges;
  if (ends.empty())
    for (std::size_t b = 1; b <= bins.count; ++b) ends.push_back(sizes[(b * sizes.size() - 1) / bins.count]);
  else ends.push_back(std::max(sizes.back(), ends.back()));
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

}  // namespace

std::optional<double> slowdown_of(const FlowResult& flow) {
  const auto duration = flow_completion_ps(flow);
  if (!duration || flow.alone == kNever || flow.alone.ps <= 0) return {};
  return *duration / static_cast<double>(flow.alone.ps);
}

std::optional<Slowdown> slowdown(const Measurements& m, std::optional<ClassId> traffic_class, const SizeBins& bins,
                                 const std::vector<FlowRole>* roles) {
  std::vector<std::size_t> chosen;
  std::vector<Bytes> sizes;
  for (std::size_t f = 0; f < m.flows.size(); ++f) {
    if ((traffic_class && m.flows[f].traffic_class != *traffic_class) || !has_end(m.flows[f])) continue;
    chosen.push_back(f);
    sizes.push_back(m.flows[f].bytes);
  }
  if (chosen.empty()) return {};
  const std::vector<Bytes> ends = upper_ends(std::move(sizes), bins);
  Collected all, victims;
  std::vector<Collected> by_size(ends.size());
  std::vector<Started> started;
  for (const std::size_t f : chosen) {
    const FlowResult& flow = m.flows[f];
    if (flow.start == kNever || flow.start < m.warmup) continue;
    all.add(m, flow);
    if (const auto slow = slowdown_of(flow)) started.emplace_back(flow.start, *slow);
    const auto bin = std::lower_bound(ends.begin(), ends.end(), flow.bytes) - ends.begin();
    by_size[static_cast<std::size_t>(bin)].add(m, flow);
    if (roles != nullptr && f < roles->size() && (*roles)[f] == FlowRole::victim) victims.add(m, flow);
  }
  Slowdown result;
  result.all = std::move(all).summary();
  if (roles != nullptr) result.victims = std::move(victims).summary();
  result.growth = growth_of(std::move(started));
  for (std::size_t b = 0; b < ends.size(); ++b) {
    const SlowdownSummary summary = std::move(by_size[b]).summary();
    if (summary.flows > 0) result.by_size.push_back({b == 0 ? 0 : ends[b - 1], ends[b], summary});
  }
  return result;
}

}  // namespace weir
