// Follows default ports from host to host. Used where a whole path is wanted: flow-level engines, summaries and tests.
#include "base/check.h"
#include "network/routings.h"

namespace weir {

std::vector<PortId> path(const Topology& topology, const RouteTable& routes, HostId a, HostId b) {
  std::vector<PortId> links;
  if (a == b) return links;
  PortId out = topology.host_port(a);
  for (std::size_t steps = 0; steps <= topology.switches() + 1; ++steps) {
    links.push_back(out);
    const NodeId here = topology.node_of(topology.to(out));
    if (topology.is_host(here)) {
      if (topology.host(here) != b) fail(__FILE__, __LINE__, "a route ends at the wrong host");
      return links;
    }
    out = routes.default_port(topology.switch_of(here), a, b);
    if (!out.valid() || !topology.to(out).valid()) fail(__FILE__, __LINE__, "a route ends at a port without a cable");
  }
  fail(__FILE__, __LINE__, "a route does not end");
}

}  // namespace weir
