// What a routing registers. A new one is a file that ends with its record, and its line in kinds.cpp.
#pragma once
#include <optional>

#include "network/route_table.h"
#include "network/topology.h"
#include "scenario/scenario.h"

namespace weir {

struct RoutingKind {
  KindSpec spec;
  // From [routing] to the routes; every error of the section shows here. Errors without a place get that of the choice.
  RouteTable (*configure)(const Section& routing, const Topology& topology);
  // The routing "auto" takes the first of the list that has routes for this topology; null: never this one.
  // `detours`: with lanes for detours, where the topology has them.
  std::optional<RouteTable> (*usual)(const Topology& topology, bool detours) = nullptr;
};

// Does the choice of routes that [routing] names make detours (Valiant, UGAL)?
bool wants_detours(const Section& routing);

}  // namespace weir
