// What is compiled: the engine with each switch organisation, each in its own file, without a scheme and with one.
#pragma once
#include "packet/packet_run.h"
#include "packet/scheme/hooks.h"

namespace weir {

// A run with one of them. The plain switch stands in for virtual output queues where that makes no difference.
Measurements run_plain(const PacketRun& run, SchemeHooks& scheme, const SchemeTraits& traits);
Measurements run_voq(const PacketRun& run, SchemeHooks& scheme, const SchemeTraits& traits);
Measurements run_crossbar(const PacketRun& run, SchemeHooks& scheme, const SchemeTraits& traits);

}  // namespace weir
