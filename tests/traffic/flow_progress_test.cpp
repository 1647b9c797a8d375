// Dependencies and barriers: who is released when, and that what can never start is refused.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "base/error.h"
#include "traffic/flow_progress.h"
#include "traffic/workload.h"

namespace weir {
namespace {

using namespace literals;

Flow flow(Time start, std::uint32_t phase = 0, FlowId after = {}, AppId app = {0}) {
  Flow f;
  f.source = {0};
  f.destination = {1};
  f.bytes = 1000;
  f.start = start;
  f.phase = phase;
  f.after = after;
  f.app = app;
  return f;
}

std::vector<std::pair<std::uint32_t, Time>> plain(const std::vector<FlowProgress::Start>& starts) {
  std::vector<std::pair<std::uint32_t, Time>> all;
  for (const auto& s : starts) all.emplace_back(s.flow.index, s.at);
  return all;
}
using Starts = std::vector<std::pair<std::uint32_t, Time>>;

TEST(FlowProgress, InitialFlowsAreSortedByTimeThenNumber) {
  Workload w;
  for (const Time t : {5_us, 1_us, 5_us, 0_us}) w.flows.push_back(flow(t));
  w.flows.push_back(flow(0_us, 1));
  w.flows.push_back(flow(0_us, 0, {0}));
  const FlowProgress progress(w);
  EXPECT_EQ(plain(progress.initial()), (Starts{{3, 0_us}, {1, 1_us}, {0, 5_us}, {2, 5_us}}));
  EXPECT_EQ(progress.remaining(), 6u);
}

TEST(FlowProgress, DependantStartsItsStartAfterTheCompletion) {
  Workload w;
  w.flows.push_back(flow(0_us));
  w.flows.push_back(flow(3_us, 0, {0}));
  w.flows.push_back(flow(0_us, 0, {0}));
  w.flows.push_back(flow(1_us, 0, {1}));
  FlowProgress progress(w);
  std::vector<FlowProgress::Start> released;
  progress.completed({0}, 10_us, released);
  EXPECT_EQ(plain(released), (Starts{{1, 13_us}, {2, 10_us}}));
  released.clear();
  progress.completed({1}, 20_us, released);
  EXPECT_EQ(plain(released), (Starts{{3, 21_us}}));
  EXPECT_EQ(progress.remaining(), 2u);
}

TEST(FlowProgress, BarrierOpensComputeTimeAfterTheLastFlowOfThePhase) {
  Workload w;
  w.app_compute = {7_us};
  w.flows.push_back(flow(0_us, 0));
  w.flows.push_back(flow(0_us, 1));
  w.flows.push_back(flow(0_us, 0));
  w.flows.push_back(flow(2_us, 1));
  FlowProgress progress(w);
  std::vector<FlowProgress::Start> released;
  progress.completed({2}, 10_us, released);
  EXPECT_TRUE(released.empty());
  EXPECT_EQ(progress.phase_end({0}, 0), kNever);
  progress.completed({0}, 30_us, released);
  EXPECT_EQ(plain(released), (Starts{{1, 37_us}, {3, 39_us}}));
  EXPECT_EQ(progress.phase_end({0}, 0), 30_us);
  EXPECT_EQ(progress.phase_end({0}, 1), kNever);
  EXPECT_EQ(progress.phase_end({0}, 9), kNever);
  EXPECT_EQ(progress.phase_ends()[0].front(), 30_us);
}

TEST(FlowProgress, ApplicationsDoNotWaitForEachOther) {
  Workload w;
  w.apps = 2;
  w.app_compute = {1_us, 2_us};
  w.flows.push_back(flow(0_us, 0, {}, {0}));
  w.flows.push_back(flow(0_us, 0, {}, {1}));
  w.flows.push_back(flow(0_us, 1, {}, {0}));
  w.flows.push_back(flow(0_us, 1, {}, {1}));
  FlowProgress progress(w);
  std::vector<FlowProgress::Start> released;
  progress.completed({1}, 5_us, released);
  EXPECT_EQ(plain(released), (Starts{{3, 7_us}}));
  EXPECT_EQ(progress.phase_end({1}, 0), 5_us);
  EXPECT_EQ(progress.phase_end({0}, 0), kNever);
}

TEST(FlowProgress, PhasesWithoutFlowsDoNotExist) {
  Workload w;
  w.app_compute = {1_us};
  w.flows.push_back(flow(4_us, 2));  // first phase of this application
  w.flows.push_back(flow(0_us, 7));
  FlowProgress progress(w);
  EXPECT_EQ(plain(progress.initial()), (Starts{{0, 4_us}}));
  std::vector<FlowProgress::Start> released;
  progress.completed({0}, 10_us, released);
  EXPECT_EQ(plain(released), (Starts{{1, 11_us}}));
}

TEST(FlowProgress, FlowWithBothConditionsWaitsForTheLater) {
  for (const bool dependency_last : {false, true}) {
    Workload w;
    w.apps = 2;
    w.app_compute = {5_us};
    w.flows.push_back(flow(0_us, 0));
    w.flows.push_back(flow(0_us, 0, {}, {1}));
    w.flows.push_back(flow(1_us, 1, {1}));
    FlowProgress progress(w);
    std::vector<FlowProgress::Start> released;
    progress.completed({dependency_last ? 0u : 1u}, 10_us, released);
    EXPECT_TRUE(released.empty());
    progress.completed({dependency_last ? 1u : 0u}, 12_us, released);
    // The barrier opened at 15 us (first case: at 17), the dependency ended at 12 (10): the barrier is later in both.
    EXPECT_EQ(plain(released), (Starts{{2, dependency_last ? 16_us : 18_us}}));
  }
}

TEST(FlowProgress, EndlessFlowsAreNotCountedAsRemaining) {
  Workload w;
  w.flows.push_back(flow(0_us));
  w.flows.push_back(flow(0_us));
  w.flows[FlowId{1}].bytes = kEndless;
  EXPECT_EQ(FlowProgress(w).remaining(), 1u);
}

TEST(CheckDependencies, RefusesCircles) {
  Workload w;
  w.flows.push_back(flow(0_us));
  w.flows.push_back(flow(0_us, 0, {2}));
  w.flows.push_back(flow(0_us, 0, {1}));
  EXPECT_EQ(stuck_flow(w), FlowId{1});
  EXPECT_THROW(check_dependencies(w), InputError);
  w.flows[FlowId{2}].after = {0};
  EXPECT_NO_THROW(check_dependencies(w));
  w.flows[FlowId{0}].after = {0};
  EXPECT_EQ(stuck_flow(w), FlowId{0});
}

TEST(CheckDependencies, RefusesACircleThroughABarrier) {
  Workload w;
  w.flows.push_back(flow(0_us, 0, {1}));  // phase 0 waits for a flow of phase 1
  w.flows.push_back(flow(0_us, 1));
  EXPECT_EQ(stuck_flow(w), FlowId{0});
}

TEST(CheckDependencies, RefusesWaitingForAnEndlessFlow) {
  Workload w;
  w.flows.push_back(flow(0_us));
  w.flows.push_back(flow(0_us, 0, {0}));
  w.flows[FlowId{0}].bytes = kEndless;
  EXPECT_EQ(stuck_flow(w), FlowId{1});
  w.flows[FlowId{1}].after = {};
  w.flows[FlowId{1}].phase = 1;
  EXPECT_EQ(stuck_flow(w), FlowId{1});
}

TEST(CheckDependencies, RefusesAnUnknownFlow) {
  Workload w;
  w.flows.push_back(flow(0_us, 0, {5}));
  EXPECT_THROW(check_dependencies(w), InputError);
}

// Whatever the dependencies, as long as they point backwards: every flow is released exactly once and never before what
// it waits for, compared with a direct evaluation of the rules.
RC_GTEST_PROP(FlowProgress, AgreesWithTheRulesOnRandomWorkloads, ()) {
  Workload w;
  w.apps = 3;
  w.app_compute = {1_us, 0_us, 5_us};
  const int flows = *rc::gen::inRange(1, 40);
  for (int f = 0; f < flows; ++f) {
    const int back = *rc::gen::inRange(-1, f);
    const auto app = *rc::gen::inRange<std::uint32_t>(0, 3);
    Flow next = flow(Time{*rc::gen::inRange<std::int64_t>(0, 3) * 1000}, static_cast<std::uint32_t>(f / 8), {}, {app});
    if (back >= 0) next.after = {static_cast<std::uint32_t>(back)};
    w.flows.push_back(next);
  }
  RC_ASSERT(!stuck_flow(w).valid());
  FlowProgress progress(w);
  std::map<std::uint32_t, Time> started, ended;
  std::vector<FlowProgress::Start> open = progress.initial();
  while (!open.empty()) {
    std::size_t at = 0;
    for (std::size_t i = 1; i < open.size(); ++i) at = open[i].at < open[at].at ? i : at;
    const auto now = open[at];
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    RC_ASSERT(started.emplace(now.flow.index, now.at).second);
    ended[now.flow.index] = now.at + 1_us;
    progress.completed(now.flow, now.at + 1_us, open);
  }
  RC_ASSERT(started.size() == w.flows.size());
  RC_ASSERT(progress.remaining() == 0u);
  for (std::uint32_t f = 0; f < w.flows.size(); ++f) {
    const Flow& me = w.flows[{f}];
    Time ready = 0_us;
    if (me.after.valid()) ready = ended[me.after.index];
    std::uint32_t before = 0;
    bool any = false;
    for (const Flow& other : w.flows) {
      if (other.app == me.app && other.phase < me.phase) before = std::max(before, other.phase), any = true;
    }
    for (std::uint32_t g = 0; any && g < w.flows.size(); ++g) {
      const Flow& other = w.flows[{g}];
      if (other.app == me.app && other.phase == before) ready = std::max(ready, ended[g] + w.app_compute[me.app.index]);
    }
    RC_ASSERT(started[f] == ready + me.start);
  }
}

// In general form: a random graph of flows and steps without circles, against start times computed in one pass.
RC_GTEST_PROP(FlowProgress, AnyGraphOfConditionsStartsWhenItsLastConditionIsMet, ()) {
  const auto flows = *rc::gen::inRange<std::uint32_t>(1, 8);
  const auto steps = *rc::gen::inRange<std::uint32_t>(0, 8);
  Workload w;
  for (std::uint32_t f = 0; f < flows; ++f) w.flows.push_back(flow({*rc::gen::inRange<std::int64_t>(0, 50)}));
  for (std::uint32_t s = 0; s < steps; ++s) w.steps.push_back({*rc::gen::inRange<std::int64_t>(0, 50)});
  // Nodes in an order in which conditions point backwards: flows and steps alternate.
  std::vector<WorkNode> order;
  for (std::uint32_t i = 0; i < std::max(flows, steps); ++i) {
    if (i < flows) order.push_back({WorkNode::Kind::flow, i});
    if (i < steps) order.push_back({WorkNode::Kind::step, i});
  }
  std::map<WorkNode, Time> begin, end;
  for (std::size_t i = 0; i < order.size(); ++i) {
    Time ready;
    for (std::size_t j = 0; j < i; ++j) {
      if (*rc::gen::inRange(0, 3) > 0) continue;
      const Dependency d{order[i], order[j], {*rc::gen::inRange<std::int64_t>(0, 20)}, *rc::gen::arbitrary<bool>()};
      w.dependencies.push_back(d);
      ready = std::max(ready, (d.on_start ? begin[d.before] : end[d.before]) + d.delay);
    }
    const bool is_flow = order[i].kind == WorkNode::Kind::flow;
    begin[order[i]] = ready + (is_flow ? w.flows[{order[i].index}].start : Time{});
    end[order[i]] = begin[order[i]] + (is_flow ? Time{1000} : w.steps[order[i].index]);
  }
  check_dependencies(w);
  FlowProgress progress(w);
  std::multimap<Time, FlowId> running;
  std::vector<FlowProgress::Start> released = progress.initial();
  std::size_t started = 0;
  while (true) {
    for (const auto& s : released) {
      RC_ASSERT(s.at == begin[(WorkNode{WorkNode::Kind::flow, s.flow.index})]);
      running.emplace(s.at + Time{1000}, s.flow);
      ++started;
    }
    released.clear();
    if (running.empty()) break;
    const auto [now, done] = *running.begin();
    running.erase(running.begin());
    progress.completed(done, now, released);
  }
  RC_ASSERT(started == flows);
  RC_ASSERT(progress.remaining() == 0u);
}

TEST(FlowProgress, CircleThroughStepsIsStuck) {
  Workload w;
  w.flows.push_back(flow(0_us));
  w.steps.push_back(1_us);
  const WorkNode f{WorkNode::Kind::flow, 0}, s{WorkNode::Kind::step, 0};
  w.dependencies.push_back({f, s, {}, false});
  EXPECT_FALSE(stuck_flow(w).valid());
  w.dependencies.push_back({s, f, {}, false});
  EXPECT_EQ(stuck_flow(w), FlowId{0});
}

TEST(FlowProgress, TriggerReleasesWhatWaitsForIt) {
  Workload w;
  w.flows.push_back(flow(2_us));
  w.triggers.push_back(100);
  w.dependencies.push_back({{WorkNode::Kind::flow, 0}, {WorkNode::Kind::trigger, 0}, 1_us, false});
  FlowProgress progress(w);
  EXPECT_TRUE(progress.initial().empty());
  std::vector<FlowProgress::Start> released;
  progress.triggered(0, 10_us, released);
  EXPECT_EQ(plain(released), (Starts{{0, 13_us}}));
  EXPECT_FALSE(stuck_flow(w).valid());
}

}  // namespace
}  // namespace weir
