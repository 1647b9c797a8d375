// Slowdown: exactly 1 for a flow that is alone, whatever fabric, switch and packets it meets; more, and by how much,
// where flows share a link; victims of pausing.
#include <gtest/gtest.h>

#include <algorithm>

#include "measure/digest.h"
#include "run/lab.h"

namespace weir {
namespace {

struct Part {
  const char* name;
  const char* lines;
};
constexpr Part kFabrics[] = {
    {"tree", "kind = 'k-ary-n-tree'\nk = 4\nn = 3\n"},
    {"umin", "kind = 'umin'\nk = 2\nn = 4\n"},
    {"star", "kind = 'star'\nhosts = 5\n"},
    {"leaf_spine", "kind = 'leaf-spine'\nleaves = 4\nspines = 3\nhosts = 4\n"},
    {"slow_spines", "kind = 'leaf-spine'\nleaves = 4\nspines = 3\nhosts = 4\nuplink_rate = '3Gbps'\n"},
    {"fast_spines", "kind = 'leaf-spine'\nleaves = 4\nspines = 3\nhosts = 4\nuplink_rate = '47.3Gbps'\n"},
    {"dragonfly", "kind = 'dragonfly'\n"},
    {"mixed_chain",
     R"(kind = "graph"
hosts = ["A", "B", "C"]
switches = ["S1", "S2", "S3", "S4"]
links = [["A", "S1", "7Gbps"], ["S1", "S2", "25Gbps"], ["S2", "S3", "3Gbps"], ["S3", "S4", "40Gbps"],
         ["B", "S4", "5Gbps"], ["C", "S3", "100Gbps"]]
)"},
};
constexpr Part kSwitches[] = {
    {"voq", "organisation = 'voq-input'\n"},
    {"voq_round_robin", "organisation = 'voq-input'\narbitration = 'round-robin'\n"},
    {"crossbar", "organisation = 'fifo-in-out'\nspeedup = 1\noutput_buffer = '4MB'\n"},
    {"crossbar_fast", "organisation = 'fifo-in-out'\nspeedup = 1.7\noutput_buffer = '4MB'\n"},
    {"output_queued", "organisation = 'output-queued'\n"},
    {"pause", "organisation = 'output-queued'\nflow_control = 'pause'\n"},
};
constexpr Part kPackets[] = {
    {"small", "payload = [100]\nheader = '7B'\n"},
    {"large", "payload = [4096]\nheader = '64B'\n"},
    {"bare", "payload = [999]\n"},
};

// Flows one after the other, each on an empty fabric.
std::string lone_flows(std::uint32_t hosts) {
  std::string rows;
  std::int64_t start_us = 0;
  for (const Bytes bytes : {Bytes{1}, Bytes{100}, Bytes{101}, Bytes{4096}, Bytes{9990}, Bytes{123'457}})
    for (std::uint32_t pair = 0; pair < 2; ++pair, start_us += 10'000)
      rows += fmt::format("[{}, {}, '{}B', '{}us'], ", pair * (hosts - 1), pair == 0 ? hosts - 1 : 1, bytes, start_us);
  return testing::flows(rows);
}

std::string scenario(const Part& fabric, const Part& machine, const Part& packet, const char* switching,
                     const char* choice) {
  const bool dragonfly = std::string_view(fabric.name) == "dragonfly";
  const bool chain = std::string_view(fabric.name) == "mixed_chain";
  const std::string head = fmt::format(
      "[topology]\n{}[link]\nrate = '10Gbps'\ndelay = '123ns'\n[packet]\n{}[switch]\n{}switching = '{}'\n"
      "buffer = '4MB'\nroute_delay = '77ns'\nswitch_delay = '11ns'\n{}[routing]\n{}[run]\nuntil = 'flows'\n",
      fabric.lines, packet.lines, machine.lines, switching, dragonfly ? "lanes = 2\n" : "",
      chain ? "kind = 'up-down'\n" : choice);
  const Scenario draft = testing::scenario_of(head + testing::flows("[0, 1, 1]"));
  return head + lone_flows(static_cast<std::uint32_t>(build_topology(draft).hosts()));
}

void expect_one(const std::string& text, const std::string& what) {
  const Outcome outcome = testing::run_text(text);
  for (const FlowResult& flow : outcome.measurements.flows)
    ASSERT_EQ((flow.completion - flow.start).ps, flow.alone.ps)
        << what << ", " << flow.bytes << " B from " << flow.source.index << " to " << flow.destination.index;
}

TEST(Slowdown, OfALoneFlowIsOne) {
  // Slow builds take every fifth case: every fabric meets every machine, and packets and switching of all kinds occur.
  const std::size_t every = scaled_count(5, 1, 1);
  std::size_t number = 0;
  for (const Part& fabric : kFabrics)
    for (const Part& machine : kSwitches)
      for (const Part& packet : kPackets)
        for (const char* switching : {"cut-through", "store-and-forward"}) {
          if (number++ % every != 0) continue;
          const std::string what = fmt::format("{}, {}, {}, {}", fabric.name, machine.name, packet.name, switching);
          expect_one(scenario(fabric, machine, packet, switching, ""), what);
        }
}

TEST(Slowdown, OfALoneFlowIsOneOnItsWayByHash) {
  for (const Part& fabric : {kFabrics[0], kFabrics[4], kFabrics[5]})
    expect_one(scenario(fabric, kSwitches[0], kPackets[0], "cut-through", "choice = 'ecmp'\n"), fabric.name);
}

TEST(Slowdown, OfALoneFluidFlowIsOne) {
  std::string text = scenario(kFabrics[4], kSwitches[0], kPackets[0], "cut-through", "");
  text.replace(text.find("until = 'flows'\n"), 16, "until = 'flows'\nengine = 'fluid'\n[scheme]\nname = 'ffa'\n");
  expect_one(text, "fluid");
}

// By hand: 10 packets of 1000 B at 1 B/ns, 5 us of cable twice: 20 us. Two such flows to one host take 30 us.
TEST(Slowdown, ByHand) {
  testing::Star star;
  star.link = "delay = '5us'\n";
  star.switches = "buffer = '1MB'\n";
  star.traffic = testing::flows("[0, 3, '10kB'], [1, 3, '10kB'], [2, 3, '10kB', '1ms']");
  const Outcome outcome = testing::run_text(star.text());
  const auto& flows = outcome.measurements.flows;
  for (const FlowResult& flow : flows) EXPECT_EQ(flow.alone.ps, 20 * testing::kUs);
  EXPECT_EQ(slowdown_of(flows[2]), 1);
  EXPECT_DOUBLE_EQ(std::max(*slowdown_of(flows[0]), *slowdown_of(flows[1])), 1.5);
  const auto all = slowdown(outcome.measurements, {}, {});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->all.flows, 3u);
  EXPECT_EQ(all->by_size.size(), 1u);
  EXPECT_DOUBLE_EQ(all->all.max, 1.5);
}

// What the adapter does to a flow counts. Its only packet takes 1 us, behind two of the flow that is there already.
TEST(Slowdown, CountsTheAdapter) {
  testing::Star star;
  star.switches = "buffer = '1MB'\n";
  star.traffic = testing::flows("[0, 1, '1MB'], [0, 2, '1kB', '1ns']");
  const Outcome outcome = testing::run_text(star.text());
  EXPECT_DOUBLE_EQ(*slowdown_of(outcome.measurements.flows[1]), 2.999);
  EXPECT_DOUBLE_EQ(*slowdown_of(outcome.measurements.flows[0]), 1.001);
}

std::string arrivals(const std::string& run) {
  return R"([topology]
kind = "leaf-spine"
leaves = 4
spines = 2
hosts = 4
[link]
rate = "100Gbps"
delay = "1us"
[packet]
payload = [4000]
[switch]
buffer = "1MB"
[adapter]
organisation = "per-flow"
[routing]
choice = "ecmp"
[[traffic]]
pattern = "flow-arrivals"
sizes = "fbhadoop"
load = 0.6
stop = "200us"
[[traffic]]
pattern = "incast-arrivals"
senders = 10
bytes = "20kB"
load = 0.05
stop = "200us"
[run]
)" +
         run;
}

TEST(FlowArrivals, AreTheSameForEveryNumberOfThreads) {
  const Scenario scenario = testing::scenario_of(arrivals("duration = '2ms'\n"));
  const Outcome one = simulate(scenario, {}, nullptr, 1), three = simulate(scenario, {}, nullptr, 3);
  EXPECT_EQ(three.measurements.totals.threads, 3u) << three.measurements.totals.one_thread;
  ASSERT_EQ(one.measurements.flows.size(), three.measurements.flows.size());
  for (std::size_t f = 0; f < one.measurements.flows.size(); ++f) {
    const FlowResult &a = one.measurements.flows[f], &b = three.measurements.flows[f];
    ASSERT_NE(a.completion, kNever);
    EXPECT_EQ(a.completion, b.completion);
    EXPECT_GE(*slowdown_of(a), 1);
    EXPECT_EQ(slowdown_of(a), slowdown_of(b));
  }
}

// L0 sends 2 x 100 Gb/s to H4 at L1; the flow from H2 to H5 shares only the uplink with them, and no root.
//   H0, H1, H2 - L0 - S - L1 - H4 (root), H5
TEST(Victims, OfPausing) {
  const std::string text = R"([topology]
kind = "graph"
hosts = ["H0", "H1", "H2", "H3", "H4", "H5"]
switches = ["L0", "S", "L1"]
links = [["H0", "L0"], ["H1", "L0"], ["H2", "L0"], ["H3", "L0", "50Gbps"], ["H4", "L1"], ["H5", "L1"],
         ["L0", "S", "400Gbps"], ["S", "L1", "400Gbps"]]
[link]
rate = "100Gbps"
delay = "100ns"
[packet]
payload = [1000]
[switch]
organisation = "output-queued"
flow_control = "pause"
buffer = "40kB"
[routing]
kind = "up-down"
[measure]
frames = 20
[[traffic]]
pattern = "flows"
list = [[0, 4, "1MB"], [1, 4, "1MB"], [2, 5, "500kB"], [3, 2, "500kB"]]
[run]
until = "flows"
)";
  const Outcome outcome = testing::run_text(text);
  FlowWays ways(outcome.network->topology, outcome.network->routes);
  const RunDigest d = digest(outcome.measurements, outcome.network->topology, {&ways, {}});
  ASSERT_EQ(d.flow_roles.size(), 4u);
  EXPECT_EQ(d.flow_roles[0], FlowRole::root);
  EXPECT_EQ(d.flow_roles[1], FlowRole::root);
  EXPECT_EQ(d.flow_roles[2], FlowRole::victim);
  EXPECT_EQ(d.flow_roles[3], FlowRole::none);
  ASSERT_TRUE(d.slowdown);
  EXPECT_EQ(d.slowdown->victims->flows, 1u);
  EXPECT_EQ(d.slowdown->victims->p50, *slowdown_of(outcome.measurements.flows[2]));
  EXPECT_GT(d.slowdown->victims->p50, 1.5);
  EXPECT_EQ(*slowdown_of(outcome.measurements.flows[3]), 1);
}

// The same over two spines, with every packet on another way.
TEST(Victims, WherePacketsTakeSeveralWays) {
  for (const std::string choice : {"spray", "round-robin", "flowlet"}) {
    const Outcome outcome = testing::run_text(R"([topology]
kind = "graph"
hosts = ["H0", "H1", "H2", "H3", "H4", "H5"]
switches = ["L0", "S0", "S1", "L1"]
links = [["H0", "L0"], ["H1", "L0"], ["H2", "L0", "50Gbps"], ["H3", "L0", "50Gbps"], ["H4", "L1"], ["H5", "L1"],
         ["L0", "S0", "200Gbps"], ["L0", "S1", "200Gbps"], ["S0", "L1", "200Gbps"], ["S1", "L1", "200Gbps"]]
[link]
rate = "100Gbps"
delay = "100ns"
[packet]
payload = [1000]
[switch]
organisation = "output-queued"
flow_control = "pause"
buffer = "40kB"
[routing]
kind = "shortest-paths"
choice = ")" + choice + R"("
[measure]
frames = 20
[[traffic]]
pattern = "flows"
list = [[0, 4, "1MB"], [1, 4, "1MB"], [2, 5, "500kB"], [3, 0, "500kB"]]
[run]
until = "flows"
)");
    FlowWays ways(outcome.network->topology, outcome.network->routes,
                  component_named<RouteChoiceKind>(choice).ways);
    const auto roles = digest(outcome.measurements, outcome.network->topology, {&ways, {}}).flow_roles;
    if (choice == "flowlet") {  // which ways were taken is not known
      EXPECT_TRUE(roles.empty());
      continue;
    }
    EXPECT_EQ(roles, (std::vector{FlowRole::root, FlowRole::root, FlowRole::victim, FlowRole::none})) << choice;
  }
}

}  // namespace
}  // namespace weir
