// Permutations are permutations, derangements have no fixed point and are equally likely, shifts shift.
#include "traffic/permutations.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "traffic_helpers.h"

namespace weir {
namespace {

using namespace literals;

RC_GTEST_PROP(RandomPartners, IsAPermutationWithoutFixedPoints, (std::uint64_t seed)) {
  std::vector<HostId> group;
  const auto size = *rc::gen::inRange<std::uint32_t>(2, 200);
  for (std::uint32_t i = 0; i < size; ++i) group.push_back({i * 3 + 1});  // any group, not only 0..n-1
  RandomStream random(seed, Purpose::permutation, 0);
  std::vector<HostId> partner = random_partners(group, false, random);
  for (std::size_t i = 0; i < group.size(); ++i) RC_ASSERT(partner[i] != group[i]);
  std::sort(partner.begin(), partner.end());
  RC_ASSERT(partner == group);
}

TEST(RandomPartners, AllNineDerangementsOfFourAreEquallyLikely) {
  const std::vector<HostId> group = first_hosts(4);
  RandomStream random = stream();
  std::map<std::vector<HostId>, int> hits;
  constexpr int kDraws = 90'000;
  for (int i = 0; i < kDraws; ++i) ++hits[random_partners(group, false, random)];
  ASSERT_EQ(hits.size(), 9u);
  for (const auto& [partner, count] : hits) EXPECT_NEAR(count, kDraws / 9, 420);  // 4.4 sigma
}

TEST(RandomPartners, FixedPointsAppearWhereTheyAreAllowed) {
  const std::vector<HostId> group = first_hosts(3);
  RandomStream random = stream();
  std::map<std::vector<HostId>, int> hits;
  for (int i = 0; i < 6000; ++i) ++hits[random_partners(group, true, random)];
  EXPECT_EQ(hits.size(), 6u);
}

TEST(RandomPartners, OneHostHasNoOtherPartner) {
  RandomStream random = stream();
  expect_error([&] { random_partners(first_hosts(1), false, random); }, "at least two hosts");
}

TEST(ShiftedPartners, CountRoundTheGroup) {
  const std::vector<HostId> group = hosts_of({2, 3, 5, 7});
  EXPECT_EQ(shifted_partners(group, 1), hosts_of({3, 5, 7, 2}));
  EXPECT_EQ(shifted_partners(group, 6), hosts_of({5, 7, 2, 3}));
  EXPECT_EQ(shifted_partners(group, -1), hosts_of({7, 2, 3, 5}));
  expect_error([&] { shifted_partners(group, 8); }, "offset: 8 sends every one of the 4 hosts to itself; use 1 to 3");
  expect_error([&] { shifted_partners(first_hosts(1), 1); }, "itself");
}

TEST(PairFlows, CarryTheBasicsAndLeaveOutFixedPoints) {
  Workload w;
  FlowBasics basics;
  basics.app = {3};
  basics.traffic_class = {1};
  basics.lane = 2;
  basics.start = 5_us;
  basics.weight = 2.5;
  basics.bytes = 4096;
  basics.phase = 9;
  RandomStream random = stream();
  add_pair_flows(w, basics, hosts_of({0, 1, 2}), hosts_of({2, 1, 0}), random);
  ASSERT_EQ(w.flows.size(), 2u);
  const Flow& flow = w.flows[FlowId{1}];
  EXPECT_EQ(flow.source, HostId{2});
  EXPECT_EQ(flow.destination, HostId{0});
  EXPECT_EQ(flow.bytes, 4096);
  EXPECT_EQ(flow.start, 5_us);
  EXPECT_EQ(flow.weight, 2.5);
  EXPECT_EQ(flow.app, AppId{3});
  EXPECT_EQ(flow.phase, 9u);
  EXPECT_EQ(flow.traffic_class, ClassId{1});
  EXPECT_EQ(flow.lane, 2);
  EXPECT_FALSE(flow.after.valid());
}

TEST(PairFlows, SpreadStartsLieInTheSpan) {
  Workload w;
  FlowBasics basics;
  basics.start = 10_us;
  basics.spread = 1_us;
  RandomStream random = stream();
  const std::vector<HostId> group = first_hosts(500);
  add_pair_flows(w, basics, group, shifted_partners(group, 1), random);
  Time least = kNever, most = 0_ps;
  for (const Flow& flow : w.flows) {
    least = std::min(least, flow.start);
    most = std::max(most, flow.start);
  }
  EXPECT_GE(least, 10_us);
  EXPECT_LT(most, 11_us);
  EXPECT_GT(most - least, 900_ns);
}

TEST(RandomFlows, NumbersAndDestinationsCoverTheirRange) {
  Workload w;
  RandomStream destination = stream(), start = stream(1);
  add_random_flows(w, {{}, first_hosts(1000), 1, 5}, destination, start);
  std::vector<int> per_host(1000), hosts_with(6);
  for (const Flow& flow : w.flows) {
    ASSERT_NE(flow.source, flow.destination);
    ++per_host[flow.source.index];
  }
  for (const int n : per_host) {
    ASSERT_GE(n, 1);
    ASSERT_LE(n, 5);
    ++hosts_with[static_cast<std::size_t>(n)];
  }
  for (int n = 1; n <= 5; ++n) EXPECT_NEAR(hosts_with[static_cast<std::size_t>(n)], 200, 56);  // 4.4 sigma
  expect_error([&] { add_random_flows(w, {{}, first_hosts(3), 4, 2}, destination, start); }, "max_flows: 2 is less");
}

TEST(PartnerTable, IsIndexedByHostNumber) {
  const std::vector<HostId> table = partner_table(hosts_of({1, 3}), hosts_of({3, 1}), 4);
  ASSERT_EQ(table.size(), 4u);
  EXPECT_FALSE(table[0].valid());
  EXPECT_EQ(table[1], HostId{3});
  EXPECT_EQ(table[3], HostId{1});
}

}  // namespace
}  // namespace weir
