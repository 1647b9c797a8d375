// How large the route caches of paper 000's switches (PRC, one per input port) must be; the paper takes them as
// unlimited in all its experiments.
#pragma once
#include "reproduce/entry.h"
#include "reproduce/zdornov/flow.h"

namespace weir::zdornov {

// Calculated flow by flow, then packet by packet.
void route_caches(Reproduction& r, const Wired& tree);

}  // namespace weir::zdornov
