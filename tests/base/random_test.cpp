// Every random number of a run comes from RandomStream: a bias or a correlation between streams would look like a
// property of the network. Seeds are fixed, so these tests either always pass or always fail; the limits are far out in
// the tails (chance below 1e-6) and still far below what the usual mistakes produce.
#include "base/random.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <vector>

namespace weir {
namespace {

RandomStream stream(std::uint64_t entity, std::uint64_t seed = 1) { return {seed, Purpose::test, entity}; }

// Chi-square of counts against equal expectation, as standard deviations from its mean (Wilson-Hilferty).
double chi_square_sigmas(const std::vector<std::uint64_t>& counts) {
  const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const std::uint64_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    sum += difference * difference / expected;
  }
  const double freedom = static_cast<double>(counts.size() - 1);
  const double variance = 2.0 / (9.0 * freedom);
  return (std::cbrt(sum / freedom) - (1.0 - variance)) / std::sqrt(variance);
}

TEST(ChiSquare, SeesABiasOfOnePercent) {
  EXPECT_LT(std::abs(chi_square_sigmas({100'000, 100'300, 99'700, 100'000})), 2.0);
  EXPECT_GT(chi_square_sigmas({101'000, 99'000, 101'000, 99'000}), 5.0);
}

// The generator is SplitMix64; these are the first outputs that its authors' code gives for state 0.
TEST(RandomStream, IsSplitMix64) {
  RandomStream zero;
  EXPECT_EQ(zero.next(), 0xe220a8397b1dcdafull);
  EXPECT_EQ(zero.next(), 0x6e789e6aa1b965f4ull);
  EXPECT_EQ(zero.next(), 0x06c45d188009454full);
}

TEST(RandomStream, SameKeySameNumbers) {
  RandomStream a = stream(5), b = stream(5);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(a.next(), b.next());
}

class Below : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Below, IsUniform) {
  const std::uint64_t n = GetParam();
  std::vector<std::uint64_t> counts(n);
  RandomStream random = stream(n);
  for (int i = 0; i < 400'000; ++i) {
    const std::uint64_t value = random.below(n);
    ASSERT_LT(value, n);
    ++counts[value];
  }
  EXPECT_LT(std::abs(chi_square_sigmas(counts)), 5.0);
}

INSTANTIATE_TEST_SUITE_P(RandomStream, Below, testing::Values(2, 3, 7, 10, 16, 63, 100, 511, 4096));

// Near 2^64 the methods without rejection fail badly: with n = 3 * 2^62, plain multiplication hits every third value
// twice as often, and plain remainder the lower third.
TEST(RandomStream, BelowAHugeNumberIsUniform) {
  const std::uint64_t n = 3ull << 62;
  std::vector<std::uint64_t> residues(3), thirds(3);
  RandomStream random = stream(77);
  for (int i = 0; i < 300'000; ++i) {
    const std::uint64_t value = random.below(n);
    ASSERT_LT(value, n);
    ++residues[value % 3];
    ++thirds[value / (1ull << 62)];
  }
  EXPECT_LT(std::abs(chi_square_sigmas(residues)), 5.0);
  EXPECT_LT(std::abs(chi_square_sigmas(thirds)), 5.0);
}

TEST(RandomStream, BelowOneIsZero) {
  RandomStream random = stream(1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(random.below(1), 0u);
}

RC_GTEST_PROP(RandomStream, BelowStaysBelow, (std::uint64_t seed, std::uint64_t entity)) {
  const auto n = *rc::gen::positive<std::uint64_t>();
  RandomStream random(seed, Purpose::test, entity);
  for (int i = 0; i < 20; ++i) RC_ASSERT(random.below(n) < n);
}

TEST(RandomStream, UnitHasTheMomentsOfTheUniform) {
  RandomStream random = stream(2);
  double sum = 0, squares = 0;
  constexpr int kDraws = 1'000'000;
  for (int i = 0; i < kDraws; ++i) {
    const double u = random.unit();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / kDraws, 1.0 / 2, 5 * 0.2887e-3);
  EXPECT_NEAR(squares / kDraws, 1.0 / 3, 5 * 0.2981e-3);
}

TEST(RandomStream, ExponentialHasItsMomentsAndTail) {
  RandomStream random = stream(3);
  double sum = 0, squares = 0;
  int beyond_three = 0;
  constexpr int kDraws = 1'000'000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.exponential();
    ASSERT_GT(x, 0.0);
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
    beyond_three += x > 3.0;
  }
  EXPECT_NEAR(sum / kDraws, 1.0, 5e-3);
  EXPECT_NEAR(squares / kDraws, 2.0, 5 * 4.48e-3);
  EXPECT_NEAR(beyond_three / double{kDraws}, std::exp(-3.0), 5 * 0.218e-3);
}

TEST(RandomStream, ChanceIsItsProbability) {
  RandomStream random = stream(4);
  int hits = 0;
  for (int i = 0; i < 1'000'000; ++i) hits += random.chance(0.15);
  EXPECT_NEAR(hits * 1e-6, 0.15, 5 * 0.357e-3);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(random.chance(0.0));
    EXPECT_TRUE(random.chance(1.0));
  }
}

// Neighbouring keys are the normal case: hosts 0, 1, 2, ..., seeds 1, 2, 3, ...
TEST(RandomStreams, DistinctKeysStartDifferently) {
  std::set<std::uint64_t> first;
  std::size_t keys = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed)
    for (const Purpose purpose : {Purpose::destination, Purpose::arrival, Purpose::size, Purpose::test})
      for (std::uint64_t entity = 0; entity < 1000; ++entity, ++keys)
        first.insert(RandomStream(seed, purpose, entity).next());
  EXPECT_EQ(first.size(), keys);
}

// Pairs drawn at the same step from two streams fill an 8 x 8 square evenly, and so do pairs one step apart: a lagged
// copy of the same sequence would show there.
void expect_independent(RandomStream a, RandomStream b) {
  std::vector<std::uint64_t> same_step(64), next_step(64);
  std::uint64_t before = a.below(8);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t from_a = a.below(8), from_b = b.below(8);
    ++same_step[from_a * 8 + from_b];
    ++next_step[before * 8 + from_b];
    before = from_a;
  }
  EXPECT_LT(std::abs(chi_square_sigmas(same_step)), 5.0);
  EXPECT_LT(std::abs(chi_square_sigmas(next_step)), 5.0);
}

TEST(RandomStreams, NeighboursAreIndependent) {
  expect_independent(stream(0), stream(1));
  expect_independent(stream(1000), stream(1001));
  expect_independent(stream(3, 1), stream(3, 2));
  expect_independent({1, Purpose::destination, 9}, {1, Purpose::arrival, 9});
}

// All streams run through one sequence of 2^64 states; two that start close together would repeat each other.
TEST(RandomStreams, DoNotOverlap) {
  std::vector<std::uint64_t> drawn;
  for (std::uint64_t entity = 0; entity < 1000; ++entity) {
    RandomStream random = stream(entity);
    for (int i = 0; i < 1000; ++i) drawn.push_back(random.next());
  }
  std::sort(drawn.begin(), drawn.end());
  EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end());
}

// The first draw over many streams is what a random permutation of hosts or a start time uses.
TEST(RandomStreams, FirstDrawsAreUniformAcrossEntities) {
  std::vector<std::uint64_t> counts(16);
  for (std::uint64_t entity = 0; entity < 200'000; ++entity) ++counts[stream(entity).below(16)];
  EXPECT_LT(std::abs(chi_square_sigmas(counts)), 5.0);
}

RC_GTEST_PROP(Shuffle, KeepsTheItems, (std::vector<int> items, std::uint64_t seed)) {
  std::vector<int> shuffled = items;
  RandomStream random = stream(0, seed);
  shuffle(shuffled, random);
  std::sort(items.begin(), items.end());
  std::sort(shuffled.begin(), shuffled.end());
  RC_ASSERT(items == shuffled);
}

TEST(Shuffle, EmptyAndSingleDrawNothing) {
  RandomStream random = stream(8), untouched = stream(8);
  std::vector<int> none, one{7};
  shuffle(none, random);
  shuffle(one, random);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(one, std::vector<int>{7});
  EXPECT_EQ(random.next(), untouched.next());
}

// All 24 orders of four items equally often; the classic mistake (swapping with any position) is far from that.
TEST(Shuffle, EveryOrderIsEquallyLikely) {
  std::vector<std::uint64_t> counts(256);
  RandomStream random = stream(9);
  for (int i = 0; i < 240'000; ++i) {
    std::array<unsigned, 4> items{0, 1, 2, 3};
    shuffle(items, random);
    ++counts[items[0] * 64 + items[1] * 16 + items[2] * 4 + items[3]];
  }
  std::erase(counts, 0u);
  ASSERT_EQ(counts.size(), 24u);
  EXPECT_LT(std::abs(chi_square_sigmas(counts)), 5.0);
}

}  // namespace
}  // namespace weir
