// Where nobody looks into the queues (one lane, credits), plain switches and buffered crossbars put packets onto their
// link ahead of time. Everything it measures must be the same, to the bit, as on the general path, which
// takes every step in its time. So do switches once all routes of flows that never end have been set up.
#include <gtest/gtest.h>

#include "packet/packet_engine.h"
#include "run/fingerprint.h"
#include "run/random_scenario.h"
#include "run/simulate.h"
#include "scenario/parse.h"

namespace weir {
namespace {

using testing::Fingerprint;

Measurements run_with(const Scenario& scenario, bool shortcuts) {
  const RunSetup setup = set_up(scenario);
  RunInput run = run_input(setup);
  run.shortcuts = shortcuts;
  return run_packets(run, SchemeHooks{});
}

Measurements run_scheme(const Scenario& scenario, bool shortcuts) {
  const RunSetup setup = set_up(scenario);
  RunInput run = run_input(setup);
  run.shortcuts = shortcuts;
  return setup.scheme.run(run);
}

std::string scenario_text(const std::string& traffic, int buffers, const std::string& more) {
  return R"([topology]
kind = "k-ary-n-tree"
k = 3
n = 3
[packet]
payload = ["300B", "1000B"]
header = "20B"
[switch]
buffer_packets = )" +
         std::to_string(buffers) + "\nroute_delay = '20ns'\n" + more +
         "\n[link]\nrate = '10Gbps'\ndelay = '7ns'\n" + traffic +
         "\n[run]\nduration = '300us'\nwarmup = '30us'\n";
}

void expect_same(const std::string& text, Measurements (*run)(const Scenario&, bool) = run_with) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Scenario scenario = parse_scenario_text(text, "test", vocabulary(), {{"seed", std::to_string(seed)}});
    const Measurements a = run(scenario, true), b = run(scenario, false);
    for (const ClassResult& c : a.classes) EXPECT_GT(c.received, 100u);
    for (std::size_t p = 0; p < a.ports.size(); ++p) {
      EXPECT_EQ(a.ports[p].xmit_bytes, b.ports[p].xmit_bytes) << p;
      EXPECT_EQ(a.ports[p].rcv_packets, b.ports[p].rcv_packets) << p;
      EXPECT_EQ(a.ports[p].busy, b.ports[p].busy) << p;
      EXPECT_EQ(a.ports[p].wait, b.ports[p].wait) << p;
      EXPECT_EQ(a.ports[p].peak_input_bytes, b.ports[p].peak_input_bytes) << p;
      EXPECT_EQ(a.ports[p].mean_input_bytes, b.ports[p].mean_input_bytes) << p;
      EXPECT_EQ(a.ports[p].peak_output_bytes, b.ports[p].peak_output_bytes) << p;
      EXPECT_EQ(a.ports[p].mean_output_bytes, b.ports[p].mean_output_bytes) << p;
    }
    EXPECT_EQ(Fingerprint::of(a), Fingerprint::of(b));
    EXPECT_LT(a.totals.events, b.totals.events);
  }
}

TEST(Shortcut, UniformTraffic) {
  expect_same(scenario_text("[[traffic]]\npattern = 'uniform'\nload = 0.7\n", 4, ""));
}
TEST(Shortcut, SaturatedWithOneBuffer) {
  expect_same(scenario_text("[[traffic]]\npattern = 'uniform'\nload = 1.2\n", 1, ""));
}
TEST(Shortcut, HotSpotBesideUniform) {
  expect_same(scenario_text(R"([[traffic]]
name = "hot"
pattern = "hotspot"
target = 5
share = 0.4
load = 0.8
[[traffic]]
pattern = "uniform"
load = 0.4
except = "hot"
)", 3, ""));
}
// What hosts receive is counted when it starts onto their link, and what they send is promised to it: also where many
// packets wait, sources stop, several of them share a host, or a bin of the time series is shorter than a packet.
TEST(Shortcut, HostsThatOnlyCount) {
  const std::string two = "[[traffic]]\nname = 'a'\npattern = 'uniform'\nload = 0.3\n"
                          "[[traffic]]\nname = 'b'\npattern = 'uniform'\narrivals = 'constant'\nload = 0.45\n";
  for (const std::string& traffic :
       {two, std::string("[[traffic]]\npattern = 'uniform'\nload = 0.97\n"),
        std::string("[[traffic]]\npattern = 'hotspot'\ntarget = 4\nshare = 0.5\nload = 0.1\npackets = 300\n"),
        std::string("[[traffic]]\npattern = 'uniform'\nload = 0.8\ninclude_self = true\nstop = '200us'\n"),
        std::string("[[traffic]]\npattern = 'hotspot'\ntarget = 3\nload = 0.9\n")})
    for (const std::string more : {"", "[measure]\nbin = '100ns'\n"}) {
      SCOPED_TRACE(traffic + more);
      for (const int buffers : {1, 8}) expect_same(scenario_text(traffic, buffers, "") + more);
    }
}
TEST(Shortcut, OneEventForEachSwitch) {
  const Scenario scenario = parse_scenario_text(
      scenario_text("[[traffic]]\npattern = 'uniform'\nload = 0.5\n", 16, ""), "test", vocabulary());
  const Measurements m = run_with(scenario, true);
  const ClassResult& c = m.classes.front();
  EXPECT_LT(m.totals.events, 1.02 * static_cast<double>(c.generated + m.totals.hops - c.received));
}
TEST(Shortcut, StoreAndForward) {
  expect_same(
      scenario_text("[[traffic]]\npattern = 'uniform'\nload = 0.8\n", 2, R"(switching = "store-and-forward")"));
}
TEST(Shortcut, SlotsFreedAtTheHeadAndSlowCredits) {
  expect_same(scenario_text("[[traffic]]\npattern = 'permutation'\nload = 1.0\n", 2,
                            "release = 'head'\ncredit_delay = '300ns'"));
}
TEST(Shortcut, AcknowledgedTraffic) {
  expect_same(scenario_text("[adapter]\nacks = true\n[[traffic]]\npattern = 'uniform'\nload = 0.6\n", 3, ""));
}
TEST(Shortcut, RatesThatAreNoWholeNumber) {
  std::string text = scenario_text("[[traffic]]\npattern = 'uniform'\nload = 0.9\n", 3, "release = 'head'\n");
  text.replace(text.find("10Gbps"), 6, "7Gbps");
  expect_same(text);
}
std::string crossbar(const std::string& more) { return "organisation = 'fifo-in-out'\n" + more; }
TEST(Shortcut, Crossbar) {
  for (const char* load : {"0.2", "0.6", "1.1"})
    expect_same(scenario_text(std::string("[[traffic]]\npattern = 'uniform'\nload = ") + load + "\n", 3,
                              crossbar("switch_delay = '100ns'\n")));
}
TEST(Shortcut, CrossbarSlowerThanItsPackets) {  // several packets cross at a time, with idle links between them
  expect_same(scenario_text("[[traffic]]\npattern = 'uniform'\nload = 0.7\n", 6,
                            crossbar("switch_delay = '3us'\noutput_buffer = '9kB'\n")));
}
TEST(Shortcut, CrossbarWithHotSpot) {
  expect_same(scenario_text(R"([[traffic]]
name = "hot"
pattern = "hotspot"
target = 5
share = 0.4
load = 0.8
[[traffic]]
pattern = "uniform"
load = 0.4
except = "hot"
)", 3,
                            crossbar("arbitration = 'round-robin'\nspeedup = 2\n")));
}
TEST(Shortcut, CrossbarStoreAndForwardAcknowledged) {
  expect_same(scenario_text("[adapter]\nacks = true\n[[traffic]]\npattern = 'permutation'\nload = 0.9\n", 2,
                            crossbar("switching = 'store-and-forward'\n")));
}
std::string set_up_routes(const std::string& switches, const std::string& more) {
  const char* const traffic = "[routing]\nchoice = 'flow-setup'\n[[traffic]]\npattern = 'permutation'\ncount = 3\n";
  std::string text = scenario_text(traffic + more, 3, "lanes = 2\n" + switches);
  text.replace(text.find("k-ary-n-tree"), 12, "modified-k-ary-n-tree");
  text.replace(text.find("\"300B\", "), 8, "");
  return text;
}
TEST(Shortcut, RoutesThatHaveAllBeenSetUp) {
  const std::string preemptive = "priority = 'preemptive'\n";
  for (const std::string& switches :
       {std::string(), preemptive, preemptive + "switching = 'store-and-forward'\n",
        preemptive + "credit_delay = '1us'\nrelease = 'head'\n", preemptive + "organisation = 'output-queued'\n"})
    for (const std::string scheme : {"none", "saa", "ffa"})
      for (const std::string adapter : {"fifo", "per-flow"}) {
        SCOPED_TRACE(switches + scheme + " " + adapter);
        const std::string more = "[scheme]\nname = '" + scheme + "'\n[adapter]\norganisation = '" + adapter + "'\n";
        expect_same(set_up_routes(switches, more), run_scheme);
      }
}
TEST(Shortcut, WatchedPorts) {
  const std::string watch = "[measure]\nwatch = ['H5', 'S0.0:1']\nwatch_bin = '10us'\n";
  const std::string text = scenario_text("[[traffic]]\npattern = 'uniform'\nload = 0.8\n", 3, "") + watch;
  const Scenario scenario = parse_scenario_text(text, "test", vocabulary());
  EXPECT_EQ(Fingerprint::of(run_with(scenario, true)), Fingerprint::of(run_with(scenario, false)));
}
TEST(Shortcut, RandomScenarios) {
  for (std::uint64_t i = 0; i < scaled_count(40, 150, 2000); ++i) {
    const std::string text =
        testing::RandomScenario(200'000 + i, testing::RandomScenario::Schemes::simple, true).text();
    const Scenario scenario = parse_scenario_text(text, "test", vocabulary(), {{"scheme.name", "none"}});
    const Measurements a = run_with(scenario, true), b = run_with(scenario, false);
    ASSERT_EQ(Fingerprint::of(a), Fingerprint::of(b)) << text;
  }
}

}  // namespace
}  // namespace weir
