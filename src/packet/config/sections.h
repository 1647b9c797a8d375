// The readers of the packet engine's sections, each in a file of its own with the section's keys. Only config.cpp calls
// them.
#pragma once
#include "packet/config/config.h"

namespace weir::config {

SwitchConfig read_switch(const ComponentRequest& request, LaneBlocks blocks);
// The choice at each switch and what belongs to it, into what is known of the switches.
void read_route_choice(const Section& routing, const Topology& topology, const Workload& workload, Bytes largest,
                       SwitchConfig& switches);
AdapterConfig read_adapter(const Section& section, const Topology& topology, const SwitchConfig& switches,
                           const Workload& workload, Bytes largest);

}  // namespace weir::config
