// The lists of topologies and routings, in the order of the reference: one line each. A record stands at the end of
// its own file. And what [link] says of cables, which all topologies share.
#include <optional>
#include <span>
#include <utility>

#include "base/check.h"
#include "network/routings/routing_kind.h"
#include "network/topologies/topology_kind.h"

namespace weir {

#define WEIR_TOPOLOGIES(KIND)     \
  KIND(k_ary_n_tree_topology)     \
  KIND(modified_tree_topology)    \
  KIND(umin_topology)             \
  KIND(bmin_topology)             \
  KIND(leaf_spine_topology)       \
  KIND(clos_topology)             \
  KIND(rail_topology)             \
  KIND(dragonfly_topology)        \
  KIND(dragonfly_plus_topology)   \
  KIND(torus_topology)            \
  KIND(mesh_topology)             \
  KIND(hyperx_topology)           \
  KIND(two_switch_topology)       \
  KIND(star_topology)             \
  KIND(graph_topology)            \
  KIND(file_topology)             \
  KIND(htsim_topology)            \
  KIND(ns3_topology)

#define WEIR_ROUTINGS(KIND)       \
  KIND(automatic_routing)         \
  KIND(digit_routing)             \
  KIND(dimension_order_routing)   \
  KIND(minimal_routing)           \
  KIND(shortest_path_routing)     \
  KIND(min_hop_routing)           \
  KIND(up_down_routing)           \
  KIND(lft_routing)

#define WEIR_TOPOLOGY_RECORD(kind) extern const TopologyKind kind;
#define WEIR_ROUTING_RECORD(kind) extern const RoutingKind kind;
#define WEIR_ADDRESS(kind) &kind,
WEIR_TOPOLOGIES(WEIR_TOPOLOGY_RECORD)
WEIR_ROUTINGS(WEIR_ROUTING_RECORD)

namespace {

constexpr const TopologyKind* kTopologies[] = {WEIR_TOPOLOGIES(WEIR_ADDRESS)};
constexpr const RoutingKind* kRoutings[] = {WEIR_ROUTINGS(WEIR_ADDRESS)};

template <class Kind>
const Kind& named(std::span<const Kind* const> kinds, const Section& section) {
  for (const Kind* kind : kinds)
    if (kind->spec.name == section.kind) return *kind;
  throw InputError(section.kind_where, "unknown " + section.name + " " + section.kind);
}

template <class Kind>
std::vector<KindSpec> specs_of(std::span<const Kind* const> kinds) {
  std::vector<KindSpec> specs;
  for (const Kind* kind : kinds) specs.push_back(kind->spec);
  return specs;
}

RouteTable configure_automatic(const RoutingRequest& request) {
  for (const RoutingKind* kind : kRoutings) {
    if (kind->usual == nullptr) continue;
    if (std::optional<RouteTable> routes = kind->usual(request.topology, request.detours)) return *std::move(routes);
  }
  fail(__FILE__, __LINE__, "up-down is usual on any topology");
}

constexpr ParamSpec kLinkParams[] = {
    {"rate", ParamType::rate, "\"8Gbps\"",
     "rate of every link, in each direction; a packet simulation needs at least 100kbps", 1, 1e15},
    {"delay", ParamType::time, "\"1ns\"",
     "propagation delay of every link. In a run, its sum with switch.route_delay and switch.switch_delay (or with "
     "switch.credit_delay, if that is more) must not exceed 4ms",
     0, 1},
    {"host_rate", ParamType::rate, kUnset,
     "rate of the links between hosts and switches; default: `rate`. The same limits apply", 1, 1e15},
    {"host_delay", ParamType::time, kUnset,
     "delay of the links between hosts and switches; default: `delay`. The same limits apply", 0, 1},
};

}  // namespace

extern const RoutingKind automatic_routing{{"auto",
                                            "the usual routing of the topology: digits on trees and multistage "
                                            "networks, dor on tori, meshes and hyperx, minimal on dragonflies, "
                                            "leaf-spine and other fabrics that weir generates, up-down on graphs and "
                                            "imported fabrics",
                                            {},
                                            "[routing]\nkind = \"auto\"\n"},
                                           configure_automatic};

std::vector<KindSpec> topology_kinds() { return specs_of<TopologyKind>(kTopologies); }
std::vector<KindSpec> routing_kinds() { return specs_of<RoutingKind>(kRoutings); }
std::vector<ParamSpec> link_params() { return {std::begin(kLinkParams), std::end(kLinkParams)}; }

Cables read_cables(const Section& link) {
  const LinkProperties fabric{link.rate("rate"), link.time("delay"), 0};
  LinkProperties host = fabric;
  if (link.has("host_rate")) host.rate = link.rate("host_rate");
  if (link.has("host_delay")) host.delay = link.time("host_delay");
  return {host, fabric};
}

FabricSize fabric_size(const Section& topology) {
  const TopologyKind& kind = named<TopologyKind>(kTopologies, topology);
  return kind.size == nullptr ? FabricSize{} : kind.size(topology);
}

Topology build_topology(const Scenario& scenario, std::vector<std::string>* warnings) {
  const Section& section = scenario.section("topology");
  const Section& link = scenario.section("link");
  const TopologyKind& kind = named<TopologyKind>(kTopologies, section);
  try {
    return with_failures(scenario, kind.configure({section, link, read_cables(link), warnings}), warnings);
  } catch (const InputError& e) {
    if (!e.where().file.empty()) throw;
    section.refuse(e.what());
  }
}

RouteTable build_routes(const Scenario& scenario, const Topology& topology, bool detours) {
  const Section& section = scenario.section("routing");
  const RoutingKind& kind = named<RoutingKind>(kRoutings, section);
  try {
    return kind.configure({section, topology, detours});
  } catch (const InputError& e) {
    if (!e.where().file.empty()) throw;
    throw InputError(section.kind_where, e.what());
  }
}

}  // namespace weir
