// Static window: a source keeps at most a fixed number of packets per connection unacknowledged. The simplest scheme
// that closes the loop through the network; it bounds how much of the buffers one flow can fill.
#pragma once
#include "packet/packet_run.h"
#include "scenario/scenario.h"

namespace weir {

inline constexpr ParamSpec kWindowParams[] = {
    {"packets", ParamType::integer, "2", "packets that may be unacknowledged per flow or pair of hosts", 1, 1e6}};

Measurements run_window(const PacketRun& run, const Section& scheme);

}  // namespace weir
