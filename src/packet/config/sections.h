// The readers of the packet engine's sections, each in a file of its own with the section's keys. Only config.cpp calls
// them.
#pragma once
#include <algorithm>

#include "packet/config/config.h"

namespace weir::config {

// The largest packets that this traffic can make: sources may have sizes of their own.
struct Largest {
  Bytes payload = 0, packet = 0, ack = 0;
  Bytes any() const { return std::max(packet, ack); }
};

// Thresholds, memory and headroom, into what is known of the switches.
std::vector<ParamSpec> flow_control_params();
void read_flow_control(const Section& section, const Largest& sizes, const Topology& topology, SwitchConfig& switches);
SwitchConfig read_switch(const Section& section, const Largest& sizes, const Topology& topology, LaneBlocks blocks);
// The choice at each switch and what belongs to it, into what is known of the switches.
void read_route_choice(const Section& routing, const Topology& topology, const Workload& workload, Bytes largest,
                       SwitchConfig& switches);
AdapterConfig read_adapter(const Section& section, const Topology& topology, const SwitchConfig& switches,
                           const Workload& workload, Bytes largest);

}  // namespace weir::config
