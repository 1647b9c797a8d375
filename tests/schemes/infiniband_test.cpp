// The parts of InfiniBand congestion control: table entries, the lazily computed timer, marking, root or victim.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/error.h"
#include "schemes/infiniband/cct.h"
#include "schemes/infiniband/port.h"
#include "schemes/infiniband/source.h"

namespace weir {
namespace {

TEST(Cct, EntryHasTwoBitsOfShiftAndFourteenOfMultiplier) {
  const CctEntry entry = parse_cct_entry("2:13");
  EXPECT_EQ(entry.bits(), (2u << 14) | 13u);
  EXPECT_DOUBLE_EQ(entry.packet_times(), 3.25);
  EXPECT_EQ(parse_cct_entry("5"), (CctEntry{0, 5}));
  for (const auto* wrong : {"", "4:1", "0:16384", "1:", "x", "1:2:3", "-1"})
    EXPECT_THROW(parse_cct_entry(wrong), InputError);
}

TEST(Cct, FractionsOfAPacketTimeAreKept) {
  EXPECT_EQ(injection_wait({3, 1}, Time{2'048'000}), Time{256'000});
  EXPECT_EQ(injection_wait({0, 16383}, Time{2'048'000}), Time{2'048'000} * 16383);
  EXPECT_EQ(injection_wait({0, 0}, Time{2'048'000}), Time{});
}

RC_GTEST_PROP(Cct, NearestEntryIsNearest, ()) {
  const double wanted = *rc::gen::inRange(0, 20'000'000) / 1000.0;
  const CctEntry entry = nearest_cct_entry(wanted);
  if (wanted > kMaxCctMultiplier) RC_ASSERT(entry == (CctEntry{0, kMaxCctMultiplier}));
  else RC_ASSERT(std::fabs(entry.packet_times() - wanted) <= 0.5 / (1 << entry.shift) + 1e-9);
  RC_ASSERT(entry.multiplier <= kMaxCctMultiplier);
}

// The lazy timer against one that is called at every expiry.
RC_GTEST_PROP(Ccti, DecayEqualsTimerEvents, ()) {
  SourceSettings s;
  s.timer = kCctiTimerUnit * *rc::gen::inRange(1, 20);
  s.increase = static_cast<std::uint32_t>(*rc::gen::inRange(0, 5));
  s.minimum = static_cast<std::uint32_t>(*rc::gen::inRange(0, 3));
  s.limit = s.minimum + static_cast<std::uint32_t>(*rc::gen::inRange(0, 30));
  const Time phase{*rc::gen::inRange<std::int64_t>(0, s.timer.ps)};
  InjectionState state(s.minimum);
  std::uint32_t expected = s.minimum;
  Time now, expiry = s.timer - phase;
  for (int i = 0; i < 60; ++i) {
    now += {*rc::gen::inRange<std::int64_t>(1, 3 * s.timer.ps)};
    for (; expiry <= now; expiry += s.timer) expected = std::max(s.minimum, expected - std::min(expected, 1u));
    if (*rc::gen::arbitrary<bool>()) {
      state.notified(s, now, phase);
      expected = std::min(expected + s.increase, s.limit);
    }
    RC_ASSERT(state.ccti(s, now, phase) == expected);
  }
}

TEST(Ccti, WaitFollowsTheTable) {
  SourceSettings s;
  s.table = linear_cct(128, 0.5);
  RandomStream random(1, Purpose::test, 0);
  InjectionState state;
  state.injected(s, Time{1000}, {}, Time{2'000'000}, random);
  EXPECT_LE(state.next(), Time{1000});
  for (int i = 0; i < 3; ++i) state.notified(s, Time{1000}, {});
  state.injected(s, Time{1000}, {}, Time{2'000'000}, random);
  EXPECT_EQ(state.next(), Time{1000 + 2'000'000 + 3'000'000});
}

MarkingPort busy_port(const MarkingSettings& settings) {
  MarkingPort port(settings, 16384, 7, 3);
  port.changed(Time{0}, 1 << 20, false);
  return port;
}

TEST(Marking, RateIsTheMeanNumberBetweenMarks) {
  for (const std::uint32_t rate : {0u, 1u, 8u, 128u}) {
    MarkingSettings settings;
    settings.marking_rate = rate;
    MarkingPort port = busy_port(settings);
    const int packets = 400'000;
    int marks = 0;
    for (int i = 1; i <= packets; ++i) marks += port.marks(Time{i}, 2048) ? 1 : 0;
    const double expected = packets / (rate + 1.0);
    EXPECT_NEAR(marks, expected, 4 * std::sqrt(expected) * (rate > 0 ? 1 : 0) + 1e-9) << rate;
    settings.strict = true;
    MarkingPort strict = busy_port(settings);
    marks = 0;
    for (int i = 1; i <= packets; ++i) marks += strict.marks(Time{i}, 2048) ? 1 : 0;
    EXPECT_EQ(marks, packets / static_cast<int>(rate + 1));
  }
}

TEST(Marking, SmallPacketsAndVictimsAreNotMarked) {
  MarkingSettings settings;
  settings.packet_size = 1000;
  MarkingPort port = busy_port(settings);
  EXPECT_FALSE(port.marks(Time{5}, 999));
  EXPECT_TRUE(port.marks(Time{5}, 1000));
  port.changed(Time{6}, 1 << 20, true);  // credit is missing
  EXPECT_FALSE(port.marks(Time{7}, 2048));
  EXPECT_EQ(port.congested(Time{100}), Time{6});
  settings.victim_mask = true;
  MarkingPort masked = busy_port(settings);
  masked.changed(Time{6}, 1 << 20, true);
  EXPECT_TRUE(masked.marks(Time{7}, 2048));
}

TEST(Marking, ThresholdsAreSpreadEvenly) {
  EXPECT_EQ(threshold_bytes(15, 16384), 1024);
  EXPECT_EQ(threshold_bytes(1, 16384), 15360);
  MarkingSettings off;
  off.threshold = 0;
  EXPECT_FALSE(busy_port(off).marks(Time{5}, 2048));
}

TEST(Marking, AShortPauseIsNoCongestion) {
  MarkingPort port(MarkingSettings{}, 16384, 7, 3);
  const std::uint64_t byte = Rate{8'000'000'000}.ps_per_byte_q16();
  port.joined(Time{0}, 2048, 2048, byte);  // 1024 bytes have come after 1.024 us
  EXPECT_FALSE(port.marks(Time{1'024'000}, 2048));
  EXPECT_TRUE(port.marks(Time{1'024'001}, 2048));
  port.changed(Time{3'024'000}, 0, false);
  EXPECT_EQ(port.congested(Time{9'000'000}), Time{2'000'000});
}

}  // namespace
}  // namespace weir
