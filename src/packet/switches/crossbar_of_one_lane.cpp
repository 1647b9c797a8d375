// The buffered crossbar as most runs have it.
#include "packet/engine.h"
#include "packet/engine_kinds.h"
#include "packet/switches/crossbar_switch.h"

namespace weir {

Measurements run_crossbar_of_one_lane(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits) {
  return run_with<CrossbarSwitch<true>>(run, scheme, traits);
}

}  // namespace weir
