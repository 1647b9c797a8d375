#include "report/page/downsample.h"

#include <algorithm>

namespace weir {
namespace {

void keep_extremes(const std::vector<std::optional<double>>& values, std::size_t from, std::size_t to, double start,
                   double step, SampledSeries& out) {
  std::optional<std::size_t> low, high;
  for (std::size_t i = from; i < to; ++i) {
    if (!values[i]) continue;
    if (!low || *values[i] < *values[*low]) low = i;
    if (!high || *values[i] > *values[*high]) high = i;
  }
  const auto add = [&](std::size_t i) {
    out.x.push_back(start + static_cast<double>(i) * step);
    out.y.push_back(values[i]);
  };
  if (!low) return add(from);  // a gap stays a gap
  add(std::min(*low, *high));
  if (*low != *high) add(std::max(*low, *high));
}

}  // namespace

SampledSeries downsample(const std::vector<std::optional<double>>& values, double start, double step,
                         std::size_t limit) {
  SampledSeries out;
  const std::size_t stretches = std::max<std::size_t>(2, limit / 2);
  if (values.size() <= 2 * stretches) {
    for (std::size_t i = 0; i < values.size(); ++i) out.x.push_back(start + static_cast<double>(i) * step);
    out.y = values;
    return out;
  }
  for (std::size_t s = 0; s < stretches; ++s)
    keep_extremes(values, values.size() * s / stretches, values.size() * (s + 1) / stretches, start, step, out);
  return out;
}

}  // namespace weir
