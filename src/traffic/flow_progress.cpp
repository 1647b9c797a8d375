#include "traffic/flow_progress.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/check.h"
#include "base/error.h"
#include "base/latest.h"
#include "scenario/quantity.h"

namespace weir {

namespace {

std::uint32_t count_of(const Workload& workload) { return static_cast<std::uint32_t>(workload.flows.size()); }

Time compute_time(const Workload& workload, std::uint32_t app) {
  return app < workload.app_compute.size() ? workload.app_compute[app] : Time{};
}

}  // namespace

FlowProgress::FlowProgress(const Workload& workload) : workload_(&workload) {
  list_dependants();
  list_phases();
  count_conditions();
  fire_initial();
}

std::uint32_t FlowProgress::number(WorkNode node) const {
  const std::uint32_t flows = count_of(*workload_);
  switch (node.kind) {
    case WorkNode::Kind::flow: return node.index;
    case WorkNode::Kind::step: return flows + node.index;
    case WorkNode::Kind::trigger: break;
  }
  return flows + static_cast<std::uint32_t>(workload_->steps.size()) + node.index;
}

void FlowProgress::list_dependants() {
  const std::uint32_t flows = count_of(*workload_);
  const std::size_t nodes = flows + workload_->steps.size() + workload_->triggers.size();
  dependants_start_.assign(nodes + 1, 0);
  waits_for_.assign(nodes, 0);
  ready_.assign(nodes, Time{});
  for (const Flow& flow : workload_->flows) {
    if (flow.after.valid()) ++dependants_start_[flow.after.index + 1];
    if (flow.bytes != kEndless) ++remaining_;
  }
  for (const Dependency& d : workload_->dependencies) ++dependants_start_[number(d.before) + 1];
  std::partial_sum(dependants_start_.begin(), dependants_start_.end(), dependants_start_.begin());
  dependants_.resize(dependants_start_.back());
  std::vector<std::uint32_t> fill(dependants_start_.begin(), dependants_start_.end() - 1);
  for (std::uint32_t f = 0; f < flows; ++f) {
    const FlowId after = workload_->flows[{f}].after;
    if (after.valid()) dependants_[fill[after.index]++] = {f, Time{}, false};
  }
  for (const Dependency& d : workload_->dependencies)
    dependants_[fill[number(d.before)]++] = {number(d.node), d.delay, d.on_start};
}

void FlowProgress::list_phases() {
  const std::uint32_t flows = count_of(*workload_);
  phase_of_.resize(flows);
  in_phase_.resize(flows);
  for (std::uint32_t f = 0; f < flows; ++f) in_phase_[f] = {f};
  const auto phase_key = [&](FlowId f) {
    const Flow& flow = workload_->flows[f];
    return std::tuple(flow.app.index, flow.phase);
  };
  std::stable_sort(in_phase_.begin(), in_phase_.end(), [&](FlowId a, FlowId b) { return phase_key(a) < phase_key(b); });
  for (std::uint32_t i = 0; i < flows; ++i) {
    const Flow& flow = workload_->flows[in_phase_[i]];
    if (i == 0 || phase_key(in_phase_[i - 1]) != phase_key(in_phase_[i])) {
      phases_.push_back({flow.app.index, flow.phase, i, i, 0, kNever});
    }
    Phase& phase = phases_.back();
    ++phase.last;
    ++phase.open;
    phase_of_[in_phase_[i].index] = static_cast<std::uint32_t>(phases_.size() - 1);
  }
}

void FlowProgress::count_conditions() {
  for (std::uint32_t f = 0; f < phase_of_.size(); ++f) {
    const std::uint32_t p = phase_of_[f];
    const bool later_phase = p > 0 && phases_[p - 1].app == phases_[p].app;
    waits_for_[f] = static_cast<std::uint32_t>(later_phase);
  }
  for (const Dependant& d : dependants_) ++waits_for_[d.node];
}

// Everything without a condition begins at time 0; steps hand on what they release.
void FlowProgress::fire_initial() {
  const std::uint32_t flows = count_of(*workload_);
  const auto last = static_cast<std::uint32_t>(flows + workload_->steps.size());
  for (std::uint32_t n = 0; n < last; ++n) {
    if (waits_for_[n] == 0) met_.emplace_back(n, Time{});
  }
  settle(initial_);
  std::stable_sort(initial_.begin(), initial_.end(),
                   [](const Start& a, const Start& b) { return std::tie(a.at, a.flow) < std::tie(b.at, b.flow); });
}

void FlowProgress::notify(std::uint32_t node, bool on_start, Time at) {
  for (std::uint32_t i = dependants_start_[node]; i < dependants_start_[node + 1]; ++i) {
    const Dependant& d = dependants_[i];
    if (d.on_start != on_start) continue;
    WEIR_CHECK(waits_for_[d.node] > 0);
    ready_[d.node] = std::max(ready_[d.node], later(at, d.delay));
    if (--waits_for_[d.node] == 0) met_.emplace_back(d.node, ready_[d.node]);
  }
}

// Hands on what begins: a flow starts and is over when the engine says so; a step is over after its time, which is
// known at once. A list and no recursion, because chains of steps are long.
void FlowProgress::settle(std::vector<Start>& released) {
  const std::uint32_t flows = count_of(*workload_);
  while (!met_.empty()) {
    const auto [node, at] = met_.back();
    met_.pop_back();
    if (node < flows) {
      const Time start = later(at, workload_->flows[{node}].start);
      if (start != kNever) released.push_back({{node}, start});
      notify(node, true, start);
    } else {
      notify(node, true, at);
      notify(node, false, later(at, workload_->steps[node - flows]));
    }
  }
}

void FlowProgress::satisfy(std::uint32_t node, Time at, std::vector<Start>& released) {
  WEIR_CHECK(waits_for_[node] > 0);
  ready_[node] = std::max(ready_[node], at);
  if (--waits_for_[node] > 0) return;
  met_.emplace_back(node, ready_[node]);
  settle(released);
}

void FlowProgress::triggered(std::uint32_t trigger, Time now, std::vector<Start>& released) {
  const std::uint32_t node = number({WorkNode::Kind::trigger, trigger});
  notify(node, true, now);
  notify(node, false, now);
  settle(released);
}

void FlowProgress::completed(FlowId flow, Time now, std::vector<Start>& released) {
  WEIR_CHECK(workload_->flows[flow].bytes != kEndless);
  WEIR_CHECK(waits_for_[flow.index] == 0);
  --remaining_;
  const std::size_t first = released.size();
  notify(flow.index, false, now);
  settle(released);
  std::sort(released.begin() + static_cast<std::ptrdiff_t>(first), released.end(),
            [](const Start& a, const Start& b) { return a.flow < b.flow; });
  const std::uint32_t p = phase_of_[flow.index];
  Phase& phase = phases_[p];
  WEIR_CHECK(phase.open > 0);
  if (--phase.open > 0) return;
  phase.end = now;
  if (p + 1 == phases_.size() || phases_[p + 1].app != phase.app) return;
  const Time release = later(now, compute_time(*workload_, phase.app));
  for (std::uint32_t i = phases_[p + 1].first; i < phases_[p + 1].last; ++i)
    satisfy(in_phase_[i].index, release, released);
}

Time FlowProgress::phase_end(AppId app, std::uint32_t phase) const {
  const auto key = std::tuple(app.index, phase);
  const auto found = std::lower_bound(phases_.begin(), phases_.end(), key,
                                      [](const Phase& p, const auto& k) { return std::tuple(p.app, p.number) < k; });
  if (found == phases_.end() || std::tuple(found->app, found->number) != key) return kNever;
  return found->end;
}

std::vector<std::vector<Time>> FlowProgress::phase_ends() const {
  std::vector<std::vector<Time>> ends(workload_->apps);
  for (const Phase& phase : phases_) ends[phase.app].push_back(phase.end);
  return ends;
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
  for (std::uint32_t t = 0; t < workload.triggers.size(); ++t) progress.triggered(t, Time{}, started);
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
      " can never start: it waits, directly or through other flows and phases, for itself, for a flow that "
      "never ends or for longer than " + to_text(kLatest));
}

}  // namespace weir
