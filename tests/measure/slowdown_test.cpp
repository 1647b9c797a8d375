// Slowdown in numbers that can be counted by hand: percentiles, bins by size, what is left out.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "measure/flows/slowdown.h"
#include "traffic/workload.h"

namespace weir {
namespace {

// Took `slowdown` us, 1 us alone.
FlowResult flow(Bytes bytes, std::int64_t slowdown, std::int64_t start_us = 0) {
  FlowResult f;
  f.source = {0};
  f.destination = {1};
  f.traffic_class = {0};
  f.bytes = f.delivered = bytes;
  f.start = {start_us * 1'000'000};
  f.completion = {(start_us + slowdown) * 1'000'000};
  f.alone = {1'000'000};
  return f;
}

Measurements hundred_flows() {
  Measurements m;
  for (std::int64_t i = 100; i >= 1; --i) m.flows.push_back(flow(i * 1000, i));
  m.end = {1'000'000'000};
  return m;
}

TEST(Slowdown, PercentilesAreThoseOfTheFlows) {
  const auto s = slowdown(hundred_flows(), {}, {});
  ASSERT_TRUE(s);
  EXPECT_EQ(s->all.flows, 100u);
  EXPECT_EQ(s->all.complete, 100u);
  EXPECT_EQ(s->all.p50, 50);
  EXPECT_EQ(s->all.p95, 95);
  EXPECT_EQ(s->all.p99, 99);
  EXPECT_EQ(s->all.max, 100);
  EXPECT_NEAR(s->all.mean, 50.5, 1e-9);
  // A flow of i kB takes i us: 8 Gb/s each.
  EXPECT_NEAR(s->all.goodput_bps, 8e9, 1);
}

// Flows that start one after another, the later half with another slowdown.
std::optional<SlowdownGrowth> growth(std::int64_t flows, std::int64_t late) {
  Measurements m;
  for (std::int64_t i = flows - 1; i >= 0; --i)
    m.flows.push_back(flow(1000, i % 10 + 1 + (i < flows / 2 ? 0 : late), i));
  return slowdown(m, {}, {})->growth;
}

TEST(Slowdown, KnowsThatLaterFlowsAreSlower) {
  ASSERT_TRUE(growth(400, 90));
  EXPECT_EQ(growth(400, 90)->early_p99, 10);
  EXPECT_EQ(growth(400, 90)->late_p99, 100);
  EXPECT_FALSE(growth(400, 0));
  EXPECT_FALSE(growth(400, -1));
  EXPECT_FALSE(growth(400, 1));   // hardly
  EXPECT_FALSE(growth(100, 90));  // too few to tell
}

// Slowdowns that do not grow, but have a long tail: 1 / (1 - u).
RC_GTEST_PROP(Slowdown, ATailIsNoGrowth, ()) {
  Measurements m;
  const auto seed = *rc::gen::inRange<std::uint32_t>(0, 1'000'000);
  RandomStream random(seed, Purpose::failure, 0);
  for (std::int64_t i = 0; i < 4000; ++i)
    m.flows.push_back(flow(1000, static_cast<std::int64_t>(1 / (1 - random.unit())) + 1, i));
  RC_ASSERT(!slowdown(m, {}, {})->growth);
}

TEST(Slowdown, TenthsOfTheFlowsBySize) {
  const auto s = slowdown(hundred_flows(), {}, {});
  ASSERT_EQ(s->by_size.size(), 10u);
  for (std::size_t b = 0; b < 10; ++b) {
    EXPECT_EQ(s->by_size[b].above, static_cast<Bytes>(b) * 10'000);
    EXPECT_EQ(s->by_size[b].up_to, static_cast<Bytes>(b + 1) * 10'000);
    EXPECT_EQ(s->by_size[b].slowdown.flows, 10u);
    EXPECT_EQ(s->by_size[b].slowdown.max, 10.0 * static_cast<double>(b + 1));
  }
}

TEST(Slowdown, BinsWithGivenEdges) {
  const auto s = slowdown(hundred_flows(), {}, {10, {500, 20'000, 30'000}});
  ASSERT_EQ(s->by_size.size(), 3u);  // nothing has 500 B or less
  EXPECT_EQ(s->by_size[0].above, 500);
  EXPECT_EQ(s->by_size[0].slowdown.flows, 20u);
  EXPECT_EQ(s->by_size[1].slowdown.flows, 10u);
  EXPECT_EQ(s->by_size[2].up_to, 100'000);
  EXPECT_EQ(s->by_size[2].slowdown.flows, 70u);
  EXPECT_EQ(slowdown(hundred_flows(), {}, {10, {1'000'000}})->by_size[0].up_to, 1'000'000);
}

TEST(Slowdown, FlowsOfOneSizeShareABin) {
  Measurements m;
  for (int i = 0; i < 50; ++i) m.flows.push_back(flow(700, 2));
  m.flows.push_back(flow(9000, 3));
  const auto s = slowdown(m, {}, {});
  ASSERT_EQ(s->by_size.size(), 2u);
  EXPECT_EQ(s->by_size[0].slowdown.flows, 50u);
  EXPECT_EQ(s->by_size[1].slowdown.p99, 3);
}

TEST(Slowdown, LeavesOutWhatHasNone) {
  Measurements m = hundred_flows();
  m.warmup = {50'000'000};
  EXPECT_EQ(slowdown(m, {}, {})->all.flows, 0u);
  m.flows[0].start = m.warmup;
  m.flows[1].start = m.warmup;
  m.flows[1].completion = kNever;
  EXPECT_EQ(slowdown(m, {}, {})->all.flows, 2u);
  EXPECT_EQ(slowdown(m, {}, {})->all.complete, 1u);
  EXPECT_EQ(slowdown(m, {}, {})->all.p50, 50);
  EXPECT_FALSE(slowdown_of(m.flows[1]));
  m.flows[1].alone = {};
  EXPECT_EQ(slowdown(m, {}, {})->all.flows, 1u);
  m.flows[0].bytes = kEndless;
  EXPECT_EQ(slowdown(m, {}, {})->all.flows, 0u);
  EXPECT_FALSE(slowdown(m, ClassId{1}, {}));
  EXPECT_FALSE(slowdown(Measurements{}, {}, {}));
}

TEST(Slowdown, OfVictims) {
  Measurements m = hundred_flows();
  std::vector<FlowRole> roles(100, FlowRole::none);
  roles[0] = roles[90] = FlowRole::victim;  // with slowdowns of 100 and 10
  roles[1] = FlowRole::root;
  const auto s = slowdown(m, {}, {}, &roles);
  EXPECT_EQ(s->victims->flows, 2u);
  EXPECT_EQ(s->victims->p50, 10);
  EXPECT_EQ(s->victims->p99, 100);
}

RC_GTEST_PROP(Slowdown, BinsHoldEveryFlowOnce, ()) {
  Measurements m;
  const int count = *rc::gen::inRange(1, 60);
  for (int i = 0; i < count; ++i) m.flows.push_back(flow(*rc::gen::inRange<Bytes>(1, 30), 1 + i));
  const auto s = slowdown(m, {}, {static_cast<std::uint32_t>(*rc::gen::inRange(1, 20)), {}});
  RC_ASSERT(s.has_value());
  std::size_t held = 0;
  Bytes last = 0;
  for (const SizeBin& bin : s->by_size) {
    RC_ASSERT(bin.above >= last && bin.up_to > bin.above);
    last = bin.up_to;
    held += bin.slowdown.flows;
    const auto inside = std::count_if(m.flows.begin(), m.flows.end(), [&](const FlowResult& f) {
      return f.bytes > bin.above && f.bytes <= bin.up_to;
    });
    RC_ASSERT(static_cast<std::size_t>(inside) == bin.slowdown.flows);
  }
  RC_ASSERT(held == static_cast<std::size_t>(count));
}

}  // namespace
}  // namespace weir
