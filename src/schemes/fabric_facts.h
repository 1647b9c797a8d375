// What defaults of schemes are made from: facts of the fabric that a run has.
#pragma once
#include "packet/run_input.h"

namespace weir {

Rate slowest_host_link(const Topology& topology);

// What the queue in front of a link can hold, in the unit in which the engine counts it; whole packets as bytes.
Bytes queue_capacity(const PacketConfig& config);

// The largest data packet on the wire.
Bytes largest_packet(const PacketConfig& config);

// From the moment a host starts to send one of the largest packets until it has received the acknowledgement, with
// nobody else in the fabric, over the longest of the default paths.
Time base_round_trip(const RunInput& run);

}  // namespace weir
