// What is said of suggested ECN thresholds beside the numbers.
#include <gtest/gtest.h>

#include "app/calibrate.h"
#include "says.h"

namespace weir {
namespace {

EcnTrial pair_of(double short_p99, double long_p99, bool differs) {
  EcnTrial trial;
  trial.short_p99 = {short_p99, short_p99};
  trial.long_p99 = {long_p99, long_p99};
  trial.differs = differs;
  return trial;
}

TEST(Calibrate, SaysWhatASuggestionCostsAndThatItIsAnEdge) {
  EcnCalibration c;
  c.pmax = 0.2;
  c.trials = {pair_of(2, 6.04, false), pair_of(4, 5, true), pair_of(8, 4, true)};
  EXPECT_EQ(suggestion_remarks(c),
            "This is the lowest pair that was tried: lower ones may be better still. It has a price: the 99th "
            "percentile of long flows is 51.0 % higher than with the pair that is best for them. pmax was 20.0 % in "
            "all runs; other values were not tried.");
  c.suggested = 1;
  EXPECT_FALSE(says(suggestion_remarks(c), "pair that was tried"));
  c.suggested = 2;
  EXPECT_TRUE(says(suggestion_remarks(c), "This is the highest pair that was tried: higher ones may"));
  EXPECT_FALSE(says(suggestion_remarks(c), "price"));
}

}  // namespace
}  // namespace weir
