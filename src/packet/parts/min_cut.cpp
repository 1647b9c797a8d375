#include "packet/parts/min_cut.h"

#ifdef WEIR_HAS_METIS
#include <metis.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace weir {
namespace {

// Switches as METIS wants them: neighbours one after the other, with the number of cables to each.
struct SwitchGraph {
  explicit SwitchGraph(const Topology& topology) {
    begins.push_back(0);
    for (std::uint32_t s = 0; s < topology.switches(); ++s) {
      const NodeId node = topology.node(SwitchId{s});
      std::map<std::uint32_t, idx_t> cables;
      for (std::uint32_t i = 0; i < topology.port_count(node); ++i) {
        const PortId far = topology.to(topology.port(node, i));
        if (!far.valid() || topology.is_host(topology.node_of(far))) continue;
        const std::uint32_t there = topology.switch_of(topology.node_of(far)).index;
        if (there != s) ++cables[there];
      }
      for (const auto& [there, count] : cables) {
        neighbours.push_back(static_cast<idx_t>(there));
        weights.push_back(count);
      }
      begins.push_back(static_cast<idx_t>(neighbours.size()));
      sizes.push_back(std::max<idx_t>(1, static_cast<idx_t>(topology.port_count(node))));
    }
  }
  std::vector<idx_t> begins, neighbours, weights, sizes;
};

constexpr idx_t kUnevenness = 50;        // per thousand
constexpr std::uint32_t kFewParts = 8;   // halving again and again cuts less, and takes longer

}  // namespace

std::vector<std::uint16_t> min_cut(const Topology& topology, std::uint32_t parts) {
  SwitchGraph graph(topology);
  auto switches = static_cast<idx_t>(topology.switches()), one = idx_t{1}, wanted = static_cast<idx_t>(parts);
  if (parts < 2 || wanted > switches || graph.neighbours.empty()) return {};
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;  // the same in every process
  options[METIS_OPTION_UFACTOR] = kUnevenness;
  std::vector<idx_t> found(topology.switches());
  idx_t cut = 0;
  static std::mutex one_at_a_time;  // it draws from a global stream
  const std::lock_guard lock(one_at_a_time);
  const auto divide = parts <= kFewParts ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  if (divide(&switches, &one, graph.begins.data(), graph.neighbours.data(), graph.sizes.data(), nullptr,
             graph.weights.data(), &wanted, nullptr, nullptr, options, &cut, found.data()) != METIS_OK)
    return {};
  std::vector<bool> used(parts, false);
  for (const idx_t part : found) used[static_cast<std::size_t>(part)] = true;
  if (std::find(used.begin(), used.end(), false) != used.end()) return {};
  return {found.begin(), found.end()};
}

}  // namespace weir

#else

namespace weir {

std::vector<std::uint16_t> min_cut(const Topology&, std::uint32_t) { return {}; }

}  // namespace weir

#endif
