// The experiments on the protocols of Zdornov & Birk 2009, on small trees: they measure what they claim, and a seed
// gives one result.
#include "reproduce/zdornov/protocols.h"

#include <gtest/gtest.h>

namespace weir::zdornov {
namespace {

ProtocolOptions small_tree() {
  ProtocolOptions options;
  options.tree = {4, 3, 2};
  return options;
}

TEST(ZdornovProtocols, DffaTimesBelongToRightAnswers) {
  const DffaTimes one = dffa_times(1, 0, small_tree()), five = dffa_times(5, 0, small_tree());
  for (const DffaTimes& t : {one, five}) {
    EXPECT_LE(t.error, 1e-9);
    EXPECT_LE(t.share_of_bound, 1);
    EXPECT_GT(t.share_of_bound, 0);
    EXPECT_GT(t.start_worst, t.start_mean);
    EXPECT_GT(t.late_mean, 3 * t.longest_round_trip / 2) << "a probe, at least two updates and a farewell";
  }
  EXPECT_GT(five.start_mean, one.start_mean);
  EXPECT_GT(five.rates, one.rates);
  const DffaTimes again = dffa_times(5, 0, small_tree());
  EXPECT_EQ(again.start_mean, five.start_mean);
  EXPECT_EQ(again.messages, five.messages);
}

TEST(ZdornovProtocols, DafaTakesTwoWavesForEachIteration) {
  ProtocolOptions options;
  options.tree = {8, 3, 2};
  const DafaTimes t = dafa_times(4, 0, options);
  EXPECT_LE(t.error, 1e-9);
  EXPECT_EQ(t.farthest, 4u);
  EXPECT_DOUBLE_EQ(t.estimate, 2 * t.iterations * 4 * 0.6);
  // Three hops to every host and back in each wave, and one wave more that finds nothing left.
  EXPECT_GT(t.measured, (2 * t.iterations + 1) * 3 * 0.6 * 0.9);
  EXPECT_LT(t.measured, (2 * t.iterations + 1) * 5 * 0.6);
}

TEST(ZdornovProtocols, SaaMNeedsFewPackets) {
  const SaaMMessages m = saa_m_messages(5, 0, small_tree());
  EXPECT_GT(m.mean, 0);
  EXPECT_LE(m.mean, 5);
  EXPECT_GE(m.most, 3u) << "a probe, a reservation and an update";
  EXPECT_GT(m.settled, 0);
}

}  // namespace
}  // namespace weir::zdornov
