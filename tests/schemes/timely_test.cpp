// TIMELY step by step against values calculated by hand, and two flows in the engine.
#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"
#include "schemes/roce/timely_sender.h"

namespace weir {
namespace {

using namespace literals;
using testing::number_of;
using testing::run_text;

constexpr double kTimelyLine = 10e9;

TimelyParams from(double rate) {
  TimelyParams p;
  p.initial_rate = rate;
  return p;
}

TEST(TimelySender, StartsAtLineRateOrBelow) {
  EXPECT_DOUBLE_EQ(TimelySender(TimelyParams{}, kTimelyLine).rate(), kTimelyLine);
  EXPECT_DOUBLE_EQ(TimelySender(from(3e9), kTimelyLine).rate(), 3e9);
  EXPECT_DOUBLE_EQ(TimelySender(from(30e9), kTimelyLine).rate(), kTimelyLine);
}

TEST(TimelySender, ShortRoundTripsAddAStep) {
  const TimelyParams p = from(3e9);
  TimelySender s(p, kTimelyLine);
  s.measured(p, 10_us);
  s.measured(p, 49_us);  // though they grow
  EXPECT_DOUBLE_EQ(s.rate(), 3.02e9);
}

TEST(TimelySender, LongOnesCut) {
  const TimelyParams p = from(4e9);
  TimelySender s(p, kTimelyLine);
  s.measured(p, 1000_us);  // 1 - 0.8 (1 - 1/2)
  EXPECT_DOUBLE_EQ(s.rate(), 4e9 * 0.6);
}

TEST(TimelySender, InBetweenTheGradientDecides) {
  const TimelyParams p = from(4e9);
  TimelySender s(p, kTimelyLine);
  s.measured(p, 100_us);  // the first has no difference: gradient 0, a step
  EXPECT_DOUBLE_EQ(s.rate(), 4.01e9);
  s.measured(p, 104_us);  // 0.875 * 4 us over 20 us
  EXPECT_DOUBLE_EQ(s.gradient(), 0.175);
  EXPECT_DOUBLE_EQ(s.rate(), 4.01e9 * (1 - 0.8 * 0.175));
  s.measured(p, 104_us);  // an eighth of it is left
  EXPECT_DOUBLE_EQ(s.gradient(), 0.175 / 8);
}

TEST(TimelySender, FiveRisesInARowMakeItFaster) {
  const TimelyParams p = from(1e9);
  TimelySender s(p, kTimelyLine);
  for (int i = 1; i <= 4; ++i) s.measured(p, 200_us);
  EXPECT_DOUBLE_EQ(s.rate(), 1.04e9);
  s.measured(p, 200_us);
  EXPECT_DOUBLE_EQ(s.rate(), 1.09e9);
  s.measured(p, 199_us);
  EXPECT_DOUBLE_EQ(s.rate(), 1.14e9);
  s.measured(p, 210_us);  // grows: the count begins again
  const double cut = s.rate();
  EXPECT_LT(cut, 1.14e9);
  s.measured(p, 150_us);
  EXPECT_DOUBLE_EQ(s.rate(), cut + 10e6);
}

TEST(TimelySender, NoCutBelowHalfAndNoRateBelowTheMinimum) {
  const TimelyParams p = from(4e9);
  TimelySender s(p, kTimelyLine);
  s.measured(p, 60_us);
  s.measured(p, 160_us);  // gradient 4.375: the formula would go below 0
  EXPECT_DOUBLE_EQ(s.rate(), 4.01e9 / 2);
  for (int i = 0; i < 40; ++i) s.measured(p, 100'000_us);
  EXPECT_DOUBLE_EQ(s.rate(), 10e6);
}

TEST(TimelySender, PatchedWeighsTheGradientAndPullsTowardsTheReference) {
  TimelyParams p = from(4e9);
  p.patched = true;
  TimelySender s(p, kTimelyLine);
  s.measured(p, 75_us);  // gradient 0: w = 1/2, half above the reference
  EXPECT_DOUBLE_EQ(s.rate(), 5e6 + 4e9 * (1 - 0.008 * 0.5 * 0.5));
  TimelySender falling(p, kTimelyLine);
  falling.measured(p, 110_us);
  falling.measured(p, 100_us);  // gradient -0.4375: w = 0, a whole step
  EXPECT_DOUBLE_EQ(falling.rate(), 5e6 + 4e9 * (1 - 0.008 * 0.5 * 1.2) + 10e6);
  TimelySender growing(p, kTimelyLine);
  growing.measured(p, 90_us);
  const double before = growing.rate();
  growing.measured(p, 100_us);  // w = 1, no step
  EXPECT_DOUBLE_EQ(growing.rate(), before * (1 - 0.008));
}

// ---- in the engine ----

std::string two_flows(const std::string& scheme, const std::string& duration) {
  return fmt::format(R"([topology]
kind = "star"
hosts = 3
[link]
rate = "10Gbps"
delay = "1us"
[packet]
payload = ["1000B"]
[switch]
organisation = "output-queued"
buffer = "100MB"
[adapter]
organisation = "per-flow"
[scheme]
name = "timely"
initial_rate = "3Gbps"
{}
[[traffic]]
name = "first"
pattern = "incast"
target = 0
hosts = [1]
[[traffic]]
name = "second"
pattern = "incast"
target = 0
hosts = [2]
start = "15ms"
[run]
duration = "{}"
warmup = "100ms"
)",
                     scheme, duration);
}

double ratio(const Outcome& run) {
  const auto& flows = run.measurements.flows;
  return static_cast<double>(flows.at(0).delivered_in_window) / static_cast<double>(flows.at(1).delivered_in_window);
}

TEST(Timely, TwoFlowsThatStartApartStayApartAndMeetWithThePatch) {
  EXPECT_GT(ratio(run_text(two_flows("pacing = 'packets'", "150ms"))), 2);
  EXPECT_NEAR(ratio(run_text(two_flows("pacing = 'packets'\nvariant = 'patched'", "150ms"))), 1, 0.05);
}

TEST(Timely, SegmentsGoInOneBurstAtTheRateInTheMean) {
  testing::Star star;  // 1 byte per ns
  star.scheme = "name = 'timely'\ninitial_rate = '2Gbps'\nsegment = '4kB'\nrai = '0bps'\npacing = 'segments'\n";
  star.traffic = testing::flows("[0, 1, 40000]");
  // A segment takes 16 us at 2 Gb/s. The last of ten has 4 packets to go and the last packet crosses the switch.
  EXPECT_EQ(testing::completion(run_text(star.text()), 0), (9 * 16'000 + 4'000) * testing::kNs);
  star.scheme = "name = 'timely'\ninitial_rate = '2Gbps'\nsegment = '4kB'\nrai = '0bps'\npacing = 'packets'\n";
  EXPECT_EQ(testing::completion(run_text(star.text()), 0), (39 * 4'000 + 1'000) * testing::kNs);
  EXPECT_EQ(number_of(run_text(star.text()), "round trips measured"), 9) << "the run ends with the last byte";
}

TEST(Timely, RefusesWhatCannotBe) {
  const auto with = [](const std::string& lines) { return testing::refusal(two_flows(lines, "150ms")); };
  EXPECT_TRUE(says(with("t_high = '40us'"), "must not be below t_low"));
  EXPECT_TRUE(says(with("rtt_ref = '40us'"), "variant"));
}

}  // namespace
}  // namespace weir
