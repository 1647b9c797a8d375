// What a routing registers. A new one is a file that ends with its record, and its line in kinds.cpp.
#pragma once
#include <optional>

#include "network/route_table.h"
#include "network/topology.h"
#include "scenario/scenario.h"

namespace weir {

struct RoutingRequest {
  const Section& section;  // [routing]
  const Topology& topology;
  bool detours;  // packets will make some (routing.choice): with lanes for them, where the topology has midpoints
};

struct RoutingKind {
  KindSpec spec;
  // From the request to the routes; every error of the section shows here. Errors without a place get that of the
  // choice.
  RouteTable (*configure)(const RoutingRequest& request);
  // The routing "auto" takes the first of the list that has routes for this topology; null: never this one.
  std::optional<RouteTable> (*usual)(const Topology& topology, bool detours) = nullptr;
};

}  // namespace weir
