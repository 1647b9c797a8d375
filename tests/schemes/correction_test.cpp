// Every rule of the correction by itself: windows, waiting slots, rate control, recovery.
#include "schemes/marking/correction.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weir::marking {
namespace {

using namespace literals;

constexpr std::int64_t kPacketTime = 278'000;

struct Flow1 {
  Correction correction;
  CorrectionState state;
  std::int64_t now = 0;

  explicit Flow1(const CorrectionConfig& config) : correction(config) { correction.reset(state); }
  void inject() { correction.injected(state, now, kPacketTime); }
  Action ack(Severity severity) {
    if (state.outstanding == 0) inject();
    return correction.acknowledged(state, severity, now);
  }
  bool may() const { return correction.may_inject(state).ps <= now; }
};

CorrectionConfig mvcm() {
  CorrectionConfig c;
  c.slot = 354_ns;
  c.factor = 4;
  c.limit = 5;
  return c;
}

TEST(Correction, StaticWindowLimitsOutstandingPacketsWhateverTheMarks) {
  CorrectionConfig c = mvcm();
  c.window = WindowKind::fixed;
  c.delay = DelayKind::none;
  c.largest_window = 3;
  Flow1 flow(c);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(flow.may());
    flow.inject();
  }
  EXPECT_EQ(flow.correction.may_inject(flow.state), kNever);
  EXPECT_EQ(flow.ack(Severity::aggressive), Action::nothing);
  EXPECT_TRUE(flow.may());
  EXPECT_EQ(flow.state.window, 3u);
}

TEST(Correction, DynamicWindowStaysBetweenOneAndItsLargest) {
  CorrectionConfig c = mvcm();
  c.delay = DelayKind::none;
  c.largest_window = 3;
  Flow1 flow(c);
  EXPECT_EQ(flow.ack(Severity::none), Action::nothing);
  EXPECT_EQ(flow.ack(Severity::moderate), Action::smaller_window);
  EXPECT_EQ(flow.ack(Severity::aggressive), Action::smaller_window);
  EXPECT_EQ(flow.ack(Severity::moderate), Action::nothing);
  EXPECT_EQ(flow.state.window, 1u);
  EXPECT_EQ(flow.ack(Severity::none), Action::larger_window);
  EXPECT_EQ(flow.ack(Severity::none), Action::larger_window);
  EXPECT_EQ(flow.ack(Severity::none), Action::nothing);
  EXPECT_EQ(flow.state.window, 3u);
}

// Table 5.1: 0, 1, k, k^2, ... slots once the window is 1, and at most n increases.
TEST(Correction, WaitingSlotsGrowByTheRadixUpToTheLimit) {
  Flow1 flow(mvcm());
  EXPECT_EQ(flow.ack(Severity::aggressive), Action::smaller_window);
  EXPECT_EQ(flow.state.delay, 0);
  for (const double slots : {1.0, 4.0, 16.0, 64.0, 256.0}) {
    EXPECT_EQ(flow.ack(Severity::aggressive), Action::longer_delay);
    EXPECT_EQ(flow.state.delay, slots);
  }
  EXPECT_EQ(flow.ack(Severity::aggressive), Action::nothing);
  EXPECT_EQ(flow.state.delay, 256);
}

TEST(Correction, WithoutLimitSlotsGoOnGrowingAndNeverOverflow) {
  CorrectionConfig c = mvcm();
  c.limit = 0;
  Flow1 flow(c);
  for (int i = 0; i < 8; ++i) flow.ack(Severity::aggressive);
  EXPECT_EQ(flow.state.delay, 4096);  // 4^6 after seven increases
  for (int i = 0; i < 200; ++i) flow.ack(Severity::aggressive);
  EXPECT_GT(flow.correction.may_inject(flow.state).ps, 0);
  EXPECT_LT(flow.correction.may_inject(flow.state), kNever);
}

TEST(Correction, ModerateMarksNeverWait) {
  Flow1 flow(mvcm());
  for (int i = 0; i < 10; ++i) flow.ack(Severity::moderate);
  EXPECT_EQ(flow.state.window, 1u);
  EXPECT_EQ(flow.state.delay, 0);
}

TEST(Correction, WithoutADynamicWindowSevereMarksWaitAtOnce) {
  for (const WindowKind window : {WindowKind::none, WindowKind::fixed}) {
    CorrectionConfig c = mvcm();
    c.window = window;
    Flow1 flow(c);
    EXPECT_EQ(flow.ack(Severity::moderate), Action::nothing);
    EXPECT_EQ(flow.ack(Severity::aggressive), Action::longer_delay);
    EXPECT_EQ(flow.state.delay, 1);
  }
}

// The first clean acknowledgement removes all waiting and leaves the window at 1; the next ones raise the window.
TEST(Correction, RecoveryRemovesTheWaitingFirst) {
  Flow1 flow(mvcm());
  for (int i = 0; i < 5; ++i) flow.ack(Severity::aggressive);
  EXPECT_EQ(flow.state.delay, 64);
  EXPECT_EQ(flow.ack(Severity::none), Action::shorter_delay);
  EXPECT_EQ(flow.state.delay, 0);
  EXPECT_EQ(flow.state.window, 1u);
  EXPECT_EQ(flow.ack(Severity::none), Action::larger_window);
  EXPECT_EQ(flow.state.window, 2u);
  EXPECT_TRUE(flow.correction.is_initial(flow.state));
}

TEST(Correction, ResetForgetsEverythingButWhatIsOutstanding) {
  Flow1 flow(mvcm());
  for (int i = 0; i < 5; ++i) flow.ack(Severity::aggressive);
  flow.inject();
  flow.correction.reset(flow.state);
  EXPECT_EQ(flow.state.window, 2u);
  EXPECT_EQ(flow.state.outstanding, 1u);
  EXPECT_TRUE(flow.may());
}

// A queue whose packets keep their place until they are acknowledged is not empty while one is on its way.
TEST(Correction, ImmediateRecoveryMayWaitForWhatIsOutstanding) {
  CorrectionConfig config;
  for (const EmptyQueue empty : {EmptyQueue::nothing_waits, EmptyQueue::nothing_outstanding}) {
    config.empty_queue = empty;
    const Correction correction(config);
    CorrectionState flow;
    correction.reset(flow);
    EXPECT_FALSE(correction.recovers_at_once(flow));  // nothing to reset
    correction.injected(flow, 0, 1);
    correction.injected(flow, 0, 1);
    correction.acknowledged(flow, Severity::moderate, 2);
    EXPECT_EQ(correction.recovers_at_once(flow), empty == EmptyQueue::nothing_waits);
    correction.acknowledged(flow, Severity::moderate, 3);
    EXPECT_TRUE(correction.recovers_at_once(flow));
  }
  config.recovery = Recovery::progressive;
  CorrectionState flow;
  EXPECT_FALSE(Correction(config).recovers_at_once(flow));
}

TEST(Correction, TheDelayCountsFromTheEndOfTheLastPacket) {
  Flow1 flow(mvcm());
  for (int i = 0; i < 3; ++i) flow.ack(Severity::aggressive);  // 4 slots
  flow.now = 1'000'000;
  flow.inject();
  flow.now = 1'500'000;
  flow.correction.acknowledged(flow.state, Severity::moderate, flow.now);
  EXPECT_EQ(flow.correction.may_inject(flow.state).ps, 1'000'000 + kPacketTime + 4 * 354'000);
}

TEST(Correction, OrFromTheMarkedAcknowledgement) {
  CorrectionConfig c = mvcm();
  c.wait_from = WaitFrom::acknowledgement;
  Flow1 flow(c);
  for (int i = 0; i < 2; ++i) flow.ack(Severity::aggressive);
  flow.now = 1'000'000;
  flow.inject();
  flow.now = 9'000'000;
  flow.correction.acknowledged(flow.state, Severity::aggressive, flow.now);
  EXPECT_EQ(flow.correction.may_inject(flow.state).ps, 9'000'000 + 4 * 354'000);
}

TEST(Correction, TableAddsOneSlotPerMarkWithoutLimitAndTakesOnePerCleanOne) {
  CorrectionConfig c = mvcm();
  c.window = WindowKind::none;
  c.delay = DelayKind::table;
  Flow1 flow(c);
  for (int i = 0; i < 500; ++i) flow.ack(Severity::aggressive);
  EXPECT_EQ(flow.state.delay, 500);
  EXPECT_EQ(flow.ack(Severity::none), Action::shorter_delay);
  EXPECT_EQ(flow.state.delay, 499);
}

CorrectionConfig renato(DelayKind kind) {
  CorrectionConfig c = mvcm();
  c.window = WindowKind::fixed;
  c.largest_window = 1;
  c.delay = kind;
  c.least_rate = 1.0 / 16;
  return c;
}

TEST(RateControl, LipdAddsOnePacketTimePerMark) {
  Flow1 flow(renato(DelayKind::lipd));
  flow.ack(Severity::aggressive);
  flow.ack(Severity::aggressive);
  EXPECT_DOUBLE_EQ(flow.state.delay, 2);
  flow.now = 5'000'000;
  flow.inject();
  flow.correction.acknowledged(flow.state, Severity::aggressive, flow.now);
  EXPECT_EQ(flow.correction.may_inject(flow.state).ps, 5'000'000 + kPacketTime + 3 * kPacketTime);
}

TEST(RateControl, AimdAndFimdHalveTheRate) {
  for (const DelayKind kind : {DelayKind::aimd, DelayKind::fimd}) {
    Flow1 flow(renato(kind));
    flow.ack(Severity::aggressive);
    EXPECT_DOUBLE_EQ(flow.state.delay, 1);  // rate 1/2
    flow.ack(Severity::aggressive);
    EXPECT_DOUBLE_EQ(flow.state.delay, 3);  // rate 1/4
  }
}

TEST(RateControl, NeverBelowTheLeastRate) {
  for (const DelayKind kind : {DelayKind::aimd, DelayKind::fimd, DelayKind::lipd}) {
    Flow1 flow(renato(kind));
    for (int i = 0; i < 100; ++i) flow.ack(Severity::aggressive);
    EXPECT_DOUBLE_EQ(flow.state.delay, 15);
  }
}

// At the least rate a flow gets one acknowledgement in the time that recovery is measured by.
TEST(RateControl, RecoveryAtTheLeastRate) {
  const auto after_one = [](DelayKind kind) {
    Flow1 flow(renato(kind));
    for (int i = 0; i < 100; ++i) flow.ack(Severity::aggressive);
    flow.ack(Severity::none);
    return flow.state.delay;
  };
  EXPECT_NEAR(after_one(DelayKind::aimd), 7, 1e-9);   // 2/16
  EXPECT_NEAR(after_one(DelayKind::fimd), 7, 1e-9);   // 2/16
  EXPECT_NEAR(after_one(DelayKind::lipd), 14, 1e-9);
}

TEST(RateControl, FimdOvertakesAimdOnTheWayUp) {
  const auto acks_to_recover = [](DelayKind kind) {
    Flow1 flow(renato(kind));
    for (int i = 0; i < 100; ++i) flow.ack(Severity::aggressive);
    int acks = 0;
    while (flow.state.delay > 0 && acks < 100000) {
      flow.ack(Severity::none);
      ++acks;
    }
    return acks;
  };
  EXPECT_LT(acks_to_recover(DelayKind::fimd), acks_to_recover(DelayKind::aimd));
}

TEST(Severity, OneBitIsSevereTwoBitsTellApart) {
  for (const Detection one : {Detection::ipm, Detection::rpm})
    EXPECT_EQ(severity_of(one, kMarkedAtInput), Severity::aggressive);
  EXPECT_EQ(severity_of(Detection::opm, kMarkedAtOutput), Severity::aggressive);
  EXPECT_EQ(severity_of(Detection::mvpm, kMarkedAtInput), Severity::moderate);
  EXPECT_EQ(severity_of(Detection::iopm, kMarkedAtOutput), Severity::moderate);
  for (const Detection two : {Detection::iopm, Detection::mvpm}) EXPECT_EQ(severity_of(two, 3), Severity::aggressive);
  EXPECT_EQ(severity_of(Detection::mvpm, 0), Severity::none);
}

TEST(Threshold, CountsTheArrivingPacketOrNot) {
  const DetectionConfig d;
  EXPECT_TRUE(d.above(834, 0, 0.66, 1024));
  EXPECT_FALSE(d.above(556, 0, 0.66, 1024));
  EXPECT_FALSE(d.above(834, 278, 0.66, 1024));
}

TEST(Threshold, EqualCountsOnlyIfAsked) {
  DetectionConfig d;
  EXPECT_FALSE(d.above(512, 0, 0.5, 1024));
  d.at_or_above = true;
  EXPECT_TRUE(d.above(512, 0, 0.5, 1024));
}

// Whatever comes back in whatever order: the window stays in its range, delays do not turn negative, and clean
// acknowledgements alone always lead back to full speed.
RC_GTEST_PROP(Correction, StaysInRangeAndRecovers, ()) {
  CorrectionConfig c = mvcm();
  c.window = static_cast<WindowKind>(*rc::gen::inRange(0, 3));
  c.delay = static_cast<DelayKind>(*rc::gen::inRange(0, 6));
  c.largest_window = *rc::gen::inRange(1u, 6u);
  c.limit = *rc::gen::inRange(0u, 8u);
  c.least_rate = 1.0 / *rc::gen::inRange(2, 64);
  Flow1 flow(c);
  for (const int severity : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3))) {
    flow.now += 100'000;
    flow.ack(static_cast<Severity>(severity));
    RC_ASSERT(flow.state.window >= 1u);
    RC_ASSERT(c.window == WindowKind::none || flow.state.window <= c.largest_window);
    RC_ASSERT(flow.state.delay >= 0);
  }
  for (int i = 0; i < 5000; ++i) flow.ack(Severity::none);
  RC_ASSERT(flow.correction.is_initial(flow.state));
}

}  // namespace
}  // namespace weir::marking
