// What a topology registers. A new one is a file that ends with its record, and its line in kinds.cpp.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "network/network.h"
#include "network/topologies/topologies.h"
#include "network/topology.h"
#include "scenario/scenario.h"

namespace weir {

Cables read_cables(const Section& link);

// What a scenario says about its fabric.
struct TopologyRequest {
  const Section& section;  // [topology]
  const Section& link;
  Cables cables;
  std::vector<std::string>* warnings;  // may be null

  std::uint32_t count(std::string_view key) const { return static_cast<std::uint32_t>(section.integer(key)); }
};

struct TopologyKind {
  KindSpec spec;
  // From the request to the tables; every error of the section shows here. Errors without a place get that of the
  // section.
  Topology (*configure)(const TopologyRequest& request);
  // By arithmetic, before anything is built; null where only building tells. An impossible shape may have any size.
  FabricSize (*size)(const Section& topology) = nullptr;
};

// For sizes: as far as it can be counted, since what is larger is refused anyway.
std::uint64_t counted(double value);
// n stages of hosts / k switches; `ports` of a switch but in the last stage, and `last` there.
FabricSize size_of_stages(double hosts, double k, double n, double ports, double last);

}  // namespace weir
