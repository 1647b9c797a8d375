// Does lasting traffic ask for more than links carry? No scheme helps then, and what a run measures depends on how long
// it is. Said before the run starts.
#pragma once
#include <string>
#include <vector>

#include "network/network.h"
#include "packet/config/config.h"
#include "traffic/workload.h"

namespace weir {

// Sentences without a full stop; none where the links can carry it, and where it is not known. Counted are sources that
// never stop and flows that arrive one after another, with headers: those of arriving flows as they are configured, not
// as they are drawn, so that it does not depend on how long they arrive.
// - Links of hosts, each direction on its own, and adapters that take in less than their link brings. A hot spot, whose
//   sources all send to one host on purpose, is not counted at that host.
// - Links between switches, with what hosts can send and take in. By direction and level together where the fabric has
//   levels, and all links up from a switch or down to it; otherwise, on fixed routes, those from one switch to another.
struct OfferedLoad {
  const Network& network;
  const Workload& workload;
  const PacketConfig& config;
};
std::vector<std::string> overloads(const OfferedLoad& offered);

// A sentence for each entry of arriving flows of which clearly more or less was drawn than it is configured for.
std::vector<std::string> drawn_otherwise(const Workload& workload, const PacketFormat& format);

}  // namespace weir
