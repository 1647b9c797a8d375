// Flow set-up in whole runs: what it costs, that routes are those of the flow-level router, that a connection is used
// again only after its tear-down, and that nothing ever arrives out of order (the engine aborts if it does).
#include <gtest/gtest.h>

#include <set>

#include "flow/flow_router.h"
#include "packet/packet_engine.h"
#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

using testing::completion;
using testing::flows;
using testing::kNs;
using testing::number_of;
using testing::Star;

const char* const kSetup = "[routing]\nchoice = 'flow-setup'\n";

// A modified 4-ary 3-tree with a control lane.
std::string tree(const std::string& traffic, const std::string& routing = "", const std::string& switches = "",
                 const std::string& scheme = "name = 'none'\n") {
  return fmt::format(
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
{}[routing]
choice = "flow-setup"
{}[scheme]
{}{})",
      switches, routing, scheme, traffic);
}

TEST(FlowSetupRun, TheFirstPacketWaitsForTheRoundTrip) {
  // 40 B there and back through one switch that costs nothing: 80 ns, then a packet of 1 us.
  Star star;
  star.traffic = flows(R"([0, 1, "1000B", "0s"])");
  EXPECT_EQ(completion(testing::run_text(star.text()), 0), 1000 * kNs);
  const Outcome run = testing::run_text(star.text() + kSetup);
  EXPECT_EQ(completion(run, 0), 1080 * kNs);
  EXPECT_EQ(number_of(run, "routes set up"), 1);
}

TEST(FlowSetupRun, AFlowOfTheSameConnectionWaitsForTheTearDown) {
  // Set-up 80 ns, data until 1080, acknowledgement 40, tear-down there and back 80, set-up 80, data 1000.
  Star star;
  star.traffic = flows(R"([0, 1, "1000B", "0s"], [0, 1, "1000B", "0s"])");
  const Outcome one = testing::run_text(star.text() + kSetup + "setup_connections = 1\n");
  EXPECT_EQ(completion(one, 0), 1080 * kNs);
  EXPECT_EQ(completion(one, 1), (1080 + 40 + 80 + 80 + 1000) * kNs);
  // With a connection for each they share the link; the set-up packets go one after the other.
  const Outcome two = testing::run_text(star.text() + kSetup);
  EXPECT_EQ(completion(two, 1), 2080 * kNs);
}

// Keeps the route of every flow.
struct RouteProbe : SchemeHooks {
  std::vector<std::vector<std::uint32_t>> links;
  std::size_t ended = 0, standing = 0;
  CentralPart all{*this, "it looks at the routes of all switches"};
  void on_route(HostView, ConnectionId connection) override {
    links.resize(std::max<std::size_t>(links.size(), connection.index + 1));
    for (const LinkId link : all.route_links(connection)) links[connection.index].push_back(link.index);
  }
  void on_end(const GlobalView&) override {
    for (std::uint32_t f = 0; f < all.workload().flows.size(); ++f) standing += !all.route_links({f}).empty();
  }
  bool on_route_end(HostView, ConnectionId) override {
    ++ended;
    return true;
  }
};

TEST(FlowSetupRun, RoutesAreThoseOfTheFlowLevelRouter) {
  // Flows that start one after the other and all last: every set-up sees the same loads as the router does.
  std::string rows;
  RandomStream random(3, Purpose::test, 0);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (int i = 0; i < 150; ++i) {
    const auto from = static_cast<std::uint32_t>(random.below(64)), to = static_cast<std::uint32_t>(random.below(64));
    if (from == to) continue;
    rows += fmt::format(R"([{}, {}, "100MB", "{}us"], )", from, to, pairs.size() * 10);
    pairs.emplace_back(from, to);
  }
  const Scenario scenario =
      testing::scenario_of(tree(flows(rows) + "[run]\nduration = '1600us'\n", "setup_cache = 3\n"));
  const RunSetup prepared = set_up(scenario);
  const RunInput run{prepared.network->topology, prepared.network->routes, *prepared.workload,
                      packet_config(scenario, prepared.network->topology, *prepared.workload), 1};
  RouteProbe probe;
  run_packets(run, probe);
  FlowRoutingPolicy policy = FlowRoutingPolicy::forced(8);
  policy.cache_entries = 3;
  FlowRouter router(prepared.network->topology, prepared.network->routes, policy);
  ASSERT_EQ(probe.links.size(), pairs.size());
  std::size_t sideways = 0;
  for (std::size_t f = 0; f < pairs.size(); ++f) {
    std::vector<std::uint32_t> path;
    router.set_up({pairs[f].first}, {pairs[f].second}, 1, path);
    path.erase(path.begin());  // the host's own link
    EXPECT_EQ(probe.links[f], path) << f;
    sideways += path.size() % 2 == 0;
  }
  EXPECT_GT(sideways, 0u);  // otherwise this shows little
}

TEST(FlowSetupRun, ChanceDecidesTiesIfAskedTo) {
  // One flow at a time from every host to the same one: all ways up are equally good each time.
  const auto ways_up = [](const char* ties, std::uint64_t seed) {
    std::string rows;
    for (int from = 4; from < 64; ++from) rows += fmt::format(R"([{}, 0, "2kB", "{}us"], )", from, 20 * from);
    const Scenario scenario = testing::scenario_of(
        tree(flows(rows) + "[run]\nuntil = 'flows'\n", fmt::format("setup_ties = '{}'\n", ties)));
    const RunSetup prepared = set_up(scenario);
    const Topology& topology = prepared.network->topology;
    const RunInput run{topology, prepared.network->routes, *prepared.workload,
                        packet_config(scenario, topology, *prepared.workload), seed};
    RouteProbe probe;
    run_packets(run, probe);
    std::vector<std::uint32_t> first;
    for (const std::vector<std::uint32_t>& links : probe.links) first.push_back(topology.local({links[0]}));
    return first;
  };
  const std::vector<std::uint32_t> fixed = ways_up("default", 1), drawn = ways_up("random", 1);
  EXPECT_EQ(std::set<std::uint32_t>(fixed.begin(), fixed.end()).size(), 1u);
  EXPECT_EQ(std::set<std::uint32_t>(drawn.begin(), drawn.end()).size(), 4u);
  EXPECT_EQ(drawn, ways_up("random", 1));
  EXPECT_NE(drawn, ways_up("random", 2));
}

TEST(FlowSetupRun, EverythingIsTornDownInTheEnd) {
  const Scenario scenario = testing::scenario_of(
      tree(R"([[traffic]]
pattern = "permutation"
bytes = "100kB"
[run]
until = "flows"
settle = "20us"
)"));
  const RunSetup prepared = set_up(scenario);
  const RunInput run{prepared.network->topology, prepared.network->routes, *prepared.workload,
                      packet_config(scenario, prepared.network->topology, *prepared.workload), 1};
  RouteProbe probe;
  run_packets(run, probe);
  EXPECT_EQ(probe.ended, prepared.workload->flows.size());
  EXPECT_EQ(probe.standing, 0u);
}

TEST(FlowSetupRun, AFullCacheCostsPathsButNoFlow) {
  const std::string traffic =
      R"([[traffic]]
pattern = "permutation"
count = 4
bytes = "50kB"
[run]
until = "flows"
)";
  const Outcome none = testing::run_text(tree(traffic, "setup_cache = 0\n"));
  EXPECT_EQ(number_of(none, "entries of a route cache at most"), 0);
  EXPECT_GT(number_of(none, "choices lost to a full route cache"), 0);
  const Outcome one = testing::run_text(tree(traffic, "setup_cache = 1\n"));
  EXPECT_EQ(number_of(one, "entries of a route cache at most"), 1);
  const Outcome all = testing::run_text(tree(traffic));
  EXPECT_EQ(number_of(all, "choices lost to a full route cache"), 0);
  EXPECT_GT(number_of(all, "entries of a route cache at most"), 1);
  for (const Outcome* o : {&none, &one, &all}) EXPECT_EQ(o->measurements.ending, Ending::finished);
}

// Random traffic: pairs of hosts come and go as flows while sporadic packets of the same pairs use default ports.
std::string bursts(const char* pattern) {
  return fmt::format(
      R"([[traffic]]
pattern = "{}"
class = "all"
load = 0.6
stop = "300us"
range = [0, 7]
{}[run]
until = "class"
class = "all"
settle = "100us"
max_time = "20ms"
)",
      pattern, std::string_view(pattern) == "hotspot" ? "target = 60\n" : "");
}

TEST(FlowSetupRun, RandomTrafficKeepsItsOrderOnEveryKindOfSwitch) {
  const char* const kSwitches[] = {
      "buffer_packets = 4\n",
      "arbitration = 'round-robin'\nbuffer_packets = 4\n",
      "organisation = 'fifo-in-out'\nbuffer_packets = 2\noutput_buffer = '4096B'\n",
  };
  for (const char* switches : kSwitches)
    for (const char* pattern : {"uniform", "hotspot"})
      for (const char* routing : {"setup_train = 1\nsetup_idle = '3us'\n", "setup_train = 2\nsetup_idle = '30us'\n",
                                  "setup_train = 2\nsetup_idle = '30us'\nsetup_connections = 1\n"}) {
        const std::string text = tree(bursts(pattern), routing, switches);
        SCOPED_TRACE(text);
        const Outcome run = testing::run_text(text);
        EXPECT_EQ(run.measurements.ending, Ending::finished) << run.measurements.ending_text;
        EXPECT_EQ(run.measurements.classes[0].received, run.measurements.classes[0].generated);
        EXPECT_EQ(run.measurements.classes[0].out_of_order, 0u);
        EXPECT_GT(number_of(run, "routes set up"), 1);
      }
}

TEST(FlowSetupRun, RarePacketsAreNoFlow) {
  const std::string traffic =
      "[[traffic]]\npattern = 'uniform'\nload = 0.01\n[run]\nduration = '300us'\n";
  EXPECT_EQ(number_of(testing::run_text(tree(traffic, "setup_train = 3\nsetup_idle = '2us'\n")), "routes set up"), 0);
}

TEST(FlowSetupRun, WorksOnStoredRoutesAndMultistageNetworks) {
  const char* const kFabrics[] = {
      "[topology]\nkind = 'bmin'\nk = 4\nn = 3\n",
      "[topology]\nkind = 'umin'\nk = 4\nn = 3\n",
      R"([topology]
kind = "k-ary-n-tree"
k = 4
n = 2
[routing]
kind = "up-down"
choice = "flow-setup"
)",
  };
  for (const char* fabric : kFabrics) {
    std::string text = fabric;
    if (text.find("[routing]") == std::string::npos) text += kSetup;
    text += R"([packet]
payload = [1000]
[[traffic]]
pattern = "permutation"
count = 3
bytes = "30kB"
[run]
until = "flows"
)";
    const Outcome run = testing::run_text(text);
    EXPECT_EQ(run.measurements.ending, Ending::finished) << text;
    EXPECT_EQ(number_of(run, "routes set up"), static_cast<double>(run.workload->flows.size()));
  }
}

TEST(FlowSetupRun, SettingsWithoutEffectAreRefused) {
  Star star;
  star.traffic = flows(R"([0, 1, "1000B", "0s"])");
  EXPECT_TRUE(says(testing::refusal(star.text() + "[routing]\nsetup_cache = 4\n"), "no effect"));
  EXPECT_TRUE(says(testing::refusal(star.text() + kSetup + "setup_train = 3\n"), "consists of flows"));
  EXPECT_TRUE(says(testing::refusal(star.text() + kSetup + "setup_sideways = 'free'\n"), "horizontal links"));
  EXPECT_TRUE(says(testing::refusal(star.text() + kSetup + "setup_lane = 1\n"), "does not exist"));
  EXPECT_TRUE(says(testing::refusal(star.text() + kSetup + "setup_bytes = 4000\n"), "buffers are made"));
}

}  // namespace
}  // namespace weir
