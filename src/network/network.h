// From the [topology], [link] and [routing] sections to tables. What the sections may say is in the *_kinds() tables.
#pragma once
#include <vector>

#include "network/route_table.h"
#include "network/topology.h"
#include "scenario/scenario.h"

namespace weir {

std::vector<KindSpec> topology_kinds();
std::vector<KindSpec> routing_kinds();
std::vector<ParamSpec> link_params();
std::vector<ParamSpec> failure_params();  // of [failures]

// How large a fabric is.
struct FabricSize {
  std::uint64_t hosts = 0, switches = 0, ports = 0;
  std::uint64_t radix = 0;  // of the largest switch
};
// Before anything is built; all 0 where only the file of a fabric tells.
FabricSize fabric_size(const Section& topology);
FabricSize fabric_size(const Topology& topology);

struct Network {
  Topology topology;
  RouteTable routes;
};

// `warnings` gets what was guessed or left out where the topology comes from a file.
Topology build_topology(const Scenario& scenario, std::vector<std::string>* warnings = nullptr);
// The fabric without the cables that [failures] takes away, and with those slowed down that it names or draws.
Topology with_failures(const Scenario& scenario, Topology topology, std::vector<std::string>* warnings = nullptr);
// Refuses an unreachable host by name. `detours`: packets will make some.
RouteTable build_routes(const Scenario& scenario, const Topology& topology, bool detours = false);

std::string to_dot(const Topology& topology);  // for Graphviz

}  // namespace weir
