// What holds for the ways and detours of every structured routing: both arrive, with as many hops as they are said to
// have, on lanes that exist, and no packets can wait for each other in a circle, which the structure claims and a
// search of the whole graph confirms.
#pragma once
#include <rapidcheck.h>

#include "network/deadlock/deadlock.h"
#include "network/routings/structured_routes.h"

namespace weir::testing {

struct Walk {
  std::uint32_t hops = 0;  // between switches
  bool arrived = false;
};

// From the switch of a, on the shortest way or over a midpoint.
inline Walk walk(const Topology& t, const RouteTable& routes, HostId a, HostId b,
                 std::optional<std::uint32_t> midpoint) {
  const StructuredRoutes& ways = *routes.structure();
  Walk result;
  SwitchId s = t.switch_of(t.node_of(t.to(t.host_port(a))));
  for (Lane lane{0}; result.hops < 3 * t.switches(); ++result.hops) {
    const RouteStep step = midpoint ? ways.detour_step(s, lane, b, *midpoint) : ways.step(s, b);
    const PortId to = t.to(step.port());
    if (!to.valid() || t.node_of(step.port()) != t.node(s)) return result;
    lane = step.lane_after(lane);
    if (lane.index >= routes.lanes().size()) return result;
    if (t.is_host(t.node_of(to))) {
      result.arrived = t.host(t.node_of(to)) == b;
      return result;
    }
    s = t.switch_of(t.node_of(to));
  }
  return result;
}

inline void check_detours(const Topology& t, const RouteTable& routes) {
  const StructuredRoutes& ways = *routes.structure();
  RC_ASSERT(ways.midpoints() > 0u);
  for (std::uint32_t a = 0; a < t.hosts(); ++a) {
    for (std::uint32_t b = 0; b < t.hosts(); ++b) {
      if (a == b) continue;
      const SwitchId first = t.switch_of(t.node_of(t.to(t.host_port({a}))));
      const Walk straight = walk(t, routes, {a}, {b}, std::nullopt);
      RC_ASSERT(straight.arrived);
      RC_ASSERT(straight.hops == ways.hops(first, {b}));
      for (std::uint64_t draw = 0; draw < 8; ++draw) {
        const auto midpoint = ways.midpoint(first, {b}, draw << 61);
        if (!midpoint) continue;
        RC_ASSERT(*midpoint < ways.midpoints());
        const Walk round = walk(t, routes, {a}, {b}, midpoint);
        RC_ASSERT(round.arrived);
        RC_ASSERT(round.hops == ways.detour_hops(first, {b}, *midpoint));
      }
    }
  }
  RC_ASSERT(check_deadlock(t, routes, Dependencies::all_candidates).free);
  RC_ASSERT(search_cycle(t, routes, Dependencies::all_candidates).free);
}

}  // namespace weir::testing
