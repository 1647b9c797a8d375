// The buffered crossbar, with any number of lanes.
#include "packet/engine.h"
#include "packet/engine_kinds.h"
#include "packet/links/promises.h"
#include "packet/switches/crossbar_switch.h"

namespace weir {

Measurements run_crossbar(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits) {
  return one_after_the_other(run.config.switches) ? run_crossbar_of_one_lane(run, scheme, traits)
                                                  : run_with<CrossbarSwitch<false>>(run, scheme, traits);
}

}  // namespace weir
