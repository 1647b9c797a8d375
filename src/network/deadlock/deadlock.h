// Can packets on these routes wait for each other in a circle? The quick proofs and the search that check_deadlock()
// chooses from stand here too, so that tests can compare them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "network/route_table.h"
#include "network/topology.h"

namespace weir {

// A lane of a link direction, within the block of lanes that a routing uses (route_step.h).
struct RouteChannel {
  PortId port;
  Lane lane{0};
  friend constexpr auto operator<=>(RouteChannel, RouteChannel) = default;
};

// Whether the channel dependency graph (channel_dependencies.h) has a cycle, and one if so.
struct DeadlockVerdict {
  bool free = true;
  std::vector<RouteChannel> cycle;  // in order; empty when free
  bool names_lanes = false;         // the routes use several
  std::string text(const Topology& topology) const;  // "S1:3 -> S2:1 -> ..." one line; "S1:3 lane 0 -> ..." with lanes
};
// Of which steps: only the default one at every switch, or all that the routes allow.
enum class Dependencies { default_ports, all_candidates };
DeadlockVerdict check_deadlock(const Topology& topology, const RouteTable& routes, Dependencies which);

// True when computed routes are proved free from their digit rules alone, in one look at every port: a packet that went
// down never goes up again, and levels change in one sense each way. Then no cycle of channels is possible.
bool ranks_prove_no_cycle(const Topology& topology, const RouteTable& routes);
// The same with the sense: +1 or -1, by which the level changes along ports that go down; 0 where no switch leads to
// another; nothing where there is no proof.
std::optional<int> descent_by_ranks(const Topology& topology, const RouteTable& routes);

// What the rings of a torus tell about dimension order; nothing where they do not tell, or where the routes are others.
std::optional<DeadlockVerdict> verdict_by_rings(const Topology& topology, const RouteTable& routes);

// Builds the graph and looks for a cycle in it.
DeadlockVerdict search_cycle(const Topology& topology, const RouteTable& routes, Dependencies which);

}  // namespace weir
