// What is compiled: the engine with each switch organisation, each in its own file, without a scheme and with one.
#pragma once
#include "packet/run_input.h"
#include "packet/scheme/hooks.h"

namespace weir {

using RunWithSwitches = Measurements(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits);
RunWithSwitches run_plain, run_voq, run_crossbar;

// In the order of Organisation. Output queues differ from virtual ones in how memory is accounted, which the flow
// control does.
inline constexpr RunWithSwitches* kOrganisations[] = {run_voq, run_crossbar, run_voq};

}  // namespace weir
