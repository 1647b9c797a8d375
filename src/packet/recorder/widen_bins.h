// Bins of time series that become twice as wide.
#pragma once
#include <cstdint>
#include <vector>

#include "measure/measurements.h"

namespace weir {

// Neighbours become one; the last one may stand alone.
void widen_bins(std::vector<ClassResult>& classes, std::int64_t& width);

}  // namespace weir
