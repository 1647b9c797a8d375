// ECM step by step against values calculated by hand.
#include <gtest/gtest.h>

#include "run/lab.h"
#include "schemes/ethernet/ecm_points.h"

namespace weir {
namespace {

EcmParams exact_ecm() {
  EcmParams p;
  p.jitter = 0;
  return p;
}
RandomStream ecm_stream() { return {1, Purpose::test, 0}; }
constexpr double kEcmLine = 10e9;

// One unit of feedback is 165000 / 64 = 2578.125 B.
TEST(EcmCongestionPoint, NegativeFeedbackOnlyAboveEquilibrium) {
  const EcmParams p = exact_ecm();
  EcmCongestionPoint point(p, ecm_stream());
  EXPECT_EQ(point.arrival(p, 149'999, 50'000, false), 0);   // no sample yet
  EXPECT_EQ(point.arrival(p, 1, 50'000, false), -45);       // -17000 - 2 * 50000 = -117000
  EXPECT_EQ(point.arrival(p, 150'000, 50'000, false), -6);  // -17000
  EXPECT_EQ(point.arrival(p, 150'000, 20'000, false), 0);   // 13000 + 60000, but no tag
  EXPECT_EQ(point.arrival(p, 150'000, 33'000, false), 0);   // growing by 13000, but not above equilibrium
  EXPECT_EQ(point.arrival(p, 150'000, 500'000, false), -63);
}

TEST(EcmCongestionPoint, PositiveFeedbackOnlyForItsOwnTag) {
  const EcmParams p = exact_ecm();
  EcmCongestionPoint point(p, ecm_stream());
  EXPECT_EQ(point.arrival(p, 150'000, 0, false), 0);
  EXPECT_EQ(point.arrival(p, 150'000, 0, true), 12);        // 33000
  EXPECT_EQ(point.arrival(p, 150'000, 10'000, true), 1);    // 23000 - 2 * 10000
  EXPECT_EQ(point.arrival(p, 150'000, 40'000, true), -25);  // -7000 - 2 * 30000: congestion goes to everybody
}

TEST(EcmCongestionPoint, SevereCongestionSendsAStopIfAsked) {
  EcmParams p = exact_ecm();
  p.severe = 100'000;
  EcmCongestionPoint point(p, ecm_stream());
  EXPECT_EQ(point.arrival(p, 150'000, 100'000, false), -63);
  EXPECT_EQ(point.arrival(p, 150'000, 100'001, true), p.stop());
  EXPECT_EQ(p.stop(), -64);
}

TEST(EcmReactionPoint, MultipliesDownAndAddsUp) {
  const EcmParams p = exact_ecm();
  EcmReactionPoint point(p, kEcmLine, ecm_stream());
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
  EXPECT_DOUBLE_EQ(point.rate(), kEcmLine);
  EXPECT_TRUE(point.released());
}

TEST(EcmReactionPoint, HasAFloorAndDriftsUpFromIt) {
  const EcmParams p = exact_ecm();
  EcmReactionPoint point(p, kEcmLine, ecm_stream());
  for (int i = 0; i < 100; ++i) point.feedback(p, -63, 1);
  EXPECT_DOUBLE_EQ(point.rate(), 100e3);
  point.timer_expired(p);
  EXPECT_DOUBLE_EQ(point.rate(), 1.1e6);
  EXPECT_EQ(point.timer_period(p).ps, 1'000'000'000);
}

TEST(EcmReactionPoint, AStopLastsUntilItsTimerAndRestartsSlowly) {
  const EcmParams p = exact_ecm();
  EcmReactionPoint point(p, kEcmLine, ecm_stream());
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

std::string ecm_bottleneck(const std::string& scheme) {
  return R"([topology]
kind = "star"
hosts = 5
[link]
rate = "10Gbps"
delay = "500ns"
[packet]
payload = ["1500B"]
[switch]
organisation = "output-queued"
flow_control = "pause"
buffer = "150kB"
[scheme]
name = "ecm"
)" +
         scheme +
         R"([[traffic]]
pattern = "incast"
target = 0
[measure]
watch = ["S0:0"]
[run]
duration = "150ms"
)";
}

TEST(Ecm, KeepsTheBottleneckBusyWithAShortQueue) {
  const Outcome outcome = testing::run_text(ecm_bottleneck(""));
  const auto& series = outcome.measurements.watched.at(0).series;
  double queue = 0, rate = 0;
  for (std::size_t i = 50; i < 150; ++i) {
    queue += series[i].queue_mean / 100;
    rate += series[i].rate / 100;
  }
  EXPECT_LT(queue, 66'000);
  EXPECT_GT(rate, 9.5e9);
}

TEST(Ecm, StopsAreUsedOnlyWhereAllowed) {
  const auto stops = [](const Outcome& outcome) { return testing::number_of(outcome, "stops"); };
  EXPECT_EQ(stops(testing::run_text(ecm_bottleneck(""))), 0);
  EXPECT_GT(stops(testing::run_text(ecm_bottleneck("severe = '40kB'\n"))), 0);
  EXPECT_THROW(testing::run_text(ecm_bottleneck("severe = '20kB'\n")), InputError);
}

}  // namespace
}  // namespace weir
