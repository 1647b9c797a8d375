// Dragonfly and dragonfly+: groups of switches, each joined to every other group by the same number of cables.
#include <algorithm>
#include <string>
#include <utility>

#include "network/topologies/dragonfly_plan.h"
#include "network/topologies/topologies.h"
#include "network/topologies/topology_kind.h"

namespace weir {

namespace {

std::string numbered(const char* prefix, std::uint32_t group, const char* kind, std::uint32_t i) {
  return prefix + std::to_string(group) + "." + kind + std::to_string(i);
}

void check_groups(std::uint32_t groups, double global_ports) {
  if (groups < 2) throw InputError("a dragonfly needs at least 2 groups");
  if (global_ports < groups - 1)
    throw InputError(std::to_string(groups) + " groups are too many: a group has " +
                     std::to_string(static_cast<std::uint64_t>(global_ports)) +
                     " global ports, and needs one for each other group");
}

void check_size(const FabricSize& size) {
  if (size.hosts > kMostHosts)
    throw InputError("this dragonfly has more than " + std::to_string(kMostHosts) +
                     " hosts, the most that weir builds");
  if (size.ports > kMostPorts)
    throw InputError("this dragonfly has more than " + std::to_string(kMostPorts) +
                     " ports, the most that weir builds");
}

FabricSize size_of(const DragonflyShape& s) {
  const double switches = static_cast<double>(s.groups) * s.routers, hosts = switches * s.hosts;
  const double ports = static_cast<double>(s.hosts) + s.routers - 1 + s.global_ports;
  return {counted(hosts), counted(switches), counted(hosts + switches * ports), counted(ports)};
}

FabricSize size_of(const DragonflyPlusShape& s) {
  const double leaves = static_cast<double>(s.groups) * s.leaves, spines = static_cast<double>(s.groups) * s.spines;
  const double leaf_ports = static_cast<double>(s.hosts) + s.spines;
  const double spine_ports = static_cast<double>(s.leaves) + s.global_ports;
  return {counted(leaves * s.hosts), counted(leaves + spines),
          counted(leaves * s.hosts + leaves * leaf_ports + spines * spine_ports),
          counted(std::max(leaf_ports, spine_ports))};
}

// Each global cable once. `end(group, port)` is the end of a global port.
template <class EndOf>
void connect_groups(TopologyBuilder& builder, const GlobalLinks& links, const EndOf& end, LinkProperties global) {
  for (std::uint32_t g = 0; g < links.groups(); ++g) {
    for (std::uint32_t port = 0; port < links.ports_used(); ++port) {
      const std::uint32_t other = links.group_behind(g, port);
      if (other > g) builder.connect(end(g, port), end(other, links.port_to(other, g, links.cable_of(port))), global);
    }
  }
}

}  // namespace

Topology dragonfly(const DragonflyShape& shape, LinkProperties host, LinkProperties local, LinkProperties global) {
  check_groups(shape.groups, static_cast<double>(shape.routers) * shape.global_ports);
  check_size(size_of(shape));
  const DragonflyPlan plan(shape);
  TopologyBuilder builder;
  for (std::uint32_t h = 0; h < plan.hosts(); ++h) builder.add_host("H" + std::to_string(h));
  for (std::uint32_t s = 0; s < plan.switches(); ++s)
    builder.add_switch(numbered("G", plan.group_of({s}), "R", plan.router_of({s})), plan.ports(), 0, s);
  for (std::uint32_t h = 0; h < plan.hosts(); ++h)
    builder.connect(builder.at(HostId{h}), builder.at(plan.switch_of({h}), h % shape.hosts), host);
  for (std::uint32_t g = 0; g < shape.groups; ++g)
    for (std::uint32_t a = 0; a < shape.routers; ++a)
      for (std::uint32_t b = a + 1; b < shape.routers; ++b)
        builder.connect(builder.at(plan.at(g, a), plan.local_port(a, b)),
                        builder.at(plan.at(g, b), plan.local_port(b, a)), local);
  connect_groups(
      builder, plan.links(),
      [&](std::uint32_t g, std::uint32_t port) {
        return builder.at(plan.at(g, plan.router_with(port)), plan.global_port(port));
      },
      global);
  builder.set_shape(Shape::dragonfly, 0, 0);
  builder.set_sizes(plan.encoded());
  return std::move(builder).build();
}

Topology dragonfly_plus(const DragonflyPlusShape& shape, LinkProperties host, LinkProperties local,
                        LinkProperties global) {
  check_groups(shape.groups, static_cast<double>(shape.spines) * shape.global_ports);
  check_size(size_of(shape));
  const DragonflyPlusPlan plan(shape);
  TopologyBuilder builder;
  for (std::uint32_t h = 0; h < plan.hosts(); ++h) builder.add_host("H" + std::to_string(h));
  for (std::uint32_t s = 0; s < plan.switches(); ++s) {
    const std::uint32_t g = plan.group_of({s});
    if (plan.is_spine({s}))
      builder.add_switch(numbered("G", g, "S", plan.spine_of({s})), shape.leaves + shape.global_ports, 1,
                         g * shape.spines + plan.spine_of({s}));
    else
      builder.add_switch(numbered("G", g, "L", plan.leaf_of({s})), shape.hosts + shape.spines, 0,
                         g * shape.leaves + plan.leaf_of({s}));
  }
  for (std::uint32_t h = 0; h < plan.hosts(); ++h)
    builder.connect(builder.at(HostId{h}), builder.at(plan.switch_of({h}), h % shape.hosts), host);
  for (std::uint32_t g = 0; g < shape.groups; ++g)
    for (std::uint32_t l = 0; l < shape.leaves; ++l)
      for (std::uint32_t s = 0; s < shape.spines; ++s)
        builder.connect(builder.at(plan.leaf(g, l), plan.up_port(s)), builder.at(plan.spine(g, s), plan.down_port(l)),
                        local);
  connect_groups(
      builder, plan.links(),
      [&](std::uint32_t g, std::uint32_t port) {
        return builder.at(plan.spine(g, plan.spine_with(port)), plan.global_port(port));
      },
      global);
  builder.set_shape(Shape::dragonfly_plus, 0, 0);
  builder.set_sizes(plan.encoded());
  return std::move(builder).build();
}

namespace {

constexpr std::string_view kArrangements[] = {"absolute", "palmtree"};
constexpr ParamSpec kGroups{
    "groups", ParamType::integer, kUnset, "groups; default: the largest number with one cable per pair of "
                                          "groups", 2, 65536};
constexpr ParamSpec kArrangement{
    "arrangement",
    ParamType::choice,
    "palmtree",
    "palmtree: global port k of group i leads to group i - k - 1, modulo the number of groups; absolute: the ports "
    "lead to groups 0, 1, 2, ... in order",
    0,
    0,
    kArrangements};
constexpr ParamSpec kGlobalRate{
    "global_rate", ParamType::rate, kUnset, "rate of the cables between groups; link.rate if absent", 1, 1e15};
constexpr ParamSpec kGlobalDelay{
    "global_delay", ParamType::time, kUnset, "delay of the cables between groups; link.delay if absent", 0, 1};

std::uint32_t whole(const Section& s, std::string_view key) { return static_cast<std::uint32_t>(s.integer(key)); }
std::uint32_t groups_of(const Section& s, std::uint32_t ports) {
  return s.has("groups") ? whole(s, "groups") : ports + 1;
}
LinkProperties global_cable(const TopologyRequest& r) {
  LinkProperties link = r.cables.fabric;
  if (r.section.has("global_rate")) link.rate = r.section.rate("global_rate");
  if (r.section.has("global_delay")) link.delay = r.section.time("global_delay");
  return link;
}

constexpr ParamSpec kDragonflyParams[] = {
    {"routers", ParamType::integer, "4", "routers of a group (a), each connected to every other", 1, 4096},
    {"hosts", ParamType::integer, "2", "hosts at each router (p)", 1, 4096},
    {"global_ports", ParamType::integer, "2", "global ports of a router (h)", 1, 4096},
    kGroups,
    kArrangement,
    kGlobalRate,
    kGlobalDelay,
};
DragonflyShape dragonfly_shape(const Section& s) {
  const std::uint32_t routers = whole(s, "routers"), ports = whole(s, "global_ports");
  return {routers, whole(s, "hosts"), ports, groups_of(s, routers * ports), s.choice<Arrangement>("arrangement")};
}

constexpr ParamSpec kDragonflyPlusParams[] = {
    {"leaves", ParamType::integer, "4", "leaves of a group", 1, 4096},
    {"spines", ParamType::integer, "4", "spines of a group, each connected to every leaf of the group", 1, 4096},
    {"hosts", ParamType::integer, "4", "hosts at each leaf", 1, 4096},
    {"global_ports", ParamType::integer, "2", "global ports of a spine", 1, 4096},
    kGroups,
    kArrangement,
    kGlobalRate,
    kGlobalDelay,
};
DragonflyPlusShape dragonfly_plus_shape(const Section& s) {
  const std::uint32_t spines = whole(s, "spines"), ports = whole(s, "global_ports");
  return {whole(s, "leaves"),
          spines,
          whole(s, "hosts"),
          ports,
          groups_of(s, spines * ports),
          s.choice<Arrangement>("arrangement")};
}

}  // namespace

extern const TopologyKind dragonfly_topology{
    {"dragonfly",
     "groups of routers; routers of a group are fully connected, and so are the groups. Needs 2 virtual lanes "
     "(switch.lanes = 2), or 3 with routing.choice valiant or ugal",
     kDragonflyParams, "[topology]\nkind = \"dragonfly\"\nrouters = 4\nhosts = 2\nglobal_ports = 2\n"},
    [](const TopologyRequest& r) {
      return dragonfly(dragonfly_shape(r.section), r.cables.host, r.cables.fabric, global_cable(r));
    },
    [](const Section& s) { return size_of(dragonfly_shape(s)); }};

extern const TopologyKind dragonfly_plus_topology{
    {"dragonfly+",
     "groups of leaves and spines; cables between spines connect the groups. Needs 3 virtual lanes "
     "(switch.lanes = 3) with routing.choice valiant or ugal",
     kDragonflyPlusParams, "[topology]\nkind = \"dragonfly+\"\nleaves = 2\nspines = 2\nhosts = 2\nglobal_ports = 2\n"},
    [](const TopologyRequest& r) {
      return dragonfly_plus(dragonfly_plus_shape(r.section), r.cables.host, r.cables.fabric, global_cable(r));
    },
    [](const Section& s) { return size_of(dragonfly_plus_shape(s)); }};

}  // namespace weir
