// The rules of the congestion table, one by one.
#include <gtest/gtest.h>

#include "network/topologies/topologies.h"
#include "packet/routing/snooping.h"

namespace weir {
namespace {

constexpr std::int64_t kMs = 1'000'000'000;

class Snooping : public ::testing::Test {
 protected:
  Snooping() {
    GraphSpec spec;
    spec.hosts = {{"H1", {}}, {"H2", {}}};
    spec.switches = {{"S1", 0, {}}, {"S2", 0, {}}};
    const LinkProperties link{{10'000'000'000}, {0}, 0};
    spec.cables = {{{"H1"}, {"S1"}, link, 1, {}}, {{"S1"}, {"S2"}, link, 3, {}}, {{"S2"}, {"H2"}, link, 1, {}}};
    topology = graph(spec);
    for (std::uint32_t local = 1; local <= 3; ++local)
      ports.push_back(topology.port(topology.node(SwitchId{0}), local));
  }
  SnoopingTables tables(SnoopTiming timing = SnoopTiming::restart, bool default_return = false) const {
    return {SnoopConfig{{250 * kMs}, timing, 16'500, default_return}, topology, 1};
  }
  Notification about(std::int32_t feedback) const { return {ports[0], h2, feedback}; }

  Topology topology;
  std::vector<PortId> ports;  // of S1, towards S2
  std::vector<RouteStep> steps() const { return {ports.begin(), ports.end()}; }
  const HostId h2{1};
};

TEST_F(Snooping, feedback_is_weighted_by_the_number_of_notifications) {
  SnoopingTables t = tables();
  t.update(ports[0], about(-10), false, 0);
  EXPECT_EQ(t.entry(ports[0], h2, 0).feedback, -10);
  t.update(ports[0], about(-5), false, 1);
  EXPECT_EQ(t.entry(ports[0], h2, 1).feedback, -10 - 2 * 5);
  t.update(ports[0], about(-1), false, 2);
  EXPECT_EQ(t.entry(ports[0], h2, 2).feedback, -10 - 2 * 5 - 3);
  EXPECT_EQ(t.entry(ports[0], h2, 2).count, 3u);
  EXPECT_FALSE(t.entry(ports[1], h2, 2).congested);
  EXPECT_FALSE(t.entry(ports[0], {0}, 2).congested);
  EXPECT_EQ(t.markings(), 1u);
}

TEST_F(Snooping, positive_feedback_is_no_congestion) {
  SnoopingTables t = tables();
  t.update(ports[0], about(3), false, 0);
  EXPECT_FALSE(t.entry(ports[0], h2, 0).congested);
  EXPECT_EQ(t.entry(ports[0], h2, 0).count, 0u);
}

TEST_F(Snooping, remote_overrides_local_and_never_the_reverse) {
  SnoopingTables t = tables();
  t.update(ports[0], about(-1), true, 0);
  EXPECT_TRUE(t.entry(ports[0], h2, 0).local);
  t.update(ports[0], about(-1), true, 0);
  EXPECT_TRUE(t.entry(ports[0], h2, 0).local);
  t.update(ports[0], about(-1), false, 0);
  EXPECT_FALSE(t.entry(ports[0], h2, 0).local);
  t.update(ports[0], about(-1), true, 0);
  EXPECT_FALSE(t.entry(ports[0], h2, 0).local);
  t.drained(ports[0], 0);  // it is a remote entry now
  EXPECT_TRUE(t.entry(ports[0], h2, 0).congested);
}

TEST_F(Snooping, local_entries_end_with_the_queue_and_not_with_the_timer) {
  SnoopingTables t = tables();
  t.update(ports[0], about(-1), true, 0);
  EXPECT_TRUE(t.entry(ports[0], h2, 1000 * kMs).congested);
  t.drained(ports[1], 0);
  t.drained(ports[0], 16'500);
  EXPECT_TRUE(t.entry(ports[0], h2, 1000 * kMs).congested);
  t.drained(ports[0], 16'499);
  EXPECT_FALSE(t.entry(ports[0], h2, 1000 * kMs).congested);
  EXPECT_EQ(t.entry(ports[0], h2, 1000 * kMs).feedback, 0);
  EXPECT_EQ(t.entry(ports[0], h2, 1000 * kMs).count, 0u);
}

TEST_F(Snooping, timer_restarted_at_every_update) {
  SnoopingTables t = tables(SnoopTiming::restart);
  t.update(ports[0], about(-1), false, 0);
  t.update(ports[0], about(-1), false, 200 * kMs);
  EXPECT_TRUE(t.entry(ports[0], h2, 450 * kMs - 1).congested);
  EXPECT_FALSE(t.entry(ports[0], h2, 450 * kMs).congested);
}

TEST_F(Snooping, timer_started_once_per_marking) {
  SnoopingTables t = tables(SnoopTiming::once);
  t.update(ports[0], about(-1), false, 0);
  t.update(ports[0], about(-1), false, 200 * kMs);
  EXPECT_TRUE(t.entry(ports[0], h2, 250 * kMs - 1).congested);
  EXPECT_FALSE(t.entry(ports[0], h2, 250 * kMs).congested);
  t.update(ports[0], about(-1), false, 260 * kMs);  // a new marking
  EXPECT_EQ(t.entry(ports[0], h2, 260 * kMs).count, 1u);
  EXPECT_TRUE(t.entry(ports[0], h2, 500 * kMs).congested);
  EXPECT_FALSE(t.entry(ports[0], h2, 510 * kMs).congested);
}

TEST_F(Snooping, one_timer_per_update) {
  SnoopingTables t = tables(SnoopTiming::each);
  t.update(ports[0], about(-1), false, 0);
  t.update(ports[0], about(-1), false, 200 * kMs);
  EXPECT_FALSE(t.entry(ports[0], h2, 250 * kMs).congested);
  t.update(ports[0], about(-1), false, 300 * kMs);
  EXPECT_TRUE(t.entry(ports[0], h2, 449 * kMs).congested);
  EXPECT_FALSE(t.entry(ports[0], h2, 450 * kMs).congested);  // by the timer of the update at 200 ms
}

TEST_F(Snooping, a_timer_that_ends_on_a_local_entry_has_no_effect_later) {
  for (const SnoopTiming timing : {SnoopTiming::restart, SnoopTiming::once, SnoopTiming::each}) {
    SnoopingTables t = tables(timing);
    t.update(ports[0], about(-1), true, 0);
    t.update(ports[0], about(-1), false, 300 * kMs);  // remote now; the first timer ran out while it was local
    EXPECT_TRUE(t.entry(ports[0], h2, 549 * kMs).congested) << static_cast<int>(timing);
    EXPECT_EQ(t.entry(ports[0], h2, 549 * kMs).count, 2u);
    EXPECT_FALSE(t.entry(ports[0], h2, 550 * kMs).congested) << static_cast<int>(timing);
  }
}

TEST_F(Snooping, data_takes_the_first_uncongested_port) {
  SnoopingTables t = tables();
  EXPECT_EQ(t.choose(steps(), h2, 0), ports[0]);
  t.update(ports[0], about(-1), false, 0);
  EXPECT_EQ(t.choose(steps(), h2, 0), ports[1]);
  t.update(ports[1], about(-1), true, 0);
  EXPECT_EQ(t.choose(steps(), h2, 0), ports[2]);
  EXPECT_EQ(t.choose(steps(), {0}, 0), ports[0]);  // another destination
  EXPECT_EQ(t.choose(steps(), h2, 250 * kMs), ports[0]);
}

TEST_F(Snooping, if_all_are_congested_the_mildest) {
  SnoopingTables t = tables();
  t.update(ports[0], about(-7), false, 0);
  t.update(ports[1], about(-3), false, 0);
  t.update(ports[2], about(-5), false, 0);
  EXPECT_EQ(t.choose(steps(), h2, 0), ports[1]);
  t.update(ports[1], about(-1), false, 0);  // -3 - 2 = -5: equal to the third, and before it
  EXPECT_EQ(t.choose(steps(), h2, 0), ports[1]);
  t.update(ports[1], about(-1), false, 0);
  EXPECT_EQ(t.choose(steps(), h2, 0), ports[2]);
}

TEST_F(Snooping, notifications_return_by_all_ports_alike_or_by_the_default_one) {
  SnoopingTables t = tables();
  std::vector<int> count(3, 0);
  for (int i = 0; i < 3000; ++i) {
    const RouteStep port = t.choose_return({0}, steps());
    for (std::size_t k = 0; k < 3; ++k) count[k] += port == ports[k];
  }
  for (const int c : count) EXPECT_NEAR(c, 1000, 120);
  SnoopingTables plain = tables(SnoopTiming::restart, true);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(plain.choose_return({0}, steps()), ports[0]);
}

}  // namespace
}  // namespace weir
