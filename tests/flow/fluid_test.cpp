// The fluid engine on cases whose course can be calculated by hand, and its conservation of bytes on random ones.
#include "flow/fluid.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "flow/performance.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"

namespace weir {
namespace {

using namespace literals;

constexpr Bytes kUnit = 1'000'000;  // takes 1 ms on an 8 Gb/s link
const LinkProperties kFastLink{Rate{8'000'000'000}, Time{}, 0};

Flow flow(std::uint32_t from, std::uint32_t to, Bytes bytes, std::uint32_t app = 0, std::uint32_t phase = 0) {
  Flow f;
  f.source = {from};
  f.destination = {to};
  f.bytes = bytes;
  f.app = {app};
  f.phase = phase;
  return f;
}

Workload workload(const std::vector<Flow>& flows, std::uint32_t apps = 1) {
  Workload w;
  w.classes.push_back({"all"});
  for (const Flow& f : flows) w.flows.push_back(f);
  w.apps = apps;
  return w;
}

// Figure 1.1: hosts 0-3 on the left switch, 4-5 (sources) and 6-7 (d1, d2) on the right one.
TEST(Fluid, EqualFlowsOfTheSpreadingExampleEndTogetherAfterFourUnits) {
  const Topology topology = two_switch({4, 4, 1}, kFastLink, kFastLink);
  const RouteTable routes = min_hop_routes(topology);
  const Workload w = workload({flow(0, 6, kUnit), flow(1, 6, kUnit), flow(2, 7, kUnit), flow(3, 7, kUnit),
                               flow(4, 7, kUnit), flow(5, 7, kUnit)});
  for (const RateAlgorithm a : {RateAlgorithm::saa, RateAlgorithm::saa_m, RateAlgorithm::ffa, RateAlgorithm::afa}) {
    FluidOptions options;
    options.algorithm = a;
    const FluidResult r = run_fluid(topology, routes, w, options);
    EXPECT_EQ(r.measurements.ending, Ending::finished);
    EXPECT_EQ(r.measurements.end, 4_ms) << name_of(a);
    for (const FlowResult& f : r.measurements.flows) EXPECT_EQ(f.completion, 4_ms) << name_of(a);
    EXPECT_EQ(r.recalculations, 1u);
    EXPECT_EQ(r.measurements.phase_ends[0][0], 4_ms);
  }
}

TEST(Fluid, RatesRiseWhenFlowsEnd) {
  const Topology topology = star(3, kFastLink);
  const RouteTable routes = min_hop_routes(topology);
  // Two flows into host 2: half each until the short one ends at 2 ms; the long one has 2 units left and ends at 4 ms.
  const FluidResult r = run_fluid(topology, routes, workload({flow(0, 2, kUnit), flow(1, 2, 3 * kUnit)}), {});
  EXPECT_EQ(r.measurements.flows[0].completion, 2_ms);
  EXPECT_EQ(r.measurements.flows[1].completion, 4_ms);
  const std::uint32_t into = topology.from(topology.host_port({2})).index;
  EXPECT_EQ(r.measurements.ports[into].xmit_bytes, 4u * kUnit);
  EXPECT_EQ(r.measurements.ports[into].busy, 4_ms);
  EXPECT_EQ(r.measurements.ports[topology.host_port({2}).index].rcv_bytes, 4u * kUnit);
}

TEST(Fluid, SingleApplicationEndsAtTheHeaviestLinksTime) {
  const Topology topology = star(4, kFastLink);
  const RouteTable routes = min_hop_routes(topology);
  FluidOptions options;
  options.algorithm = RateAlgorithm::saa;
  // Link into host 3 has 4 units to carry; SAA gives the flows of size 1 and 3 their shares, and both end at 4 ms.
  const FluidResult r =
      run_fluid(topology, routes, workload({flow(0, 3, kUnit), flow(1, 3, 3 * kUnit), flow(0, 2, kUnit)}), options);
  EXPECT_EQ(r.measurements.flows[0].completion, 4_ms);
  EXPECT_EQ(r.measurements.flows[1].completion, 4_ms);
  EXPECT_EQ(r.measurements.flows[2].completion, 2_ms);
}

TEST(Fluid, PhasesFollowEachOtherAfterComputing) {
  const Topology topology = star(3, kFastLink);
  const RouteTable routes = min_hop_routes(topology);
  Workload w = workload({flow(0, 1, kUnit), flow(0, 2, kUnit), flow(1, 2, kUnit, 0, 1), flow(2, 0, 2 * kUnit, 0, 1)});
  w.app_compute = {500_us};
  const FluidResult r = run_fluid(topology, routes, w, {});
  EXPECT_EQ(r.measurements.phase_ends[0][0], 2_ms);
  EXPECT_EQ(r.measurements.flows[2].start, 2_ms + 500_us);
  EXPECT_EQ(r.measurements.phase_ends[0][1], 4_ms + 500_us);
}

TEST(Fluid, ApplicationsShareByTheirSlowestFlow) {
  // Figure 2.2 on a star: three flows of application 0 into host 1, one into host 2 beside one of application 1.
  const Topology topology = star(8, kFastLink);
  const RouteTable routes = min_hop_routes(topology);
  FluidOptions options;
  options.algorithm = RateAlgorithm::afa;
  const Workload w =
      workload({flow(3, 1, kUnit), flow(4, 1, kUnit), flow(5, 1, kUnit), flow(6, 2, kUnit), flow(7, 2, kUnit, 1)}, 2);
  const FluidResult r = run_fluid(topology, routes, w, options);
  EXPECT_EQ(r.measurements.phase_ends[0][0], 3_ms);
  EXPECT_EQ(r.measurements.phase_ends[1][0], 1500_us);
}

TEST(Fluid, EndlessFlowsNeedADurationAndDeliverUntilThen) {
  const Topology topology = star(3, kFastLink);
  const RouteTable routes = min_hop_routes(topology);
  const Workload w = workload({flow(0, 2, kEndless), flow(1, 2, kUnit)});
  EXPECT_THROW(run_fluid(topology, routes, w, {}), InputError);
  FluidOptions options;
  options.duration = 10_ms;
  const FluidResult r = run_fluid(topology, routes, w, options);
  EXPECT_EQ(r.measurements.ending, Ending::duration);
  EXPECT_EQ(r.measurements.end, 10_ms);
  EXPECT_EQ(r.measurements.flows[1].completion, 2_ms);
  EXPECT_EQ(r.measurements.flows[0].delivered, 9 * kUnit);
}

TEST(Fluid, ReservedShareAndEfficiencySlowEverything) {
  const Topology topology = star(2, kFastLink);
  const RouteTable routes = min_hop_routes(topology);
  FluidOptions options;
  options.reserved.assign(topology.ports(), 0.2);
  options.efficiency = 0.5;
  const FluidResult r = run_fluid(topology, routes, workload({flow(0, 1, kUnit)}), options);
  EXPECT_EQ(r.measurements.end, 2500_us);
}

TEST(Fluid, TheWindowBeginsAfterTheWarmUp) {
  const Topology topology = star(3, kFastLink);
  const RouteTable routes = min_hop_routes(topology);
  FluidOptions options;
  options.duration = 10_ms;
  for (const auto& [warmup, endless, finite] :
       {std::tuple{0_ms, 9.0, 1.0}, {1_ms, 8.5, 0.5}, {2_ms, 8.0, 0.0}, {6_ms, 4.0, 0.0}, {10_ms, 0.0, 0.0}}) {
    options.warmup = warmup;
    const FluidResult r =
        run_fluid(topology, routes, workload({flow(0, 2, kEndless), flow(1, 2, kUnit)}), options);
    EXPECT_EQ(r.measurements.flows[0].delivered, 9 * kUnit);
    EXPECT_EQ(r.measurements.flows[0].delivered_in_window, static_cast<Bytes>(endless * kUnit)) << warmup.ps;
    EXPECT_EQ(r.measurements.flows[1].delivered_in_window, static_cast<Bytes>(finite * kUnit)) << warmup.ps;
  }
}

TEST(Fluid, FlowsToTheirOwnHostAndEmptyFlowsEndAtOnce) {
  const Topology topology = star(2, kFastLink);
  const RouteTable routes = min_hop_routes(topology);
  Workload w = workload({flow(0, 0, kUnit), flow(0, 1, 0), flow(0, 1, kUnit, 0, 1)});
  const FluidResult r = run_fluid(topology, routes, w, {});
  EXPECT_EQ(r.measurements.flows[0].completion, Time{});
  EXPECT_EQ(r.measurements.flows[1].completion, Time{});
  EXPECT_EQ(r.measurements.flows[2].completion, 1_ms);
}

// 1000 TB at 100 Mb/s are 8e7 seconds, and 64 bits of picoseconds are 9.2e6.
TEST(Fluid, WhatTakesLongerThanCanBeCountedIsRefusedOrCutOff) {
  const Topology topology = star(3, {Rate{100'000'000}, Time{}, 0});
  const RouteTable routes = min_hop_routes(topology);
  const Workload w = workload({flow(0, 1, 1'000'000'000'000'000)});
  std::string said;
  try {
    run_fluid(topology, routes, w, {});
  } catch (const InputError& e) {
    said = e.what();
  }
  EXPECT_NE(said.find("flow 0 (host 0 to host 1) needs 8e+07 s more"), std::string::npos) << said;
  EXPECT_NE(said.find("run.max_time"), std::string::npos) << said;
  FluidOptions options;
  options.duration = 1'000_s;
  const FluidResult cut = run_fluid(topology, routes, w, options);
  EXPECT_EQ(cut.measurements.end, 1'000_s);
  EXPECT_EQ(cut.measurements.ending, Ending::duration);
  EXPECT_EQ(cut.measurements.flows[0].delivered, 12'500'000'000) << "12.5 MB/s";
  EXPECT_EQ(cut.measurements.flows[0].completion, kNever);
}

// A flow that hardly moves beside a heavier one ends in time once that is gone.
TEST(Fluid, SlowFlowsSpeedUpBeforeTheEndOfTime) {
  const Topology topology = star(3, kFastLink);
  const RouteTable routes = min_hop_routes(topology);
  Flow light = flow(0, 2, 10'000), heavy = flow(1, 2, 10'000);
  light.weight = 1e-9;
  heavy.weight = 1e9;
  const FluidResult r = run_fluid(topology, routes, workload({light, heavy}), {});
  EXPECT_EQ(r.measurements.flows[1].completion, 10_us) << "the other one takes 1e-18 of the link";
  EXPECT_EQ(r.measurements.flows[0].completion, 20_us);
}

TEST(Fluid, ConservesBytesUnderChange) {
  const Topology topology = k_ary_n_tree({4, 3, 1}, kFastLink, kFastLink);
  const RouteTable routes = digit_routes(topology);
  RandomStream random(9, Purpose::test, 0);
  std::vector<Flow> flows;
  for (int i = 0; i < 300; ++i) {
    Flow f = flow(static_cast<std::uint32_t>(random.below(64)), static_cast<std::uint32_t>(random.below(64)),
                  static_cast<Bytes>(1 + random.below(kUnit)), static_cast<std::uint32_t>(random.below(4)));
    f.start = Time{static_cast<std::int64_t>(random.below(5'000'000'000))};
    f.weight = 1 + static_cast<double>(random.below(4));
    if (i > 0 && random.chance(0.2))
      f.after = {static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(i)))};
    flows.push_back(f);
  }
  const Workload w = workload(flows, 4);
  for (const RateAlgorithm a : {RateAlgorithm::saa, RateAlgorithm::saa_m, RateAlgorithm::ffa, RateAlgorithm::afa}) {
    FluidOptions options;
    options.algorithm = a;
    options.routing = FlowRoutingPolicy::forced(8);
    const FluidResult r = run_fluid(topology, routes, w, options);
    EXPECT_EQ(r.measurements.ending, Ending::finished);
    std::uint64_t sent = 0, offered = 0;
    for (std::uint32_t h = 0; h < 64; ++h) sent += r.measurements.ports[topology.host_port({h}).index].xmit_bytes;
    for (const Flow& f : flows) offered += f.source == f.destination ? 0 : static_cast<std::uint64_t>(f.bytes);
    EXPECT_EQ(sent, offered) << name_of(a);
    for (const PortResult& p : r.measurements.ports) EXPECT_LE(p.busy.ps, r.measurements.end.ps + 1);
    for (std::uint32_t f = 0; f < flows.size(); ++f) {
      const FlowResult& result = r.measurements.flows[f];
      const double least = flows[f].source == flows[f].destination ? 0 : static_cast<double>(flows[f].bytes) * 1e3;
      EXPECT_GE(static_cast<double>((result.completion - result.start).ps), least);
      if (flows[f].after.valid()) {
        EXPECT_EQ(result.start, r.measurements.flows[flows[f].after.index].completion + flows[f].start);
      }
    }
  }
}

TEST(Performance, MeasuresOfTheThreeScenarios) {
  RowList paths;
  for (int i = 0; i < 4; ++i) paths.add_row(std::vector<std::uint32_t>{0});
  const Incidence incidence(1, paths);
  const std::vector<double> capacity = {1}, weight = {1, 2, 1, 4}, rates = {0.5, 0.5, 0.125, 1.0};
  const std::vector<std::uint32_t> apps = {0, 0, 1, 1};
  const RateProblem p{&incidence, capacity, weight, {}, apps};
  EXPECT_EQ(completion_time(p, rates), 8.0);
  EXPECT_EQ(application_rates(p, rates), (std::vector<double>{0.25, 0.125}));
  const RateSummary s = summarize_rates(rates);
  EXPECT_DOUBLE_EQ(s.mean, 2.125 / 4);
  EXPECT_EQ(s.min, 0.125);
  EXPECT_DOUBLE_EQ(s.jain, 2.125 * 2.125 / (4 * (0.25 + 0.25 + 1.0 / 64 + 1)));
  EXPECT_EQ(sorted_at(rates, {0, 0.5, 1}), (std::vector<double>{0.125, 0.5, 1.0}));
}

}  // namespace
}  // namespace weir
