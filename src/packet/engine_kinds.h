// What is compiled: the engine with each switch organisation, each in its own file, without a scheme and with one.
#pragma once
#include "packet/run_input.h"
#include "packet/scheme/hooks.h"

namespace weir {

// A run with one of them. The plain switch stands in for virtual output queues where that makes no difference.
Measurements run_plain(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits);
Measurements run_voq(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits);
Measurements run_crossbar(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits);

}  // namespace weir
