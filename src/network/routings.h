// The routings, each from a plain options struct. What a scenario may write is in routing_kinds(). All of them refuse a
// fabric in which a host cannot be reached, and a topology they are not made for.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/route_table.h"
#include "network/topology.h"

namespace weir {

// Which digits choose the way up in a bidirectional MIN. In trees it is always the destination's.
enum class UpDigits { destination, source, hash };

// Digit arithmetic for trees and multistage networks; nothing is stored per pair. Horizontal links of modified trees are
// left to adaptive flow routing.
RouteTable digit_routes(const Topology& topology, UpDigits up = UpDigits::destination);

// The link directions from a to b by default ports: the host's own first, the one that enters b last. Never more than one
// visit per switch: a routing that loops is a programming error and aborts.
std::vector<PortId> path(const Topology& topology, const RouteTable& routes, HostId a, HostId b);

}  // namespace weir
