// Lanes that share a link by weight (switch.lane_weights): of the lanes that do, the smallest weight; 0 if none does.
#pragma once
#include <algorithm>
#include <vector>

namespace weir {

inline double least_weight(const std::vector<double>& weights) {
  double least = 0;
  for (const double weight : weights)
    if (weight > 0) least = least == 0 ? weight : std::min(least, weight);
  return least;
}

}  // namespace weir
