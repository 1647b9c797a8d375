// A k-ary n-tree as those see it who route flows in it: levels, digits, and which ports of a switch lead down, up, and
// along the chain of its logical node. Adaptive flow routing chooses among these; nothing here is stored per switch.
#pragma once
#include <cstdint>

#include "network/topology.h"

namespace weir {

// `count` consecutive ports from `first`.
struct PortRange {
  PortId first;
  std::uint32_t count = 0;

  bool empty() const { return count == 0; }
  PortId operator[](std::uint32_t i) const { return {first.index + i}; }
  bool contains(PortId p) const { return p.index - first.index < count; }
};

class TreeStructure {
 public:
  explicit TreeStructure(const Topology& topology);  // InputError unless it is a tree

  std::uint32_t k() const { return k_; }
  std::uint32_t levels() const { return n_; }
  std::uint32_t width() const { return width_; }

  SwitchId at(std::uint32_t level, std::uint32_t position) const { return {level * per_level_ + position}; }
  std::uint32_t level(SwitchId s) const { return s.index / per_level_; }
  std::uint32_t position(SwitchId s) const { return s.index % per_level_; }
  std::uint32_t digit(SwitchId s, std::uint32_t i) const;  // w_i
  std::uint32_t host_digit(HostId h, std::uint32_t i) const;  // d_i
  SwitchId leaf(HostId h) const { return {h.index / k_}; }
  bool is_ancestor(SwitchId s, HostId h) const;
  // The level at which a minimal path between two hosts turns.
  std::uint32_t turning_level(HostId a, HostId b) const;

  // The logical node: the k^level switches that lead down to the same hosts, as a chain from left to right.
  std::uint32_t node_size(std::uint32_t level) const;
  std::uint32_t place_in_node(SwitchId s) const { return position(s) % node_size(level(s)); }
  std::uint32_t logical_node(SwitchId s) const { return position(s) / node_size(level(s)); }

  PortRange down(SwitchId s) const { return {base(s), k_}; }
  PortRange up(SwitchId s) const { return {{base(s).index + k_}, is_root(s) ? 0 : k_}; }
  PortRange left(SwitchId s) const;   // to the left neighbour in the chain; empty at its left end
  PortRange right(SwitchId s) const;  // to the right neighbour

 private:
  bool is_root(SwitchId s) const { return level(s) + 1 == n_; }
  PortId base(SwitchId s) const { return topology_->first_port(topology_->node(s)); }

  const Topology* topology_;
  std::uint32_t k_, n_, width_, per_level_;
};

}  // namespace weir
