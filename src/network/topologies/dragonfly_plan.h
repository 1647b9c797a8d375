// Where the switches of a dragonfly and of a dragonfly+ stand, and which ports lead where: what the builders and the
// routings agree on. Hosts and switches are numbered group by group.
//
// Dragonfly: every router of a group has hosts, a cable to each other router of its group and global ports, in this
// order. Global port q of the group is port q % h of router q / h. Dragonfly+: a group has leaves with hosts, numbered
// first, and spines with the global ports; every leaf is joined to every spine of its group.
#pragma once
#include <cstdint>
#include <vector>

#include "network/topologies/global_links.h"
#include "network/topology.h"

namespace weir {

struct DragonflyShape {
  std::uint32_t routers = 4;       // of a group
  std::uint32_t hosts = 2;         // of a router
  std::uint32_t global_ports = 2;  // of a router
  std::uint32_t groups = 9;
  Arrangement arrangement = Arrangement::palmtree;
};

class DragonflyPlan {
 public:
  explicit DragonflyPlan(DragonflyShape shape)
      : shape_(shape), links_(shape.groups, shape.routers * shape.global_ports, shape.arrangement) {}
  explicit DragonflyPlan(const Topology& t)
      : DragonflyPlan({t.sizes()[0], t.sizes()[1], t.sizes()[2], t.sizes()[3], Arrangement{t.sizes()[4]}}) {}
  std::vector<std::uint32_t> encoded() const {
    return {shape_.routers, shape_.hosts, shape_.global_ports, shape_.groups,
            static_cast<std::uint32_t>(shape_.arrangement)};
  }

  const DragonflyShape& shape() const { return shape_; }
  const GlobalLinks& links() const { return links_; }
  std::uint32_t switches() const { return shape_.groups * shape_.routers; }
  std::uint32_t hosts() const { return switches() * shape_.hosts; }
  std::uint32_t ports() const { return shape_.hosts + shape_.routers - 1 + shape_.global_ports; }  // of a router

  std::uint32_t group_of(SwitchId s) const { return s.index / shape_.routers; }
  std::uint32_t router_of(SwitchId s) const { return s.index % shape_.routers; }
  SwitchId at(std::uint32_t group, std::uint32_t router) const { return {group * shape_.routers + router}; }
  SwitchId switch_of(HostId h) const { return {h.index / shape_.hosts}; }
  std::uint32_t local_port(std::uint32_t router, std::uint32_t other) const {
    return shape_.hosts + (other < router ? other : other - 1);
  }
  // Of a global port of the group: its router, and the local number there.
  std::uint32_t router_with(std::uint32_t port) const { return port / shape_.global_ports; }
  bool has_port(SwitchId s, std::uint32_t port) const { return router_with(port) == router_of(s); }
  std::uint32_t global_port(std::uint32_t port) const {
    return shape_.hosts + shape_.routers - 1 + port % shape_.global_ports;
  }

 private:
  DragonflyShape shape_;
  GlobalLinks links_;
};

struct DragonflyPlusShape {
  std::uint32_t leaves = 4, spines = 4;  // of a group
  std::uint32_t hosts = 4;               // of a leaf
  std::uint32_t global_ports = 2;        // of a spine
  std::uint32_t groups = 9;
  Arrangement arrangement = Arrangement::palmtree;
};

class DragonflyPlusPlan {
 public:
  explicit DragonflyPlusPlan(DragonflyPlusShape shape)
      : shape_(shape), links_(shape.groups, shape.spines * shape.global_ports, shape.arrangement) {}
  explicit DragonflyPlusPlan(const Topology& t)
      : DragonflyPlusPlan(
            {t.sizes()[0], t.sizes()[1], t.sizes()[2], t.sizes()[3], t.sizes()[4], Arrangement{t.sizes()[5]}}) {}
  std::vector<std::uint32_t> encoded() const {
    return {shape_.leaves,       shape_.spines, shape_.hosts,
            shape_.global_ports, shape_.groups, static_cast<std::uint32_t>(shape_.arrangement)};
  }

  const DragonflyPlusShape& shape() const { return shape_; }
  const GlobalLinks& links() const { return links_; }
  std::uint32_t in_group() const { return shape_.leaves + shape_.spines; }
  std::uint32_t switches() const { return shape_.groups * in_group(); }
  std::uint32_t hosts() const { return shape_.groups * shape_.leaves * shape_.hosts; }

  std::uint32_t group_of(SwitchId s) const { return s.index / in_group(); }
  bool is_spine(SwitchId s) const { return s.index % in_group() >= shape_.leaves; }
  std::uint32_t leaf_of(SwitchId s) const { return s.index % in_group(); }
  std::uint32_t spine_of(SwitchId s) const { return s.index % in_group() - shape_.leaves; }
  SwitchId leaf(std::uint32_t group, std::uint32_t i) const { return {group * in_group() + i}; }
  SwitchId spine(std::uint32_t group, std::uint32_t i) const { return {group * in_group() + shape_.leaves + i}; }
  SwitchId switch_of(HostId h) const {
    const std::uint32_t leaf_number = h.index / shape_.hosts;
    return leaf(leaf_number / shape_.leaves, leaf_number % shape_.leaves);
  }
  // Local port numbers: of a leaf to a spine, of a spine to a leaf and out of the group.
  std::uint32_t up_port(std::uint32_t spine_number) const { return shape_.hosts + spine_number; }
  std::uint32_t down_port(std::uint32_t leaf_number) const { return leaf_number; }
  std::uint32_t spine_with(std::uint32_t port) const { return port / shape_.global_ports; }
  bool has_port(SwitchId s, std::uint32_t port) const { return is_spine(s) && spine_with(port) == spine_of(s); }
  std::uint32_t global_port(std::uint32_t port) const { return shape_.leaves + port % shape_.global_ports; }

 private:
  DragonflyPlusShape shape_;
  GlobalLinks links_;
};

}  // namespace weir
