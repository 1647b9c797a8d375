// The clock against a sorted multiset: whatever the spacing of events and the width of its bins, it hands out the same
// events and packets in the same total order, and whatever is pending can be visited at any time.
#include "packet/clock/clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "base/random.h"

namespace weir {
namespace {

using Key = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;  // time, kind and entity, aux

// A distance into the future on a random scale from "now" to a millisecond and, seldom, seconds.
std::int64_t distance(RandomStream& random) {
  if (random.chance(0.15)) return 0;
  const std::uint64_t scale = random.chance(0.02) ? 1ull << 43 : 1ull << random.below(31);
  return static_cast<std::int64_t>(random.below(scale));
}

// Makes new events and packets while it handles others, and compares what it is given with the reference.
struct Churn {
  Clock clock;
  RandomStream random;
  std::multiset<Key> reference;
  std::int64_t stop = kNever.ps;
  int left = 6000, unsettled_for = 0;
  std::uint32_t packets = 0;
  mutable std::uint64_t prepared = 0;
  std::vector<std::int64_t> settled;

  Churn(Time width, std::uint64_t seed)
      : clock({width, width * 100}), random(seed, Purpose::test, static_cast<std::uint64_t>(width.ps)) {}

  std::int64_t stop_at() const { return stop; }
  bool fetches() const { return left % 2 == 0; }
  void prepare(const Packet&, bool) const { ++prepared; }
  void prepare(const TimedEvent&, bool) const { ++prepared; }
  void land(Packet& p) {
    const Packet copy = p;
    take({p.time, TimedEvent::pack(EventKind::arrival, p.came_by.index), 0});
    EXPECT_EQ(p.sequence, copy.sequence) << "a packet stays where it is while it is handled";
  }
  void handle(const TimedEvent& e) { take({e.time, e.key, e.aux}); }
  bool unsettled() const { return unsettled_for > 0; }
  void settle() {
    unsettled_for = 0;
    EXPECT_FALSE(clock.more_now());
    settled.push_back(clock.ps());
    if (random.chance(0.3)) make(0);  // a further round of the same instant
  }

  void take(const Key& key) {
    ASSERT_FALSE(reference.empty());
    EXPECT_EQ(key, *reference.begin());
    reference.erase(reference.begin());
    EXPECT_EQ(clock.ps(), std::get<0>(key));
    EXPECT_EQ(clock.pending(), reference.size());
    EXPECT_EQ(clock.more_now(), !reference.empty() && std::get<0>(*reference.begin()) == clock.ps());
    const std::uint64_t pushes = left <= 0 ? 0 : random.below(reference.size() > 4000 ? 2 : 4);
    for (std::uint64_t i = 0; i < pushes; ++i) make(distance(random));
    --left;
    unsettled_for += random.chance(0.2);
    if (left % 500 == 0) expect_same_pending();
  }
  void make(std::int64_t ahead) {
    const std::int64_t at = clock.ps() + ahead;
    if (random.chance(0.5)) {
      Packet p;
      p.sequence = packets++;
      // Two packets never land on one channel at the same instant.
      const ChannelId channel{1000 + p.sequence};
      clock.send(p, at, channel).number = 7;
      reference.insert({at, TimedEvent::pack(EventKind::arrival, channel.index), 0});
      return;
    }
    const auto kind = static_cast<EventKind>(1 + random.below(11));
    const auto entity = static_cast<std::uint32_t>(random.below(9)), aux = static_cast<std::uint32_t>(random.below(3));
    clock.at({at}, kind, entity, aux);
    reference.insert({at, TimedEvent::pack(kind, entity), aux});
  }
  void expect_same_pending() const {
    std::multiset<Key> seen;
    clock.for_each_packet([&](const Packet& p) {
      EXPECT_EQ(p.number, 7u);
      seen.insert({p.time, TimedEvent::pack(EventKind::arrival, p.came_by.index), 0});
    });
    clock.for_each_event([&](const TimedEvent& e) { seen.insert({e.time, e.key, e.aux}); });
    EXPECT_EQ(seen, reference);
  }
};

TEST(Clock, HandsOutEverythingInOrder) {
  for (const std::int64_t width : std::vector<std::int64_t>{1, 40, 3000, 1'000'000, 3'000'000'000})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      Churn churn({width}, seed);
      for (int i = 0; i < 50; ++i) churn.make(distance(churn.random));
      churn.clock.run(churn);
      EXPECT_EQ(churn.clock.pending(), 0u);
      EXPECT_TRUE(churn.reference.empty());
      EXPECT_LE(churn.left, 0);
      EXPECT_GT(churn.settled.size(), 100u);
    }
}

TEST(Clock, StopsInTimeAndKeepsTheRest) {
  for (const std::int64_t width : {1, 3000, 1'000'000}) {
    Churn churn({width}, 9);
    churn.stop = 2'000'000;
    for (int i = 0; i < 200; ++i) churn.make(distance(churn.random));
    churn.clock.run(churn);
    ASSERT_FALSE(churn.reference.empty());
    EXPECT_LE(churn.clock.ps(), churn.stop);
    EXPECT_GT(std::get<0>(*churn.reference.begin()), churn.stop);
    churn.expect_same_pending();
  }
}

TEST(Clock, CrowdedInstantsAreInOrder) {
  Churn churn({1000}, 3);
  churn.left = 0;
  for (int i = 0; i < 3000; ++i) churn.make(i % 3 * 10);
  churn.clock.run(churn);
  EXPECT_TRUE(churn.reference.empty());
}

// What lies ahead is fetched before its turn comes, whether it was known when the bin before it began or was made
// since; twice only if another bin came in between. What is made for the bin that is being executed is not fetched.
struct Fetching {
  Clock clock{{{100}, {100'000}}};
  RandomStream random{5, Purpose::test, 0};
  std::multiset<std::uint32_t> fetched;  // entities
  int left = 5000, fetched_again = 0;

  std::int64_t stop_at() const { return kNever.ps; }
  bool fetches() const { return true; }
  void prepare(const Packet& p, bool again) { fetch(p.came_by.index, again); }
  void prepare(const TimedEvent& e, bool again) { fetch(e.entity(), again); }
  void fetch(std::uint32_t entity, bool again) {
    if (!again) fetched.insert(entity);
    else ++fetched_again;
  }
  void land(Packet& p) { take(p.came_by.index); }
  void handle(const TimedEvent& e) { take(e.entity()); }
  bool unsettled() const { return false; }
  void settle() {}

  void take(std::uint32_t entity) {
    EXPECT_GE(fetched.count(entity), 1u);
    for (int i = 0; i < 2 && left > 0; ++i) make();
  }
  void make() {
    const auto entity = static_cast<std::uint32_t>(left--);
    const Time at = clock.now() + Time{128 + static_cast<std::int64_t>(random.below(left % 2 == 0 ? 200 : 50'000))};
    if (random.chance(0.5)) clock.send(Packet{}, at.ps, {entity});
    else clock.at(at, EventKind::timer, entity);
  }
};

TEST(Clock, EverythingAheadIsFetched) {
  Fetching machine;
  for (int i = 0; i < 20; ++i) machine.make();
  machine.clock.run(machine);
  EXPECT_LT(machine.fetched.size(), 5500u);
  EXPECT_EQ(machine.fetched_again, 5000);
}

// Of a crowded bin only a few entries ahead: else what was fetched first would be gone by then.
TEST(Clock, ACrowdIsFetchedShortlyBefore) {
  struct Crowd : Fetching {
    std::size_t handled = 0, most_ahead = 0;
    void land(Packet& p) { count(p.came_by.index); }
    void handle(const TimedEvent& e) { count(e.entity()); }
    void count(std::uint32_t entity) {
      EXPECT_EQ(fetched.count(entity), 1u);
      most_ahead = std::max(most_ahead, fetched.size() - ++handled);
    }
  } crowd;
  for (std::uint32_t i = 0; i < 2000; ++i)
    if (i % 2 == 0) crowd.clock.send(Packet{}, 1000, {i});
    else crowd.clock.at({1000}, EventKind::timer, i);
  crowd.clock.run(crowd);
  EXPECT_EQ(crowd.handled, 2000u);
  EXPECT_LT(crowd.most_ahead, 100u);
}

}  // namespace
}  // namespace weir
