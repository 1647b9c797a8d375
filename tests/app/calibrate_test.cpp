// What is said of suggested ECN thresholds beside the numbers.
#include <gtest/gtest.h>

#include "app/calibrate.h"
#include "run/vocabulary.h"
#include "says.h"
#include "scenario/parse.h"

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
  EXPECT_EQ(suggestion_text(c),
            "*: short flows are slower than with the best pair, and this is not chance (2 runs of each pair). Pairs "
            "without a star may be as good as the best; more runs (--seeds) would show it. Suggested: the highest "
            "thresholds with which short flows are at most 25 % slower than with the best pair. "
            "The suggested pair is the lowest that was tried: lower ones may be better. The suggested pair has a "
            "price: for long flows, the 99th percentile of the slowdown is 51.0 % higher than with the pair that is "
            "best for them. pmax was 20.0 % in all runs; other values were not tried.");
  c.suggested = 1;
  EXPECT_FALSE(says(suggestion_text(c), "that was tried"));
  c.suggested = 2;
  EXPECT_TRUE(says(suggestion_text(c), "The suggested pair is the highest that was tried: higher ones"));
  EXPECT_FALSE(says(suggestion_text(c), "price"));
}

// What one run of each pair suggests follows another rule than what several suggest, and is said in other words.
TEST(Calibrate, OneRunOfEachPairChangesNothing) {
  const std::string text = R"(
[topology]
kind = 'star'
hosts = 4
[link]
rate = '100Gbps'
[packet]
payload = [1000]
[switch]
organisation = 'output-queued'
flow_control = 'pause'
buffer = '500kB'
[adapter]
organisation = 'per-flow'
[[traffic]]
pattern = 'incast'
target = 0
bytes = '300kB'
[[traffic]]
pattern = 'permutation'
bytes = '30kB'
[run]
until = 'flows'
[scheme]
name = 'dcqcn'
)";
  for (const bool given : {false, true}) {
    const EcnCalibration c =
        calibrate_ecn(parse_scenario_text(text + (given ? "kmin = '7kB'\nkmax = '9kB'\n" : ""), "", vocabulary()), 1);
    const EcnTrial& suggested = c.trials[c.suggested];
    EXPECT_EQ(suggested.which, given ? EcnTrial::Which::given : EcnTrial::Which::by_default);
    EXPECT_TRUE(says(suggestion_text(c), given ? "the pair that the scenario has."
                                               : "the pair that the scenario has, which is the default."));
    EXPECT_FALSE(says(suggestion_text(c), "25 %"));
  }
}

}  // namespace
}  // namespace weir
