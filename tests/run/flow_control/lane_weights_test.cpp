// Lanes that share a link by weight get their shares; what one leaves, others take.
#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

using testing::flows;
using testing::Star;

// Shares of the link to host 3 while all three lanes have packets, from three hosts.
std::vector<double> shares_under(const std::string& switches) {
  Star star;
  star.switches = "lanes = 3\nbuffer = '50kB'\n" + switches;
  star.payload = "[1000]";
  star.run = "duration = '3ms'\n";
  for (int lane = 0; lane < 3; ++lane)
    star.traffic += flows(fmt::format("[{}, 3, 30000000, '0us']", lane), fmt::format("lane = {}\n", lane));
  const Outcome outcome = testing::run_text(star.text());
  std::vector<double> result;
  double sum = 0;
  for (const FlowResult& flow : outcome.measurements.flows) sum += static_cast<double>(flow.delivered);
  for (const FlowResult& flow : outcome.measurements.flows)
    result.push_back(static_cast<double>(flow.delivered) / sum);
  return result;
}

std::vector<double> shares(const std::string& weights, const std::string& more = "") {
  return shares_under("lane_weights = " + weights + "\n" + more);
}

TEST(LaneWeights, AreTheSharesOfALink) {
  const std::vector<double> a = shares("[1, 2, 3]");
  for (int lane = 0; lane < 3; ++lane) EXPECT_NEAR(a[static_cast<std::size_t>(lane)], (lane + 1) / 6.0, 0.003) << lane;
  const std::vector<double> b = shares("[0.5, 0.25, 0.25]", "organisation = 'output-queued'\n");
  EXPECT_NEAR(b[0], 0.5, 0.003);
  EXPECT_NEAR(b[1], 0.25, 0.003);
}

TEST(LaneWeights, ZeroIsStrictPriority) {
  const std::vector<double> a = shares("[1, 3, 0]");
  EXPECT_GT(a[2], 0.99);
  const std::vector<double> b = shares("[0, 1, 1]");  // also of a low lane
  EXPECT_GT(b[0], 0.99);
}

TEST(LaneWeights, WhatALaneLeavesOthersTake) {
  Star star;
  star.switches = "lanes = 2\nlane_weights = [1, 9]\n";
  star.traffic = flows("[0, 3, 1000000, '0us']", "lane = 0\n");
  const Outcome outcome = testing::run_text(star.text());
  EXPECT_EQ(testing::completion(outcome, 0), 1'000'000 * testing::kNs);
}

TEST(LaneWeights, AreRefusedByName) {
  Star star;
  star.traffic = flows("[0, 3, 1000, '0us']");
  star.switches = "lanes = 2\nlane_weights = [1]\n";
  EXPECT_TRUE(says(testing::refusal(star.text()), "1 weights for 2 lanes"));
  star.switches = "lanes = 2\nlane_weights = [0, 0]\n";
  EXPECT_TRUE(says(testing::refusal(star.text()), "no lane has a weight above 0"));
  star.switches = "lanes = 2\nlane_weights = [1, 5000]\n";
  EXPECT_TRUE(says(testing::refusal(star.text()), "1000 times"));
}

// Packets of 1000 B count as 16 units of 64 bytes.
TEST(ArbitrationTables, AreTheSharesOfALink) {
  for (const char* more : {"", "organisation = 'output-queued'\n", "organisation = 'fifo-in-out'\n"}) {
    const std::vector<double> a = shares_under(fmt::format("vlarb_low = '0:16, 1:32,2:48'\n{}", more));
    for (std::size_t lane = 0; lane < 3; ++lane)
      EXPECT_NEAR(a[lane], static_cast<double>(lane + 1) / 6, 0.003) << more;
  }
}

TEST(ArbitrationTables, HighGoesBeforeLowUpToTheLimit) {
  const std::string tables = "vlarb_high = '0:255'\nvlarb_low = '1:16,2:48'\n";
  const std::vector<double> no_limit = shares_under(tables + "vlarb_high_limit = 255\n");
  EXPECT_GT(no_limit[0], 0.99);
  const std::vector<double> one_packet = shares_under(tables);  // 0: one packet, then one of the low table
  EXPECT_NEAR(one_packet[0], 0.5, 0.003);
  EXPECT_NEAR(one_packet[1], 0.125, 0.003);
  EXPECT_NEAR(one_packet[2], 0.375, 0.003);
  // 4096 B are reached with the fourth packet of 1000 B, which counts as 1024 B: four high, one low.
  const std::vector<double> limit = shares_under(tables + "vlarb_high_limit = 1\n");
  EXPECT_NEAR(limit[0], 0.8, 0.003);
  EXPECT_NEAR(limit[2], 0.15, 0.003);
}

TEST(ArbitrationTables, AreRefusedByName) {
  const auto refused = [](const std::string& switches, const std::string& words) {
    Star star;
    star.traffic = flows("[0, 3, 1000, '0us']");
    star.switches = "lanes = 2\n" + switches;
    return says(testing::refusal(star.text()), words);
  };
  EXPECT_TRUE(refused("vlarb_low = '0:4'\n", "lane 1 has no weight in any table"));
  EXPECT_TRUE(refused("vlarb_high = '0:4,1:0'\n", "lane 1 has no weight in any table"));
  EXPECT_TRUE(refused("vlarb_low = '0:4,2:4'\n", "lane 2 does not exist"));
  EXPECT_TRUE(refused("vlarb_low = '0:4,1:256'\n", "a weight of 256 is too large"));
  EXPECT_TRUE(refused("vlarb_low = '0:4,1'\n", "entry 2 is not a lane and its weight"));
  EXPECT_TRUE(refused("vlarb_low = '0:4,1:4 x'\n", "`x` is not expected"));
  EXPECT_TRUE(refused("vlarb_low = '0:4,1:4'\nlane_weights = [1, 1]\n", "lane_weights"));
  EXPECT_TRUE(refused("vlarb_low = '0:4,1:4'\nvlarb_high_limit = 3\n", "vlarb_high"));
  EXPECT_TRUE(refused("vlarb_low = '0:4,1:4'\npriority = 'preemptive'\n", "priority"));
  std::string many = "0:1";
  for (int i = 0; i < 64; ++i) many += ",1:1";
  EXPECT_TRUE(refused("vlarb_low = '" + many + "'\n", "65 entries are more than a table has"));
}

}  // namespace
}  // namespace weir
