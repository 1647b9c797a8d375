// Explicit rates in whole runs: the rates that come out, when they take effect, who is controlled and who is not.
#include "schemes/explicit_rates/explicit_rates.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "run/lab.h"
#include "says.h"
#include "scale.h"

namespace weir {
namespace {

using testing::completion;
using testing::flows;
using testing::kNs;
using testing::kUs;
using testing::number_of;
using testing::Star;

// Figure 1.1 of Zdornov & Birk 2009, flows of 2 MB: one unit of time is 2 ms.
std::string figure_1_1(const std::string& scheme) {
  return R"([topology]
kind = "graph"
hosts = ["F1", "F2", "F3", "F4", "F5", "F6", "D1", "D2"]
switches = ["SW1", "SW2"]
links = [["F1", "SW1"], ["F2", "SW1"], ["F3", "SW1"], ["F4", "SW1"], ["SW1", "SW2"], ["F5", "SW2"], ["F6", "SW2"],
         ["SW2", "D1"], ["SW2", "D2"]]
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = [2048]
[switch]
buffer_packets = 8
[scheme]
)" + scheme +
         flows(R"(["F1", "D1", "2MB", "0s"], ["F2", "D1", "2MB", "0s"], ["F3", "D2", "2MB", )"
               R"("0s"], ["F4", "D2", "2MB", "0s"], ["F5", "D2", "2MB", "0s"], ["F6", "D2", )"
               R"("2MB", "0s"])") +
         "[run]\nuntil = 'flows'\n";
}

TEST(Explicit, FigureOneOneEndsInFourUnits) {
  for (const char* scheme : {"saa", "saa-m", "ffa"})
    for (const char* injection : {"ps", "svc", "leaky-bucket"}) {
      const Outcome run =
          testing::run_text(figure_1_1(fmt::format("name = '{}'\ninjection = '{}'\n", scheme, injection)));
      for (std::size_t f = 0; f < 6; ++f)
        EXPECT_NEAR(static_cast<double>(completion(run, f)) * 1e-12, 0.008, 0.008 * 0.003) << scheme << injection << f;
    }
}

// Flows that always have something to send, beside pairs of the same hosts that send now and then and are controlled
// too: nobody gets more than the rate that was calculated, and the reserved share stays free.
TEST(Explicit, SilentPairsLeaveTheirRateToNobody) {
  for (const char* injection : {"ps", "svc", "leaky-bucket"}) {
    SCOPED_TRACE(injection);
    Star star;
    star.hosts = 8;
    star.traffic = flows(R"([1, 0, "endless"], [2, 0, "endless"], [3, 0, "endless"])") +
                   "[[traffic]]\npattern = 'uniform'\nhosts = [1, 2, 3]\nto = [4, 5, 6, 7]\nload = 0.02\n";
    star.scheme = fmt::format("name = 'ffa'\nreserved = '10%'\ninjection = '{}'\n", injection);
    star.run = "duration = '20ms'\nwarmup = '1ms'\n";
    const Outcome run = testing::run_text(star.text());
    EXPECT_GT(number_of(run, "flows under rate control"), 50);
    for (const std::size_t f : {0u, 1u, 2u}) {
      const FlowResult& flow = run.measurements.flows[f];
      const double rate = 8.0 * static_cast<double>(flow.delivered_in_window) / 19e-3;
      EXPECT_LT(rate / 2.4e9, 1.005) << f;
      EXPECT_GT(rate / 2.4e9, 0.98) << f;
    }
  }
}

// Packets of any size, and others beside them that are not controlled: a flow gets the rate that was calculated.
TEST(Explicit, RatesHoldForEverySizeOfPackets) {
  for (const char* injection : {"ps", "svc"})
    for (const char* payload : {"960", "1500", "64", "1100"}) {
      SCOPED_TRACE(std::string(injection) + " " + payload);
      Star star;
      star.payload = "[2048]";
      star.packet = "header = '40B'\n";
      star.switches = "lanes = 2\n";
      star.traffic = flows(R"([0, 2, "endless"])") +
                     fmt::format(R"([[traffic]]
pattern = "uniform"
hosts = [1]
to = [3]
load = 0.01
lane = 1
payload = ["{}B"]
)", payload);
      star.scheme = fmt::format("name = 'ffa'\nreserved = '20%'\nsporadic_lane = 1\ninjection = '{}'\n",
                                injection);
      star.run = "duration = '5ms'\nwarmup = '1ms'\n";
      const Outcome run = testing::run_text(star.text());
      const double rate = 8.0 * static_cast<double>(run.measurements.flows[0].delivered_in_window) / 4e-3;
      EXPECT_NEAR(rate / (6.4e9 * 2048 / 2088), 1, 0.002);
    }
}

// Without packets, flows end when the rates say; with packets, within a few packet times of that.
TEST(Explicit, FluidFlowsMoveAtTheRates) {
  for (const char* scheme : {"saa", "saa-m", "ffa", "afa"}) {
    const Outcome run = testing::run_text(figure_1_1(fmt::format("name = '{}'\n", scheme)) + "engine = 'fluid'\n");
    EXPECT_EQ(run.measurements.ending, Ending::finished);
    for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(completion(run, f), 8000 * kUs) << scheme << f;
  }
  Star star;
  star.packet = "header = '250B'\n";
  star.traffic = flows(R"([0, 2, "4MB", "0s"], [1, 2, "4MB", "1ms"])");
  star.scheme = "name = 'ffa'\nreserved = '20%'\n";
  const Outcome packets = testing::run_text(star.text());
  star.run += "engine = 'fluid'\n";
  const Outcome fluid = testing::run_text(star.text());
  // 0.64 B per ns: 640 kB alone, the rest at half of that.
  EXPECT_EQ(completion(fluid, 0), (1000 + 10'500) * kUs);
  for (const std::size_t f : {0u, 1u}) {
    EXPECT_NE(completion(packets, f), completion(fluid, f));
    EXPECT_LT(std::abs(completion(packets, f) - completion(fluid, f)), 5 * kUs);
  }
  EXPECT_EQ(number_of(fluid, "rate calculations"), 3);
}

TEST(Explicit, FluidRunsRefuseWhatNeedsPackets) {
  Star star;
  star.traffic = flows(R"([0, 1, "4000B", "1us"])");
  star.run += "engine = 'fluid'\n";
  const auto refusal = [&](const std::string& more) {
    star.scheme = "name = 'ffa'\n" + more;
    return error_of([&] { testing::run_text(star.text()); });
  };
  EXPECT_EQ(refusal(""), "no error");
  EXPECT_TRUE(says(refusal("injection = 'svc'\n"), "no packets"));
  star.traffic += "[[traffic]]\npattern = 'uniform'\nload = 0.1\n";
  star.run = "duration = '1ms'\nengine = 'fluid'\n";
  EXPECT_TRUE(says(refusal(""), "traffic of single packets at random"));
  star.scheme = "name = 'window'\n";
  EXPECT_TRUE(says(error_of([&] { testing::run_text(star.text()); }), "works on packets"));
}

TEST(Explicit, ARateTakesEffectAfterTheCalculation) {
  Star star;
  star.traffic = flows(R"([0, 1, "4000B", "1us"])");
  star.scheme = "name = 'ffa'\ncalculation = '5us'\n";
  EXPECT_EQ(completion(testing::run_text(star.text()), 0), 10 * kUs);  // starts at 1, may send from 6 on
  star.scheme += "unrated = 'source-share'\n";
  EXPECT_EQ(completion(testing::run_text(star.text()), 0), 5 * kUs);
}

TEST(Explicit, WithoutARateOfItsOwnAFlowTakesAShareOfItsSource) {
  Star star;
  star.traffic = flows(R"([0, 1, "4000B", "0s"], [0, 2, "4000B", "0s"])");
  star.scheme = "name = 'ffa'\ncalculation = '50us'\nunrated = 'source-share'\n";
  const Outcome run = testing::run_text(star.text());
  // The first was alone when it asked (the whole line), the second has half: together more than the link, so packets
  // follow each other, two of the first for one of the second, until the first is done; then one every 2 us, at 7
  // and 9.
  EXPECT_EQ(completion(run, 0), 6 * kUs);
  EXPECT_EQ(completion(run, 1), 10 * kUs);
}

TEST(Explicit, WhatIsReservedStaysFree) {
  Star star;
  star.traffic = flows(R"([0, 1, "4000B", "0s"])");
  star.scheme = "name = 'saa'\nreserved = '20%'\n";
  const Outcome run = testing::run_text(star.text());
  EXPECT_NEAR(run.measurements.flows[0].offered_rate, 6.4e9, 1);
  EXPECT_EQ(completion(run, 0), 3 * 1250 * kNs + 1000 * kNs);  // a packet every 1.25 us
}

TEST(Explicit, RatesFollowTheFlowsThatComeAndGo) {
  // Two flows into one host: half each while both run; the second is half as long.
  Star star;
  star.traffic = flows(R"([0, 2, "400kB", "0s"], [1, 2, "200kB", "0s"])");
  star.scheme = "name = 'ffa'\n";
  const Outcome run = testing::run_text(star.text());
  EXPECT_NEAR(static_cast<double>(completion(run, 1)), 400.0 * kUs, 3.0 * kUs);
  EXPECT_NEAR(static_cast<double>(completion(run, 0)), 600.0 * kUs, 3.0 * kUs);
  EXPECT_EQ(number_of(run, "rate calculations"), 3);  // start, end, end
}

TEST(Explicit, SaaWeighsBySizeSoThatAllEndTogether) {
  Star star;
  star.traffic = flows(R"([0, 2, "300kB", "0s"], [1, 2, "100kB", "0s"])");
  star.scheme = "name = 'saa'\n";
  const Outcome run = testing::run_text(star.text());
  EXPECT_NEAR(static_cast<double>(completion(run, 0)), 400.0 * kUs, 5.0 * kUs);
  EXPECT_NEAR(static_cast<double>(completion(run, 1)), 400.0 * kUs, 5.0 * kUs);
}

TEST(Explicit, AfaGivesAnApplicationOneRate) {
  // Figure 2.2: three flows of one application into host 4; one of each application into host 5.
  Star star;
  star.hosts = 8;
  star.traffic =
      R"([[traffic]]
name = "a1"
pattern = "flows"
list = [[0, 4, "300kB", "0s"], [1, 4, "300kB", "0s"], [2, 4, "300kB", "0s"], [3, 5, "300kB", "0s"]]
[[traffic]]
name = "a2"
pattern = "flows"
list = [[6, 5, "300kB", "0s"]]
)";
  star.scheme = "name = 'afa'\n";
  star.run = "duration = '100us'\n";
  const Outcome run = testing::run_text(star.text());
  for (std::size_t f = 0; f < 4; ++f) EXPECT_NEAR(run.measurements.flows[f].offered_rate, 8e9 / 3, 1) << f;
  EXPECT_NEAR(run.measurements.flows[4].offered_rate, 8e9 * 2 / 3, 1);
}

TEST(Explicit, APriorityIsAFactorOfItsApplicationsRate) {
  Star star;
  star.traffic = R"([[traffic]]
name = "one"
pattern = "flows"
list = [[0, 2, "300kB"]]
[[traffic]]
name = "two"
pattern = "flows"
list = [[1, 2, "300kB"]]
)";
  star.run = "duration = '100us'\n";
  star.scheme = "name = 'afa'\npriorities = [1, 3]\n";
  const Outcome run = testing::run_text(star.text());
  EXPECT_NEAR(run.measurements.flows[0].offered_rate, 2e9, 1);
  EXPECT_NEAR(run.measurements.flows[1].offered_rate, 6e9, 1);
  star.scheme = "name = 'afa'\npriorities = [1, 3, 2]\n";
  EXPECT_TRUE(says(error_of([&] { testing::run_text(star.text()); }), "3 priorities for 2 application(s): one, two"));
  star.scheme = "name = 'ffa'\npriorities = [1, 3]\n";
  EXPECT_TRUE(says(error_of([&] { testing::run_text(star.text()); }), "priorities"));
}

// Bulk flows on lane 0 and messages on lane 1.
std::string two_lanes(const std::string& scheme) {
  Star star;
  star.hosts = 5;
  star.switches = "lanes = 2\nbuffer_packets = 8\n";
  star.scheme = scheme;
  star.run = "duration = '2ms'\nwarmup = '200us'\n";
  star.traffic = R"([[traffic]]
pattern = "flows"
class = "bulk"
list = [[0, 4, "100MB", "0s"], [1, 4, "100MB", "0s"], [2, 4, "100MB", "0s"]]
[[traffic]]
pattern = "hotspot"
class = "messages"
lane = 1
hosts = [3]
target = 4
load = 0.15
)";
  return star.text();
}

TEST(Explicit, SporadicTrafficHasItsLaneAndItsShare) {
  const Outcome run = testing::run_text(two_lanes("name = 'ffa'\nreserved = '20%'\nsporadic_lane = 1\n"));
  EXPECT_EQ(number_of(run, "flows under rate control"), 3);
  for (std::size_t f = 0; f < 3; ++f) {
    EXPECT_NEAR(run.measurements.flows[f].offered_rate, 8e9 * 0.8 / 3, 1);
    EXPECT_NEAR(static_cast<double>(run.measurements.flows[f].delivered_in_window), 0.8 / 3 * 1.8e6, 0.01 * 1.8e6);
  }
  // Half a packet of a bulk flow on average, one of its own, at times another message.
  EXPECT_LT(run.measurements.classes[1].latency.mean(), 3.0 * kUs);
}

TEST(Explicit, WithoutALaneOfItsOwnItIsControlledToo) {
  const Outcome run = testing::run_text(two_lanes("name = 'ffa'\ntrain = 1\nidle = '100us'\n"));
  EXPECT_EQ(number_of(run, "flows under rate control"), 4);
  EXPECT_NEAR(run.measurements.flows[0].offered_rate, 8e9 / 4, 1);
}

TEST(Explicit, PacketsInARowMakeAFlowAndSilenceEndsIt) {
  Star star;
  star.run = "duration = '300us'\n";
  star.scheme = "name = 'ffa'\ntrain = 4\nidle = '10us'\n";
  const auto burst = [](int host, int packets) {
    return fmt::format(
        R"([[traffic]]
pattern = "hotspot"
name = "b{}"
hosts = [{}]
target = 3
load = 0.5
arrivals = "constant"
packets = {}
)",
        host, host, packets);
  };
  star.traffic = burst(0, 3);
  EXPECT_EQ(number_of(testing::run_text(star.text()), "flows under rate control"), 0);
  star.traffic = burst(0, 4);
  EXPECT_EQ(number_of(testing::run_text(star.text()), "flows under rate control"), 1);
  star.traffic = burst(0, 40) + burst(1, 40);
  const Outcome two = testing::run_text(star.text());
  EXPECT_EQ(number_of(two, "flows under rate control"), 2);
  EXPECT_GE(number_of(two, "rate calculations"), 2);  // and at the end none is left
  EXPECT_EQ(two.measurements.classes[0].received, 80u);
}

TEST(Explicit, RealisedRatesEqualCalculatedOnesOnAdaptiveRoutes) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  const std::string text =
      R"([topology]
kind = "modified-k-ary-n-tree"
k = 4
n = 3
width = 2
[link]
rate = "10Gbps"
delay = "15ns"
[packet]
payload = [2048]
[switch]
route_delay = "100ns"
switch_delay = "0ns"
lanes = 2
priority = "preemptive"
buffer_packets = 8
[routing]
choice = "flow-setup"
[[traffic]]
pattern = "permutation"
count = 3
bytes = "100MB"
[run]
duration = "3300us"
warmup = "200us"
[scheme]
name = "ffa"
)";
  const Scenario scenario = testing::scenario_of(text);
  const RunSetup prepared = set_up(scenario);
  const RunInput run{prepared.network->topology, prepared.network->routes, *prepared.workload,
                      packet_config(scenario, prepared.network->topology, *prepared.workload), 1};
  for (const RateAlgorithm algorithm : {RateAlgorithm::saa, RateAlgorithm::saa_m, RateAlgorithm::ffa}) {
    const ExplicitOutcome out = run_explicit(algorithm, run, scenario.section("scheme"));
    ASSERT_EQ(out.flows.size(), prepared.workload->flows.size());
    for (const RealisedRate& flow : out.flows) EXPECT_NEAR(flow.measured / flow.calculated, 1.0, 0.005);
  }
}

TEST(Explicit, WhatCannotBeMeantIsRefused) {
  Star star;
  star.traffic = flows(R"([0, 1, "4000B", "0s"])");
  const auto with = [&](const std::string& lines) {
    star.scheme = "name = 'ffa'\n" + lines;
    return testing::refusal_of_run(star.text());
  };
  EXPECT_TRUE(says(with("method = 'fluid'\n"), R"(engine = "fluid" belongs to [run])"));
  EXPECT_TRUE(says(with("burst = 2\n"), "leaky-bucket"));
  EXPECT_TRUE(says(with("injection = 'svc'\nwaiting = 'made-up'\n"), "no effect"));
  EXPECT_TRUE(says(with("injection = 'leaky-bucket'\nunit = 500\n"), "largest packet"));
  EXPECT_TRUE(says(with("train = 7\n"), "consists of flows"));
  EXPECT_TRUE(says(with("sporadic_lane = 1\n"), "does not exist"));
  star.scheme = "name = 'ffa'\n";
  EXPECT_TRUE(says(testing::refusal_of_run(star.text() + "[routing]\nchoice = 'live-queue'\n"), "one route per flow"));
}

}  // namespace
}  // namespace weir
