#include "packet/packet_engine.h"

#include "packet/engine_kinds.h"

namespace weir {

Measurements run_engine(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits) {
  return kOrganisations[static_cast<std::size_t>(run.config.switches.organisation)](run, scheme, traits);
}

}  // namespace weir
