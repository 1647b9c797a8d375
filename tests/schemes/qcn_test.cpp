// QCN step by step against values calculated by hand. Jitter is off where numbers are exact.
#include <gtest/gtest.h>

#include "run/lab.h"
#include "schemes/ethernet/qcn_points.h"

namespace weir {
namespace {

QcnParams exact() {
  QcnParams p;
  p.jitter = 0;
  return p;
}

RandomStream stream() { return {1, Purpose::test, 0}; }

// ---- congestion point ----

TEST(QcnCongestionPoint, samples_after_the_interval_and_only_then) {
  const QcnParams p = exact();
  QcnCongestionPoint point(p, stream());
  for (int i = 1; i < 100; ++i) EXPECT_EQ(point.arrival(p, 1500, 100'000), 0u) << i;
  // The hundredth frame completes 150 kB: -Fb = 67000 + 2 * 100000, clipped to 165000, and that is 63.
  EXPECT_EQ(point.arrival(p, 1500, 100'000), 63u);
  EXPECT_EQ(point.old_queue(), 100'000);
  EXPECT_DOUBLE_EQ(point.until_sample(), 18'500);
}

TEST(QcnCongestionPoint, feedback_weighs_offset_and_growth) {
  const QcnParams p = exact();
  QcnCongestionPoint point(p, stream());
  EXPECT_DOUBLE_EQ(point.excess(p, 33'000), 66'000);   // the old queue is 0: 0 + 2 * 33000
  EXPECT_DOUBLE_EQ(point.excess(p, 11'000), 0);        // -22000 + 22000
  EXPECT_DOUBLE_EQ(point.excess(p, 12'000), 3'000);    // -21000 + 24000
  EXPECT_DOUBLE_EQ(point.excess(p, 0), 0);
  EXPECT_DOUBLE_EQ(point.excess(p, 1'000'000), 165'000);
  point.arrival(p, 150'000, 36'000);                   // renews the old queue
  EXPECT_DOUBLE_EQ(point.excess(p, 36'000), 3'000);
  EXPECT_DOUBLE_EQ(point.excess(p, 34'000), 0);        // 1000 - 4000
}

TEST(QcnCongestionPoint, interval_follows_the_octile_of_the_feedback) {
  const QcnParams p = exact();
  const double expected[] = {150'000, 75'000, 50'000, 37'500, 30'000, 25'000, 21'500, 18'500};
  for (std::uint32_t fb = 0; fb < 64; ++fb) EXPECT_DOUBLE_EQ(qcn_interval(p, fb), expected[fb / 8]) << fb;
}

TEST(QcnCongestionPoint, renews_the_old_queue_and_the_interval_even_if_it_sends_nothing) {
  const QcnParams p = exact();
  QcnCongestionPoint point(p, stream());
  EXPECT_EQ(point.arrival(p, 150'000, 5'000), 0u);
  EXPECT_EQ(point.old_queue(), 5'000);
  EXPECT_DOUBLE_EQ(point.until_sample(), 150'000);
}

TEST(QcnCongestionPoint, jitter_stays_within_its_share_and_keeps_the_mean) {
  QcnParams p;
  QcnCongestionPoint point(p, stream());
  double sum = 0, least = 1e9, most = 0;
  for (int i = 0; i < 4000; ++i) {
    point.arrival(p, 200'000, 0);
    sum += point.until_sample();
    least = std::min(least, point.until_sample());
    most = std::max(most, point.until_sample());
  }
  EXPECT_NEAR(sum / 4000, 150'000, 1'500);
  EXPECT_GE(least, 127'500);
  EXPECT_LT(least, 128'500);
  EXPECT_LE(most, 172'500);
  EXPECT_GT(most, 171'500);
}

TEST(QcnQuantise, roundings_are_what_their_names_say) {
  QcnParams p = exact();  // one unit of `down` is 165000 / 64 = 2578.125 B, of the others 165000 / 63 = 2619.05 B
  EXPECT_EQ(p.quantise(2578), 0u);
  EXPECT_EQ(p.quantise(2579), 1u);
  EXPECT_EQ(p.quantise(165'000), 63u);
  p.rounding = Rounding::nearest;
  EXPECT_EQ(p.quantise(1309), 0u);
  EXPECT_EQ(p.quantise(1310), 1u);
  EXPECT_EQ(p.quantise(165'000), 63u);
  p.rounding = Rounding::up;
  EXPECT_EQ(p.quantise(0), 0u);
  EXPECT_EQ(p.quantise(1), 1u);
  EXPECT_EQ(p.quantise(165'000), 63u);
  p.bits = 3;
  p.rounding = Rounding::down;
  EXPECT_EQ(p.quantise(165'000), 7u);
  EXPECT_DOUBLE_EQ(qcn_interval(p, 7), 18'500);
}

// ---- reaction point ----

constexpr double kLineRate = 10e9;

TEST(QcnReactionPoint, a_cut_is_proportional_to_the_feedback_and_never_below_half) {
  const QcnParams p = exact();
  QcnReactionPoint point(p, kLineRate, stream());
  point.feedback(p, 32);  // 1 - 32/128
  EXPECT_DOUBLE_EQ(point.rate(), 7.5e9);
  EXPECT_DOUBLE_EQ(point.target(), kLineRate);
  point.feedback(p, 63);  // 1 - 63/128 = 0.5078125
  EXPECT_DOUBLE_EQ(point.rate(), 7.5e9 * 0.5078125);
  EXPECT_DOUBLE_EQ(point.target(), kLineRate);  // still in the first cycle: the target stays
  QcnParams strong = exact();
  strong.gain = 1.0 / 32;
  QcnReactionPoint other(strong, kLineRate, stream());
  other.feedback(strong, 63);
  EXPECT_DOUBLE_EQ(other.rate(), 5e9);
}

TEST(QcnReactionPoint, the_rate_never_falls_below_its_minimum) {
  const QcnParams p = exact();
  QcnReactionPoint point(p, kLineRate, stream());
  for (int i = 0; i < 40; ++i) point.feedback(p, 63);
  EXPECT_DOUBLE_EQ(point.rate(), 100e3);
}

TEST(QcnReactionPoint, fast_recovery_halves_the_distance_to_the_target) {
  const QcnParams p = exact();
  QcnReactionPoint point(p, kLineRate, stream());
  point.feedback(p, 32);
  double expected = 7.5e9;
  for (int stage = 1; stage <= 5; ++stage) {
    for (int frame = 1; frame < 100; ++frame) EXPECT_FALSE(point.sent(p, 1500)) << stage << " " << frame;
    EXPECT_TRUE(point.sent(p, 1500)) << stage;
    expected = (expected + kLineRate) / 2;
    EXPECT_EQ(point.byte_stage(), static_cast<std::uint32_t>(stage));
    EXPECT_DOUBLE_EQ(point.rate(), expected);
    EXPECT_DOUBLE_EQ(point.target(), kLineRate);
  }
  EXPECT_DOUBLE_EQ(point.rate(), 9.921875e9);  // 10 - 2.5 / 32
  EXPECT_DOUBLE_EQ(point.bytes_left(), 75'000);  // half a cycle from now on
}

TEST(QcnReactionPoint, active_increase_from_the_sixth_stage_on) {
  const QcnParams p = exact();
  QcnReactionPoint point(p, kLineRate, stream());
  point.feedback(p, 63);
  point.feedback(p, 63);
  for (int stage = 0; stage < 5; ++stage) point.sent(p, 150'000);
  const double before = point.rate();
  EXPECT_TRUE(point.sent(p, 75'000));
  EXPECT_DOUBLE_EQ(point.target(), kLineRate + 5e6);
  EXPECT_DOUBLE_EQ(point.rate(), (before + kLineRate + 5e6) / 2);
}

TEST(QcnReactionPoint, byte_and_time_stages_count_apart) {
  const QcnParams p = exact();
  QcnReactionPoint point(p, kLineRate, stream());
  point.feedback(p, 32);
  point.timer_expired(p);
  EXPECT_EQ(point.time_stage(), 1u);
  EXPECT_EQ(point.byte_stage(), 0u);
  EXPECT_DOUBLE_EQ(point.rate(), 8.75e9);
  point.sent(p, 150'000);
  EXPECT_EQ(point.byte_stage(), 1u);
  EXPECT_DOUBLE_EQ(point.rate(), 9.375e9);
}

TEST(QcnReactionPoint, hyper_active_increase_when_both_stages_are_above_the_threshold) {
  for (const std::uint32_t offset : {5u, 4u}) {
    QcnParams p = exact();
    p.hyper_offset = offset;
    QcnReactionPoint point(p, 100e9, stream());
    point.feedback(p, 63);
    point.sent(p, 150'000);
    point.feedback(p, 63);  // the target is now well below the line rate, so that nothing saturates
    for (int i = 0; i < 6; ++i) point.sent(p, 150'000);
    for (int i = 0; i < 5; ++i) point.timer_expired(p);
    EXPECT_LT(point.target(), 80e9);
    double target = point.target(), rate = point.rate();
    point.timer_expired(p);  // stages 6 and 6
    target += 50e6 * (6 - offset);
    rate = (rate + target) / 2;
    EXPECT_DOUBLE_EQ(point.target(), target) << offset;
    EXPECT_DOUBLE_EQ(point.rate(), rate) << offset;
    point.timer_expired(p);  // 6 and 7: the smaller counts
    target += 50e6 * (6 - offset);
    rate = (rate + target) / 2;
    EXPECT_DOUBLE_EQ(point.target(), target) << offset;
    point.sent(p, 150'000);  // 7 and 7
    target += 50e6 * (7 - offset);
    EXPECT_DOUBLE_EQ(point.target(), target) << offset;
  }
}

TEST(QcnReactionPoint, halving_begins_at_or_above_the_threshold) {
  for (const bool late : {false, true}) {
    QcnParams p = exact();
    p.halve_late = late;
    QcnReactionPoint point(p, 100e9, stream());
    point.feedback(p, 63);
    const std::int64_t full = 15'000'000'000;
    for (std::uint32_t stage = 0; stage < 8; ++stage) {
      const bool half = late ? stage > 5 : stage >= 5;
      EXPECT_EQ(point.timer_period(p).ps, half ? full / 2 : full) << stage;
      EXPECT_DOUBLE_EQ(point.bytes_left(), half ? 75'000 : 150'000) << stage;
      point.timer_expired(p);
      point.sent(p, 150'000);
    }
  }
}

TEST(QcnReactionPoint, a_later_cut_takes_the_rate_as_target_and_refills) {
  const QcnParams p = exact();
  QcnReactionPoint point(p, kLineRate, stream());
  point.feedback(p, 32);
  point.sent(p, 150'000);  // stage 1, 8.75 Gb/s
  point.sent(p, 60'000);
  point.timer_expired(p);  // 9.375 Gb/s
  point.feedback(p, 16);   // 1 - 1/8
  EXPECT_DOUBLE_EQ(point.target(), 9.375e9);
  EXPECT_DOUBLE_EQ(point.rate(), 9.375e9 * 0.875);
  EXPECT_DOUBLE_EQ(point.bytes_left(), 150'000);
  EXPECT_EQ(point.byte_stage(), 0u);
  EXPECT_EQ(point.time_stage(), 0u);
  // A second cut in the first cycle leaves the target and the bytes of the cycle alone, though time has raised the
  // rate.
  point.sent(p, 60'000);
  point.timer_expired(p);
  const double rate = point.rate();
  point.feedback(p, 16);
  EXPECT_DOUBLE_EQ(point.target(), 9.375e9);
  EXPECT_DOUBLE_EQ(point.rate(), rate * 0.875);
  EXPECT_DOUBLE_EQ(point.bytes_left(), 90'000);
}

TEST(QcnReactionPoint, extra_fast_recovery_lowers_a_target_far_above_the_rate) {
  for (const bool on : {true, false}) {
    QcnParams p = exact();
    p.extra_fast_recovery = on;
    QcnReactionPoint point(p, kLineRate, stream());
    for (int i = 0; i < 4; ++i) point.feedback(p, 63);  // 0.5078125^4 = 0.0665: target above ten times the rate
    const double rate = point.rate();
    ASSERT_LT(rate * 10, kLineRate);
    point.timer_expired(p);
    EXPECT_DOUBLE_EQ(point.target(), on ? kLineRate / 8 : kLineRate);
    EXPECT_DOUBLE_EQ(point.rate(), (rate + (on ? kLineRate / 8 : kLineRate)) / 2);
    const double target = point.target();
    point.timer_expired(p);  // stages 0 and 2: not again
    EXPECT_DOUBLE_EQ(point.target(), target);
  }
}

TEST(QcnReactionPoint, is_released_at_line_rate) {
  const QcnParams p = exact();
  QcnReactionPoint point(p, kLineRate, stream());
  point.feedback(p, 1);
  int steps = 0;
  while (!point.released()) {
    point.sent(p, 150'000);
    ASSERT_LT(++steps, 100);
  }
  // Fast recovery leaves 78.125 / 32 Mb/s; active increase overshoots the line rate at the first step.
  EXPECT_EQ(steps, 6);
  EXPECT_DOUBLE_EQ(point.rate(), kLineRate);
}

// ---- in the engine ----

constexpr const char* kBottleneck = R"(
[topology]
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
[adapter]
organisation = "per-destination"
queue_limit = "150kB"
[scheme]
name = "qcn"
[[traffic]]
pattern = "hotspot"
name = "hot"
hosts = [1, 2, 3, 4]
target = 0
load = 1.0
arrivals = "bernoulli"
[measure]
watch = ["S0:0", "H1"]
[run]
duration = "150ms"
)";

TEST(Qcn, holds_the_queue_of_a_bottleneck_near_equilibrium_and_the_link_busy) {
  const Outcome outcome = testing::run_text(kBottleneck);
  const Measurements& m = outcome.measurements;
  ASSERT_EQ(m.watched.size(), 2u);
  const auto& series = m.watched[0].series;
  ASSERT_EQ(series.size(), 150u);
  double queue = 0, rate = 0;
  for (std::size_t i = 50; i < 150; ++i) {
    queue += series[i].queue_mean / 100;
    rate += series[i].rate / 100;
  }
  EXPECT_NEAR(queue, 33'000, 0.2 * 33'000);
  EXPECT_GT(rate, 9.8e9);
  EXPECT_GT(m.totals.notifications, 100u);
}

TEST(Qcn, refuses_what_cannot_be) {
  const std::string text = kBottleneck;
  const auto with = [&](const std::string& line) {
    std::string t = text;
    t.insert(t.find("name = \"qcn\"") + 12, "\n" + line);
    return t;
  };
  EXPECT_THROW(testing::run_text(with("lane = 3")), InputError);
  EXPECT_THROW(testing::run_text(with("hyper_offset = 6")), InputError);
}

}  // namespace
}  // namespace weir
