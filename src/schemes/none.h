// No congestion management: what every other scheme is compared with.
#pragma once
#include "packet/packet_run.h"
#include "scenario/scenario.h"

namespace weir {

Measurements run_none(const PacketRun& run, const Section& scheme);

}  // namespace weir
