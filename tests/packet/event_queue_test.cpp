// The event queue against a sorted multiset: whatever the spacing of events and the width of its buckets, it hands out
// the same events in the same total order.
#include "packet/event_queue.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <vector>

#include "base/random.h"

namespace weir {
namespace {

using Key = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;
Key key(const QueuedEvent& e) { return {e.time, e.key, e.aux}; }

struct Pair {
  explicit Pair(Time spacing) : queue(spacing) {}
  EventQueue queue;
  std::multiset<Key> reference;
  QueuedEvent last = {};
  int taken = 0;

  void push(std::int64_t at, EventKind kind, std::uint32_t entity, std::uint32_t aux) {
    queue.push({at}, kind, entity, aux);
    reference.insert({at, QueuedEvent::pack(kind, entity), aux});
  }
  // False at the first difference. Every third event is put back once and must come again.
  bool pop(std::int64_t& now) {
    last = queue.pop();
    if (++taken % 3 == 0) {
      queue.put_back(last);
      last = queue.pop();
    }
    const bool equal = key(last) == *reference.begin();
    reference.erase(reference.begin());
    now = last.time;
    const bool more = !reference.empty() && std::get<0>(*reference.begin()) == now;
    return equal && queue.more_at(now) == more && queue.size() == reference.size();
  }
};

// A distance into the future on a random scale from "now" to a millisecond and, seldom, seconds.
std::int64_t distance(RandomStream& random) {
  if (random.chance(0.15)) return 0;
  const std::uint64_t scale = random.chance(0.02) ? 1ull << 43 : 1ull << random.below(31);
  return static_cast<std::int64_t>(random.below(scale));
}

void churn(Time spacing, std::uint64_t seed) {
  RandomStream random(seed, Purpose::test, static_cast<std::uint64_t>(spacing.ps));
  Pair pair(spacing);
  std::int64_t now = 0;
  for (int step = 0; step < 6000; ++step) {
    const std::uint64_t pushes = random.below(pair.reference.size() > 4000 ? 2 : 4);
    for (std::uint64_t i = 0; i < pushes; ++i) {
      const auto kind = static_cast<EventKind>(random.below(12));
      pair.push(now + distance(random), kind, static_cast<std::uint32_t>(random.below(9)),
                static_cast<std::uint32_t>(random.below(3)));
    }
    if (!pair.reference.empty()) {
      ASSERT_TRUE(pair.pop(now)) << "spacing " << spacing.ps << ", step " << step;
    }
    if (step % 1500 == 0) {
      std::multiset<Key> pending;
      pair.queue.for_each([&](const QueuedEvent& e) { pending.insert(key(e)); });
      ASSERT_EQ(pending, pair.reference);
    }
  }
  while (!pair.reference.empty()) ASSERT_TRUE(pair.pop(now)) << "while draining, spacing " << spacing.ps;
  EXPECT_TRUE(pair.queue.empty());
}

TEST(EventQueue, EqualsASortedSetOnAllScales) {
  for (const std::int64_t spacing : {1ll, 3ll, 50ll, 1000ll, 77'777ll, 10'000'000ll, 1'000'000'000ll})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) churn({spacing}, seed);
}

TEST(EventQueue, HoldsOneEventPerLinkInSteadyState) {  // the engine's pattern: every pop pushes one event a bit later
  for (const std::int64_t spacing : {1ll, 20ll, 5000ll}) {
    Pair pair(Time{spacing});
    RandomStream random(7, Purpose::test, 1);
    for (std::uint32_t i = 0; i < 2000; ++i)
      pair.push(static_cast<std::int64_t>(random.below(100'000)), EventKind::arrival, i, 0);
    std::int64_t now = 0;
    for (int step = 0; step < 60'000; ++step) {
      ASSERT_TRUE(pair.pop(now));
      pair.push(now + 1000 + static_cast<std::int64_t>(random.below(80'000)), EventKind::arrival,
                static_cast<std::uint32_t>(step % 2000), static_cast<std::uint32_t>(step));
    }
  }
}

TEST(EventQueue, ManyEventsOfOneInstantComeInTheirOrder) {
  Pair pair(Time{10});
  for (std::uint32_t i = 0; i < 500; ++i) pair.push(123'456, static_cast<EventKind>(i * 7 % 12), i * 31 % 97, i % 5);
  std::int64_t now = 0;
  for (int i = 0; i < 250; ++i) ASSERT_TRUE(pair.pop(now));
  for (std::uint32_t i = 0; i < 300; ++i) pair.push(123'456, EventKind::tick, i, 0);  // later kinds, the same instant
  while (!pair.reference.empty()) ASSERT_TRUE(pair.pop(now));
  EXPECT_EQ(now, 123'456);
}

TEST(EventQueue, SkipsLongSilences) {
  Pair pair(Time{1});
  const std::int64_t second = 1'000'000'000'000;
  for (const std::int64_t at :
       {std::int64_t{5}, second, second + 1, 3'000'000 * second, std::int64_t{8'000'000'000'000'000'000}})
    pair.push(at, EventKind::timer, 1, 2);
  std::int64_t now = 0;
  while (!pair.reference.empty()) ASSERT_TRUE(pair.pop(now));
  EXPECT_EQ(now, 8'000'000'000'000'000'000);
}

TEST(EventQueue, LooksAheadWithoutLosingEvents) {
  Pair pair(Time{1000});
  for (std::uint32_t i = 0; i < 100; ++i) pair.push(i * 3'000, EventKind::generate, i, 0);
  std::int64_t now = 0;
  int seen = 0;
  while (!pair.reference.empty()) {
    ASSERT_TRUE(pair.pop(now));
    const QueuedEvent top = pair.last;
    for (int i = 0; i < 5; ++i) {
      const QueuedEvent* event = pair.queue.look_ahead();
      if (event == nullptr) continue;
      ++seen;
      EXPECT_EQ(pair.reference.count(key(*event)), 1u) << "a pending event";
      EXPECT_TRUE(top < *event);
    }
    // What is pushed between the top and what was fetched ahead still comes in its place.
    if (top.aux == 0) pair.push(top.time + 1'500, EventKind::timer, top.entity(), 1);
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace weir
