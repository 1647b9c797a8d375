// Incast, all-to-all and phases: the right flows, in the right order.
#include "traffic/collectives.h"
#include "traffic/flow_progress.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "traffic_helpers.h"

namespace weir {
namespace {

using namespace literals;

FlowBasics basics() {
  FlowBasics b;
  b.bytes = 1000;
  b.start = 2_us;
  return b;
}

// Every flow takes 1 us, whatever the others do; gives each flow's start.
std::vector<Time> play(const Workload& w) {
  FlowProgress progress(w);
  std::vector<Time> started(w.flows.size(), kNever);
  std::vector<FlowProgress::Start> open = progress.initial();
  while (!open.empty()) {
    const auto now =
        *std::min_element(open.begin(), open.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    std::erase_if(open, [&](const auto& s) { return s.flow == now.flow; });
    started[now.flow.index] = now.at;
    progress.completed(now.flow, now.at + 1_us, open);
  }
  EXPECT_EQ(progress.remaining(), 0u);
  return started;
}

TEST(Incast, EverySenderSendsOneFlowToTheTarget) {
  Workload w;
  RandomStream random = stream();
  add_incast(w, basics(), hosts_of({1, 4, 6}), {2}, random);
  ASSERT_EQ(w.flows.size(), 3u);
  for (const Flow& flow : w.flows) {
    EXPECT_EQ(flow.destination, HostId{2});
    EXPECT_EQ(flow.start, 2_us);
  }
  EXPECT_EQ(w.flows[FlowId{2}].source, HostId{6});
}

TEST(AllToAll, ShiftedMeetsEveryPairOnceAndEveryHostReceivesOneAtATime) {
  Workload w;
  w.flows.push_back({});  // flows of an earlier entry
  w.flows[FlowId{0}].bytes = 1;
  RandomStream random = stream();
  add_all_to_all(w, basics(), hosts_of({0, 2, 4, 6, 8}), AllToAllOrder::shifted, random);
  ASSERT_EQ(w.flows.size(), 1u + 20u);
  check_dependencies(w);
  const std::vector<Time> started = play(w);
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::map<std::pair<Time, std::uint32_t>, int> sending, receiving;
  for (std::uint32_t f = 1; f < w.flows.size(); ++f) {
    const Flow& flow = w.flows[{f}];
    EXPECT_NE(flow.source, flow.destination);
    pairs.emplace(flow.source.index, flow.destination.index);
    EXPECT_EQ(++sending[std::pair(started[f], flow.source.index)], 1);
    EXPECT_EQ(++receiving[std::pair(started[f], flow.destination.index)], 1);
  }
  EXPECT_EQ(pairs.size(), 20u);
  EXPECT_EQ(started[1], 2_us);
  EXPECT_EQ(started[20], 5_us);  // the fourth of four, one after another
}

TEST(AllToAll, AtOnceStartsEverythingTogether) {
  Workload w;
  RandomStream random = stream();
  add_all_to_all(w, basics(), first_hosts(4), AllToAllOrder::at_once, random);
  ASSERT_EQ(w.flows.size(), 12u);
  for (const Time start : play(w)) EXPECT_EQ(start, 2_us);
}

TEST(AllToAll, RefusesOneHostAndTooManyFlows) {
  Workload w;
  RandomStream random = stream();
  expect_error([&] { add_all_to_all(w, basics(), first_hosts(1), AllToAllOrder::shifted, random); }, "two hosts");
  expect_error([&] { add_all_to_all(w, basics(), first_hosts(10'000), AllToAllOrder::shifted, random); },
               "99990000 flows, but at most 50000000");
  EXPECT_TRUE(w.flows.empty());
}

TEST(Phases, AlternateTheExchangesAndWaitForEachOther) {
  Workload w;
  PhasedApplication app;
  app.basics = basics();
  app.group = first_hosts(4);
  app.exchanges = {Exchange::shift, Exchange::permutation, Exchange::all_to_all};
  app.phases = 4;
  app.count = 2;
  app.offset = 3;
  RandomStream random = stream(), start = stream(1);
  add_phases(w, app, random, start);
  w.app_compute = {10_us};
  ASSERT_EQ(w.flows.size(), 4u + 8u + 12u + 4u);
  check_dependencies(w);
  const std::vector<Time> started = play(w);
  const Time first_of_phase[] = {2_us, 13_us, 24_us, 37_us};  // all-to-all takes three rounds
  for (std::uint32_t f = 0; f < w.flows.size(); ++f) {
    const Flow& flow = w.flows[{f}];
    if (flow.after.valid()) continue;
    EXPECT_EQ(started[f], first_of_phase[flow.phase]) << "flow " << f;
  }
  EXPECT_EQ(w.flows[FlowId{0}].destination, HostId{3});
  EXPECT_EQ(w.flows[FlowId{24}].destination, HostId{3});
}

TEST(Phases, EveryPhaseDrawsItsOwnPermutation) {
  Workload w;
  PhasedApplication app;
  app.basics = basics();
  app.group = first_hosts(50);
  app.exchanges = {Exchange::permutation};
  app.phases = 2;
  RandomStream random = stream(), start = stream(1);
  add_phases(w, app, random, start);
  int same = 0;
  for (std::uint32_t i = 0; i < 50; ++i) same += w.flows[{i}].destination == w.flows[{i + 50}].destination;
  EXPECT_LT(same, 10);
}

TEST(Phases, RefuseMoreFlowsThanFit) {
  Workload w;
  PhasedApplication app;
  app.basics = basics();
  app.exchanges = {Exchange::all_to_all};
  app.phases = 2;
  RandomStream random = stream(), start = stream(1);
  app.group = first_hosts(7072);  // 50,006,112 flows in the first phase already
  expect_error([&] { add_phases(w, app, random, start); }, "50006112 flows");
}

}  // namespace
}  // namespace weir
