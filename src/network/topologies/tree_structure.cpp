// The numbering of topologies/tree.cpp, read backwards.
#include "network/topologies/tree_structure.h"

#include "base/error.h"
#include "network/digits.h"

namespace weir {

TreeStructure::TreeStructure(const Topology& topology)
    : topology_(&topology), k_(topology.arity()), n_(topology.stages()), width_(topology.horizontal_width()) {
  if (topology.shape() != Shape::tree)
    throw InputError("adaptive flow routing knows `k-ary-n-tree` and `modified-k-ary-n-tree` only");
  per_level_ = power(k_, n_ - 1);
}

std::uint32_t TreeStructure::digit(SwitchId s, std::uint32_t i) const { return weir::digit(position(s), k_, i); }

std::uint32_t TreeStructure::host_digit(HostId h, std::uint32_t i) const { return weir::digit(h.index, k_, i); }

std::uint32_t TreeStructure::node_size(std::uint32_t level) const { return power(k_, level); }

bool TreeStructure::is_ancestor(SwitchId s, HostId h) const {
  return logical_node(s) == h.index / k_ / node_size(level(s));
}

std::uint32_t TreeStructure::turning_level(HostId a, HostId b) const {
  std::uint32_t level = 0;
  for (std::uint32_t x = a.index / k_, y = b.index / k_; x != y; x /= k_, y /= k_) ++level;
  return level;
}

PortRange TreeStructure::left(SwitchId s) const {
  return {{base(s).index + (is_root(s) ? k_ : 2 * k_)}, place_in_node(s) > 0 ? width_ : 0};
}

PortRange TreeStructure::right(SwitchId s) const {
  const bool is_last = place_in_node(s) + 1 == node_size(level(s));
  const PortRange before = left(s);
  return {{before.first.index + before.count}, is_last ? 0 : width_};
}

}  // namespace weir
