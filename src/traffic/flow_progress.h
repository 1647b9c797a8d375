// Which flows may start when: dependencies and phase barriers. A flow or a step that waits has a counter of the
// conditions not yet met, so completing a flow costs what it releases and no more.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/workload.h"

namespace weir {

// A flow that can never start, because it waits (directly or not) for itself or for a flow that never ends; invalid if
// there is none. And the same as an InputError.
FlowId stuck_flow(const Workload& workload);
void check_dependencies(const Workload& workload);

// Used by both engines. A flow that waits for several conditions starts `start` after the last of them. The next phase
// is released app_compute after the last flow of the phase has completed; phases without flows do not exist. What would
// start after kLatest is never released.
class FlowProgress {
 public:
  explicit FlowProgress(const Workload& workload);

  struct Start {
    FlowId flow;
    Time at;
  };
  // Flows whose start depends on nothing but the clock, sorted by (time, flow).
  const std::vector<Start>& initial() const { return initial_; }
  // Called once per completed flow; appends the flows that this releases.
  void completed(FlowId flow, Time now, std::vector<Start>& released);
  // Called once per trigger, when it fires.
  void triggered(std::uint32_t trigger, Time now, std::vector<Start>& released);
  std::size_t remaining() const { return remaining_; }  // finite flows not yet completed
  // kNever while it runs, or if the application has no such phase.
  Time phase_end(AppId app, std::uint32_t phase) const;
  // [app][n]: the end of the n-th phase that has flows, in the order of the phases' numbers.
  std::vector<std::vector<Time>> phase_ends() const;

 private:
  struct Phase {
    std::uint32_t app = 0, number = 0;
    std::uint32_t first = 0, last = 0;  // its flows: in_phase_[first, last)
    std::uint32_t open = 0;             // of them not completed
    Time end = kNever;
  };
  struct Dependant {
    std::uint32_t node;
    Time delay;
    bool on_start;
  };
  // Flows, then steps, then triggers, as one range of numbers.
  std::uint32_t number(WorkNode node) const;
  void list_dependants();
  void list_phases();
  void count_conditions();
  void fire_initial();
  void satisfy(std::uint32_t node, Time at, std::vector<Start>& released);
  void notify(std::uint32_t node, bool on_start, Time at);
  void settle(std::vector<Start>& released);

  const Workload* workload_;
  std::vector<std::uint32_t> dependants_start_;  // of node n: dependants_[start[n], start[n + 1])
  std::vector<Dependant> dependants_;
  std::vector<Phase> phases_;  // sorted by (app, number); only those with flows
  std::vector<FlowId> in_phase_;
  std::vector<std::uint32_t> phase_of_;   // flow -> index into phases_
  std::vector<std::uint32_t> waits_for_;  // node -> conditions not yet met
  std::vector<Time> ready_;               // node -> latest condition met so far
  std::vector<std::pair<std::uint32_t, Time>> met_;  // conditions met, to be passed on
  std::vector<Start> initial_;
  std::size_t remaining_ = 0;
};

}  // namespace weir
