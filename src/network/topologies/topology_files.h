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
// An InputError unless it is a leaf-spine or three-tier fabric whose cables of one level are all alike.
std::string write_htsim_fabric(const Topology& topology);

// topology.txt of ns-3's HPCC and SimAI simulations. Hosts keep their numbers; a host with several cables becomes a
// switch with a host, since a host has one port here.
struct Ns3Fabric {
  GraphSpec graph;
  std::size_t hosts_with_several_cables = 0;
  std::uint32_t unread_from = 0;  // line behind the announced number of cables, if there is more
};
Ns3Fabric parse_ns3_fabric(const std::string& file, std::string_view text);
// Hosts are nodes 0, 1 and so on; the switches follow. An InputError where cables are not the same in both directions.
std::string write_ns3_fabric(const Topology& topology);

// The kind of topology that reads such a file ("htsim" or "ns3"), by its first line; "" if it is none of these.
std::string_view simulator_of_fabric(std::string_view text);

}  // namespace weir
