// Telling a deadlock from slow progress. A channel is stuck when it waits for space at its far end and every packet
// that occupies this space waits for a stuck channel. The largest such set is found by removing what can still move; if
// anything is left, the network (or that part of it) will never move again, and a cycle inside the set is named.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "network/topology.h"

namespace weir {

struct WaitEdge {
  std::uint32_t buffer;  // channel whose far-end buffer is occupied
  std::uint32_t output;  // channel that the occupying packet waits for
};

struct Standstill {
  std::vector<std::uint32_t> blocked;  // channels that wait for space, while none is on its way to them
  std::vector<WaitEdge> edges;
};

// Returns the channels of one cycle, in order; empty when something can still move.
std::vector<std::uint32_t> find_deadlock(const Standstill& still);

}  // namespace weir
