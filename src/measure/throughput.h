// Does a class deliver what there is to deliver? The latency of the packets that arrive does not tell: those that are
// stuck have none yet. So a class whose latency is back to normal may still be in trouble.
#pragma once
#include <cstddef>
#include <vector>

#include "measure/measurements.h"

namespace weir {

// The bins in which a class received less than 80 % of what it should have, beyond what chance explains. It should
// deliver as in the calm bins [first, end), as long as there is that much:
//   random traffic   what is generated in the bin, and what has piled up since it was calm
//   flows            the same for each open flow as then
// All false where nothing arrived in the calm bins.
std::vector<bool> bins_short_of_throughput(const Measurements& m, ClassId traffic_class, std::size_t first,
                                           std::size_t end);

}  // namespace weir
