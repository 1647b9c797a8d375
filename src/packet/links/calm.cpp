#include "packet/links/calm.h"

#include "packet/links/promises.h"

namespace weir {

bool may_calm_down(const RunInput& run, const SchemeTraits& scheme) {
  const SwitchConfig& s = run.config.switches;
  const Table<FlowId, Flow>& flows = run.workload.flows;
  if (!s.choice->sets_up || s.organisation->crossbar || !s.lane_order.empty() ||
      s.arbitration != Arbitration::fcfs || !run.workload.sources.empty() || flows.empty() ||
      !(scheme.none || scheme.sends_nothing) || scheme.acknowledges || run.config.adapter.acks ||
      !queues_are_left_alone(run, scheme) || rates_differ(run.topology))
    return false;
  return std::all_of(flows.begin(), flows.end(),
                     [&](const Flow& f) { return f.bytes == kEndless && f.lane == flows[FlowId{0}].lane; });
}

}  // namespace weir
