// Lanes that share a link by weight get their shares; what one leaves, others take.
#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

using testing::flows;
using testing::Star;

// Shares of the link to host 3 while all three lanes have packets, from three hosts.
std::vector<double> shares(const std::string& weights, const std::string& more = "") {
  Star star;
  star.switches = "lanes = 3\nbuffer = '50kB'\nlane_weights = " + weights + "\n" + more;
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

}  // namespace
}  // namespace weir
