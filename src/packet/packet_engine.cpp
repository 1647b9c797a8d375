#include "packet/packet_engine.h"

#include "packet/engine_kinds.h"
#include "packet/links/promises.h"

namespace weir {
namespace {

// Does the plain switch do what this run asks for?
bool is_plain(const RunInput& run, const SchemeTraits& traits) {
  if (run.config.switches.arbitration != Arbitration::fcfs) return false;
  return may_promise(run, traits) && !rates_differ(run.topology);
}

}  // namespace

Measurements run_engine(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits) {
  if (run.config.switches.organisation == Organisation::fifo_in_out) return run_crossbar(run, scheme, traits);
  if (is_plain(run, traits)) return run_plain(run, scheme, traits);
  return run_voq(run, scheme, traits);
}

}  // namespace weir
