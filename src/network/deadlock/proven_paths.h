// Ways between one host and the switches themselves, for packets that a switch answers (management). Route tables lead
// to hosts only, and the shortest way to a switch may turn where no route turns: down, and up again. Such a turn is
// outside of what check_deadlock() has looked at. These ways turn only where packets between hosts turn too, from
// channel to channel, so whatever holds for the routes (free of deadlock, or not) holds with them as well, on whatever
// block of lanes they are used.
#pragma once
#include <vector>

#include "network/network.h"

namespace weir {

struct ProvenPaths {
  // By switch: the steps that are taken, from the host's own switch on to this one (none if it is that switch), and
  // from this switch on to the host. Fewest hops, lowest ports and lanes first.
  std::vector<std::vector<RouteStep>> there, back;
  std::vector<bool> in_reach;  // by switch: there is a way there and a way back
};

ProvenPaths proven_paths(const Topology& topology, const RouteTable& routes, Dependencies which, HostId host);

}  // namespace weir
