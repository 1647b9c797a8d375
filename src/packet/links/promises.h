// When a packet joins the queue for a link, the moment at which it will leave is often known. It can then be put onto
// the link for that moment at once, and waiting takes no event. Here is where that makes no difference.
#pragma once
#include "packet/flow_control/flow_controls.h"
#include "packet/links/link_records.h"
#include "packet/run_input.h"
#include "packet/scheme/hooks.h"

namespace weir {

// May a packet land, on some link, at the very moment at which it starts?
inline bool lands_at_once(const RunInput& run) {
  for (PortId p{0}; p.index < run.topology.ports(); ++p.index) {
    if (!run.topology.to(p).valid()) continue;
    const LinkKind kind = kind_of_link(run.topology, run.config.switches, p);
    if (kind.latency == 0 && !kind.by_tail) return true;
  }
  return false;
}

// Credits themselves, whose part switches do on the way, and nobody who looks into queues or sees what waits there.
inline bool queues_are_left_alone(const RunInput& run, const SchemeTraits& scheme) {
  return run.shortcuts && scheme.leaves_queues_alone() && &*run.config.switches.flow_control == &Credits::kKind &&
         run.config.measure.watch.empty() && !lands_at_once(run);
}

// Not if somebody looks into the queues meanwhile, or if something could come in between; and what happens at one
// instant in rounds keeps its order only if nothing is promised ahead.
inline bool may_promise(const RunInput& run, const SchemeTraits& scheme) {
  const SwitchConfig& s = run.config.switches;
  return s.lanes == 1 && s.priority != LanePriority::preemptive && s.choice->fixed() &&
         queues_are_left_alone(run, scheme);
}

// Do switches only pass packets on? Those that schemes make there answer packets that land, by on_switch_arrival, or
// look into queues.
inline bool only_pass_on(const SchemeTraits& scheme) { return !scheme.has(Hook::on_switch_arrival); }

}  // namespace weir
