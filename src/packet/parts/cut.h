// How a fabric is cut into parts that threads can execute side by side, and whether a run allows it.
#pragma once
#include <optional>
#include <string>

#include "packet/parts/part.h"
#include "packet/run_input.h"
#include "packet/scheme/hooks.h"

namespace weir {

// The parts for the threads that the run allows, or nothing if it is executed as a whole; `why` says the reason.
std::optional<Cut> cut_if_possible(const RunInput& run, const SchemeHooks& scheme, const SchemeTraits& traits,
                                   std::string& why);

// Do some flows or sources wait for others, or for packets to be received?
bool traffic_waits(const Workload& workload);

// Into at most so many parts of about the same size between which few links lead. Hosts stay with their switch.
Cut cut_fabric(const RunInput& run, const SchemeTraits& scheme, std::uint32_t parts);

}  // namespace weir
