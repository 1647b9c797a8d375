// What `weir topo` tells, and the picture.
#include "network/summary.h"

#include <gtest/gtest.h>

#include "fabrics.h"
#include "says.h"

namespace weir {
namespace {

using testing::kLink;
using testing::tree;

TEST(Summary, OfATree) {
  const Topology t = tree(4, 3);
  const TopologySummary s = topology_summary(t, digit_routes(t));
  EXPECT_EQ(s.hosts, 64u);
  EXPECT_EQ(s.switches, 48u);
  EXPECT_EQ(s.host_cables, 64u);
  EXPECT_EQ(s.switch_cables, 128u);
  EXPECT_EQ(s.link_directions, 384u);
  ASSERT_EQ(s.rates.size(), 1u);
  EXPECT_EQ(s.rates[0].cables, 192u);
  EXPECT_EQ(s.levels, 3u);
  EXPECT_EQ(s.fewest_switch_ports, 4u);
  EXPECT_EQ(s.most_switch_ports, 8u);
  EXPECT_EQ(s.capacity_ratio, (std::vector<double>{1.0, 1.0}));
  EXPECT_EQ(s.longest_path, 5u);
  EXPECT_TRUE(s.all_pairs);
  EXPECT_EQ(s.pairs, 64u * 63);
  EXPECT_DOUBLE_EQ(s.mean_path, (3 * 1 + 12 * 3 + 48 * 5) / 63.0);
}

TEST(Summary, SamplesLargeOnesTheSameWayEveryTime) {
  const Topology t = tree(4, 3);
  const RouteTable routes = digit_routes(t);
  const TopologySummary a = topology_summary(t, routes, 1000), b = topology_summary(t, routes, 1000);
  EXPECT_FALSE(a.all_pairs);
  EXPECT_EQ(a.pairs, 1000u);
  EXPECT_EQ(a.mean_path, b.mean_path);
  EXPECT_NEAR(a.mean_path, 279 / 63.0, 0.2);
}

TEST(Summary, CountsCablesByRateAndOneWayLinks) {
  const Topology t = two_switch({2, 2, 3}, kLink, {Rate{100'000'000'000}, Time{}, 0});
  const TopologySummary s = topology_summary(t, min_hop_routes(t));
  ASSERT_EQ(s.rates.size(), 2u);
  EXPECT_EQ(s.rates[0].rate.gigabits(), 100);
  EXPECT_EQ(s.rates[0].cables, 3u);
  EXPECT_EQ(s.rates[1].cables, 4u);
  EXPECT_EQ(s.levels, 0u);
  const Topology u = umin({2, 2}, kLink, kLink);
  const TopologySummary one_way = topology_summary(u, digit_routes(u));
  EXPECT_EQ(one_way.link_directions, 12u);
  EXPECT_EQ(one_way.host_cables, 8u);
  EXPECT_EQ(one_way.switch_cables, 4u);
  EXPECT_EQ(one_way.longest_path, 2u);
}

// A ring: two cables at every switch, and what its four hosts send or receive. Of two switches with cables between them
// the smaller side counts.
TEST(Summary, FindsTheNarrowestCutWhereThereAreNoLevels) {
  const auto cut = [](const Topology& t) { return topology_summary(t, min_hop_routes(t)).narrowest.value(); };
  const LinkProperties slow{Rate{10'000'000'000}, Time{}, 0};
  const TopologySummary::Cut uneven = cut(two_switch({2, 6, 1}, slow, slow));
  EXPECT_EQ(uneven.carried, 10e9);
  EXPECT_EQ(uneven.sent, 20e9);
  EXPECT_EQ(uneven.switches, 2u);
  GraphSpec ring = testing::switch_graph(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  const TopologySummary::Cut even = cut(graph(ring));
  EXPECT_EQ(even.carried, 2 * even.sent);
  EXPECT_EQ(even.switches, 4u);
  ring.cables.pop_back();  // now a line
  EXPECT_EQ(cut(graph(ring)).carried, even.sent);
  EXPECT_FALSE(topology_summary(star(3, slow), min_hop_routes(star(3, slow))).narrowest);
}

TEST(Dot, ShowsParallelCablesOnceAndQuotesNames) {
  GraphSpec spec;
  spec.hosts = {{"a\"b", {}}};
  spec.switches = {{"X", 0, {}}, {"Y", 0, {}}};
  spec.cables = {{{"a\"b"}, {"X"}, kLink, 1, {}}, {{"X"}, {"Y"}, {Rate{32'000'000'000}, Time{}, 0}, 3, {}}};
  const std::string dot = to_dot(graph(spec));
  EXPECT_TRUE(says(dot, "graph weir {"));
  EXPECT_TRUE(says(dot, "\"a\\\"b\" -- \"X\""));
  EXPECT_TRUE(says(dot, R"("X" -- "Y" [label="x3 32Gbps"];)"));
  EXPECT_FALSE(says(dot, "rank=same"));
}

TEST(Dot, OneWayNetworksAreDirectedAndLevelsAreRanks) {
  const std::string dot = to_dot(umin({2, 2}, kLink, kLink));
  EXPECT_EQ(dot.find("digraph weir {"), 0u);
  EXPECT_TRUE(says(dot, R"("H0" -> "S0.0";)"));
  EXPECT_TRUE(says(dot, R"({ rank=same; "S1.0"; "S1.1"; })"));
}

}  // namespace
}  // namespace weir
