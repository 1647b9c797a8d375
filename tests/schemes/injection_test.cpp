// Injection step by step against times worked out by hand: who may send when, and who goes first.
#include "schemes/explicit_rates/injection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"

namespace weir {
namespace {

// 1 GB/s is 1 byte per ns: a packet of 1000 B takes 1 us at the full rate.
constexpr double kInjectionLine = 1e9;
constexpr std::uint32_t kPacket = 1000;
constexpr Time us(double t) { return {static_cast<std::int64_t>(t * 1e6)}; }

Injector injector(Discipline discipline, const std::vector<double>& shares, double burst = 1, bool make_up = false,
                  std::uint32_t unit = kPacket) {
  Injector in;
  in.prepare({discipline, unit, burst, make_up}, 1, shares.size() + 2);
  for (std::uint32_t f = 0; f < shares.size(); ++f) {
    in.add({f}, 0, true, {});
    in.set_rate({f}, shares[f] * kInjectionLine, {});
  }
  return in;
}

// The flow that a source with an idle link would send now, -1 if none may.
int choice(Injector& in, std::size_t flows, Time now) {
  int best = -1;
  for (std::uint32_t f = 0; f < flows; ++f) {
    if (!in.controls({f}) || in.gate({f}, kPacket) > now) continue;
    if (best < 0 || in.rank({f}, kPacket) < in.rank({static_cast<std::uint32_t>(best)}, kPacket))
      best = static_cast<int>(f);
  }
  return best;
}

TEST(PeriodicSelection, OnePacketEveryPeriodFromTheFlowThatIsBehindMost) {
  // Rates 1/2 and 1/4: R = 3/4, a period is 4/3 us. Progress after each packet: 2 and 4 us.
  Injector in = injector(Discipline::ps, {0.5, 0.25});
  EXPECT_EQ(in.host_rate(0), 0.75 * kInjectionLine);
  const int expected[] = {0, 1, 0, 0, 1, 0, 0, 1, 0};
  Time now;
  for (const int flow : expected) {
    ASSERT_EQ(choice(in, 2, now), flow) << now.ps;
    in.sent({static_cast<std::uint32_t>(flow)}, kPacket, true, now);
    EXPECT_EQ(choice(in, 2, now + us(1.33)), -1);
    EXPECT_EQ(in.next_period(0).ps, now.ps + 1'333'334);  // rounded up
    now = in.next_period(0);
  }
}

TEST(PeriodicSelection, WaitingIsLost) {
  Injector in = injector(Discipline::ps, {0.5});
  in.sent({0}, kPacket, true, us(0));
  EXPECT_EQ(in.next_period(0), us(2));
  in.sent({0}, kPacket, true, us(5));  // the buffer was full from 2 to 5 us
  EXPECT_EQ(in.next_period(0), us(7));
}

TEST(PeriodicSelection, OrMadeUpIfSoAsked) {
  Injector in = injector(Discipline::ps, {0.5}, 1, true);
  in.sent({0}, kPacket, true, us(0));
  in.sent({0}, kPacket, true, us(3));  // one late
  EXPECT_EQ(in.next_period(0), us(4));
  in.sent({0}, kPacket, true, us(50));  // but silence is no claim
  EXPECT_EQ(in.next_period(0), us(52));
}

TEST(PeriodicSelection, APacketOfSeveralUnitsTakesAsManyPeriods) {
  Injector in = injector(Discipline::ps, {0.25, 0.25});
  in.sent({0}, 3 * kPacket, true, us(0));
  EXPECT_EQ(in.next_period(0), us(6));
  EXPECT_EQ(choice(in, 2, us(6)), 1);
  in.sent({1}, kPacket - 300, true, us(6));  // its share of a period
  EXPECT_EQ(in.next_period(0), us(7.4));
  // Progress: 12 us against 2.8 us; the other flow sends until it has passed.
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(choice(in, 2, in.next_period(0)), 1);
    in.sent({1}, kPacket, true, in.next_period(0));
  }
  EXPECT_EQ(choice(in, 2, in.next_period(0)), 0);
}

TEST(PeriodicSelection, TheMeanRatesAreTheCalculatedOnes) {
  const std::vector<double> shares = {0.31, 0.17, 0.05, 0.4};
  Injector in = injector(Discipline::ps, shares);
  std::vector<int> packets(4, 0);
  Time now;
  for (int i = 0; i < 9300; ++i) {  // R = 0.93: 10 ms
    const int flow = choice(in, 4, now);
    ASSERT_GE(flow, 0);
    ++packets[static_cast<std::size_t>(flow)];
    in.sent({static_cast<std::uint32_t>(flow)}, kPacket, true, now);
    now = in.next_period(0);
  }
  for (std::size_t f = 0; f < 4; ++f) EXPECT_NEAR(packets[f], shares[f] * 10000, 1.01) << f;
}

TEST(PeriodicSelection, RatesThatChangeMoveTheNextPeriod) {
  Injector in = injector(Discipline::ps, {0.5});
  in.sent({0}, kPacket, true, us(0));
  in.set_rate({0}, 0.25 * kInjectionLine, us(1));
  EXPECT_EQ(in.next_period(0), us(4));
  in.set_rate({0}, kInjectionLine, us(1.5));
  EXPECT_EQ(in.next_period(0), us(1));  // due already
  in.remove({0});
  EXPECT_EQ(in.next_period(0), kNever);
}

TEST(PeriodicSelection, ANewFlowDoesNotClaimThePast) {
  Injector in = injector(Discipline::ps, {0.5});
  Time now;
  for (int i = 0; i < 100; ++i, now = in.next_period(0)) in.sent({0}, kPacket, true, now);
  in.add({1}, 0, true, now);
  in.set_rate({1}, 0.5 * kInjectionLine, now);
  std::vector<int> packets(2, 0);
  for (int i = 0; i < 10; ++i) {
    now = std::max(now, in.next_period(0));
    const int flow = choice(in, 2, now);
    ASSERT_GE(flow, 0);
    ++packets[static_cast<std::size_t>(flow)];
    in.sent({static_cast<std::uint32_t>(flow)}, kPacket, true, now);
  }
  EXPECT_NEAR(packets[0], 5, 1);
}

TEST(PeriodicSelection, NeitherDoesOneThatHadNothingToSend) {
  Injector in = injector(Discipline::ps, {0.5, 0.5});
  in.sent({1}, kPacket, false, us(0));
  Time now = in.next_period(0);
  for (int i = 0; i < 50; ++i, now = in.next_period(0)) in.sent({0}, kPacket, true, now);  // the other is silent
  in.queued({1}, now);
  EXPECT_EQ(choice(in, 2, now), 1);
  in.sent({1}, kPacket, true, now);
  EXPECT_EQ(choice(in, 2, in.next_period(0)), 0);
}

TEST(PeriodicSelection, ASilentFlowCountsUntilItsLastPacketIsPaidFor) {
  // Rates 1/2 and 1/4. After its last packet the second flow counts for 4 us.
  Injector in = injector(Discipline::ps, {0.5, 0.25});
  in.sent({1}, kPacket, false, us(0));
  EXPECT_EQ(in.next_period(0).ps, 1'333'334) << "1000 B at 3/4";
  in.sent({0}, kPacket, true, us(3));
  EXPECT_EQ(in.next_period(0), us(4.5)) << "750 B at 3/4 until 4 us, 250 B at 1/2";
  in.sent({0}, kPacket, true, us(4.5));
  EXPECT_EQ(in.next_period(0), us(6.5));
  EXPECT_EQ(in.host_rate(0), 0.5 * kInjectionLine) << "it does not count any more";
  in.queued({1}, us(5.5));
  EXPECT_EQ(in.next_period(0).ps, 5'500'000 + 666'667) << "500 B are left, at 3/4";
  in.sent({1}, kPacket, false, us(8));
  EXPECT_EQ(in.next_period(0).ps, 9'333'334) << "it counts until 9.5 us, 4 us from when it came";
}

TEST(PeriodicSelection, AHostWhoseFlowsAreAllSilentIsReadyInTime) {
  Injector in = injector(Discipline::ps, {0.5});
  in.sent({0}, kPacket, false, us(0));
  EXPECT_EQ(in.next_period(0), us(2));
  in.queued({0}, us(1));
  EXPECT_EQ(in.next_period(0), us(2)) << "silence of a moment changes nothing";
  in.sent({0}, kPacket, false, us(2));
  in.queued({0}, us(50));
  EXPECT_EQ(choice(in, 1, us(50)), 0);
}

// A flow that always has something to send beside three that send a packet now and then: it gets its rate, not theirs.
TEST(PeriodicSelection, OthersDoNotGetTheRateOfSilentFlows) {
  Injector in = injector(Discipline::ps, {0.3, 0.2, 0.2, 0.2});
  RandomStream random(1, Purpose::test, 0);
  std::vector<int> packets(4, 0), waiting(4, 0);
  std::vector<Time> next(4, kNever);
  const auto gap = [&] { return us(-30 * std::log(1 - random.unit())); };  // a tenth of what they may send
  for (std::uint32_t f = 1; f < 4; ++f) {
    in.sent({f}, kPacket, false, us(0));
    next[f] = gap();
  }
  const Time end = us(100'000);
  Time now;
  while (now < end) {
    for (std::uint32_t f = 1; f < 4; ++f)
      for (; next[f] <= now; next[f] = next[f] + gap())
        if (waiting[f]++ == 0) in.queued({f}, now);
    if (in.next_period(0) <= now) {
      std::uint32_t best = 0;
      for (std::uint32_t f = 1; f < 4; ++f)
        if (waiting[f] > 0 && in.rank({f}, kPacket) < in.rank({best}, kPacket)) best = f;
      ++packets[best];
      in.sent({best}, kPacket, best == 0 || --waiting[best] > 0, now);
    }
    now = std::max(now + us(0.001), std::min(in.next_period(0), *std::min_element(next.begin() + 1, next.end())));
  }
  EXPECT_NEAR(packets[0] / (0.3 * 100'000), 1, 0.01);
  for (std::size_t f = 1; f < 4; ++f) EXPECT_NEAR(packets[f] / (100'000 / 30.0), 1, 0.06) << "all of theirs, " << f;
}

TEST(PeriodicSelection, ATinyRateIsNoHurry) {
  for (const Discipline discipline : {Discipline::leaky_bucket, Discipline::svc, Discipline::ps}) {
    Injector in = injector(discipline, {1e-25});
    in.sent({0}, kPacket, true, us(1));
    EXPECT_EQ(in.gate({0}, kPacket), kNever);
  }
}

TEST(ShapedVirtualClock, AFlowWaitsForItsOwnInterval) {
  Injector in = injector(Discipline::svc, {0.5, 0.25});
  EXPECT_EQ(choice(in, 2, us(0)), 0);
  in.sent({0}, kPacket, true, us(0));
  // The source as a whole may burst: the second packet follows at once.
  EXPECT_EQ(choice(in, 2, us(1)), 1);
  in.sent({1}, kPacket, true, us(1));
  EXPECT_EQ(choice(in, 2, us(1.9)), -1);
  EXPECT_EQ(in.gate({0}, kPacket), us(2));
  EXPECT_EQ(in.gate({1}, kPacket), us(5));
  in.sent({0}, kPacket, true, us(2));
  in.sent({0}, kPacket, true, us(4));
  EXPECT_EQ(choice(in, 2, us(5)), 1);  // progress 6 us against 4 us
  EXPECT_EQ(choice(in, 2, us(6)), 1);  // both eligible
}

TEST(ShapedVirtualClock, TheIntervalFollowsThePacketSentAndTheRateOfTheDay) {
  Injector in = injector(Discipline::svc, {0.5});
  in.sent({0}, 2 * kPacket, true, us(0));
  EXPECT_EQ(in.gate({0}, kPacket), us(4));
  in.set_rate({0}, kInjectionLine, us(1));
  EXPECT_EQ(in.gate({0}, kPacket), us(2));
}

TEST(LeakyBucket, OnePacketDeepItSpacesPackets) {
  Injector in = injector(Discipline::leaky_bucket, {0.5});
  EXPECT_LE(in.gate({0}, kPacket), us(0));
  in.sent({0}, kPacket, true, us(0));
  EXPECT_EQ(in.gate({0}, kPacket), us(2));
  in.sent({0}, kPacket, true, us(3));  // the bucket was full at 2 us and did not overflow into a second packet
  EXPECT_EQ(in.gate({0}, kPacket), us(5));
}

TEST(LeakyBucket, ADeepOneLetsABurstPass) {
  Injector in = injector(Discipline::leaky_bucket, {0.5}, 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LE(in.gate({0}, kPacket), us(i));
    in.sent({0}, kPacket, true, us(i));
  }
  // Three packets less what flowed in by 2 us: 1000 B. Then one every 2 us.
  EXPECT_LE(in.gate({0}, kPacket), us(2));
  in.sent({0}, kPacket, true, us(3));  // holds 1500 B before, 500 B after
  EXPECT_EQ(in.gate({0}, kPacket), us(4));
}

TEST(LeakyBucket, BucketsSendInTheOrderInWhichTheyFilled) {
  Injector in = injector(Discipline::leaky_bucket, {0.25, 0.5});
  in.sent({0}, kPacket, true, us(0));
  in.sent({1}, kPacket, true, us(1));
  EXPECT_EQ(choice(in, 2, us(2.9)), -1);
  EXPECT_EQ(choice(in, 2, us(10)), 1);  // full at 3 us, the other at 4 us
  in.sent({1}, kPacket, true, us(10));
  EXPECT_EQ(choice(in, 2, us(20)), 0);
}

TEST(LeakyBucket, ARateThatChangesFillsFromThenOn) {
  Injector in = injector(Discipline::leaky_bucket, {0.5});
  in.sent({0}, kPacket, true, us(0));
  in.set_rate({0}, 0.25 * kInjectionLine, us(1));  // 500 B are there
  EXPECT_EQ(in.gate({0}, kPacket), us(3));
}

TEST(Injection, NothingGoesWithoutARate) {
  for (const Discipline discipline : {Discipline::leaky_bucket, Discipline::svc, Discipline::ps}) {
    Injector in = injector(discipline, {0.5});
    in.add({1}, 0, true, us(1));
    EXPECT_TRUE(in.controls({1}));
    EXPECT_FALSE(in.rated({1}));
    EXPECT_EQ(in.gate({1}, kPacket), kNever);
    in.remove({1});
    EXPECT_FALSE(in.controls({1}));
    EXPECT_EQ(in.flows_of(0), 1u);
  }
}

}  // namespace
}  // namespace weir
