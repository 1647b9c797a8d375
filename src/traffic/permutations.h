// Patterns in which every host has one partner: random permutations, superpositions of them, and shifts; or a few
// partners drawn at random. As flows of a given size, or (through add_partners) as open-loop sources.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "traffic/hosts.h"
#include "traffic/workload.h"

namespace weir {

// What every entry of the flow family has.
struct FlowBasics {
  AppId app{0};
  ClassId traffic_class{0};
  std::uint8_t lane = 0;
  Time start;
  Time spread;  // each flow starts at a random moment within this span
  double weight = 1;
  Bytes bytes = kEndless;
  std::uint32_t phase = 0;
};

// partner[i] is the partner of group[i]. Uniform among all permutations, or among those without a fixed point.
std::vector<HostId> random_partners(const std::vector<HostId>& group, bool allow_self, RandomStream& random);

// Host number i of the group sends to number i + offset, counted round the group.
std::vector<HostId> shifted_partners(const std::vector<HostId>& group, std::int64_t offset);

// One flow per pair; a host that is its own partner sends nothing. `start_random` gives the moments within the spread.
void add_pair_flows(Workload& workload, const FlowBasics& basics, const std::vector<HostId>& group,
                    const std::vector<HostId>& partner, RandomStream& start_random);

// Every host of the group opens between min_flows and max_flows flows (drawn for each host), each to another host of
// the group drawn at random; two flows may meet the same pair.
struct RandomFlows {
  FlowBasics basics;
  std::vector<HostId> group;
  std::uint32_t min_flows = 1, max_flows = 1;
};
void add_random_flows(Workload& workload, const RandomFlows& random_flows, RandomStream& destination_random,
                      RandomStream& start_random);

// Partners as a table indexed by host number, for add_partners.
std::vector<HostId> partner_table(const std::vector<HostId>& group, const std::vector<HostId>& partner,
                                  std::size_t hosts);

}  // namespace weir
