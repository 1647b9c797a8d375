// Packets that wait without being stored come back in the order in which they joined, as they were drawn; and lists of
// send queues give back what was put into them, however little of it they keep.
#include "packet/hosts/replay.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "packet/hosts/send_lists.h"
#include "traffic/source_state.h"

namespace weir {
namespace {

constexpr std::size_t kHosts = 6;
constexpr HostId kHost{2};
constexpr std::int64_t kNs = 1000;

// Sources of one host that send to hosts drawn at random, one packet per so many nanoseconds, from time 0 on.
Workload workload_of(const std::vector<double>& every_ns, bool include_self = false) {
  Workload w;
  w.classes = {{"all"}};
  for (const double ns : every_ns) {
    SourceGroup group;
    group.arrivals = Arrivals::constant;
    group.aligned = true;
    group.include_self = include_self;
    group.sizes = {{100, 0.5}, {900, 0.5}};
    Source source;
    source.host = kHost;
    source.group = static_cast<std::uint32_t>(w.groups.size());
    source.packets_per_second = 1e9 / ns;
    w.groups.push_back(group);
    w.sources.push_back(source);
  }
  return w;
}

// Makes packets as the engine does: by time, and at one instant by source.
class Maker {
 public:
  explicit Maker(const Workload& w) : w_(w) {
    for (std::uint32_t s = 0; s < w.sources.size(); ++s) {
      states_.emplace_back(7, w.sources[s].stream());
      const Time first = states_[s].first(w.sources[s], w.groups[s], {});
      if (first != kNever) due_[{first.ps, s}] = true;
    }
  }
  Birth next() {
    const auto [at, source] = due_.begin()->first;
    due_.erase(due_.begin());
    const HostId host = w_.sources[source].host;
    Birth birth{source, host, {at}, states_[source].draw(host, w_.groups[source], kHosts)};
    birth.next = states_[source].next(w_.sources[source], w_.groups[source], birth.at);
    if (birth.next != kNever) due_[{birth.next.ps, source}] = true;
    return birth;
  }
  const SourceState* state(std::uint32_t source) const { return &states_[source]; }

 private:
  const Workload& w_;
  std::vector<SourceState> states_;
  std::map<std::pair<std::int64_t, std::uint32_t>, bool> due_;
};

void expect_equal(const Birth& a, const Birth& b) {
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.at, b.at);
  EXPECT_EQ(a.draw.destination, b.draw.destination);
  EXPECT_EQ(a.draw.payload, b.draw.payload);
}

TEST(Replay, TwoSourcesOfOneHostTakeTurnsAsTheyDid) {
  const Workload w = workload_of({100, 200});
  Maker maker(w);
  Replay replay(w, kHosts, 1);
  std::vector<Birth> made;
  for (int i = 0; i < 8; ++i) {
    made.push_back(maker.next());
    ASSERT_TRUE(replay.may_take({0}, made.back()));
    replay.put({0}, made.back(), *maker.state(made.back().source));
  }
  const std::vector<std::pair<std::uint32_t, std::int64_t>> expected = {
      {0, 0}, {1, 0}, {0, 100 * kNs}, {0, 200 * kNs}, {1, 200 * kNs}, {0, 300 * kNs}, {0, 400 * kNs}, {1, 400 * kNs}};
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Birth again = replay.take(0, 2, {0});
    EXPECT_EQ(std::pair(again.source, again.at.ps), expected[i]);
    expect_equal(again, made[i]);
  }
  EXPECT_FALSE(replay.must_take(0));
  EXPECT_FALSE(replay.must_take(1));
}

TEST(Replay, PassesWhatASourceDrewForItself) {
  const Workload w = workload_of({10, 15, 70}, true);
  Maker maker(w);
  Replay replay(w, kHosts, 1);
  std::deque<Birth> waiting;
  RandomStream random(5, Purpose::test, 0);
  std::size_t own = 0;
  for (int i = 0; i < 5000; ++i) {
    if (random.below(9) < 5) {
      const Birth birth = maker.next();
      if (birth.draw.destination == kHost) {
        ++own;
        continue;
      }
      replay.put({0}, birth, *maker.state(birth.source));
      waiting.push_back(birth);
    } else if (!waiting.empty()) {
      expect_equal(replay.take(0, 3, {0}), waiting.front());
      waiting.pop_front();
    }
  }
  EXPECT_GT(own, 100u);
}

TEST(Replay, ASourceThatStartsWithinAnInstantComesTooLate) {
  const Workload w = workload_of({100, 200});
  Maker maker(w);
  Replay replay(w, kHosts, 1);
  const Birth first = maker.next(), second = maker.next();
  EXPECT_TRUE(replay.may_take({0}, second));
  replay.put({0}, second, *maker.state(1));
  EXPECT_FALSE(replay.may_take({0}, first)) << "source 0 would be drawn before source 1";
  EXPECT_TRUE(replay.may_take({0}, maker.next())) << "at a later instant all is well";
}

// Of the engine, what the lists look at.
struct Host {
  struct Births {
    const Maker& maker;
    const SourceState* state(std::uint32_t source) const { return maker.state(source); }
    Packet made(Host&, const Birth& b) const {
      Packet p;
      p.generated = b.at.ps;
      p.source = kHost;
      p.destination = b.draw.destination;
      p.payload = static_cast<std::uint16_t>(b.draw.payload);
      p.sequence = b.source;
      return p;
    }
  };
  WaitingPackets waiting;
  Births sources;
};

void lists_give_back(AdapterOrganisation organisation, Bytes queue_limit, std::uint32_t whole, Kept kept) {
  const Workload w = workload_of({10, 15, 70}, true);
  PacketConfig config;
  config.adapter.organisation = organisation;
  config.adapter.queue_limit = queue_limit;
  ASSERT_EQ(kept_of_waiting(config, w, kHosts), kept);
  Maker maker(w);
  Host host{{}, {maker}};
  SendLists lists(config, w, kHosts, whole);
  PacketList list;
  std::deque<Packet> expected;
  RandomStream random(3, Purpose::test, whole);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t what = random.below(100), joins = i % 4000 < 2000 ? 55 : 40;
    if (what == 0) {  // the token of a flow
      Packet token;
      token.source = kHost;
      token.set(PacketKind::flow_token, {0});
      lists.append(host.waiting, list, host.waiting.keep(token));
      expected.push_back(token);
    } else if (what < joins) {
      const Birth birth = maker.next();
      if (birth.draw.destination == kHost) continue;
      const Packet p = host.sources.made(host, birth);
      if (!lists.append_small(host, QueueId{kHost.index}, list, birth,
                              static_cast<std::uint32_t>(expected.size() + 1)))
        lists.append(host.waiting, list, host.waiting.keep(p));
      expected.push_back(p);
    } else if (!expected.empty()) {
      const Packet& first = host.waiting[list.head];
      ASSERT_EQ(first.kind(), expected.front().kind());
      ASSERT_EQ(first.generated, expected.front().generated);
      ASSERT_EQ(first.sequence, expected.front().sequence);
      ASSERT_EQ(first.destination, expected.front().destination);
      ASSERT_EQ(first.payload, expected.front().payload);
      lists.drop_first(host, {kHost.index}, list);
      expected.pop_front();
    }
    std::uint64_t records = 0;
    const std::uint64_t small = lists.each(host.waiting, list, [&](PacketSlot) { ++records; });
    ASSERT_EQ(records + small, expected.size());
    ASSERT_EQ(host.waiting.count(), expected.size());
    ASSERT_EQ(list.empty(), expected.empty());
  }
}

TEST(SendLists, GiveBackWhatIsDrawnAgain) {
  for (const std::uint32_t whole : {0u, 1u, 16u, 0xffffffffu})
    lists_give_back(AdapterOrganisation::fifo, 0, whole, Kept::nothing);
}
TEST(SendLists, GiveBackWhatIsNoted) {
  for (const std::uint32_t whole : {0u, 1u, 16u, 0xffffffffu}) {
    lists_give_back(AdapterOrganisation::modulo, 0, whole, Kept::note);
    lists_give_back(AdapterOrganisation::fifo, 100'000, whole, Kept::note);
  }
}

TEST(SendLists, KeepAsLittleAsTheRunAllows) {
  const Workload w = workload_of({10, 15});
  PacketConfig config;
  EXPECT_EQ(kept_of_waiting(config, w, kHosts), Kept::nothing);
  EXPECT_EQ(kept_of_waiting(config, workload_of(std::vector<double>(33, 5.0)), kHosts), Kept::note) << "many sources";
  config.adapter.organisation = AdapterOrganisation::per_flow;
  EXPECT_EQ(kept_of_waiting(config, w, kHosts), Kept::nothing);
  EXPECT_EQ(kept_of_waiting(config, workload_of(std::vector<double>(33, 5.0)), kHosts), Kept::nothing);
  config.adapter.organisation = AdapterOrganisation::per_destination;
  EXPECT_EQ(kept_of_waiting(config, w, kHosts), Kept::note);
  config.adapter.memory = 10'000;
  EXPECT_EQ(kept_of_waiting(config, w, kHosts), Kept::record);
  config.adapter.memory = 0;
  config.switches.choice = Chosen<RouteChoiceKind>(component_named<RouteChoiceKind>("flow-setup"));
  EXPECT_EQ(kept_of_waiting(config, w, kHosts), Kept::record);
}

}  // namespace
}  // namespace weir
