// Is a fabric a tree, and which level is a switch on? A cable list does not say it, but routing, checks and reports
// want to know: up*/down* from a single root would leave all other top switches of a fat tree unused.
#pragma once
#include <cstdint>
#include <vector>

#include "network/topology.h"

namespace weir {

struct TreeLevels {
  // Any two switches with hosts are connected by going up, then down, over cables between neighbouring levels.
  bool is_tree = false;
  std::uint32_t levels = 0;
  std::vector<std::uint32_t> level;  // per switch: cables to the nearest leaf; kFar where there is no way (in a tree:
                                     // at switches without cables)
  std::vector<std::uint32_t> hosts;  // per switch
};

// Leaves are the switches with hosts, but not those with very few hosts (under a quarter of the usual number) whose
// neighbours are all leaves: those are top switches to which somebody connected a few servers. A switch without hosts
// that is cabled to other switches exactly as a leaf is, is a leaf too, still empty.
TreeLevels tree_levels(const Topology& topology);

}  // namespace weir
