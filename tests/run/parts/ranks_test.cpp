// A run that several processes share gives the bits of a run by one thread.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "error_of.h"
#include "scale.h"
#include "run/fingerprint.h"
#include "run/parts/divided_tree.h"
#include "run/parts/memory_ranks.h"
#include "run/random_scenario.h"
#include "scenario/parse.h"

namespace weir {
namespace {

using testing::Fingerprint;
using testing::kHotSpot;
using testing::kUniform;
using testing::run_by_ranks;

std::string tree(const std::string& switches, const std::string& traffic, const std::string& more = "") {
  return testing::kTree + switches + traffic + (more.empty() ? "[run]\nduration = '60us'\nwarmup = '10us'\n" : more);
}

Scenario parsed(const std::string& text) { return parse_scenario_text(text, "test", vocabulary()); }

struct Shape {
  std::uint32_t ranks, threads;
};
std::vector<Shape> shapes() {
  return scaled_count(0, 0, 1) == 1 ? std::vector<Shape>{{2, 2}, {3, 2}, {3, 1}} : std::vector<Shape>{{2, 2}, {3, 1}};
}

void expect_same_bits(const std::string& text) {
  const Scenario scenario = parsed(text);
  const Measurements one = simulate(scenario).measurements;
  for (const Shape& shape : shapes()) {
    const Measurements many = run_by_ranks(scenario, shape.ranks, shape.threads);
    EXPECT_EQ(many.totals.ranks, shape.ranks) << many.totals.one_rank << "\n" << text;
    EXPECT_EQ(many.totals.threads, shape.ranks * shape.threads) << text;
    EXPECT_EQ(Fingerprint::of(one), Fingerprint::of(many)) << shape.ranks << " x " << shape.threads << "\n" << text;
    EXPECT_EQ(one.totals.hops, many.totals.hops);
  }
}

TEST(RunByRanks, SwitchesAndFlowControl) {
  expect_same_bits(tree("buffer_packets = 4\n", kUniform));
  expect_same_bits(tree("organisation = 'fifo-in-out'\nbuffer_packets = 3\nswitch_delay = '100ns'\n", kHotSpot));
  expect_same_bits(tree("organisation = 'output-queued'\nflow_control = 'pause'\nbuffer = '40kB'\n", kHotSpot));
  expect_same_bits(tree("switching = 'store-and-forward'\nbuffer_packets = 3\n[adapter]\nacks = true\n", kUniform));
}
TEST(RunByRanks, EndWithTheLastFlow) {
  for (const char* traffic : {"pattern = 'permutation'\nbytes = '20kB'\n",
                              "pattern = 'incast'\ntarget = 3\nbytes = '2001B'\n"})
    expect_same_bits(tree("buffer_packets = 4\n", std::string("[[traffic]]\n") + traffic,
                          "[run]\nuntil = \"flows\"\nsettle = \"1us\"\n"));
}
TEST(RunByRanks, WithNothingToDoForALongTime) {
  expect_same_bits(tree("buffer_packets = 4\n", R"([[traffic]]
pattern = "uniform"
load = 0.5
stop = "5us"
[[traffic]]
pattern = "uniform"
load = 0.5
start = "180us"
)", "[run]\nduration = '200us'\n"));
}
TEST(RunByRanks, Schemes) {
  std::string alone;
  for (const SchemeInfo& scheme : schemes()) {
    std::string text = tree("buffer = \"4kB\"\n", kHotSpot, "[run]\nduration = '40us'\n");
    text += std::string(scheme.example) + "\n";
    const Scenario scenario = parsed(text);
    const Measurements many = run_by_ranks(scenario, 2, 1);
    EXPECT_EQ(Fingerprint::of(simulate(scenario).measurements), Fingerprint::of(many)) << text;
    if (many.totals.ranks > 1) continue;
    EXPECT_FALSE(many.totals.one_rank.empty());
    alone += " " + std::string(scheme.name);
  }
  EXPECT_EQ(alone, " saa saa-m ffa afa dcms");
}
// What switches write beside a packet comes back with its acknowledgement, whoever executes them.
TEST(RunByRanks, RecordsTravelWithPackets) {
  for (const char* traffic : {kHotSpot, kUniform})
    expect_same_bits(tree("organisation = 'output-queued'\nbuffer = '40kB'\n", traffic,
                          "[run]\nduration = '60us'\n[scheme]\nname = 'hpcc'\n"));
}
// Packets go one way between two ranks, and only credits come back.
TEST(RunByRanks, CablesThatLeadOneWay) {
  std::string text = tree("buffer_packets = 3\n", kUniform);
  text.replace(text.find("k-ary-n-tree"), 12, "umin");
  expect_same_bits(text);
}
// By its backlog; by an error that only the run finds.
TEST(RunByRanks, EndsThatNobodyForesees) {
  const Scenario full = parsed(tree("buffer_packets = 4\n",
                                    "[[traffic]]\npattern = 'hotspot'\ntarget = 0\nload = 1.0\n",
                                    "[run]\nduration = '100us'\nmax_backlog = 500\n"));
  const Measurements one = simulate(full).measurements, two = run_by_ranks(full, 2, 2);
  EXPECT_EQ(one.ending, Ending::saturated);
  EXPECT_EQ(two.totals.ranks, 1u);
  EXPECT_EQ(Fingerprint::of(one), Fingerprint::of(two));

  const Scenario narrow = parsed(tree("buffer_packets = 4\n", kUniform,
                                      "[run]\nduration = '60us'\n[measure]\nbin = '1ps'\n"));
  EXPECT_EQ(error_of([&] { run_by_ranks(narrow, 2, 2); }), error_of([&] { simulate(narrow); }));
}
TEST(RunByRanks, MoreThanThereAreSwitches) {
  const Scenario scenario = parsed("[topology]\nkind = 'star'\nhosts = 4\n[run]\nduration = '10us'\n"
                                   "[[traffic]]\npattern = 'uniform'\nload = 0.5\n");
  const Measurements many = run_by_ranks(scenario, 2, 2);
  EXPECT_EQ(many.totals.one_rank, "there are more ranks (2) than switches (1)");
  EXPECT_EQ(Fingerprint::of(simulate(scenario).measurements), Fingerprint::of(many));
}

}  // namespace
}  // namespace weir
