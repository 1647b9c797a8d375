// When a class delivers less than there is to deliver.
#include "measure/throughput.h"

#include <gtest/gtest.h>

#include "measure/event.h"
#include "measure/sample_run.h"
#include "traffic/workload.h"

namespace weir {
namespace {

// One class in bins of 1 us; the first four are calm.
Measurements class_with(const std::vector<std::uint64_t>& generated, const std::vector<std::uint64_t>& received) {
  Measurements m;
  m.bin = {kMicro};
  m.end = {static_cast<std::int64_t>(generated.size()) * kMicro};
  m.classes.resize(1);
  for (std::size_t b = 0; b < generated.size(); ++b) {
    ClassBin bin;
    bin.generated = generated[b];
    bin.received = received[b];
    bin.latency_sum_ps = 1000.0 * static_cast<double>(received[b]);
    m.classes[0].series.push_back(bin);
  }
  return m;
}

std::vector<bool> low_bins(const Measurements& m) { return bins_short_of_throughput(m, {0}, 0, 4); }

TEST(Throughput, LessThanBeforeWhileMoreIsSent) {
  const auto m = class_with({1000, 1000, 1000, 1000, 1000, 1000, 1000}, {1000, 1000, 1000, 1000, 900, 700, 1300});
  EXPECT_EQ(low_bins(m), (std::vector<bool>{false, false, false, false, false, true, false}));
}

TEST(Throughput, WhoSendsLessGetsLess) {
  const auto m = class_with({1000, 1000, 1000, 1000, 300, 0, 0}, {1000, 1000, 1000, 1000, 300, 0, 0});
  EXPECT_EQ(low_bins(m), std::vector<bool>(7, false));
}

TEST(Throughput, WhatHasPiledUpIsStillToCome) {
  const auto m = class_with({1000, 1000, 1000, 1000, 1000, 0, 0, 0}, {1000, 1000, 1000, 1000, 0, 200, 800, 0});
  EXPECT_EQ(low_bins(m), (std::vector<bool>{false, false, false, false, true, true, false, false}));
}

TEST(Throughput, PacketsUnderWayAreNoBacklog) {
  // A latency of half a bin: 500 packets are always under way, and fewer are sent later.
  const auto m = class_with({1000, 1000, 1000, 1000, 400, 400, 0}, {500, 1000, 1000, 1000, 700, 400, 200});
  EXPECT_EQ(low_bins(m), std::vector<bool>(7, false));
}

TEST(Throughput, ChanceIsNoLoss) {
  const auto m = class_with({10, 10, 10, 10, 10, 10}, {10, 10, 10, 10, 4, 16});
  EXPECT_EQ(low_bins(m), std::vector<bool>(6, false));
}

TEST(Throughput, AnOpenFlowIsExpectedToSend) {
  // Packets of flows are made when they can be sent: none of them ever waits at its source.
  auto m = class_with({1000, 1000, 1000, 1000, 1000, 100, 100, 500}, {1000, 1000, 1000, 1000, 1000, 100, 100, 500});
  m.flows.resize(2);
  for (FlowResult& flow : m.flows) {
    flow.traffic_class = {0};
    flow.start = {0};
    flow.bytes = kEndless;
  }
  m.flows[1].completion = {7 * kMicro - 1};
  EXPECT_EQ(low_bins(m), (std::vector<bool>{false, false, false, false, false, true, true, false}));
}

TEST(Throughput, NobodyIsShortOfNothing) {
  EXPECT_EQ(low_bins(class_with({0, 0, 0, 0, 1000, 1000}, {0, 0, 0, 0, 10, 10})), std::vector<bool>(6, false));
  EXPECT_TRUE(bins_short_of_throughput(class_with({}, {}), {0}, 0, 4).empty());
}

// Latency of what arrives is back to normal at once, while less and less arrives.
TEST(Throughput, NoRecoveryWhileItFalls) {
  const auto m = class_with({1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000},
                            {1000, 1000, 1000, 1000, 900, 600, 400, 200});
  const Impact impact = *impact_of(m, {0}, Event{{Time{4 * kMicro}, Time{5 * kMicro}}, {}});
  EXPECT_FALSE(impact.recovery);
  EXPECT_TRUE(impact.latency_recovery.has_value());
}

TEST(Throughput, RecoveryIsWhenItIsBack) {
  const auto m = class_with({1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000},
                            {1000, 1000, 1000, 1000, 900, 600, 1400, 1100});
  const Impact impact = *impact_of(m, {0}, Event{{Time{4 * kMicro}, Time{5 * kMicro}}, {}});
  ASSERT_TRUE(impact.recovery);
  EXPECT_EQ(*impact.recovery, Time{2 * kMicro});
}

}  // namespace
}  // namespace weir
