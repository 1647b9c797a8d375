// The values of a swept key as places along an axis. A scenario writes them as people do ("8Gbps", "10%", 4), so that
// the distance between two of them has to be read out of the text; what cannot be read so is a category.
#pragma once
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace weir {

struct SweepScale {
  std::string kind = "category";    // number, time, rate, bytes; category: the order of the scenario is all there is
  std::vector<std::string> labels;  // as written, without quotes; keys that advance together have theirs in one
  std::vector<double> numbers;      // one per label, all different: plain, s, bit/s, bytes; none of categories
};
SweepScale scale_of(const SweepAxis& axis);

}  // namespace weir
