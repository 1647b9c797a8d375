// ECM step by step against values calculated by hand.
#include <gtest/gtest.h>

#include "run/lab.h"
#include "schemes/ethernet/ecm_points.h"

namespace weir {
namespace {

EcmParams exact() {
  EcmParams p;
  p.jitter = 0;
  return p;
}
RandomStream stream() { return {1, Purpose::test, 0}; }
constexpr double kLine = 10e9;

// One unit of feedback is 165000 / 64 = 2578.125 B.
TEST(EcmCongestionPoint, negative_feedback_only_above_equilibrium) {
  const EcmParams p = exact();
  EcmCongestionPoint point(p, stream());
  EXPECT_EQ(point.arrival(p, 149'999, 50'000, false), 0);   // no sample yet
  EXPECT_EQ(point.arrival(p, 1, 50'000, false), -45);       // -17000 - 2 * 50000 = -117000
  EXPECT_EQ(point.arrival(p, 150'000, 50'000, false), -6);  // -17000
  EXPECT_EQ(point.arrival(p, 150'000, 20'000, false), 0);   // 13000 + 60000, but no tag
  EXPECT_EQ(point.arrival(p, 150'000, 33'000, false), 0);   // growing by 13000, but not above equilibrium
  EXPECT_EQ(point.arrival(p, 150'000, 500'000, false), -63);
}

TEST(EcmCongestionPoint, positive_feedback_only_for_its_own_tag) {
  const EcmParams p = exact();
  EcmCongestionPoint point(p, stream());
  EXPECT_EQ(point.arrival(p, 150'000, 0, false), 0);
  EXPECT_EQ(point.arrival(p, 150'000, 0, true), 12);        // 33000
  EXPECT_EQ(point.arrival(p, 150'000, 10'000, true), 1);    // 23000 - 2 * 10000
  EXPECT_EQ(point.arrival(p, 150'000, 40'000, true), -25);  // -7000 - 2 * 30000: congestion goes to everybody
}

TEST(EcmCongestionPoint, severe_congestion_sends_a_stop_if_asked) {
  EcmParams p = exact();
  p.severe = 100'000;
  EcmCongestionPoint point(p, stream());
  EXPECT_EQ(point.arrival(p, 150'000, 100'000, false), -63);
  EXPECT_EQ(point.arrival(p, 150'000, 100'001, true), p.stop());
  EXPECT_EQ(p.stop(), -64);
}

TEST(EcmReactionPoint, multiplies_down_and_adds_up) {
  const EcmParams p = exact();
  EcmReactionPoint point(p, kLine, stream());
  point.feedback(p, -32, 7);
  EXPECT_DOUBLE_EQ(point.rate(), 7.5e9);
  EXPECT_EQ(point.tag(), 7u);
  point.feedback(p, 10, 7);  // 2 * 10 * 8 Mb/s
  EXPECT_DOUBLE_EQ(point.rate(), 7.66e9);
  point.feedback(p, 10, 8);  // room elsewhere
  EXPECT_DOUBLE_EQ(point.rate(), 7.66e9);
  point.feedback(p, -1, 8);  // the tag follows the latest congestion
  EXPECT_EQ(point.tag(), 8u);
  EXPECT_DOUBLE_EQ(point.rate(), 7.66e9 * (1 - 1.0 / 128));
  for (int i = 0; i < 200; ++i) point.feedback(p, 63, 8);
  EXPECT_DOUBLE_EQ(point.rate(), kLine);
  EXPECT_TRUE(point.released());
}

TEST(EcmReactionPoint, has_a_floor_and_drifts_up_from_it) {
  const EcmParams p = exact();
  EcmReactionPoint point(p, kLine, stream());
  for (int i = 0; i < 100; ++i) point.feedback(p, -63, 1);
  EXPECT_DOUBLE_EQ(point.rate(), 100e3);
  point.timer_expired(p);
  EXPECT_DOUBLE_EQ(point.rate(), 1.1e6);
  EXPECT_EQ(point.timer_period(p).ps, 1'000'000'000);
}

TEST(EcmReactionPoint, a_stop_lasts_until_its_timer_and_restarts_slowly) {
  const EcmParams p = exact();
  EcmReactionPoint point(p, kLine, stream());
  point.feedback(p, p.stop(), 3);
  EXPECT_TRUE(point.stopped());
  EXPECT_FALSE(point.released());
  const Time period = point.timer_period(p);
  EXPECT_GT(period.ps, 0);
  EXPECT_LE(period.ps, p.longest_stop.ps);
  point.feedback(p, 63, 3);  // not while stopped
  point.timer_expired(p);
  EXPECT_FALSE(point.stopped());
  EXPECT_DOUBLE_EQ(point.rate(), 100e6);
}

std::string bottleneck(const std::string& scheme) {
  return "[topology]\nkind = \"star\"\nhosts = 5\n[link]\nrate = \"10Gbps\"\ndelay = \"500ns\"\n[packet]\npayload = "
         "[\"1500B\"]\n"
         "[switch]\norganisation = \"output-queued\"\nflow_control = \"pause\"\nbuffer = \"150kB\"\n[scheme]\nname = "
         "\"ecm\"\n" +
         scheme +
         "[[traffic]]\npattern = \"incast\"\ntarget = 0\n[measure]\nwatch = [\"S0:0\"]\n[run]\nduration = \"150ms\"\n";
}

TEST(Ecm, keeps_the_bottleneck_busy_with_a_short_queue) {
  const Outcome outcome = testing::run_text(bottleneck(""));
  const auto& series = outcome.measurements.watched.at(0).series;
  double queue = 0, rate = 0;
  for (std::size_t i = 50; i < 150; ++i) {
    queue += series[i].queue_mean / 100;
    rate += series[i].rate / 100;
  }
  EXPECT_LT(queue, 66'000);
  EXPECT_GT(rate, 9.5e9);
}

TEST(Ecm, stops_are_used_only_where_allowed) {
  const auto stops = [](const Outcome& outcome) { return testing::number_of(outcome, "stops"); };
  EXPECT_EQ(stops(testing::run_text(bottleneck(""))), 0);
  EXPECT_GT(stops(testing::run_text(bottleneck("severe = \"40kB\"\n"))), 0);
  EXPECT_THROW(testing::run_text(bottleneck("severe = \"20kB\"\n")), InputError);
}

}  // namespace
}  // namespace weir
