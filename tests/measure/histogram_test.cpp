// Quantiles and bins against sorted samples.
#include "measure/histogram.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace weir {
namespace {

TEST(Histogram, EmptyHasNoSurprises) {
  const Histogram h;
  EXPECT_EQ(h.count(), 0u);
  EXPECT_EQ(h.mean(), 0);
  EXPECT_EQ(h.quantile(0.5), 0);
  EXPECT_EQ(h.min(), 0u);
  EXPECT_TRUE(h.bins().empty());
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram h;
  for (std::uint64_t v = 1; v <= 50; ++v) h.add(v);
  EXPECT_EQ(h.quantile(0.5), 25);
  EXPECT_EQ(h.quantile(0.98), 49);
  EXPECT_EQ(h.quantile(0), 1);
  EXPECT_EQ(h.quantile(1), 50);
  EXPECT_DOUBLE_EQ(h.mean(), 25.5);
}

TEST(Histogram, ExtremesStayInsideTheTable) {
  Histogram h;
  h.add(0);
  h.add(~0ull);
  EXPECT_EQ(h.max(), ~0ull);
  EXPECT_EQ(h.min(), 0u);
  ASSERT_EQ(h.bins().size(), 2u);
  EXPECT_EQ(h.bins()[1].high, ~0ull);
  EXPECT_EQ(h.quantile(0.2), 0);
}

TEST(Histogram, OneValueIsEveryQuantile) {
  Histogram h;
  for (int i = 0; i < 10; ++i) h.add(123'456'789);
  for (const double q : {0.01, 0.5, 0.99}) EXPECT_EQ(h.quantile(q), 123'456'789.0);
}

RC_GTEST_PROP(Histogram, BinsContainTheirSamples, ()) {
  const auto values = *rc::gen::nonEmpty(rc::gen::arbitrary<std::vector<std::uint32_t>>());
  Histogram h;
  for (const auto v : values) h.add(std::uint64_t{v} << 7);
  std::uint64_t total = 0, previous = 0;
  for (const auto& bin : h.bins()) {
    RC_ASSERT(bin.low < bin.high);
    RC_ASSERT(bin.low >= previous);
    previous = bin.high;
    std::uint64_t inside = 0;
    for (const auto v : values) inside += (std::uint64_t{v} << 7) >= bin.low && (std::uint64_t{v} << 7) < bin.high;
    RC_ASSERT(inside == bin.count);
    total += inside;
  }
  RC_ASSERT(total == values.size());
}

RC_GTEST_PROP(Histogram, QuantilesAreWithinOneBucketOfTheSample, ()) {
  auto values = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 1ull << 40)));
  Histogram h;
  for (const auto v : values) h.add(v);
  std::sort(values.begin(), values.end());
  for (const double q : {0.1, 0.5, 0.9, 0.99}) {
    const double rank = q * static_cast<double>(values.size());
    const auto index = static_cast<std::size_t>(std::max(0.0, std::ceil(rank) - 1));
    const auto exact = static_cast<double>(values[std::min(index, values.size() - 1)]);
    RC_ASSERT(std::fabs(h.quantile(q) - exact) <= exact / 64 + 1);
  }
}

RC_GTEST_PROP(Histogram, MergingIsAddingAll, ()) {
  const auto a = *rc::gen::arbitrary<std::vector<std::uint16_t>>();
  const auto b = *rc::gen::arbitrary<std::vector<std::uint16_t>>();
  Histogram first, second, both;
  for (const auto v : a) first.add(v), both.add(v);
  for (const auto v : b) second.add(v), both.add(v);
  first.merge(second);
  RC_ASSERT(first.count() == both.count());
  RC_ASSERT(first.mean() == both.mean());
  RC_ASSERT(first.min() == both.min());
  RC_ASSERT(first.max() == both.max());
  RC_ASSERT(first.quantile(0.5) == both.quantile(0.5));
}

}  // namespace
}  // namespace weir
