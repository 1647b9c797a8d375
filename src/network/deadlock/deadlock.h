// The ways of check_deadlock(), apart so that tests can compare them.
#pragma once
#include <optional>

#include "network/network.h"

namespace weir {

// True when computed routes are proved free from their digit rules alone, in one look at every port: a packet that went
// down never goes up again, and levels change in one sense each way. Then no cycle of channels is possible.
bool ranks_prove_no_cycle(const Topology& topology, const RouteTable& routes);
// The same with the sense: +1 or -1, by which the level changes along ports that go down; 0 where no switch leads to
// another; nothing where there is no proof.
std::optional<int> descent_by_ranks(const Topology& topology, const RouteTable& routes);

// What the rings of a torus tell about dimension order; nothing where they do not tell, or where the routes are others.
std::optional<DeadlockVerdict> verdict_by_rings(const Topology& topology, const RouteTable& routes);

// Builds the channel dependency graph, for every destination only over the channels on which its packets can arrive.
// Cost: destinations x (channels used + switches reached).
DeadlockVerdict search_cycle(const Topology& topology, const RouteTable& routes, Dependencies which);

}  // namespace weir
