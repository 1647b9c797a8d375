// The packet engine for a scheme, with the switch organisation that the run asks for.
#pragma once
#include <type_traits>

#include "packet/packet_run.h"
#include "packet/scheme/engine_view.h"
#include "packet/scheme/hooks.h"

namespace weir {

Measurements run_engine(const PacketRun& run, SchemeHooks& scheme, const SchemeTraits& traits);

template <class Scheme>
Measurements run_packets(const PacketRun& run, Scheme&& scheme) {
  return run_engine(run, scheme, traits_of<std::remove_cvref_t<Scheme>>());
}

}  // namespace weir
