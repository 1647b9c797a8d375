#include "packet/packet_engine.h"

#include "packet/engine_kinds.h"
#include "packet/fabric_state.h"

namespace weir {
namespace {

// Does the plain switch do what this run asks for? What happens at one instant in rounds keeps its order only if
// nothing is promised ahead; and whoever watches a port wants to see which packets wait for it.
bool is_plain(const PacketRun& run) {
  const SwitchConfig& s = run.config.switches;
  if (s.lanes != 1 || s.arbitration != Arbitration::fcfs || s.flow_control != FlowControl::credits ||
      s.choice != RouteChoice::fixed || !run.config.measure.watch.empty())
    return false;
  const FabricState fabric(run.topology, run.config);
  bool instant = false;  // a packet may land at the very moment at which it starts
  for (std::uint32_t l = 0; l < fabric.links(); ++l) {
    const Link& link = fabric.link({l});
    instant |= link.is(Link::kConnected) && link.latency == 0 && !link.is(Link::kByTail);
  }
  return !fabric.mixed_rates() && !instant;
}

}  // namespace

Measurements run_engine(const PacketRun& run, SchemeHooks& scheme, const SchemeTraits& traits) {
  if (run.config.switches.organisation == Organisation::fifo_in_out) return run_crossbar(run, scheme, traits);
  if (run.shortcuts && traits.leaves_queues_alone() && is_plain(run)) return run_plain(run, scheme, traits);
  return run_voq(run, scheme, traits);
}

}  // namespace weir
