// Fewest switches, one port per destination: what a subnet manager does when it knows nothing of the structure. On
// graphs with cycles such routes may deadlock; check_deadlock() tells.
#include <vector>

#include "network/hops.h"
#include "network/routings/destination_spread.h"
#include "network/routings/routing_kind.h"
#include "network/routings/routings.h"
#include "network/routings/stored_routes.h"

namespace weir {

RouteTable min_hop_routes(const Topology& topology, bool spread) {
  const auto hosts = hosts_by_switch(topology);
  StoredRoutes routes("min-hop", topology.switches(), topology.hosts());
  DestinationSpread chooser(topology, spread);
  std::vector<PortId> equals;
  for (std::uint32_t target = 0; target < topology.switches(); ++target) {
    if (hosts[target].empty()) continue;
    const std::vector<std::uint32_t> hops = hops_to(topology, {target});
    const std::vector<SwitchId> order = far_to_near(hops);
    for (HostId destination : hosts[target]) {
      require_reachable(topology, hops, destination, "min-hop");
      chooser.start_destination(destination);
      for (SwitchId s : order) {
        equals.clear();
        if (s.index == target) equals.push_back(topology.from(topology.host_port(destination)));
        const NodeId node = topology.node(s);
        for (std::uint32_t local = 0; local < topology.port_count(node) && s.index != target; ++local) {
          const SwitchId next = next_switch(topology, topology.port(node, local));
          if (next.valid() && hops[next.index] + 1 == hops[s.index]) equals.push_back(topology.port(node, local));
        }
        const PortId chosen = chooser.choose(s, equals);
        routes.set(s, destination, chosen);
      }
    }
  }
  return std::move(routes).build();
}

namespace {

constexpr ParamSpec kMinHopParams[] = {
    {"spread", ParamType::flag, "false", "spread destinations over equally short paths; otherwise the lowest port is "
                                         "used"},
};

}  // namespace

extern const RoutingKind min_hop_routing{
    {"min-hop", "on any graph, one shortest path to each destination", kMinHopParams,
     "[routing]\nkind = \"min-hop\"\nspread = true\n"},
    [](const RoutingRequest& r) { return min_hop_routes(r.topology, r.section.flag("spread")); }};

}  // namespace weir
