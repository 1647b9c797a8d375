// Parts of a fabric between which few cables lead, whatever its shape: by METIS, if it was there when weir was built.
#pragma once
#include <cstdint>
#include <vector>

#include "network/topology.h"

namespace weir {

// The part of each switch; empty without METIS, and where it finds no division into so many parts of about the same
// size.
std::vector<std::uint16_t> min_cut(const Topology& topology, std::uint32_t parts);

}  // namespace weir
