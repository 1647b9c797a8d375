// DCQCN step by step against values calculated by hand, and in the engine against its fluid model.
#include <gtest/gtest.h>

#include <cmath>

#include "run/lab.h"
#include "says.h"
#include "schemes/bottleneck.h"
#include "schemes/roce/dcqcn_senders.h"
#include "schemes/roce/ecn.h"

namespace weir {
namespace {

using namespace literals;
using testing::number_of;
using testing::refusal;
using testing::run_text;

constexpr double kLine = 40e9;

// ---- marking ----

TEST(Ecn, ProbabilityGrowsFromKminToKmaxAndJumpsThen) {
  const RedThresholds red{5'000, 200'000};
  EXPECT_EQ(red.probability(0, 0.01), 0);
  EXPECT_EQ(red.probability(5'000, 0.01), 0);
  EXPECT_DOUBLE_EQ(red.probability(102'500, 0.01), 0.005);
  EXPECT_DOUBLE_EQ(red.probability(200'000, 0.01), 0.01);
  EXPECT_EQ(red.probability(200'001, 0.01), 1);
  const RedThresholds step{50'000, 50'000};  // as DCTCP marks
  EXPECT_EQ(step.probability(50'000, 0.2), 0);
  EXPECT_EQ(step.probability(50'001, 0.2), 1);
}

TEST(Ecn, DefaultsFollowTheRateOfTheLinkAndTheBuffer) {
  EcnConfig config;
  config.packet = 1000;
  config.capacity = 100'000'000;
  const auto at = [&](std::int64_t gigabits) { return config.thresholds(Rate{gigabits * 1'000'000'000}); };
  EXPECT_DOUBLE_EQ(at(25).kmin, 100'000);
  EXPECT_DOUBLE_EQ(at(25).kmax, 400'000);
  EXPECT_DOUBLE_EQ(at(100).kmin, 400'000);
  EXPECT_DOUBLE_EQ(at(100).kmax, 1'600'000);
  config.capacity = 200'000;  // half of it at most
  EXPECT_DOUBLE_EQ(at(100).kmax, 100'000);
  EXPECT_DOUBLE_EQ(at(100).kmin, 25'000);
  config.capacity = 2'000;    // two packets and one at least
  EXPECT_DOUBLE_EQ(at(100).kmax, 2'000);
  EXPECT_DOUBLE_EQ(at(100).kmin, 1'000);
  config.kmin = 50'000;
  EXPECT_DOUBLE_EQ(at(100).kmax, 200'000);
  config.kmin.reset();
  config.kmax = 500;
  EXPECT_DOUBLE_EQ(at(100).kmin, 500);
}

TEST(Ecn, ThresholdsByTheRateOfEachLink) {
  EcnConfig config;
  config.packet = 1000;
  config.capacity = 100'000'000;
  config.kmin_per_gigabit = 500;
  const auto at = [&](std::int64_t gigabits) { return config.thresholds(Rate{gigabits * 1'000'000'000}); };
  EXPECT_DOUBLE_EQ(at(100).kmin, 50'000);
  EXPECT_DOUBLE_EQ(at(400).kmin, 200'000);
  EXPECT_DOUBLE_EQ(at(400).kmax, 6'400'000);  // the default
  config.kmax_per_gigabit = 1500;
  EXPECT_DOUBLE_EQ(at(100).kmax, 150'000);
  EXPECT_DOUBLE_EQ(at(400).kmax, 600'000);
  config.kmax_per_gigabit.reset();
  config.kmax = 250'000;  // one for all
  EXPECT_DOUBLE_EQ(at(400).kmax, 250'000);
}

TEST(Ecn, ThresholdsThatCrossOnSomeLinkAreRefused) {
  const auto said = [](const std::string& scheme) {
    testing::Star star;
    star.scheme = "name = 'dcqcn'\n" + scheme;
    star.traffic = testing::flows("[0, 1, 1000]");
    return refusal(star.text());
  };
  EXPECT_TRUE(says(said("kmin_per_gbps = '1kB'\nkmax = '2kB'\n"), "must not be below kmin"));
  EXPECT_TRUE(says(said("kmin_per_gbps = '2kB'\nkmax_per_gbps = '1kB'\n"), "must not be below kmin"));
  EXPECT_TRUE(says(said("kmin = '2kB'\nkmin_per_gbps = '1kB'\n"), "`kmin_per_gbps` has no effect"));
}

// ---- the sender of the paper ----

TEST(DcqcnPaper, ACnpCutsByHalfOfAlphaAndRaisesAlpha) {
  const DcqcnParams p;
  DcqcnPaperSender s(p, kLine, {});
  s.cnp(p, {});
  EXPECT_DOUBLE_EQ(s.target(), 40e9);
  EXPECT_DOUBLE_EQ(s.rate(), 20e9);
  EXPECT_DOUBLE_EQ(s.alpha(), 1);
  s.catch_up(p, 54_us);
  EXPECT_DOUBLE_EQ(s.alpha(), 1);
  s.catch_up(p, 55_us);  // no CNP for an interval: alpha falls, and the timer raises the rate
  EXPECT_DOUBLE_EQ(s.alpha(), 255.0 / 256);
  EXPECT_DOUBLE_EQ(s.rate(), 30e9);
  EXPECT_EQ(s.time_stage(), 1u);
  s.cnp(p, 60_us);
  EXPECT_DOUBLE_EQ(s.target(), 30e9);
  EXPECT_DOUBLE_EQ(s.rate(), 30e9 * (1 - 255.0 / 512));
  EXPECT_DOUBLE_EQ(s.alpha(), 255.0 / 256 * 255 / 256 + 1.0 / 256);
  EXPECT_EQ(s.time_stage(), 0u);
  EXPECT_EQ(s.next_raise(p), 115_us) << "the timer has started again";
}

TEST(DcqcnPaper, FiveStagesOfTimeThenAdditiveSteps) {
  const DcqcnParams p;
  DcqcnPaperSender s(p, kLine, {});
  s.cnp(p, {});
  s.cnp(p, {});  // target 20, rate 10 Gb/s
  double rate = 10e9;
  for (int stage = 1; stage <= 4; ++stage) {
    s.catch_up(p, 55_us * stage);
    rate = (rate + 20e9) / 2;
    EXPECT_DOUBLE_EQ(s.rate(), rate) << stage;
    EXPECT_DOUBLE_EQ(s.target(), 20e9);
  }
  s.catch_up(p, 55_us * 5);  // max(T, BC) is no longer below F
  EXPECT_DOUBLE_EQ(s.target(), 20.04e9);
  EXPECT_DOUBLE_EQ(s.rate(), (rate + 20.04e9) / 2);
  s.catch_up(p, 55_us * 8);
  EXPECT_DOUBLE_EQ(s.target(), 20.16e9);
}

TEST(DcqcnPaper, BytesRaiseTheRateTooAndBothTogetherFaster) {
  const DcqcnParams p;
  DcqcnPaperSender s(p, kLine, {});
  s.cnp(p, {});
  s.cnp(p, {});
  for (int i = 0; i < 9'999; ++i) s.sent(p, 1000);
  EXPECT_EQ(s.byte_stage(), 0u);
  s.sent(p, 1000);
  EXPECT_EQ(s.byte_stage(), 1u);
  EXPECT_DOUBLE_EQ(s.rate(), 15e9);
  s.catch_up(p, 55_us * 6);                                   // 6 and 1: additive at the fifth and sixth
  for (int i = 0; i < 4; ++i) s.sent(p, 10'000'000);          // 6 and 5: additive, four times
  EXPECT_DOUBLE_EQ(s.target(), 20e9 + 6 * 40e6);
  s.sent(p, 10'000'000);                                      // 6 and 6: the first hyper increase
  EXPECT_DOUBLE_EQ(s.target(), 20e9 + 6 * 40e6 + 200e6);
  s.sent(p, 10'000'000);                                      // the smaller stage counts
  EXPECT_DOUBLE_EQ(s.target(), 20e9 + 6 * 40e6 + 2 * 200e6);
  s.catch_up(p, 55_us * 7);                                   // 7 and 7: twice
  EXPECT_DOUBLE_EQ(s.target(), 20e9 + 6 * 40e6 + 4 * 200e6);
}

TEST(DcqcnPaper, ALongSilenceIsCaughtUpWithAtOnceAsStepByStep) {
  const DcqcnParams p;
  DcqcnPaperSender at_once(p, kLine, {}), by_steps(p, kLine, {});
  for (DcqcnPaperSender* s : {&at_once, &by_steps}) s->cnp(p, {}), s->cnp(p, {});
  at_once.catch_up(p, 20_ms);
  for (int us = 1; us <= 20'000; ++us) by_steps.catch_up(p, 1_us * us);
  EXPECT_DOUBLE_EQ(at_once.rate(), by_steps.rate());
  EXPECT_NEAR(at_once.alpha(), by_steps.alpha(), 1e-12);
  EXPECT_DOUBLE_EQ(at_once.target(), 20e9 + (20'000 / 55 - 4) * 40e6);
  EXPECT_DOUBLE_EQ(at_once.rate(), at_once.target() - 40e6) << "one step behind";
  at_once.catch_up(p, 1_s);
  EXPECT_EQ(at_once.rate(), kLine);
  EXPECT_EQ(at_once.next_raise(p), kNever);
  EXPECT_LT(at_once.alpha(), 1e-30);
  EXPECT_GT(at_once.time_stage(), 18'000u);
}

TEST(DcqcnPaper, NeverBelowTheMinimum) {
  const DcqcnParams p;
  DcqcnPaperSender s(p, kLine, {});
  for (int i = 0; i < 100; ++i) s.cnp(p, {});
  EXPECT_DOUBLE_EQ(s.rate(), 40e6);
}

// ---- the sender of adapters ----

DcqcnParams adapter() {
  DcqcnParams p;
  p.alpha_interval = 1_us;
  p.timer = 300_us;
  p.threshold = 1;
  p.additive = 8e6;
  p.hyper = 80e6;
  return p;
}

TEST(DcqcnAdapter, CutsAtTheEndOfAnIntervalWithACnp) {
  const DcqcnParams p = adapter();
  DcqcnAdapterSender s(p, kLine, 10_us);
  s.cnp(p, 10_us);
  s.catch_up(p, 13_us);
  EXPECT_DOUBLE_EQ(s.rate(), kLine);
  s.catch_up(p, 14_us);  // alpha: one interval with a CNP, three without
  const double alpha = 255.0 / 256 * 255 / 256 * 255 / 256;
  EXPECT_DOUBLE_EQ(s.alpha(), alpha);
  EXPECT_DOUBLE_EQ(s.rate(), kLine * (1 - alpha / 2));
  EXPECT_DOUBLE_EQ(s.target(), kLine);
  s.catch_up(p, 100_us);  // no CNP, no cut
  EXPECT_DOUBLE_EQ(s.rate(), kLine * (1 - alpha / 2));
  EXPECT_EQ(s.next_raise(p), 314_us);
}

TEST(DcqcnAdapter, OnlyACutAfterAnIncreaseMovesTheTarget) {
  for (const bool clamp : {false, true}) {
    DcqcnParams p = adapter();
    p.clamp_target = clamp;
    DcqcnAdapterSender s(p, kLine, {});
    s.cnp(p, {});
    s.catch_up(p, 4_us);
    const double first = s.rate();
    s.cnp(p, 5_us);
    s.catch_up(p, 8_us);
    EXPECT_DOUBLE_EQ(s.target(), clamp ? first : kLine);
    s.catch_up(p, 308_us);  // one increase
    EXPECT_EQ(s.stage(), 1u);
    const double raised = s.rate();
    s.cnp(p, 309_us);
    s.catch_up(p, 312_us);
    EXPECT_DOUBLE_EQ(s.target(), raised);
    EXPECT_EQ(s.stage(), 0u);
    EXPECT_EQ(s.next_raise(p), 612_us);
  }
}

TEST(DcqcnAdapter, RecoveryThenOneAdditiveStepThenHyper) {
  DcqcnParams p = adapter();
  p.clamp_target = true;
  DcqcnAdapterSender s(p, kLine, {});
  s.cnp(p, {});
  s.catch_up(p, 4_us);
  s.cnp(p, 5_us);
  s.catch_up(p, 8_us);
  const double target = s.target();
  s.catch_up(p, 308_us);
  EXPECT_DOUBLE_EQ(s.target(), target);
  s.catch_up(p, 608_us);
  EXPECT_DOUBLE_EQ(s.target(), target + 8e6);
  s.catch_up(p, 908_us);
  EXPECT_DOUBLE_EQ(s.target(), target + 88e6);
  s.catch_up(p, 1208_us);
  EXPECT_DOUBLE_EQ(s.target(), target + 168e6);
}

TEST(DcqcnAdapter, ALongSilenceIsCaughtUpWithAtOnceAsStepByStep) {
  const DcqcnParams p = adapter();
  DcqcnAdapterSender at_once(p, kLine, {}), by_steps(p, kLine, {});
  for (DcqcnAdapterSender* s : {&at_once, &by_steps}) s->cnp(p, {});
  at_once.catch_up(p, 50_ms);
  for (int us = 1; us <= 50'000; ++us) by_steps.catch_up(p, 1_us * us);
  EXPECT_DOUBLE_EQ(at_once.rate(), by_steps.rate());
  EXPECT_EQ(at_once.stage(), by_steps.stage());
  EXPECT_NEAR(at_once.alpha(), by_steps.alpha(), 1e-12);
}

// ---- in the engine ----

std::string bottleneck(int flows, const std::string& scheme, const std::string& duration, const std::string& delay) {
  return testing::Bottleneck{flows, "40Gbps", delay, "name = 'dcqcn'\n" + scheme,
                             fmt::format("duration = '{}'\nwarmup = '40ms'", duration)}
      .text();
}

struct Settled {
  double queue = 0, busy = 0;
};
Settled settled(const Outcome& outcome, std::size_t from) {
  const auto& series = outcome.measurements.watched.at(0).series;
  Settled s;
  for (std::size_t i = from; i < series.size(); ++i) {
    s.queue += series[i].queue_mean / static_cast<double>(series.size() - from);
    s.busy += series[i].rate / 40e9 / static_cast<double>(series.size() - from);
  }
  return s;
}

// 1 % per 195 kB and no jump: the fluid model has 93.8 kB for 8 flows.
TEST(Dcqcn, MeetsTheFixedPointOfTheFluidModel) {
  const Outcome run = run_text(bottleneck(
      8, "variant = 'paper'\nkmin = '5kB'\nkmax = '19505kB'\npmax = '100%'\nrai = '40Mbps'", "200ms", "1us"));
  const Settled s = settled(run, 400);
  EXPECT_NEAR(s.queue, 93'800, 0.2 * 93'800);
  EXPECT_GT(s.busy, 0.98);
  EXPECT_GT(number_of(run, "packets marked"), 100);
  EXPECT_EQ(run.measurements.scheme_idle, "");
}

TEST(Dcqcn, AdaptersShareTheLinkWithoutFillingTheBuffer) {
  const Outcome run = run_text(bottleneck(8, "kmin = '40kB'\nkmax = '200kB'", "100ms", "1us"));
  const Settled s = settled(run, 400);
  EXPECT_GT(s.busy, 0.9);
  EXPECT_LT(s.queue, 400'000);
  for (const FlowResult& flow : run.measurements.flows)
    EXPECT_NEAR(static_cast<double>(flow.delivered_in_window), 60e-3 * 5e9 / 8 * s.busy, 0.4 * 60e-3 * 5e9 / 8);
}

// Two senders at full rate for 95 us, all packets marked.
Outcome all_marked(const std::string& lines) {
  testing::Star star;
  star.switches = "organisation = 'output-queued'\nbuffer = '10MB'\n";
  star.adapter = "organisation = 'per-flow'\n";
  star.traffic = testing::flows("[1, 0, 400000], [2, 0, 400000]");
  star.run = "until = 'duration'\nduration = '95us'\n";
  star.scheme =
      "name = 'dcqcn'\nvariant = 'paper'\nkmin = '0B'\nkmax = '0B'\ncnp_interval = '20us'\ng = 0.5\nmin_rate = "
      "'4Gbps'\n" + lines;
  return run_text(star.text());
}
std::uint64_t marked_packets(const Outcome& run) {
  std::uint64_t sum = 0;
  for (const ClassResult& c : run.measurements.classes) sum += c.marked;
  return sum;
}

// One CNP at once, and then as the timing says. A lone flow's packets do not stop coming, so with a window there is one
// in every interval; with a gap, one at the first packet after it.
TEST(Dcqcn, AReceiverSendsOneCnpPerFlowAndInterval) {
  for (const char* timing : {"gap", "window"}) {
    const Outcome run = all_marked(fmt::format("cnp_timing = '{}'\n", timing));
    EXPECT_EQ(number_of(run, "CNPs sent"), 10) << timing;
    EXPECT_EQ(number_of(run, "lowest rate [bit/s]"), 4e9) << timing;
    EXPECT_GT(marked_packets(run), 50u) << timing;
  }
}

TEST(Dcqcn, ASwitchCanSendTheCnpsInstead) {
  for (const char* timing : {"gap", "window"}) {
    const Outcome run =
        all_marked(fmt::format("mark_at = 'arrival'\ncnp_from = 'switch'\ncnp_timing = '{}'\n", timing));
    EXPECT_EQ(number_of(run, "CNPs sent"), 10) << timing;
    EXPECT_EQ(number_of(run, "CNPs received"), 10) << timing;
    EXPECT_EQ(number_of(run, "lowest rate [bit/s]"), 4e9) << timing;
    EXPECT_EQ(marked_packets(run), 0u) << timing;
  }
}

TEST(Dcqcn, ASenderActsLaterWhereItIsToldTo) {
  const Outcome never = all_marked("reaction_delay = '95us'\n");
  EXPECT_EQ(number_of(never, "CNPs received"), 10);
  EXPECT_EQ(number_of(never, "rate limiters of a host at most"), 0);
  const Outcome late = all_marked("reaction_delay = '50us'\n");
  EXPECT_EQ(number_of(late, "rate limiters of a host at most"), 1);
}

// Flows get marks as often as they send if the switch tells of them, and as often as they are served if not.
TEST(Dcqcn, ToldByTheSwitchManyFlowsSettleWhereMarksOfDepartingPacketsLetThemSwing) {
  const auto deviation = [](const std::string& lines) {
    const Outcome run = run_text(
        bottleneck(64, "variant = 'paper'\nkmin = '5kB'\nkmax = '19505kB'\npmax = '100%'\nrai = '40Mbps'\n" + lines,
                   "160ms", "2us"));
    const auto& series = run.measurements.watched.at(0).series;
    double sum = 0, squares = 0, count = 0;
    for (std::size_t i = 800; i < series.size(); ++i) {
      sum += series[i].queue_mean;
      squares += series[i].queue_mean * series[i].queue_mean;
      ++count;
    }
    return std::sqrt(squares / count - sum / count * (sum / count));
  };
  const double told = deviation("mark_at = 'arrival'\ncnp_from = 'switch'\nreaction_delay = '81us'\n");
  EXPECT_LT(told, 300e3);
  EXPECT_GT(deviation("reaction_delay = '77us'\n"), 3 * told);
}

TEST(Dcqcn, MarksAtArrivalToo) {
  const Outcome run = run_text(bottleneck(4, "kmin = '40kB'\nkmax = '200kB'\nmark_at = 'arrival'", "50ms", "1us"));
  EXPECT_GT(number_of(run, "CNPs received"), 100);
  EXPECT_GT(settled(run, 400).busy, 0.9);
}

TEST(Dcqcn, RefusesWhatCannotBe) {
  const auto with = [](const std::string& lines) { return refusal(bottleneck(2, lines, "50ms", "1us")); };
  EXPECT_TRUE(says(with("kmin = '5kB'\nkmax = '4kB'"), "must not be below kmin"));
  EXPECT_TRUE(says(with("cnp_lane = 1"), "lane"));
  EXPECT_TRUE(says(with("byte_counter = '1MB'"), "variant"));
  EXPECT_TRUE(says(with("cnp_from = 'switch'"), "mark_at"));
  EXPECT_TRUE(says(with("variant = 'paper'\ndecrease_interval = '1us'"), "variant"));
}

}  // namespace
}  // namespace weir
