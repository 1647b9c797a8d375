// Follows default ports from host to host. Used where a whole path is wanted: flow-level engines, summaries and tests.
#include "base/check.h"
#include "network/routings/routings.h"

namespace weir {

std::vector<RouteStep> path_steps(const Topology& topology, const RouteTable& routes, HostId a, HostId b) {
  std::vector<RouteStep> links;
  if (a == b) return links;
  RouteStep out = topology.host_port(a);
  for (std::size_t steps = 0; steps <= topology.switches() + 1; ++steps) {
    links.push_back(out);
    const NodeId here = topology.node_of(topology.to(out.port()));
    if (topology.is_host(here)) {
      if (topology.host(here) != b) fail(__FILE__, __LINE__, "a route ends at the wrong host");
      return links;
    }
    out = routes.default_step(topology.switch_of(here), a, b);
    if (!out.valid() || !topology.to(out.port()).valid())
      fail(__FILE__, __LINE__, "a route ends at a port without a cable");
  }
  fail(__FILE__, __LINE__, "a route does not end");
}

std::vector<PortId> path(const Topology& topology, const RouteTable& routes, HostId a, HostId b) {
  std::vector<PortId> links;
  for (const RouteStep step : path_steps(topology, routes, a, b)) links.push_back(step.port());
  return links;
}

}  // namespace weir
