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

// Mean of samples with a 95 % confidence interval (normal approximation; 0 for fewer than two samples).
class Sample {
 public:
  void add(double x);
  std::size_t count() const { return count_; }
  double mean() const { return mean_; }
  double half_width() const;
  double min() const { return min_; }
  double max() const { return max_; }

 private:
  std::size_t count_ = 0;
  double mean_ = 0, squares_ = 0, min_ = 0, max_ = 0;
};

}  // namespace weir
