// Dependencies and phase barriers. Flows and phases are two kinds of conditions: a flow waits for at most one flow and
// for at most one phase, so a counter per flow is all the state there is, and completing a flow costs what it releases.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/check.h"
#include "base/error.h"
#include "traffic/workload.h"

namespace weir {

namespace {

std::uint32_t count_of(const Workload& workload) { return static_cast<std::uint32_t>(workload.flows.size()); }

Time compute_time(const Workload& workload, std::uint32_t app) {
  return app < workload.app_compute.size() ? workload.app_compute[app] : Time{};
}

}  // namespace

FlowProgress::FlowProgress(const Workload& workload)
    : workload_(&workload),
      dependants_start_(workload.flows.size() + 1),
      phase_of_(workload.flows.size()),
      waits_for_(workload.flows.size()),
      ready_(workload.flows.size()) {
  const std::uint32_t flows = count_of(workload);
  for (const Flow& flow : workload.flows) {
    if (flow.after.valid()) ++dependants_start_[flow.after.index + 1];
    if (flow.bytes != kEndless) ++remaining_;
  }
  std::partial_sum(dependants_start_.begin(), dependants_start_.end(), dependants_start_.begin());
  dependants_.resize(dependants_start_.back());
  std::vector<std::uint32_t> fill(dependants_start_.begin(), dependants_start_.end() - 1);
  in_phase_.resize(flows);
  for (std::uint32_t f = 0; f < flows; ++f) {
    in_phase_[f] = {f};
    const FlowId after = workload.flows[{f}].after;
    if (after.valid()) dependants_[fill[after.index]++] = {f};
  }
  const auto phase_key = [&](FlowId f) {
    const Flow& flow = workload.flows[f];
    return std::tuple(flow.app.index, flow.phase);
  };
  std::stable_sort(in_phase_.begin(), in_phase_.end(), [&](FlowId a, FlowId b) { return phase_key(a) < phase_key(b); });
  for (std::uint32_t i = 0; i < flows; ++i) {
    const Flow& flow = workload.flows[in_phase_[i]];
    if (i == 0 || phase_key(in_phase_[i - 1]) != phase_key(in_phase_[i])) {
      phases_.push_back({flow.app.index, flow.phase, i, i, 0, kNever});
    }
    Phase& phase = phases_.back();
    ++phase.last;
    ++phase.open;
    phase_of_[in_phase_[i].index] = static_cast<std::uint32_t>(phases_.size() - 1);
  }
  for (std::uint32_t f = 0; f < flows; ++f) {
    const std::uint32_t p = phase_of_[f];
    const bool later_phase = p > 0 && phases_[p - 1].app == phases_[p].app;
    waits_for_[f] = static_cast<std::uint8_t>(later_phase + workload.flows[{f}].after.valid());
  }
}

std::vector<FlowProgress::Start> FlowProgress::initial() const {
  std::vector<Start> starts;
  for (std::uint32_t f = 0; f < waits_for_.size(); ++f) {
    if (waits_for_[f] == 0) starts.push_back({{f}, workload_->flows[{f}].start});
  }
  std::stable_sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) { return a.at < b.at; });
  return starts;
}

void FlowProgress::satisfy(FlowId flow, Time at, std::vector<Start>& released) {
  WEIR_CHECK(waits_for_[flow.index] > 0);
  ready_[flow.index] = std::max(ready_[flow.index], at);
  if (--waits_for_[flow.index] == 0) released.push_back({flow, ready_[flow.index] + workload_->flows[flow].start});
}

void FlowProgress::completed(FlowId flow, Time now, std::vector<Start>& released) {
  WEIR_CHECK(workload_->flows[flow].bytes != kEndless);
  WEIR_CHECK(waits_for_[flow.index] == 0);
  --remaining_;
  for (std::uint32_t i = dependants_start_[flow.index]; i < dependants_start_[flow.index + 1]; ++i) {
    satisfy(dependants_[i], now, released);
  }
  const std::uint32_t p = phase_of_[flow.index];
  Phase& phase = phases_[p];
  WEIR_CHECK(phase.open > 0);
  if (--phase.open > 0) return;
  phase.end = now;
  if (p + 1 == phases_.size() || phases_[p + 1].app != phase.app) return;
  const Time release = now + compute_time(*workload_, phase.app);
  for (std::uint32_t i = phases_[p + 1].first; i < phases_[p + 1].last; ++i) satisfy(in_phase_[i], release, released);
}

Time FlowProgress::phase_end(AppId app, std::uint32_t phase) const {
  const auto key = std::tuple(app.index, phase);
  const auto found = std::lower_bound(phases_.begin(), phases_.end(), key,
                                      [](const Phase& p, const auto& k) { return std::tuple(p.app, p.number) < k; });
  if (found == phases_.end() || std::tuple(found->app, found->number) != key) return kNever;
  return found->end;
}

namespace {

std::string flow_text(const Workload& workload, FlowId f) {
  const Flow& flow = workload.flows[f];
  return "flow " + std::to_string(f.index) + " (host " + std::to_string(flow.source.index) + " to host " +
         std::to_string(flow.destination.index) + ", phase " + std::to_string(flow.phase) + ")";
}

}  // namespace

// Plays the workload without time: every flow that has started completes at once. What has not started then never will.
FlowId stuck_flow(const Workload& workload) {
  FlowProgress progress(workload);
  std::vector<FlowProgress::Start> started = progress.initial();
  std::vector<std::uint8_t> reached(workload.flows.size());
  for (std::size_t i = 0; i < started.size(); ++i) {
    const FlowId flow = started[i].flow;
    reached[flow.index] = 1;
    if (workload.flows[flow].bytes != kEndless) progress.completed(flow, Time{}, started);
  }
  const auto stuck = std::find(reached.begin(), reached.end(), 0);
  return stuck == reached.end() ? FlowId{} : FlowId{static_cast<std::uint32_t>(stuck - reached.begin())};
}

void check_dependencies(const Workload& workload) {
  for (const Flow& flow : workload.flows) {
    if (flow.after.valid() && flow.after.index >= workload.flows.size()) {
      throw InputError("a flow waits for flow " + std::to_string(flow.after.index) + ", but there are only " +
                       std::to_string(workload.flows.size()) + " flows");
    }
  }
  const FlowId stuck = stuck_flow(workload);
  if (!stuck.valid()) return;
  throw InputError(
      flow_text(workload, stuck) +
      " can never start: it waits, directly or through other flows and phases, for itself or for a flow that "
      "never ends");
}

}  // namespace weir
