// Runs with every way to choose routes: threads change nothing, loads are as even as the choice makes them, and packets
// keep their order where the choice says so. no_deadlock_test.cpp has every topology with every routing.
#include <gtest/gtest.h>

#include <set>

#include "measure/flows/flow_ways.h"
#include "run/fingerprint.h"
#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

using testing::Fingerprint;

struct Fabric {
  const char* topology;
  std::uint32_t lanes, lanes_with_detours;  // 0: it has none
};
constexpr Fabric kFabrics[] = {
    {"kind = 'leaf-spine'\nhosts = 3\nleaves = 4\nspines = 2\nbundle = 2\n", 1, 0},
    {"kind = 'dragonfly'\nrouters = 3\nhosts = 1\nglobal_ports = 2\n", 2, 3},
};
constexpr const char* kChoices[] = {"fixed",       "live-queue", "ecmp",    "spray",
                                    "round-robin", "flowlet",    "valiant", "ugal"};
bool makes_detours(std::string_view choice) { return choice == "valiant" || choice == "ugal"; }

// Little room in the buffers, and more traffic than the fabric can carry.
std::string loaded(const Fabric& fabric, const std::string& choice, std::size_t seed) {
  const std::uint32_t lanes = makes_detours(choice) ? fabric.lanes_with_detours : fabric.lanes;
  return fmt::format(
      R"(seed = {}
[topology]
{}
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = [256]
header = "22B"
[switch]
lanes = {}
buffer = "1KiB"
[routing]
choice = "{}"
[[traffic]]
pattern = "permutation"
count = 4
bytes = "6kB"
[[traffic]]
pattern = "shift"
offset = {}
bytes = "6kB"
[run]
until = "flows"
max_time = "50ms"
)",
      seed, fabric.topology, lanes, choice, 1 + seed % 7);
}

TEST(RoutingRun, ThreadsChangeNothing) {
  for (const char* choice : kChoices) {
    for (const Fabric& fabric : kFabrics) {
      if (makes_detours(choice) && fabric.lanes_with_detours == 0) continue;
      const Scenario scenario = testing::scenario_of(loaded(fabric, choice, 3));
      const Measurements one = simulate(scenario).measurements, two = simulate(scenario, {}, nullptr, 2).measurements;
      EXPECT_EQ(two.totals.threads, 2u) << choice << two.totals.one_thread;
      EXPECT_EQ(Fingerprint::of(one), Fingerprint::of(two)) << choice;
    }
  }
}

// All hosts of a leaf send to those of the next one: what crosses each of its uplinks.
std::vector<std::uint64_t> uplink_packets(const std::string& choice, std::uint64_t& out_of_order) {
  const Outcome outcome = testing::run_text(fmt::format(
      R"([topology]
kind = "leaf-spine"
hosts = 8
leaves = 2
spines = 8
[link]
rate = "8Gbps"
[packet]
payload = [1000]
header = "24B"
[routing]
choice = "{}"
[[traffic]]
pattern = "shift"
offset = 8
bytes = "400kB"
[run]
until = "flows"
)",
      choice));
  EXPECT_EQ(outcome.measurements.ending, Ending::finished);
  out_of_order = outcome.measurements.classes[0].out_of_order;
  const Topology& t = outcome.network->topology;
  std::vector<std::uint64_t> packets;
  for (std::uint32_t i = 8; i < 16; ++i)
    packets.push_back(outcome.measurements.ports[t.port(t.node(SwitchId{0}), i).index].xmit_packets);
  return packets;
}

TEST(RoutingRun, ChoicesSpreadAsTheySay) {
  std::uint64_t reordered = 0;
  for (const std::uint64_t packets : uplink_packets("round-robin", reordered)) EXPECT_EQ(packets, 400u);
  for (const std::uint64_t packets : uplink_packets("spray", reordered))
    EXPECT_NEAR(static_cast<double>(packets), 400, 80);
  EXPECT_GT(reordered, 0u);
  std::uint64_t idle = 0;
  for (const std::uint64_t packets : uplink_packets("ecmp", reordered)) {
    EXPECT_EQ(packets % 400, 0u);  // whole flows
    idle += packets == 0;
  }
  EXPECT_EQ(reordered, 0u);
  EXPECT_GT(idle, 0u);
  for (const std::uint64_t packets : uplink_packets("fixed", reordered)) EXPECT_EQ(packets, 400u);
}

// Uplinks of the first leaf that a ring uses, in which one pair of its ranks crosses to the other leaf.
std::size_t uplinks_of_ring(const std::string& more, std::uint64_t seed) {
  const Outcome outcome = testing::run_text(fmt::format(
      "seed = {}\n[topology]\nkind = 'leaf-spine'\nhosts = 4\nleaves = 2\nspines = 16\n[routing]\nchoice = 'ecmp'\n"
      "[[traffic]]\npattern = 'collective'\nbytes = '800kB'\nrepeat = 2\n{}"
      "[[traffic]]\npattern = 'flows'\nlist = [[1, 2, '1kB'], [2, 3, '1kB']]\n[run]\nuntil = 'flows'\n",
      seed, more));
  const Topology& t = outcome.network->topology;
  std::size_t used = 0;
  for (std::uint32_t i = 4; i < 20; ++i)
    used += outcome.measurements.ports[t.port(t.node(SwitchId{0}), i).index].xmit_packets > 0;
  FlowWays ways(t, outcome.network->routes, WaysTaken::by_hash, seed, outcome.measurements.flows);
  std::set<std::uint32_t> expected;  // as measurements find out afterwards
  for (std::uint32_t f = 0; f < outcome.measurements.flows.size(); ++f) {
    const FlowResult& flow = outcome.measurements.flows[f];
    ways.each_link({f}, flow.source, flow.destination, [&](PortId port) {
      if (t.node_of(port) == t.node(SwitchId{0}) && !t.is_host(t.node_of(t.to(port)))) expected.insert(port.index);
      return true;
    });
  }
  EXPECT_EQ(used, expected.size());
  return used;
}

TEST(RoutingRun, MessagesOfACollectiveKeepThePathOfTheirQueuePair) {
  std::size_t of_four = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    EXPECT_EQ(uplinks_of_ring("", seed), 1u);
    EXPECT_LE(uplinks_of_ring("queue_pairs = 4\n", seed), 4u);
    of_four += uplinks_of_ring("queue_pairs = 4\n", seed);
  }
  EXPECT_GT(of_four, 8u);
}

TEST(RoutingRun, FlowletsChangeTheirWayOnlyAfterAGap) {
  const auto run = [](const std::string& gap) {
    return testing::run_text(fmt::format(
        "[topology]\nkind = 'leaf-spine'\nleaves = 2\nspines = 4\n[routing]\nchoice = 'flowlet'\nflowlet_gap = '{}'\n"
        "[[traffic]]\npattern = 'shift'\noffset = 4\nload = 0.05\n[run]\nduration = '2ms'\n",
        gap));
  };
  const auto used = [](const Outcome& outcome) {
    const Topology& t = outcome.network->topology;
    int count = 0;
    for (std::uint32_t i = 4; i < 8; ++i)
      count += outcome.measurements.ports[t.port(t.node(SwitchId{0}), i).index].xmit_packets > 0;
    return count;
  };
  EXPECT_EQ(used(run("0ns")), 4);
  const Outcome long_gap = run("1s");
  EXPECT_LT(used(long_gap), 4);
  EXPECT_EQ(long_gap.measurements.classes[0].out_of_order, 0u);
}

TEST(RoutingRun, OtherWordsForChoicesAreKnown) {
  const std::string star = "[topology]\nkind = 'star'\n[[traffic]]\npattern = 'uniform'\nload = 0.1\n[run]\n"
                           "duration = '1us'\n";
  EXPECT_TRUE(says(testing::refusal_of_run(star + "[routing]\nchoice = 'adaptive'\n"),
                   "adaptive routing is \"live-queue\" for each packet"));
  const std::string preset = testing::refusal_of_run(star + "[switch]\npreset = 'spectrum-3'\n");
  EXPECT_TRUE(says(preset, "cannot be \"spectrum-3\"; the choices are"));
  EXPECT_TRUE(says(testing::refusal_of_run(star + "[adapter]\ndrain_rate = '1Gbps'\n"), "`receive_rate`"));
  EXPECT_TRUE(says(testing::refusal_of_run(star + "[scheme]\nname = 'dcqcn'\ngreen_min_threshold = '1kB'\n"),
                   "did you mean `kmin` of dcqcn?"));
}

TEST(RoutingRun, ChoicesWithoutEffectAreTold) {
  const std::string star =
      "[topology]\nkind = 'star'\nhosts = 4\n[[traffic]]\npattern = 'uniform'\nload = 0.1\n[run]\nduration = "
      "'1us'\n[routing]\n";
  EXPECT_TRUE(says(error_of([&] { testing::run_text(star + "choice = 'valiant'\n"); }), "valiant needs detours"));
  const Outcome outcome = testing::run_text(star + "choice = 'ecmp'\n");
  ASSERT_EQ(outcome.warnings.size(), 1u);
  EXPECT_TRUE(says(outcome.warnings[0], "gives every packet a single path"));
}

// Horizontal links of a modified tree belong to routing by digits; with others, flow set-up does without them.
TEST(RoutingRun, FlowSetupTakesHorizontalHopsOnlyByDigits) {
  const std::string tree =
      "[topology]\nkind = 'modified-k-ary-n-tree'\nk = 3\nn = 2\n[[traffic]]\npattern = 'shift'\noffset = 4\nbytes = "
      "'10kB'\n[run]\nuntil = 'flows'\n[switch]\nlanes = 2\n[routing]\nchoice = 'flow-setup'\n";
  for (const char* kind : {"digits", "min-hop", "up-down"})
    EXPECT_EQ(testing::run_text(tree + fmt::format("kind = '{}'\n", kind)).measurements.ending, Ending::finished);
  EXPECT_TRUE(says(testing::refusal(tree + "kind = 'min-hop'\nsetup_sideways = 'free'\n"), "needs routing `digits`"));
}

}  // namespace
}  // namespace weir
