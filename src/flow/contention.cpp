// Plain sweeps over paths and links.
#include "flow/contention.h"

#include <algorithm>

namespace weir {

FlowContention flow_contention(const FlowRouter& router, const RowList& paths) {
  FlowContention out;
  std::uint64_t sum = 0, flows = 0;
  for (std::size_t f = 0; f < paths.rows(); ++f) {
    if (paths[f].empty()) continue;
    std::uint32_t most = 0;
    for (const std::uint32_t link : paths[f]) most = std::max(most, router.flows_on({link}));
    out.worst = std::max(out.worst, most);
    sum += most;
    ++flows;
  }
  if (flows > 0) out.mean = static_cast<double>(sum) / static_cast<double>(flows);
  return out;
}

std::vector<LevelLinks> links_between_levels(const Topology& topology) {
  const TreeStructure tree(topology);
  std::vector<LevelLinks> sets;
  for (const bool upwards : {true, false})
    for (std::uint32_t level = 0; level + 1 < tree.levels(); ++level) sets.push_back({level, upwards, {}});
  for (std::uint32_t s = 0; s < topology.switches(); ++s) {
    const std::uint32_t level = tree.level({s});
    const PortRange up = tree.up({s}), down = tree.down({s});
    for (std::uint32_t i = 0; i < up.count; ++i) sets[level].links.push_back(up[i]);
    if (level == 0) continue;
    for (std::uint32_t i = 0; i < down.count; ++i) sets[tree.levels() - 1 + level - 1].links.push_back(down[i]);
  }
  return sets;
}

void count_contention(const FlowRouter& router, const LevelLinks& set, std::vector<std::uint64_t>& histogram) {
  for (const PortId link : set.links) {
    const std::uint32_t flows = router.flows_on(link);
    if (flows >= histogram.size()) histogram.resize(flows + 1, 0);
    ++histogram[flows];
  }
}

}  // namespace weir
