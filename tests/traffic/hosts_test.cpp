// Which hosts take part: counts, evenness, lists that cannot be.
#include "traffic/hosts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "traffic_helpers.h"

namespace weir {
namespace {

RandomStream placement(std::uint64_t entity = 0) { return {1, Purpose::placement, entity}; }

std::vector<HostId> select(const HostSelection& selection, std::size_t hosts) {
  return select_hosts(selection, hosts, placement());
}

TEST(SelectHosts, AllByDefault) { EXPECT_EQ(select({}, 5), hosts_of({0, 1, 2, 3, 4})); }

TEST(SelectHosts, ShareIsRoundedAndNeverZero) {
  HostSelection selection;
  selection.share = 0.2;
  EXPECT_EQ(select(selection, 512).size(), 102u);  // 102.4
  EXPECT_EQ(select(selection, 64).size(), 13u);    // 12.8
  EXPECT_EQ(select(selection, 2).size(), 1u);      // 0.4
}

TEST(SelectHosts, TwentyPercentKeepTheirNumberWhereverTheTargetLies) {
  HostSelection selection;
  selection.share = 0.2;
  for (std::uint32_t target = 0; target < 512; ++target) {
    selection.target = {target};
    const std::vector<HostId> taken = select(selection, 512);
    ASSERT_EQ(taken.size(), 102u);
    ASSERT_FALSE(std::binary_search(taken.begin(), taken.end(), HostId{target}));
  }
}

RC_GTEST_PROP(SelectHosts, EvenPlacementIsAsEvenAsWholeNumbersAllow, ()) {
  const auto hosts = *rc::gen::inRange<std::uint32_t>(1, 600);
  const auto count = *rc::gen::inRange<std::uint32_t>(1, hosts + 1);
  HostSelection selection;
  selection.count = count;
  const std::vector<HostId> taken = select(selection, hosts);
  RC_ASSERT(taken.size() == count);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const std::uint32_t next = i + 1 < taken.size() ? taken[i + 1].index : taken[0].index + hosts;
    const std::uint32_t gap = next - taken[i].index;
    RC_ASSERT(gap >= hosts / count);
    RC_ASSERT(gap <= (hosts + count - 1) / count);
  }
}

RC_GTEST_PROP(SelectHosts, AnyPlacementGivesDifferentHostsInOrderWithinTheRange, (std::uint64_t seed)) {
  const auto hosts = *rc::gen::inRange<std::uint32_t>(3, 300);
  const auto first = *rc::gen::inRange<std::uint32_t>(0, hosts - 1);
  const auto last = *rc::gen::inRange<std::uint32_t>(first + 1, hosts);
  HostSelection selection;
  selection.placement = *rc::gen::element(Placement::even, Placement::random, Placement::first);
  selection.share = *rc::gen::inRange(1, 101) / 100.0;
  selection.range = {first, last};
  selection.target = {first};
  const std::vector<HostId> taken = select_hosts(selection, hosts, RandomStream(seed, Purpose::placement, 0));
  RC_ASSERT(!taken.empty());
  RC_ASSERT(std::adjacent_find(taken.begin(), taken.end(), std::greater_equal<>()) == taken.end());
  for (const HostId host : taken) RC_ASSERT(host.index > first && host.index <= last);
}

TEST(SelectHosts, RandomPlacementDependsOnTheStreamAlone) {
  HostSelection selection;
  selection.placement = Placement::random;
  selection.share = 0.25;
  EXPECT_EQ(select_hosts(selection, 100, placement(1)), select_hosts(selection, 100, placement(1)));
  EXPECT_NE(select_hosts(selection, 100, placement(1)), select_hosts(selection, 100, placement(2)));
  std::vector<int> hits(20);
  for (std::uint64_t i = 0; i < 4000; ++i) {
    for (const HostId host : select_hosts(selection, 20, placement(i))) ++hits[host.index];
  }
  for (const int hit : hits) EXPECT_NEAR(hit, 1000, 120);  // 4.4 sigma
}

TEST(SelectHosts, ComplementOfAnotherEntry) {
  HostSelection selection;
  selection.without = hosts_of({0, 2, 4});
  EXPECT_EQ(select(selection, 6), hosts_of({1, 3, 5}));
}

TEST(SelectHosts, ListIsSortedAndTakenAsItIs) {
  HostSelection selection;
  selection.list = {4, 1, 3};
  EXPECT_EQ(select(selection, 6), hosts_of({1, 3, 4}));
}

TEST(SelectHosts, RefusesWhatCannotBe) {
  HostSelection selection;
  selection.list = {1, 8};
  expect_error([&] { select(selection, 8); }, "hosts: there is no host 8; this network has 8 hosts, numbered 0 to 7");
  selection.list = {-1};
  expect_error([&] { select(selection, 8); }, "no host -1");
  selection.list = {3, 5, 3};
  expect_error([&] { select(selection, 8); }, "host 3 is listed twice");
  selection.list = {3, 5};
  selection.target = {5};
  expect_error([&] { select(selection, 8); }, "host 5 is the target");
  HostSelection range;
  range.range = {5, 2};
  expect_error([&] { select(range, 8); }, "write [2, 5]");
  range.range = {1, 2, 3};
  expect_error([&] { select(range, 8); }, "two host numbers");
  range.range = {0, 8};
  expect_error([&] { select(range, 8); }, "range: there is no host 8");
  HostSelection none;
  none.without = hosts_of({0, 1});
  expect_error([&] { select(none, 2); }, "no host is left");
  HostSelection many;
  many.count = 4;
  many.target = {0};
  expect_error([&] { select(many, 4); }, "fan_in: 4 senders wanted, but only 3 hosts can send");
  expect_error([&] { select({}, 0); }, "no hosts");
}

}  // namespace
}  // namespace weir
