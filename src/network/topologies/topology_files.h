// Fabrics in the files of other simulators. Errors have file and line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "network/topologies/clos_plan.h"
#include "network/topologies/topologies.h"

namespace weir {

// htsim's fat trees.
struct HtsimFabric {
  ClosShape shape;
  std::vector<LinkProperties> cables;  // to the hosts, and up from each level
  double switch_latency_ns = 0;        // the largest
};
HtsimFabric parse_htsim_fabric(const std::string& file, std::string_view text);

// topology.txt of ns-3's HPCC and SimAI simulations. Hosts keep their numbers; a host with several cables becomes a
// switch with a host, since a host has one port here.
struct Ns3Fabric {
  GraphSpec graph;
  std::size_t hosts_with_several_cables = 0;
};
Ns3Fabric parse_ns3_fabric(const std::string& file, std::string_view text);

}  // namespace weir
