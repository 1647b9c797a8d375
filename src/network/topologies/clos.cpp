// Leaf-spine, three-tier Clos and rail-optimised fabrics: leaves with hosts, switches above them, parallel cables in
// bundles, and rates of their own at each level.
#include <algorithm>
#include <string>
#include <utility>

#include "network/topologies/clos_plan.h"
#include "network/topologies/topologies.h"
#include "network/topologies/topology_kind.h"

namespace weir {

namespace {

FabricSize size_of(const ClosShape& shape) {
  double leaves = 1, switches = 0, ports = 0, replicas = 1, radix = 0;
  for (std::size_t l = 1; l < shape.down.size(); ++l) leaves *= shape.down[l];
  const double hosts = leaves * shape.down[0];
  double subtrees = leaves;
  for (std::size_t l = 0; l < shape.down.size(); ++l) {
    if (l > 0) subtrees /= shape.down[l];
    const double below = static_cast<double>(shape.down[l]) * (l == 0 ? 1 : shape.bundle[l - 1]);
    const bool is_top = l + 1 == shape.down.size();
    const double above = is_top ? 0 : static_cast<double>(shape.up[l]) * shape.bundle[l];
    switches += subtrees * replicas;
    ports += subtrees * replicas * (below + above);
    radix = std::max(radix, below + above);
    if (!is_top) replicas *= shape.up[l];
  }
  return {counted(hosts), counted(switches), counted(hosts + ports), counted(radix)};
}

void check_size(const ClosShape& shape) {
  const FabricSize size = size_of(shape);
  const auto refuse = [](std::uint64_t has, std::uint64_t most, const char* what) {
    throw InputError("this fabric has " + std::to_string(has) + " " + what + "; the most that weir builds are " +
                     std::to_string(most));
  };
  if (size.hosts > kMostHosts) refuse(size.hosts, kMostHosts, "hosts");
  if (size.ports > kMostPorts) refuse(size.ports, kMostPorts, "ports");
}

// "L3" below the spines; "P2.L3", "P2.F1" in pods; spines have the number of their plane: "S1.0". Rails: "U0.R3".
std::string switch_name(const ClosPlan& plan, ClosPlan::Place p, std::uint32_t rails) {
  const auto number = [](std::uint32_t n) { return std::to_string(n); };
  const bool has_pods = plan.levels() == 3;
  if (p.level + 1 == plan.levels())
    return has_pods ? "S" + number(p.replica / plan.up(1)) + "." + number(p.replica % plan.up(1))
                    : "S" + number(p.replica);
  if (rails > 1) return "U" + number(p.subtree / rails) + ".R" + number(p.subtree % rails);
  if (!has_pods) return "L" + number(p.subtree);
  if (p.level == 0) return "P" + number(p.subtree / plan.down(1)) + ".L" + number(p.subtree % plan.down(1));
  return "P" + number(p.subtree) + ".F" + number(p.replica);
}

}  // namespace

Topology clos(const ClosShape& shape, LinkProperties host, const std::vector<LinkProperties>& between) {
  check_size(shape);
  const ClosPlan plan(shape);
  TopologyBuilder builder;
  for (std::uint32_t h = 0; h < plan.hosts(); ++h) builder.add_host("H" + std::to_string(h));
  for (std::uint32_t s = 0; s < plan.switches(); ++s) {
    const ClosPlan::Place p = plan.place({s});
    builder.add_switch(switch_name(plan, p, shape.rails), plan.down_ports(p.level) + plan.up_ports(p.level),
                       static_cast<int>(p.level), p.subtree * plan.replicas(p.level) + p.replica);
  }
  for (std::uint32_t h = 0; h < plan.hosts(); ++h)
    builder.connect(builder.at(HostId{h}), builder.at(SwitchId{plan.leaf_of({h})}, plan.port_of({h})), host);
  for (std::uint32_t s = 0; s < plan.switches(); ++s) {
    const ClosPlan::Place p = plan.place({s});
    if (p.level + 1 == plan.levels()) break;
    const std::uint32_t bundle = plan.bundle(p.level);
    for (std::uint32_t j = 0; j < plan.up(p.level); ++j)
      for (std::uint32_t b = 0; b < bundle; ++b)
        builder.connect(builder.at(SwitchId{s}, plan.down_ports(p.level) + j * bundle + b),
                        builder.at(plan.at(plan.parent(p, j)), plan.child_number(p) * bundle + b), between[p.level]);
  }
  builder.set_shape(Shape::clos, 0, plan.levels());
  builder.set_sizes(plan.encoded());
  return std::move(builder).build();
}

namespace {

constexpr double kMostRate = 1e15;
constexpr ParamSpec kUplinkRate{
    "uplink_rate", ParamType::rate, kUnset, "rate of the cables from the leaves up; link.rate if absent", 1, kMostRate};

LinkProperties with_rate(const TopologyRequest& r, std::string_view key) {
  LinkProperties link = r.cables.fabric;
  if (r.section.has(key)) link.rate = r.section.rate(key);
  return link;
}
std::uint32_t whole(const Section& s, std::string_view key) { return static_cast<std::uint32_t>(s.integer(key)); }

constexpr ParamSpec kLeafSpineParams[] = {
    {"hosts", ParamType::integer, "4", "hosts at each leaf", 1, 4096},
    {"leaves", ParamType::integer, "4", "number of leaves", 2, 65536},
    {"spines", ParamType::integer, "4", "number of spines; every leaf is connected to each of them", 1, 4096},
    {"bundle", ParamType::integer, "1", "parallel cables between a leaf and a spine", 1, 4096},
    kUplinkRate,
};
ClosShape leaf_spine_shape(const Section& s) {
  return {{whole(s, "hosts"), whole(s, "leaves")}, {whole(s, "spines")}, {whole(s, "bundle")}};
}

constexpr ParamSpec kClosParams[] = {
    {"hosts", ParamType::integer, "4", "hosts at each leaf", 1, 4096},
    {"leaves", ParamType::integer, "4", "leaves in each pod", 1, 4096},
    {"pods", ParamType::integer, "4", "number of pods", 2, 4096},
    {"planes", ParamType::integer, "4",
     "planes of spines; a pod has one switch per plane, connected to every leaf of the pod", 1, 4096},
    {"spines", ParamType::integer, "4", "spines in each plane; each is connected to one switch of every pod", 1, 4096},
    {"bundle", ParamType::integer, "1", "parallel cables between a leaf and a switch of its pod", 1, 4096},
    {"spine_bundle", ParamType::integer, "1", "parallel cables between a switch of a pod and a spine", 1, 4096},
    kUplinkRate,
    {"spine_rate", ParamType::rate, kUnset, "rate of the cables to the spines; link.rate if absent", 1, kMostRate},
};
ClosShape clos_shape(const Section& s) {
  return {{whole(s, "hosts"), whole(s, "leaves"), whole(s, "pods")},
          {whole(s, "planes"), whole(s, "spines")},
          {whole(s, "bundle"), whole(s, "spine_bundle")}};
}

constexpr ParamSpec kRailParams[] = {
    {"accelerators", ParamType::integer, "8", "accelerators of a server, each a host with its own adapter", 1, 64},
    {"servers", ParamType::integer, "4", "servers of a unit: accelerator i of each is connected to rail i of the "
                                         "unit", 1, 4096},
    {"units", ParamType::integer, "2", "units, each with a rail (leaf) for every accelerator of a server", 1, 4096},
    {"spines", ParamType::integer, "4", "spines; with a server switch: spines per rail", 1, 4096},
    {"bundle", ParamType::integer, "1", "parallel cables between a rail and a spine", 1, 4096},
    {"server_switch", ParamType::flag, "false",
     "a switch in each server connects its accelerators (link.host_rate) and every rail; each rail then has its own "
     "spines"},
    kUplinkRate,
};
ClosShape rail_shape(const Section& s) {
  const std::uint32_t g = whole(s, "accelerators");
  if (s.flag("server_switch"))
    return {{g, whole(s, "servers"), whole(s, "units")}, {g, whole(s, "spines")}, {1, whole(s, "bundle")}};
  // All units of rails are leaves of one level.
  return {{whole(s, "servers"), whole(s, "units") * g}, {whole(s, "spines")}, {whole(s, "bundle")}, g};
}

Topology configure_rail(const TopologyRequest& r) {
  const LinkProperties up = with_rate(r, "uplink_rate");
  if (r.section.flag("server_switch")) return clos(rail_shape(r.section), r.cables.host, {r.cables.fabric, up});
  return clos(rail_shape(r.section), r.cables.host, {up});
}

}  // namespace

extern const TopologyKind leaf_spine_topology{
    {"leaf-spine", "two tiers: leaves with hosts, and spines; every leaf is connected to every spine", kLeafSpineParams,
     "[topology]\nkind = \"leaf-spine\"\nleaves = 8\nspines = 4\nhosts = 8\n"},
    [](const TopologyRequest& r) {
      return clos(leaf_spine_shape(r.section), r.cables.host, {with_rate(r, "uplink_rate")});
    },
    [](const Section& s) { return size_of(leaf_spine_shape(s)); }};

extern const TopologyKind clos_topology{
    {"clos",
     "three tiers: leaves, pod switches and spines. Each pod has one switch for each plane of spines, and the spines "
     "connect the pods",
     kClosParams, "[topology]\nkind = \"clos\"\nhosts = 4\nleaves = 4\npods = 4\nplanes = 2\nspines = 2\nbundle = 2\n"},
    [](const TopologyRequest& r) {
      return clos(clos_shape(r.section), r.cables.host, {with_rate(r, "uplink_rate"), with_rate(r, "spine_rate")});
    },
    [](const Section& s) { return size_of(clos_shape(s)); }};

extern const TopologyKind rail_topology{
    {"rail-optimised", "servers with several accelerators; one leaf (rail) for the first accelerator of every "
                       "server, one for the second and so on; spines above",
     kRailParams, "[topology]\nkind = \"rail-optimised\"\naccelerators = 4\nservers = 4\nunits = 2\nspines = 4\n"},
    configure_rail,
    [](const Section& s) { return size_of(rail_shape(s)); }};

}  // namespace weir
