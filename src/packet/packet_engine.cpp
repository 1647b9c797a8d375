#include "packet/packet_engine.h"

namespace weir {

Measurements run_engine(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits) {
  return run.config.switches.organisation->run(run, scheme, traits);
}

}  // namespace weir
