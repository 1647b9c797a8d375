// Times at the end of the range, where sums of 64 bits would come out negative.
#include "base/latest.h"

#include <gtest/gtest.h>

#include <cmath>

namespace weir {
namespace {

TEST(Latest, NoSumRunsOver) {
  EXPECT_EQ(later({3}, {4}), Time{7});
  EXPECT_EQ(later(kLatest, {}), kLatest);
  EXPECT_EQ(later(kLatest, {1}), kNever);
  EXPECT_EQ(later(kNever, {}), kNever);
  EXPECT_EQ(later({}, kNever), kNever);
  EXPECT_EQ(later(kNever, kNever), kNever);
}

TEST(Latest, NoCalculatedTimeDoes) {
  EXPECT_EQ(whole_ps(2.9), Time{2});
  EXPECT_EQ(whole_ps(4.7e18), kNever);
  EXPECT_EQ(whole_ps(INFINITY), kNever);
  EXPECT_EQ(whole_ps(NAN), kNever);
}

}  // namespace
}  // namespace weir
