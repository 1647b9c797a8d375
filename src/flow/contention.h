// How many flows share a link, as seen by links and as seen by flows.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "flow/flow_router.h"
#include "flow/solvers/incidence.h"

namespace weir {

// A flow's contention is the largest number of flows on any link of its path. Flows without links do not count.
struct FlowContention {
  std::uint32_t worst = 0;
  double mean = 0;
};
FlowContention flow_contention(const FlowRouter& router, const RowList& paths);

// Links between two neighbouring levels of a tree, in one direction. Levels as in Topology: 0 next to the hosts.
struct LevelLinks {
  std::uint32_t lower = 0;  // between switch levels lower and lower + 1
  bool upwards = false;
  std::vector<PortId> links;
};
std::vector<LevelLinks> links_between_levels(const Topology& tree);  // upwards first, then by level

// Adds to histogram[n] the number of links that n flows cross.
void count_contention(const FlowRouter& router, const LevelLinks& set, std::vector<std::uint64_t>& histogram);

}  // namespace weir
