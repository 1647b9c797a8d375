// Means and their intervals, against the printed tables of Student's distribution.
#include "measure/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace weir {
namespace {

TEST(Interval, StudentAsPrinted) {
  EXPECT_NEAR(student_t(0.95, 1), 12.706, 5e-4);
  EXPECT_NEAR(student_t(0.95, 2), 4.303, 5e-4);
  EXPECT_NEAR(student_t(0.95, 4), 2.776, 5e-4);
  EXPECT_NEAR(student_t(0.95, 9), 2.262, 5e-4);
  EXPECT_NEAR(student_t(0.95, 30), 2.042, 5e-4);
  EXPECT_NEAR(student_t(0.99, 5), 4.032, 5e-4);
  EXPECT_NEAR(student_t(0.9, 12), 1.782, 5e-4);
  EXPECT_NEAR(student_t(0.95, 10'000), 1.960, 5e-4);
}

TEST(Interval, OfValues) {
  const std::vector<double> values{9, 10, 11};
  const Interval interval = interval_of(values, 0.95);
  EXPECT_DOUBLE_EQ(interval.mean, 10);
  EXPECT_DOUBLE_EQ(*interval.stdev, 1);
  EXPECT_NEAR(*interval.half_width, 4.3027 / std::sqrt(3.0), 1e-4);
  EXPECT_TRUE(interval.narrow(0.25));
  EXPECT_FALSE(interval.narrow(0.24));
}

TEST(Interval, OfFewValues) {
  EXPECT_EQ(interval_of({}, 0.95).values, 0u);
  const std::vector<double> one{7};
  EXPECT_EQ(interval_of(one, 0.95).mean, 7);
  EXPECT_FALSE(interval_of(one, 0.95).half_width);
  EXPECT_FALSE(interval_of(one, 0.95).narrow(1e9));
  const std::vector<double> zeros{0, 0};
  EXPECT_TRUE(interval_of(zeros, 0.95).narrow(0));
}

TEST(Interval, OfWhatIsNeverNegativeEndsAtZero) {
  const std::vector<double> skewed{1, 1, 10}, negative{-1, 1, 10};
  EXPECT_GT(*interval_of(skewed, 0.95).half_width, interval_of(skewed, 0.95).mean);
  EXPECT_EQ(interval_of(skewed, 0.95).low(), 0.0);
  EXPECT_EQ(interval_of(skewed, 0.95).high(), 4 + *interval_of(skewed, 0.95).half_width);
  EXPECT_LT(*interval_of(negative, 0.95).low(), 0);
  const std::vector<double> one{7};
  EXPECT_FALSE(interval_of(one, 0.95).low());
}

// What an interval promises: it holds the true mean in so many cases.
TEST(Interval, CoversTheMeanAsOftenAsPromised) {
  RandomStream random(7, Purpose{}, 0);
  int covered = 0;
  constexpr int kCases = 4000;
  for (int c = 0; c < kCases; ++c) {
    std::vector<double> values(5);
    for (double& value : values) {  // close to normal: twelve uniform values
      value = -6;
      for (int i = 0; i < 12; ++i) value += random.unit();
    }
    const Interval interval = interval_of(values, 0.9);
    covered += std::abs(interval.mean) <= *interval.half_width ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(covered) / kCases, 0.9, 0.015);
}

}  // namespace
}  // namespace weir
