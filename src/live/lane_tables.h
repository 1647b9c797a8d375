// The arbitration tables of ports, as they lie in a subnet's attributes, and as the engine has them.
#pragma once
#include "live/subnet.h"
#include "packet/config/lane_order.h"

namespace weir::live {

// What was written for this port; without entries if nothing was.
LaneTables lane_tables(const Subnet& subnet, NodePort at);
// What all ports show before anybody has written anything.
void show_lane_tables(Subnet& subnet, const LaneTables& tables);

}  // namespace weir::live
