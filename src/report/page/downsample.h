// Fewer points that tell the same story. A run of a minute in bins of a millisecond has 60,000 points per curve; a
// screen has two thousand columns. Each stretch of bins keeps its lowest and its highest value at their own times, so
// that no peak and no dip is lost, however short.
#pragma once
#include <optional>
#include <vector>

namespace weir {

struct SampledSeries {
  std::vector<double> x;
  std::vector<std::optional<double>> y;  // nothing: a stretch without any value
};

inline constexpr std::size_t kCurvePoints = 1600;

// x is start + i * step for value i. At most `limit` points (at least 4), in the order of x; all values where they fit.
SampledSeries downsample(const std::vector<std::optional<double>>& values, double start, double step,
                         std::size_t limit = kCurvePoints);

}  // namespace weir
