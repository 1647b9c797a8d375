// Does lasting traffic ask for more than the links between switches carry? No scheme helps then, and what a run
// measures depends on how long it is. Said before the run starts.
#pragma once
#include <string>

#include "network/network.h"
#include "traffic/packet_format.h"
#include "traffic/workload.h"

namespace weir {

// A sentence without a full stop; empty where the links can carry it, and where it is not known. Counted are sources
// that never stop and flows that arrive one after another, on their default ways, with headers. Links are taken
// together, by level where the fabric has levels. What no receiver could take in, as of a hot spot, does not count.
std::string overload_between_switches(const Network& network, const Workload& workload, const PacketFormat& format);

}  // namespace weir
