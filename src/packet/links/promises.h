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

// Credits themselves, whose part switches do on the way, and nobody who watches what waits.
inline bool departures_are_known(const RunInput& run) {
  return run.shortcuts && &*run.config.switches.flow_control == &Credits::kKind &&
         run.config.measure.watch.empty() && !lands_at_once(run);
}

// And nobody who looks into queues or sees what waits there.
inline bool queues_are_left_alone(const RunInput& run, const SchemeTraits& scheme) {
  return scheme.leaves_queues_alone() && departures_are_known(run);
}

// Nothing can come in between.
inline bool one_after_the_other(const SwitchConfig& s) {
  return s.lanes == 1 && s.priority != LanePriority::preemptive && s.choice->fixed();
}

// Not if somebody looks into the queues meanwhile, or if something could come in between; and what happens at one
// instant in rounds keeps its order only if nothing is promised ahead.
inline bool may_promise(const RunInput& run, const SchemeTraits& scheme) {
  return one_after_the_other(run.config.switches) && queues_are_left_alone(run, scheme);
}

// In a buffered crossbar, whose output buffers tell how full they are whether packets are promised or not. Switches may
// only pass packets on or mark them: those that schemes make there answer packets that land, by on_switch_arrival, or
// look into queues.
inline bool crossbar_may_promise(const RunInput& run, const SchemeTraits& scheme) {
  if (scheme.only_marks) return one_after_the_other(run.config.switches) && departures_are_known(run);
  return may_promise(run, scheme) && !scheme.has(Hook::on_switch_arrival);
}

}  // namespace weir
