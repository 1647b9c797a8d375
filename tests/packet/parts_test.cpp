// The small parts of the engine on their own: request sets, adapter rings, resequencing, the search for a deadlock.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "base/random.h"
#include "error_of.h"
#include "packet/flow_control/input_buffers.h"
#include "packet/flow_control/stall.h"
#include "packet/hosts/adapter.h"
#include "packet/hosts/resequencer.h"
#include "packet/switches/arbitration.h"
#include "packet/switches/held.h"
#include "says.h"

namespace weir {
namespace {

TEST(RequestSets, EqualASetAcrossWords) {
  constexpr std::uint32_t kInputs = 200;
  RequestSets sets(3, kInputs);
  std::set<std::uint32_t> reference;
  RandomStream random(1, Purpose::test, 0);
  for (int step = 0; step < 5000; ++step) {
    const auto input = static_cast<std::uint32_t>(random.below(kInputs));
    if (random.chance(0.5)) {
      sets.set({1}, input);
      reference.insert(input);
    } else {
      sets.clear({1}, input);
      reference.erase(input);
    }
    ASSERT_EQ(sets.any({1}), !reference.empty());
    const auto from = static_cast<std::uint32_t>(random.below(kInputs));
    const auto next = reference.lower_bound(from);
    ASSERT_EQ(sets.next({1}, from), next == reference.end() ? kNoInput : *next);
    const auto after = reference.upper_bound(from);
    const std::uint32_t turn = after != reference.end() ? *after : reference.empty() ? kNoInput : *reference.begin();
    ASSERT_EQ(sets.after({1}, from), turn);
    ASSERT_FALSE(sets.any({0}));
    ASSERT_FALSE(sets.any({2}));
  }
}

TEST(RequestSets, TurnPassesTheLastInput) {
  RequestSets sets(1, 64);
  sets.set({0}, 0);
  EXPECT_EQ(sets.after({0}, 63), 0u);
  sets.set({0}, 63);
  EXPECT_EQ(sets.after({0}, 62), 63u);
}

// Rings against a deque of queue numbers, with removals in the middle.
TEST(Adapters, RingsEqualADeque) {
  AdapterConfig config;
  config.organisation = AdapterOrganisation::per_destination;
  Workload workload;
  Adapters adapters(config, 8, 1, workload);
  const HostId host{3};
  const RingId ring = adapters.ring_of(host, {0});
  std::deque<QueueId> reference;
  RandomStream random(2, Purpose::test, 0);
  const auto in_ring = [&] {
    std::deque<QueueId> now;
    for (QueueId q = adapters.first(ring); q.valid(); q = adapters.queue(q).next) now.push_back(q);
    return now;
  };
  for (int step = 0; step < 4000; ++step) {
    const QueueId queue = adapters.queue_of(host, {0}, {static_cast<std::uint32_t>(random.below(8))}, 0);
    const auto at = std::find(reference.begin(), reference.end(), queue);
    if (random.chance(0.4)) {
      if (adapters.queue(queue).state != Adapters::State::idle) continue;
      adapters.make_ready(ring, queue);
      reference.push_back(queue);
    } else if (random.chance(0.3)) {
      adapters.rotate(ring);
      if (!reference.empty()) {
        reference.push_back(reference.front());
        reference.pop_front();
      }
    } else if (at != reference.end()) {
      const QueueId before = at == reference.begin() ? kNoQueue : *(at - 1);
      adapters.remove(ring, queue, before, Adapters::State::idle);
      reference.erase(at);
    }
    ASSERT_EQ(in_ring(), reference);
    ASSERT_EQ(adapters.any_ready(ring), !reference.empty());
  }
  EXPECT_FALSE(adapters.any_ready(adapters.ring_of({2}, {0})));
}

TEST(Adapters, QueuesOfEachOrganisation) {
  Workload workload;
  const auto adapters = [&](AdapterOrganisation organisation, std::uint32_t queues) {
    AdapterConfig config;
    config.organisation = organisation;
    config.queues = queues;
    return Adapters(config, 10, 2, workload);
  };
  EXPECT_EQ(adapters(AdapterOrganisation::fifo, 1).queues(), 20u);
  EXPECT_EQ(adapters(AdapterOrganisation::per_destination, 1).queues(), 200u);
  EXPECT_EQ(adapters(AdapterOrganisation::modulo, 4).queues(), 80u);
  EXPECT_EQ(adapters(AdapterOrganisation::modulo, 999).queues(), 200u) << "never more queues than destinations";
  const Adapters modulo = adapters(AdapterOrganisation::modulo, 4);
  EXPECT_EQ(modulo.queue_of({3}, {1}, {9}, 0), modulo.queue_of({3}, {1}, {5}, 0));
  EXPECT_NE(modulo.queue_of({3}, {1}, {9}, 0), modulo.queue_of({3}, {1}, {6}, 0));
  EXPECT_NE(modulo.queue_of({3}, {1}, {9}, 0), modulo.queue_of({3}, {0}, {9}, 0));
  EXPECT_NE(modulo.queue_of({3}, {1}, {9}, 0), modulo.queue_of({4}, {1}, {9}, 0));
}

TEST(Adapters, TooManyQueuesAreRefusedWithTheNumber) {
  AdapterConfig config;
  config.organisation = AdapterOrganisation::per_destination;
  Workload workload;
  const std::string said = error_of([&] { Adapters adapters(config, 100'000, 1, workload); });
  EXPECT_TRUE(says(said, "10000000000"));
}

TEST(Resequencer, CountsWhatMustWait) {
  Resequencer order;
  order.prepare(2, 2);
  EXPECT_TRUE(order.receive(0, 0, 0, 10));
  EXPECT_FALSE(order.receive(0, 2, 0, 20));  // 1 is missing
  EXPECT_FALSE(order.receive(0, 3, 0, 30));
  EXPECT_TRUE(order.receive(1, 0, 1, 35));  // the other connection is not concerned
  EXPECT_EQ(order.held(), 2u);
  EXPECT_TRUE(order.receive(0, 1, 0, 50));
  EXPECT_EQ(order.held(), 0u);
  EXPECT_TRUE(order.receive(0, 4, 0, 60));
  const ResequencingResult r = order.result(100);
  EXPECT_EQ(r.out_of_order, 2u);
  EXPECT_EQ(r.peak_packets, 2u);
  EXPECT_DOUBLE_EQ(r.mean_packets, (1 * 10 + 2 * 20) / 100.0);
}

TEST(Resequencer, AnyOrderEndsEmpty) {
  RandomStream random(3, Purpose::test, 0);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint32_t> sequence(40);
    for (std::uint32_t i = 0; i < sequence.size(); ++i) sequence[i] = i;
    shuffle(sequence, random);
    Resequencer order;
    order.prepare(1, 1);
    std::uint64_t late = 0;
    for (const std::uint32_t s : sequence) late += order.receive(0, s, 0, s) ? 0 : 1;
    EXPECT_EQ(order.held(), 0u);
    EXPECT_EQ(order.result(100).out_of_order, late);
  }
}

TEST(HeldPackets, ThoseReadyAtOneInstantGoInTheOrderOfLanding) {
  Clock clock({{1000}, {1000}});
  WaitingPackets waiting;
  HeldPackets held;
  const auto hold = [&](std::uint32_t channel, std::uint32_t sequence, std::int64_t ready) {
    Packet p;
    p.came_by = {channel};
    p.sequence = sequence;
    held.hold(clock, waiting, p, kNoChannel, ready);
  };
  const auto released = [&](std::uint32_t channel, std::int64_t now) {
    const PacketSlot slot = held.release({channel}, now).packet;
    const std::uint32_t sequence = waiting[slot].sequence;
    waiting.give_back(slot);
    return sequence;
  };
  hold(2, 9, 50);
  hold(2, 7, 40);
  hold(1, 5, 50);
  EXPECT_EQ(released(2, 40), 7u);
  hold(2, 3, 50);  // landed last, and lies where the one that has gone was
  EXPECT_EQ(released(2, 50), 9u);
  EXPECT_EQ(released(2, 50), 3u);
  EXPECT_EQ(released(1, 50), 5u);
  EXPECT_EQ(waiting.count(), 0u);
}

TEST(InputBuffers, CountWhatHasLandedAndNotLeft) {
  InputBuffers buffers(2, false, false);
  buffers.land({0}, 10, 100);
  buffers.leave({0}, 10, 400, 100, false);
  buffers.land({0}, 5, 200);
  EXPECT_EQ(buffers.occupied({0}, 399), 15);
  EXPECT_EQ(buffers.occupied({0}, 400), 5) << "what leaves at 400 has left";
  EXPECT_EQ(buffers.standing({0}), 5);
  EXPECT_EQ(buffers.peak({0}, 500), 15);
  EXPECT_EQ(static_cast<std::int64_t>(buffers.integral({0}, 500)), 10 * 300 + 5 * 300);
  EXPECT_EQ(static_cast<std::int64_t>(buffers.integral({0}, 300)), 10 * 200 + 5 * 100) << "the leave lies ahead";
  EXPECT_EQ(buffers.peak({1}, 500), 0);
}

TEST(InputBuffers, APeakMustLast) {
  for (const bool leaves_first : {false, true}) {
    InputBuffers buffers(1, false, false);
    buffers.land({0}, 10, 100);
    if (leaves_first) buffers.leave({0}, 10, 200, 150, false);
    buffers.land({0}, 10, 200);
    if (!leaves_first) buffers.leave({0}, 10, 200, 200, false);
    EXPECT_EQ(buffers.peak({0}, 200), 10);
    EXPECT_EQ(buffers.peak({0}, 300), 10) << "one came when the other went";
  }
}

TEST(InputBuffers, SomeLookBeforeOthersAtOneInstant) {
  InputBuffers buffers(1, false, true);
  buffers.land({0}, 10, 100);
  buffers.leave({0}, 10, 200, 150, false);
  buffers.land({0}, 5, 200);
  EXPECT_EQ(buffers.occupied({0}, 200, true), 15);
  EXPECT_EQ(buffers.occupied({0}, 200), 5);
  EXPECT_EQ(buffers.peak({0}, 300), 10);
}

// As many leaves ahead as there may be, in any order: the same as adding up from scratch.
TEST(InputBuffers, AnyNumberOfLeavesMayLieAhead) {
  RandomStream random(4, Purpose::test, 0);
  for (int round = 0; round < 30; ++round) {
    InputBuffers buffers(1, round % 2 == 1, round % 3 == 0);
    std::vector<std::pair<std::int64_t, std::int64_t>> stays;
    for (std::int64_t now = 0; now < 200; now += static_cast<std::int64_t>(random.below(4))) {
      stays.push_back({now, now + static_cast<std::int64_t>(random.below(60))});
      buffers.land({0}, 3, now);
      buffers.leave({0}, 3, stays.back().second, now, false);
    }
    std::int64_t peak = 0, area = 0;
    for (std::int64_t t = 0; t < 230; ++t) {
      std::int64_t here = 0;
      for (const auto& [from, to] : stays) here += from <= t && t < to ? 3 : 0;
      peak = std::max(peak, here);
      area += here;
    }
    EXPECT_EQ(buffers.peak({0}, 230), peak);
    EXPECT_EQ(static_cast<std::int64_t>(buffers.integral({0}, 230)), area);
    EXPECT_EQ(buffers.occupied({0}, 300), 0);
  }
}

TEST(InputBuffers, ReleasedSpaceReachesTheSenderOnce) {
  InputBuffers buffers(1, false, false);
  buffers.begin({0}, 50);
  buffers.land({0}, 10, 100);
  EXPECT_TRUE(buffers.leave({0}, 10, 400, 100, true));
  EXPECT_EQ(buffers.returned_by({0}, 449), 0);
  EXPECT_EQ(buffers.take_returned({0}, 449), 0);
  EXPECT_EQ(buffers.noted_returns({0}), 10);
  buffers.land({0}, 10, 500);  // by then the leave and the return are due
  EXPECT_EQ(buffers.occupied({0}, 500), 10);
  EXPECT_EQ(buffers.returned_by({0}, 500), 10);
  EXPECT_EQ(buffers.take_returned({0}, 500), 10);
  EXPECT_EQ(buffers.take_returned({0}, 500), 0);
}

TEST(InputBuffers, ASenderThatWaitsIsHandedWhatIsOnItsWay) {
  InputBuffers buffers(1, false, false);
  buffers.begin({0}, 50);
  buffers.land({0}, 10, 100);
  buffers.land({0}, 20, 100);
  buffers.leave({0}, 10, 400, 100, true);
  buffers.leave({0}, 20, 300, 100, true);
  std::vector<std::pair<std::int64_t, std::int32_t>> handed;
  buffers.hand_out_returns({0}, [&](std::int64_t at, std::int32_t cost) { handed.push_back({at, cost}); });
  EXPECT_EQ(handed, (std::vector<std::pair<std::int64_t, std::int32_t>>{{450, 10}, {350, 20}}));
  EXPECT_EQ(buffers.noted_returns({0}), 0);
  EXPECT_EQ(buffers.occupied({0}, 350), 10) << "what leaves is still known";
}

// To land and to leave, in one step.
TEST(InputBuffers, PassingIsLandingAndLeaving) {
  RandomStream random(5, Purpose::test, 0);
  for (int round = 0; round < 60; ++round) {
    InputBuffers one(1, round % 2 == 1, round % 3 == 0), two(1, round % 2 == 1, round % 3 == 0);
    const auto delay = static_cast<std::int64_t>(1 + random.below(1u << random.below(24)));
    one.begin({0}, delay);
    two.begin({0}, delay);
    std::int64_t now = 0;
    for (int packet = 0; packet < 200; ++packet) {
      now += static_cast<std::int64_t>(1 + random.below(1u << random.below(30)));
      const auto when = now + static_cast<std::int64_t>(random.below(1u << random.below(28)));
      const auto cost = static_cast<std::int32_t>(1 + random.below(5));
      two.land({0}, cost, now);
      ASSERT_EQ(one.pass({0}, cost, now, when), two.leave({0}, cost, when, now, true));
      const std::int64_t asked = random.chance(0.2) ? now + 5 : 0;
      ASSERT_EQ(one.take_returned({0}, asked), two.take_returned({0}, asked));
      ASSERT_EQ(one.occupied({0}, now), two.occupied({0}, now));
      ASSERT_EQ(one.peak({0}, now + 1), two.peak({0}, now + 1));
      ASSERT_TRUE(one.integral({0}, now) == two.integral({0}, now));
    }
  }
}

// Times are kept in 32 bits next to the last landing: leaves far ahead, and long silences, must not confuse them.
TEST(InputBuffers, LongSilencesAndFarLeavesAreExact) {
  const std::int64_t far = std::int64_t{1} << 33;
  InputBuffers buffers(1, false, false);
  buffers.begin({0}, 50);
  buffers.land({0}, 10, 100);
  EXPECT_FALSE(buffers.leave({0}, 10, 100 + far, 100, true)) << "too far for a note";
  buffers.land({0}, 5, 200);
  EXPECT_TRUE(buffers.leave({0}, 5, 300, 200, true));
  EXPECT_EQ(buffers.occupied({0}, far), 10);
  EXPECT_EQ(buffers.occupied({0}, 100 + far), 0);
  buffers.land({0}, 7, 8 * far);
  EXPECT_EQ(buffers.occupied({0}, 8 * far), 7);
  EXPECT_EQ(buffers.take_returned({0}, 8 * far), 5);
  EXPECT_EQ(buffers.peak({0}, 9 * far), 15);
  EXPECT_TRUE(buffers.integral({0}, 9 * far) == CostTime{10} * far + 5 * 100 + CostTime{7} * far);
}

// What is due is not counted at every landing: however long it takes, nothing is lost or counted twice.
TEST(InputBuffers, WhatIsDueMayBeCountedLater) {
  for (int unit = 20; unit < 32; ++unit) {
    InputBuffers buffers(1, false, false);
    buffers.begin({0}, 50);
    const std::int64_t step = (std::int64_t{1} << unit) - 1;
    buffers.land({0}, 1000, 0);  // a peak that nothing reaches afterwards
    EXPECT_TRUE(buffers.leave({0}, 1000, step, 0, true));
    for (std::int32_t i = 1; i <= 60; ++i) {  // these stay
      buffers.land({0}, 3, i * step);
      ASSERT_EQ(buffers.occupied({0}, i * step), 3 * i) << unit;
      ASSERT_EQ(buffers.returned_by({0}, i * step), i == 1 ? 0 : 1000) << unit;
    }
    EXPECT_EQ(buffers.peak({0}, 61 * step), 1000);
    EXPECT_EQ(buffers.take_returned({0}, 61 * step), 1000);
    EXPECT_EQ(buffers.take_returned({0}, 61 * step), 0);
    EXPECT_TRUE(buffers.integral({0}, 61 * step) == CostTime{step} * (1000 + 3 * 60 * 61 / 2));
  }
}

// Bytes x picoseconds outgrow 64 bits in very long runs.
TEST(InputBuffers, IntegralsAreExactBeyond64Bits) {
  InputBuffers buffers(1, false, false);
  const std::int64_t step = std::int64_t{1} << 50;
  CostTime expected = 0;
  for (std::int64_t i = 0; i < 100; ++i) {
    for (int packet = 0; packet < 6; ++packet) {
      buffers.land({0}, 60'000, i * step);
      buffers.leave({0}, 60'000, (i + 1) * step, i * step, false);
      expected += CostTime{60'000} * step;
    }
  }
  EXPECT_TRUE(buffers.integral({0}, 100 * step) == expected);
  EXPECT_TRUE(expected > CostTime{std::numeric_limits<std::int64_t>::max()} * 2);
}

TEST(Deadlock, ACycleOfFullBuffersIsNamed) {
  const Standstill still{{1, 2, 3, 7}, {{1, 2}, {2, 3}, {3, 1}, {7, 1}}};
  const std::vector<std::uint32_t> cycle = find_deadlock(still);
  EXPECT_EQ(cycle, (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST(Deadlock, OnePacketThatCanGoSavesAll) {
  EXPECT_TRUE(find_deadlock({{1, 2, 3}, {{1, 2}, {2, 3}, {3, 1}, {3, 9}}}).empty());  // 9 is not blocked
  EXPECT_TRUE(find_deadlock({{1, 2}, {{1, 2}}}).empty());                             // behind 2 nothing stands
  EXPECT_TRUE(find_deadlock({{}, {}}).empty());
}

}  // namespace
}  // namespace weir
