// A run by several threads gives the bits of a run by one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "packet/packet_engine.h"
#include "run/fingerprint.h"
#include "run/parts/divided_tree.h"
#include "run/parts/memory_ranks.h"
#include "run/random_scenario.h"
#include "run/simulate.h"
#include "scenario/parse.h"
#include "schemes/registry.h"

namespace weir {
namespace {

using testing::Fingerprint;
using testing::kHotSpot;
using testing::kUniform;
using testing::numbers_of_threads;

Measurements run_by(const Scenario& scenario, std::uint32_t threads) {
  const RunSetup setup = set_up(scenario);
  RunInput run{setup.network->topology, setup.network->routes, *setup.workload, setup.config, scenario.seed};
  run.routes_proven = setup.routes_proven;
  run.threads = threads;
  return run_packets(run, SchemeHooks{});
}

std::string tree(const std::string& switches, const std::string& traffic, const std::string& more = "") {
  return testing::kTree + switches + traffic + R"([run]
duration = "100us"
warmup = "10us"
)" + more;
}

void expect_same_bits(const std::string& text) {
  const Scenario scenario = parse_scenario_text(text, "test", vocabulary());
  const Measurements one = run_by(scenario, 1);
  EXPECT_EQ(one.totals.threads, 1u);
  const bool full = scaled_count(0, 0, 1) == 1;
  for (const std::uint32_t threads : full ? std::vector{2u, 3u, 4u, 8u} : numbers_of_threads()) {
    const Measurements many = run_by(scenario, threads);
    EXPECT_EQ(many.totals.threads, threads) << many.totals.one_thread << "\n" << text;
    EXPECT_EQ(Fingerprint::of(one), Fingerprint::of(many)) << threads << " threads\n" << text;
    EXPECT_EQ(one.totals.hops, many.totals.hops);
    EXPECT_EQ(one.frames.size(), many.frames.size());
    for (std::size_t c = 0; c < one.classes.size(); ++c) {
      EXPECT_EQ(one.classes[c].received, many.classes[c].received);
      EXPECT_EQ(one.classes[c].latency.mean(), many.classes[c].latency.mean());
      EXPECT_EQ(one.classes[c].series.size(), many.classes[c].series.size());
    }
    for (std::size_t f = 0; f < std::min(one.frames.size(), many.frames.size()); ++f) {
      EXPECT_EQ(one.frames[f].load, many.frames[f].load) << f;
      EXPECT_EQ(one.frames[f].occupancy, many.frames[f].occupancy) << f;
      EXPECT_EQ(one.frames[f].wait, many.frames[f].wait) << f;
    }
    for (std::size_t h = 0; h < one.hosts.size(); ++h) {
      EXPECT_EQ(one.hosts[h].received, many.hosts[h].received) << h;
      EXPECT_EQ(one.hosts[h].peak_backlog_packets, many.hosts[h].peak_backlog_packets) << h;
    }
    for (std::size_t p = 0; p < one.ports.size(); ++p) {
      EXPECT_EQ(one.ports[p].xmit_bytes, many.ports[p].xmit_bytes) << p;
      EXPECT_EQ(one.ports[p].busy, many.ports[p].busy) << p;
      EXPECT_EQ(one.ports[p].mean_input_bytes, many.ports[p].mean_input_bytes) << p;
      EXPECT_EQ(one.ports[p].peak_output_bytes, many.ports[p].peak_output_bytes) << p;
    }
    ASSERT_EQ(one.pauses.size(), many.pauses.size());
    for (std::size_t c = 0; c < one.pauses.size(); ++c) {
      EXPECT_EQ(one.pauses[c].stops, many.pauses[c].stops) << c;
      EXPECT_EQ(one.pauses[c].paused, many.pauses[c].paused) << c;
    }
  }
}

TEST(Threads, PlainSwitches) {
  expect_same_bits(tree("buffer_packets = 4\n", kUniform));
  expect_same_bits(tree("buffer_packets = 1\n", kUniform));
  expect_same_bits(tree("buffer_packets = 3\n", kHotSpot));
}
TEST(Threads, SlotsFreedAtTheHead) {
  expect_same_bits(tree("buffer_packets = 2\nrelease = 'head'\ncredit_delay = '10ns'\n", kHotSpot));
}
TEST(Threads, Crossbar) {
  for (const char* traffic : {kUniform, kHotSpot})
    expect_same_bits(tree("organisation = 'fifo-in-out'\nbuffer_packets = 3\nswitch_delay = '100ns'\n", traffic));
}
TEST(Threads, RoundRobinAndLanes) {
  expect_same_bits(tree("arbitration = 'round-robin'\nlanes = 2\nbuffer_packets = 3\n", kHotSpot));
}
TEST(Threads, StoreAndForwardAcknowledged) {
  expect_same_bits(tree("switching = 'store-and-forward'\nbuffer_packets = 3\n[adapter]\nacks = true\n", kUniform));
}
TEST(Threads, Pause) {
  expect_same_bits(tree(R"(organisation = "output-queued"
flow_control = "pause"
buffer = "40kB"
)", kHotSpot));
}
TEST(Threads, PfcSlowReceiversAndWeights) {
  const std::string pfc = "organisation = 'output-queued'\nflow_control = 'pfc'\nshared_buffer = '100kB'\n";
  expect_same_bits(tree(pfc, kHotSpot));
  expect_same_bits(tree(pfc + "[adapter]\nreceive_rate = '1Gbps'\nreceive_hosts = [3, 4]\n", kUniform));
  expect_same_bits(tree("buffer_packets = 4\nlanes = 2\nvlarb_high = '1:2'\nvlarb_low = '0:64'\n", kHotSpot));
  expect_same_bits(tree("buffer_packets = 4\nlanes = 2\nlane_weights = [1, 2]\n", kHotSpot));
}
TEST(Threads, Flows) {
  expect_same_bits(tree("buffer_packets = 4\n", "[[traffic]]\npattern = 'permutation'\nbytes = '40kB'\n"));
}
TEST(Threads, EndWithTheLastFlow) {
  const bool long_cables_too = scaled_count(0, 1, 1) != 0;
  for (const char* settle : {"0ns", "20us"})
    for (const char* traffic :
         {"pattern = 'permutation'\nbytes = '40kB'\n", "pattern = 'shift'\nbytes = '7kB'\n",
          "pattern = 'incast'\ntarget = 3\nbytes = '30001B'\n"}) {
      std::string text = tree("buffer_packets = 4\n", std::string("[[traffic]]\n") + traffic);
      text.replace(text.find(R"(duration = "100us")"), 18,
                   std::string("until = \"flows\"\nsettle = \"") + settle + "\"");
      expect_same_bits(text);
      if (!long_cables_too) continue;
      text.replace(text.find("17ns"), 4, "2us");  // longer than twenty of the smallest packets take
      expect_same_bits(text);
    }
}
TEST(Threads, NothingLeftToDo) {
  expect_same_bits(tree("buffer_packets = 4\n", "[[traffic]]\npattern = 'uniform'\nload = 0.5\nstop = '60us'\n"));
}
TEST(Threads, AsManyAsThereAreSwitchesAtMost) {
  const Scenario scenario = parse_scenario_text(tree("buffer_packets = 4\n", kUniform), "test", vocabulary());
  EXPECT_LE(run_by(scenario, 1000).totals.threads, 27u) << "switches";
}
TEST(Threads, ARunThatEndsByItsBacklogIsExecutedAsAWhole) {
  const Scenario scenario =
      parse_scenario_text(tree("buffer_packets = 4\n", "[[traffic]]\npattern = 'hotspot'\ntarget = 0\nload = 1.0\n",
                               "max_backlog = 500\n"), "test", vocabulary());
  const Measurements one = run_by(scenario, 1), two = run_by(scenario, 2);
  EXPECT_EQ(one.ending, Ending::saturated);
  EXPECT_EQ(two.totals.threads, 1u);
  EXPECT_EQ(Fingerprint::of(one), Fingerprint::of(two));
}
// Every scheme, in a hot spot: its nodes keep their state for themselves, so threads change nothing. Those with a
// central part are executed as a whole, and say so.
TEST(Threads, Schemes) {
  std::string whole;
  for (const SchemeInfo& scheme : schemes())
    for (const char* switches : {"buffer = \"4kB\"\n", "organisation = \"fifo-in-out\"\nbuffer = \"3kB\"\n"}) {
      std::string text = tree(switches, kHotSpot, std::string(scheme.example) + "\n");
      text.replace(text.find("100us"), 5, "40us");
      const Scenario scenario = parse_scenario_text(text, "test", vocabulary());
      const Measurements one = simulate(scenario).measurements;
      for (const std::uint32_t threads : numbers_of_threads()) {
        const Measurements many = simulate(scenario, {}, nullptr, threads).measurements;
        EXPECT_EQ(Fingerprint::of(one), Fingerprint::of(many)) << threads << " threads\n" << text;
        if (many.totals.threads == threads) continue;
        EXPECT_EQ(many.totals.one_thread, many.one_thread);
        if (!whole.ends_with(scheme.name)) whole += " " + std::string(scheme.name);
      }
    }
  EXPECT_EQ(whole, " saa saa-m ffa afa dcms");
}
// Of a hundred random scenarios, at least seventy are really executed by several threads, and shared by ranks.
TEST(Threads, RandomScenarios) {
  const std::uint64_t count = scaled_count(10, 20, 100);
  const bool full = scaled_count(0, 0, 1) == 1;
  std::uint64_t several = 0, shared = 0;
  std::map<std::string, int> reasons;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string text =
        testing::RandomScenario(300'000 + i, testing::RandomScenario::Schemes::simple, i % 2 == 0).divisible().text();
    const Scenario scenario = parse_scenario_text(text, "test", vocabulary());
    const std::string one = Fingerprint::of(simulate(scenario).measurements);
    for (const std::uint32_t threads : full ? std::vector{2u, 3u, 4u, 8u} : std::vector{2u, 3u}) {
      const Measurements many = simulate(scenario, {}, nullptr, threads).measurements;
      ASSERT_EQ(one, Fingerprint::of(many)) << threads << " threads\n" << text;
      if (threads != 2) continue;
      several += many.totals.threads > 1;
      if (many.totals.threads == 1) ++reasons[many.totals.one_thread];
    }
    for (const std::uint32_t ranks : full ? std::vector{2u, 3u} : std::vector{2u}) {
      const Measurements many = testing::run_by_ranks(scenario, ranks, 2);
      ASSERT_EQ(one, Fingerprint::of(many)) << ranks << " ranks\n" << text;
      if (ranks == 2) shared += many.totals.ranks > 1;
    }
  }
  std::string why;
  for (const auto& [reason, times] : reasons) why += fmt::format("{} times: {}\n", times, reason);
  EXPECT_GE(several, count * 7 / 10) << why;
  EXPECT_GE(shared, count * 7 / 10) << why;
  RecordProperty("several_threads", std::to_string(several));
  if (full) std::cout << several << " of " << count << " by several threads, " << shared << " by ranks\n" << why;
}

}  // namespace
}  // namespace weir
