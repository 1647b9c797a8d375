// Arrival processes: exact means, the right variances, budgets, stops, and streams that do not disturb each other.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "traffic/source_state.h"
#include "traffic/workload.h"

namespace weir {
namespace {

using namespace literals;

SourceGroup group_of(Arrivals arrivals) {
  SourceGroup group;
  group.arrivals = arrivals;
  group.rule = DestinationRule::uniform;
  group.sizes = {{1000, 1.0}};
  return group;
}

Source source_of(double packets_per_second) {
  Source source;
  source.host = {0};
  source.packets_per_second = packets_per_second;
  return source;
}

std::vector<Time> times(const Source& source, const SourceGroup& group, std::size_t count, std::uint64_t seed = 1,
                        Time on = Time{}) {
  SourceState state(seed, source.stream());
  std::vector<Time> all;
  for (Time t = state.first(source, group, on); t != kNever && all.size() < count; t = state.next(source, group, t)) {
    all.push_back(t);
  }
  return all;
}

struct Moments {
  double mean = 0, variance = 0;
};

Moments gaps(const std::vector<Time>& at) {
  Moments moments;
  const auto n = static_cast<double>(at.size() - 1);
  for (std::size_t i = 1; i < at.size(); ++i) moments.mean += static_cast<double>(at[i].ps - at[i - 1].ps) / n;
  for (std::size_t i = 1; i < at.size(); ++i) {
    const double d = static_cast<double>(at[i].ps - at[i - 1].ps) - moments.mean;
    moments.variance += d * d / n;
  }
  return moments;
}

TEST(Constant, MeanRateIsExactThoughTheGapIsNoWholeNumberOfPicoseconds) {
  SourceGroup group = group_of(Arrivals::constant);
  group.aligned = true;
  const Source source = source_of(3e9);  // 333.33... ps
  const std::vector<Time> at = times(source, group, 3'000'001);
  EXPECT_EQ(at.front(), 0_ps);
  EXPECT_NEAR(static_cast<double>(at.back().ps), 1e9, 1.0);
  for (std::size_t i = 1; i < 1000; ++i) {
    const std::int64_t gap = at[i].ps - at[i - 1].ps;
    EXPECT_TRUE(gap == 333 || gap == 334) << gap;
  }
}

TEST(Constant, PhaseIsRandomWithinTheFirstIntervalUnlessAligned) {
  SourceGroup group = group_of(Arrivals::constant);
  double sum = 0;
  constexpr int kSources = 2000;
  for (std::uint32_t h = 0; h < kSources; ++h) {
    Source source = source_of(1e6);
    source.host = {h};
    const Time first = times(source, group, 1, 1, 5_us).at(0);
    ASSERT_GE(first, 5_us);
    ASSERT_LT(first, 6_us);
    sum += (first - 5_us).nanoseconds() / 1000;
  }
  EXPECT_NEAR(sum / kSources, 0.5, 4 / std::sqrt(12.0 * kSources));
  group.aligned = true;
  EXPECT_EQ(times(source_of(1e6), group, 1, 1, 5_us).at(0), 5_us);
}

TEST(Poisson, MeanAndVarianceAreThoseOfTheExponential) {
  constexpr std::size_t kPackets = 400'000;
  const double mean = 1e12 / 7.7e6;
  const Moments m = gaps(times(source_of(7.7e6), group_of(Arrivals::poisson), kPackets));
  const double sigma = 1 / std::sqrt(static_cast<double>(kPackets));
  EXPECT_NEAR(m.mean / mean, 1, 4 * sigma);
  EXPECT_NEAR(m.variance / (mean * mean), 1, 4 * std::sqrt(8.0) * sigma);
}

TEST(Poisson, RatesFarAboveOnePacketPerPicosecondStepLoseNothingToRounding) {
  // Half a packet per picosecond: rounding each gap down by itself would give a rate half as high again.
  constexpr std::size_t kPackets = 400'000;
  const std::vector<Time> at = times(source_of(5e11), group_of(Arrivals::poisson), kPackets);
  EXPECT_NEAR(static_cast<double>(at.back().ps) / (2.0 * kPackets), 1, 4 / std::sqrt(static_cast<double>(kPackets)));
}

TEST(Bernoulli, SlotsAreIndependentWithTheGivenProbability) {
  Source source = source_of(1);
  source.slot = 250_ns;
  source.slot_probability = 0.3;
  constexpr std::size_t kPackets = 400'000;
  const std::vector<Time> at = times(source, group_of(Arrivals::bernoulli), kPackets, 1, 10_ns);
  const double p = source.slot_probability;
  const Moments m = gaps(at);
  const double slot = 250'000;
  EXPECT_NEAR(m.mean / slot, 1 / p, 4 * std::sqrt((1 - p) / (p * p) / kPackets));
  EXPECT_NEAR(m.variance / (slot * slot), (1 - p) / (p * p), 0.15);
  std::size_t in_next_slot = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    ASSERT_EQ((at[i].ps - 10'000) % 250'000, 0);
    if (i > 0) in_next_slot += at[i] - at[i - 1] == 250_ns;
  }
  EXPECT_NEAR(static_cast<double>(in_next_slot) / kPackets, p, 4 * std::sqrt(p * (1 - p) / kPackets));
}

TEST(Bernoulli, FirstSlotIsASlotLikeTheOthers) {
  const SourceGroup group = group_of(Arrivals::bernoulli);
  constexpr int kSources = 20'000;
  int in_first = 0;
  for (std::uint32_t h = 0; h < kSources; ++h) {
    Source source = source_of(1);
    source.host = {h};
    source.slot = 1_ns;
    source.slot_probability = 0.25;
    in_first += times(source, group, 1).at(0) == 0_ps;
  }
  EXPECT_NEAR(static_cast<double>(in_first) / kSources, 0.25, 4 * std::sqrt(0.25 * 0.75 / kSources));
}

TEST(Bernoulli, FullLoadUsesEverySlot) {
  Source source = source_of(1);
  source.slot = 7_ns;
  source.slot_probability = 1;
  const std::vector<Time> at = times(source, group_of(Arrivals::bernoulli), 100);
  for (std::size_t i = 0; i < at.size(); ++i) EXPECT_EQ(at[i], 7_ns * static_cast<std::int64_t>(i));
}

TEST(Budget, ExactlySoManyPackets) {
  for (const Arrivals arrivals : {Arrivals::constant, Arrivals::bernoulli, Arrivals::poisson}) {
    for (const std::uint64_t budget : {0u, 1u, 2u, 17u}) {
      Source source = source_of(1e6);
      source.slot = 1_us;
      source.slot_probability = 0.5;
      source.packets = budget;
      EXPECT_EQ(times(source, group_of(arrivals), 1000).size(), budget);
    }
  }
}

TEST(Budget, InfiniteRateMakesAllPacketsAtOneInstant) {
  Source source = source_of(std::numeric_limits<double>::infinity());
  source.packets = 100;
  SourceGroup group = group_of(Arrivals::constant);
  group.activity.spread = 1_ms;
  const std::vector<Time> at = times(source, group, 1000, 3, 2_us);
  ASSERT_EQ(at.size(), 100u);
  EXPECT_GE(at.front(), 2_us);
  EXPECT_LT(at.front(), 2_us + 1_ms);
  EXPECT_EQ(at.back(), at.front());
}

TEST(Activity, StopIsCountedFromTheTriggerLikeStart) {
  SourceGroup group = group_of(Arrivals::constant);
  group.aligned = true;
  group.activity.start = 10_us;
  group.activity.stop = 13_us;
  const std::vector<Time> expected{110_us, 111_us, 112_us};  // triggered at 100 us
  EXPECT_EQ(times(source_of(1e6), group, 1000, 1, 110_us), expected);
}

TEST(Activity, SpreadBeyondTheStopMeansNoPacket) {
  SourceGroup group = group_of(Arrivals::constant);
  group.aligned = true;
  group.activity.stop = 1_ns;
  group.activity.spread = 1_s;
  EXPECT_TRUE(times(source_of(1e6), group, 10).empty());
}

TEST(Activity, RateOfZeroAndHugeGapsNeverOverflow) {
  EXPECT_TRUE(times(source_of(0), group_of(Arrivals::poisson), 10).empty());
  EXPECT_TRUE(times(source_of(1e-30), group_of(Arrivals::poisson), 10).empty());
  Source source = source_of(1);
  source.slot = 1_s;
  source.slot_probability = 1e-18;
  EXPECT_TRUE(times(source, group_of(Arrivals::bernoulli), 10).empty());
}

TEST(Draw, UniformReachesEveryOtherHostEquallyOften) {
  const SourceGroup group = group_of(Arrivals::poisson);
  Source source = source_of(1);
  source.host = {3};
  SourceState state(1, source.stream());
  std::vector<int> hits(10);
  constexpr int kDraws = 90'000;
  for (int i = 0; i < kDraws; ++i) ++hits[state.draw(source.host, group, 10).destination.index];
  EXPECT_EQ(hits[3], 0);
  double chi2 = 0;
  for (std::uint32_t h = 0; h < 10; ++h) {
    if (h != 3) chi2 += (hits[h] - 10'000.0) * (hits[h] - 10'000.0) / 10'000.0;
  }
  EXPECT_LT(chi2, 27.9);  // 8 degrees of freedom, 0.05 %
}

TEST(Draw, IncludeSelfAndTargetLists) {
  SourceGroup group = group_of(Arrivals::poisson);
  Source source = source_of(1);
  source.host = {2};
  group.include_self = true;
  std::set<std::uint32_t> seen;
  SourceState all(1, 0);
  for (int i = 0; i < 1000; ++i) seen.insert(all.draw(source.host, group, 4).destination.index);
  EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 1, 2, 3}));
  group.include_self = false;
  group.targets = {{2}, {5}, {7}};
  seen.clear();
  SourceState some(1, 0);
  for (int i = 0; i < 1000; ++i) seen.insert(some.draw(source.host, group, 100).destination.index);
  EXPECT_EQ(seen, (std::set<std::uint32_t>{5, 7}));
}

TEST(Draw, FixedAndTable) {
  SourceGroup group = group_of(Arrivals::poisson);
  Source source = source_of(1);
  source.host = {1};
  SourceState state(1, 0);
  group.rule = DestinationRule::fixed;
  group.targets = {{9}};
  EXPECT_EQ(state.draw(source.host, group, 10).destination, HostId{9});
  group.rule = DestinationRule::table;
  group.targets = {{4}, {6}, {8}};
  EXPECT_EQ(state.draw(source.host, group, 10).destination, HostId{6});
}

TEST(Draw, SizesOccurInTheirShares) {
  SourceGroup group = group_of(Arrivals::poisson);
  group.sizes = {{64, 0.2}, {512, 0.5}, {1024, 0.3}};
  const Source source = source_of(1);
  SourceState state(1, 0);
  std::map<Bytes, int> hits;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) ++hits[state.draw(source.host, group, 10).payload];
  ASSERT_EQ(hits.size(), 3u);
  for (const SizeShare& size : group.sizes) {
    EXPECT_NEAR(hits[size.payload] / static_cast<double>(kDraws), size.share,
                4 * std::sqrt(size.share * (1 - size.share) / kDraws));
  }
}

TEST(Streams, DrawingSizesOrDestinationsDoesNotMoveArrivals) {
  SourceGroup group = group_of(Arrivals::poisson);
  group.sizes = {{64, 0.5}, {512, 0.5}};
  const Source source = source_of(1e6);
  SourceState quiet(7, source.stream()), busy(7, source.stream());
  Time a = quiet.first(source, group, 0_ps), b = busy.first(source, group, 0_ps);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(a, b);
    busy.draw(source.host, group, 50);
    a = quiet.next(source, group, a);
    b = busy.next(source, group, b);
  }
  EXPECT_EQ(busy.left(), source.packets - 100);
}

TEST(Streams, DifferInSeedHostAndGroup) {
  const SourceGroup group = group_of(Arrivals::poisson);
  Source host0 = source_of(1e6), host1 = host0, group1 = host0;
  host1.host = {1};
  group1.group = 1;
  const auto base = times(host0, group, 20);
  EXPECT_EQ(base, times(host0, group, 20));
  EXPECT_NE(base, times(host0, group, 20, 2));
  EXPECT_NE(base, times(host1, group, 20));
  EXPECT_NE(base, times(group1, group, 20));
}

RC_GTEST_PROP(Streams, TimesNeverRunBackwards, (std::uint64_t seed)) {
  const auto arrivals = *rc::gen::element(Arrivals::constant, Arrivals::bernoulli, Arrivals::poisson);
  Source source = source_of(static_cast<double>(*rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000)));
  source.slot = {*rc::gen::inRange<std::int64_t>(1, 1'000'000)};
  source.slot_probability = *rc::gen::inRange(1, 1001) / 1000.0;
  SourceGroup group = group_of(arrivals);
  group.activity.start = {*rc::gen::inRange<std::int64_t>(0, 1'000'000)};
  group.activity.stop = group.activity.start + Time{*rc::gen::inRange<std::int64_t>(1, 1'000'000)};
  const Time trigger{*rc::gen::inRange<std::int64_t>(0, 1'000'000'000)};
  Time last = trigger + group.activity.start;
  for (const Time t : times(source, group, 200, seed, last)) {
    RC_ASSERT(t >= last);
    RC_ASSERT(t < trigger + group.activity.stop);
    last = t;
  }
}

}  // namespace
}  // namespace weir
