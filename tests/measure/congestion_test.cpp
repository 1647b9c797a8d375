// Roots, victims and the effect of a pulse, on the sample run and small variations of it.
#include "measure/congestion.h"

#include <gtest/gtest.h>

#include "measure/digest.h"
#include "measure/event.h"
#include "measure/flows/flow_role.h"
#include "measure/flows/turns.h"
#include "measure/sample_run.h"
#include "network/routings/routings.h"

namespace weir {
namespace {

TEST(Congestion, PulseIsFoundInTheFrames) {
  const Measurements m = sample_measurements();
  const CongestionReport report = find_congestion(m, sample_topology());
  ASSERT_EQ(report.roots.size(), 1u);
  const CongestionRoot& root = report.roots[0];
  EXPECT_EQ(root.port, kHotPort);
  EXPECT_EQ(root.from, Time{40 * kMicro});
  EXPECT_EQ(root.to, Time{60 * kMicro});
  EXPECT_EQ(root.congested, Time{20 * kMicro});
  EXPECT_DOUBLE_EQ(root.load, 1);
  // The uplink waits 40 % and h0 behind it 20 % of two bins; h1's 2 % is noise.
  ASSERT_EQ(root.victims.size(), 2u);
  EXPECT_EQ(root.victims[0].port, kUplink);
  EXPECT_EQ(root.victims[0].wait, Time{8 * kMicro});
  EXPECT_EQ(root.victims[1].port, kHost0);
  EXPECT_EQ(root.victims[1].wait, Time{4 * kMicro});
  EXPECT_EQ(root.caused_wait, Time{12 * kMicro});
  EXPECT_TRUE(report.unexplained.empty());
}

TEST(Congestion, AveragesOfTheWholeRunHideIt) {
  Measurements m = sample_measurements();
  m.frames.clear();
  EXPECT_TRUE(find_congestion(m, sample_topology()).roots.empty());
  // The uplink's waiting is then without explanation.
  ASSERT_EQ(find_congestion(m, sample_topology()).unexplained.size(), 1u);
  m.ports[kHotPort.index].busy = {95 * kMicro};
  const CongestionReport report = find_congestion(m, sample_topology());
  ASSERT_EQ(report.roots.size(), 1u);
  EXPECT_EQ(report.roots[0].caused_wait, Time{20 * kMicro});
  EXPECT_FALSE(report.from_frames);
}

TEST(Congestion, SaturatedLinkThatHoldsNobodyBackIsNoRoot) {
  Measurements m = sample_measurements();
  for (FabricFrame& frame : m.frames) frame.wait.assign(11, 0);
  EXPECT_TRUE(find_congestion(m, sample_topology()).roots.empty());
}

TEST(Congestion, WaitingWithoutASaturatedLinkHasNoRoot) {
  Measurements m = sample_measurements();
  for (FabricFrame& frame : m.frames) frame.load.assign(11, 200);
  const CongestionReport report = find_congestion(m, sample_topology());
  EXPECT_TRUE(report.roots.empty());
  ASSERT_EQ(report.unexplained.size(), 2u);
  EXPECT_EQ(report.unexplained_wait, Time{12 * kMicro});
}

TEST(Congestion, RootsOfOneSwitchShareTheirVictims) {
  Measurements m = sample_measurements();
  for (int b : {4, 5}) m.frames[static_cast<std::size_t>(b)].load[9] = 250;  // S2 -> h3, too
  const CongestionReport report = find_congestion(m, sample_topology());
  ASSERT_EQ(report.roots.size(), 2u);
  EXPECT_EQ(report.roots[0].caused_wait, Time{6 * kMicro});
  EXPECT_EQ(report.roots[1].caused_wait, Time{6 * kMicro});
  EXPECT_EQ(report.roots[0].port, kHotPort);  // equal severity: lower port first
}

// S2 -> h3 is full, too.
Measurements two_full_links(double hot_queue, double other_queue) {
  Measurements m = sample_measurements();
  for (int b : {4, 5}) m.frames[static_cast<std::size_t>(b)].load[9] = 250;
  m.ports[kHotPort.index].mean_output_bytes = hot_queue;
  m.ports[9].mean_output_bytes = other_queue;
  m.ports[kUplink.index].mean_output_bytes = 100;
  return m;
}

TEST(Congestion, WaitingBelongsToTheLongerQueue) {
  const CongestionReport report = find_congestion(two_full_links(3000, 1000), sample_topology());
  ASSERT_EQ(report.roots.size(), 2u);
  EXPECT_EQ(report.roots[0].port, kHotPort);
  EXPECT_EQ(report.roots[0].caused_wait, Time{9 * kMicro});
  EXPECT_EQ(report.roots[1].caused_wait, Time{3 * kMicro});
}

TEST(Congestion, AFullLinkThatNothingQueuesForIsNoRoot) {
  const CongestionReport report = find_congestion(two_full_links(3000, 10), sample_topology());
  ASSERT_EQ(report.roots.size(), 1u);
  EXPECT_EQ(report.roots[0].port, kHotPort);
  EXPECT_EQ(report.roots[0].caused_wait, Time{12 * kMicro});
  for (const CongestedMoment& moment : report.moments) EXPECT_EQ(moment.roots, (std::vector{kHotPort.index}));
}

TEST(Congestion, FlowsWaitForTheOutputsThatTheyGoTo) {
  const Topology t = sample_topology();
  const auto to = [](std::uint32_t port) { return std::vector<RouteStep>{PortId{port}}; };
  const RouteTable routes = RouteTable::stored("test", 4, {to(4), to(5), to(6), to(6), to(7), to(7), to(8), to(9)});
  Measurements m = two_full_links(1000, 1000);
  for (ClassResult& c : m.classes) c.received_bytes = 0;  // all comes in flows
  FlowResult flow;
  flow.source = {0};
  flow.destination = {2};
  flow.traffic_class = kHot;
  flow.start = Time{0};
  m.flows = {flow};
  FlowWays ways(t, routes);
  const FlowTurns turns(m, ways);
  ASSERT_TRUE(turns.known());
  const CongestionReport report = find_congestion(m, t, RootRule::all_full, &turns);
  ASSERT_EQ(report.roots.size(), 1u);  // nobody waits for the other full link
  EXPECT_EQ(report.roots[0].port, kHotPort);
  EXPECT_EQ(report.roots[0].caused_wait, Time{12 * kMicro});
  for (const CongestedMoment& moment : report.moments) EXPECT_EQ(moment.roots, (std::vector{kHotPort.index}));
}

TEST(FlowRoles, NoVictimOfAStopOnAnotherLane) {
  const Topology t = sample_topology();
  const auto to = [](std::uint32_t port) { return std::vector<RouteStep>{PortId{port}}; };
  const RouteTable routes = RouteTable::stored("test", 4, {to(4), to(5), to(6), to(6), to(7), to(7), to(8), to(9)});
  Measurements m = sample_measurements();
  FlowResult flow;
  flow.source = {1};
  flow.destination = {3};  // shares the uplink, which waits
  flow.start = Time{0};
  flow.traffic_class = kCold;
  m.flows = {flow};
  m.lanes = 2;
  m.pauses.resize(22);
  m.pauses[kUplink.index * 2].stops = 5;
  FlowWays ways(t, routes);
  const CongestionReport report = find_congestion(m, t);
  EXPECT_EQ(flow_roles(report, m, ways, {1, 2}).at(0), FlowRole::victim);
  EXPECT_EQ(flow_roles(report, m, ways, {2, 1}).at(0), FlowRole::none);
}

TEST(Congestion, NearerRootTakesTheVictim) {
  Measurements m = sample_measurements();
  // S1 -> S2 saturated instead of waiting: h0 waits for S1, so S1's own root explains it.
  for (int b : {4, 5}) {
    m.frames[static_cast<std::size_t>(b)].load[kUplink.index] = 255;
    m.frames[static_cast<std::size_t>(b)].wait[kUplink.index] = 0;
  }
  const CongestionReport report = find_congestion(m, sample_topology());
  ASSERT_EQ(report.roots.size(), 1u);
  EXPECT_EQ(report.roots[0].port, kUplink);
}

TEST(Congestion, FramesMayNameTheirStarts) {
  Measurements m = sample_measurements();
  for (std::size_t b = 0; b < 10; ++b) m.frames[b].at = bin_start(m, b);
  const CongestionReport report = find_congestion(m, sample_topology());
  ASSERT_EQ(report.roots.size(), 1u);
  EXPECT_EQ(report.roots[0].from, Time{40 * kMicro});
  EXPECT_EQ(frame_span(m, 9).to, m.end);
}

TEST(Congestion, LinkLoadInAWindow) {
  const Measurements m = sample_measurements();
  EXPECT_DOUBLE_EQ(link_load(m, kHotPort, {Time{40 * kMicro}, Time{60 * kMicro}}), 1);
  EXPECT_DOUBLE_EQ(link_load(m, kHotPort, {Time{30 * kMicro}, Time{50 * kMicro}}), 0.5);
}

TEST(FlowRoles, VictimsCrossAPortThatIsHeldBackButNotTheRoot) {
  const Topology t = sample_topology();
  // S1 reaches h2 and h3 by its port 2; S2 by 1 and 2.
  const auto to = [](std::uint32_t port) { return std::vector<RouteStep>{PortId{port}}; };
  const RouteTable routes = RouteTable::stored("test", 4, {to(4), to(5), to(6), to(6), to(7), to(7), to(8), to(9)});
  Measurements m = sample_measurements();
  m.flows.clear();
  const auto add = [&](std::uint32_t from, std::uint32_t dest, Time start) {
    FlowResult flow;
    flow.source = {from};
    flow.destination = {dest};
    flow.traffic_class = {0};
    flow.start = start;
    m.flows.push_back(flow);
  };
  add(0, 2, Time{0});  // crosses the root
  add(1, 3, Time{0});  // shares the uplink with it
  add(3, 2, Time{0});  // crosses the root, not the uplink
  add(0, 1, Time{0});  // h0's own link is held back
  add(1, 3, kNever);   // never starts
  FlowWays ways(t, routes);
  using enum FlowRole;
  EXPECT_EQ(flow_roles(find_congestion(m, t), m, ways), (std::vector{root, victim, root, victim, none}));
  EXPECT_EQ(default_path(t, routes, {0}, {2}), (std::vector<PortId>{kHost0, kUplink, kHotPort}));
}

TEST(Event, LateClassIsTheEvent) {
  const Measurements m = sample_measurements();
  const auto event = find_event(m);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->span.from, Time{40 * kMicro});
  EXPECT_EQ(event->span.to, Time{70 * kMicro});
  ASSERT_EQ(event->causes.size(), 1u);
  EXPECT_EQ(event->causes[0], kHot);
}

TEST(Event, ImpactOnTheOthers) {
  const Measurements m = sample_measurements();
  const auto event = find_event(m);
  const Impact impact = *impact_of(m, kCold, *event);
  EXPECT_DOUBLE_EQ(impact.latency_before_ps, 1.0 * kMicro);
  EXPECT_DOUBLE_EQ(impact.latency_peak_ps, 200.0 * kMicro);
  EXPECT_DOUBLE_EQ(impact.rise(), 200);
  EXPECT_DOUBLE_EQ(*impact.dip(), 0.2);            // 2 packets instead of 10
  EXPECT_EQ(*impact.recovery, Time{40 * kMicro});  // bins 4..7 are above 2 us
  EXPECT_FALSE(impact_of(m, kHot, *event));        // nothing to compare with
}

TEST(Event, NotRecoveredAtTheEnd) {
  Measurements m = sample_measurements();
  m.classes[0].series[9].latency_sum_ps *= 100;
  const auto event = find_event(m);
  EXPECT_FALSE(impact_of(m, kCold, *event)->recovery);
}

TEST(Event, NeverDisturbed) {
  Measurements m = sample_measurements();
  for (ClassBin& bin : m.classes[0].series) bin.latency_sum_ps = static_cast<double>(bin.received) * kMicro;
  EXPECT_EQ(*impact_of(m, kCold, *find_event(m))->recovery, Time{0});
}

TEST(Event, NoneWhereNothingStartsLate) {
  Measurements m = sample_measurements();
  m.classes.pop_back();
  m.hosts.clear();
  EXPECT_FALSE(find_event(m));
}

TEST(Event, AggressorsByConcentration) {
  Measurements m = sample_measurements();
  EXPECT_EQ(aggressors(m, find_event(m)), (std::vector<bool>{false, true}));
  // Without an event both classes go to one host each in the sample: nothing tells them apart ...
  EXPECT_EQ(aggressors(m, {}), (std::vector<bool>{false, false}));
  // ... until cold traffic is spread.
  m.hosts[0].received_bytes = 30'000;
  EXPECT_EQ(aggressors(m, {}), (std::vector<bool>{false, true}));
}

TEST(Digest, EmptyRunIsHarmless) {
  const Measurements m;
  const RunDigest d = digest(m, sample_topology());
  EXPECT_TRUE(d.classes.empty());
  EXPECT_FALSE(d.event);
  EXPECT_TRUE(d.congestion.roots.empty());
}

}  // namespace
}  // namespace weir
