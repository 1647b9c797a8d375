// The readers of the packet engine's sections, each in a file of its own with the section's keys. Only config.cpp calls
// them.
#pragma once
#include "packet/config/config.h"

namespace weir::config {

SwitchConfig read_switch(const ComponentRequest& request, LaneBlocks blocks);
AdapterConfig read_adapter(const Section& section, const Topology& topology, const SwitchConfig& switches,
                           const Workload& workload, Bytes largest);

}  // namespace weir::config
