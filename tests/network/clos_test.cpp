// Leaf-spine, Clos and rail-optimised fabrics: who is joined to whom, capacity from level to level, hop counts, and
// routes that go up and then down over every cable there is.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "fabrics.h"
#include "network/deadlock/deadlock.h"
#include "network/summary.h"
#include "network/topologies/clos_plan.h"
#include "says.h"

namespace weir {
namespace {

using testing::kLink;
using testing::switches_between;

constexpr LinkProperties kDouble{Rate{16'000'000'000}, Time{1000}, 0};

Topology leaf_spine(std::uint32_t hosts, std::uint32_t leaves, std::uint32_t spines, std::uint32_t bundle = 1) {
  return clos({{hosts, leaves}, {spines}, {bundle}}, kLink, {kLink});
}
Topology three_tier(std::uint32_t bundle = 1) {
  return clos({{4, 3, 2}, {2, 3}, {bundle, 1}}, kLink, {kLink, kDouble});
}
Topology rails() { return clos({{4, 2 * 8}, {4}, {1}, 8}, kLink, {kLink}); }

std::map<std::pair<NodeId, NodeId>, int> cables(const Topology& t) {
  std::map<std::pair<NodeId, NodeId>, int> count;
  for (std::uint32_t p = 0; p < t.ports(); ++p)
    if (t.to({p}).valid()) ++count[{t.node_of({p}), t.node_of(t.to({p}))}];
  return count;
}

TEST(LeafSpine, EveryLeafIsJoinedToEverySpine) {
  const Topology t = leaf_spine(3, 4, 2, 5);
  EXPECT_EQ(t.hosts(), 12u);
  EXPECT_EQ(t.switches(), 6u);
  EXPECT_EQ(t.name(t.node(SwitchId{3})), "L3");
  EXPECT_EQ(t.name(t.node(SwitchId{5})), "S1");
  const auto count = cables(t);
  for (std::uint32_t leaf = 0; leaf < 4; ++leaf)
    for (std::uint32_t spine = 4; spine < 6; ++spine)
      EXPECT_EQ(count.at({t.node(SwitchId{leaf}), t.node(SwitchId{spine})}), 5);
  EXPECT_EQ(count.size(), 2 * (12u + 8u));
  EXPECT_EQ(t.port_count(t.node(SwitchId{0})), 3 + 10u);
  EXPECT_EQ(t.port_count(t.node(SwitchId{4})), 20u);
}

TEST(LeafSpine, OversubscriptionIsTold) {
  const Topology t = leaf_spine(8, 4, 2, 1);
  const TopologySummary s = topology_summary(t, clos_routes(t));
  EXPECT_EQ(s.levels, 2u);
  ASSERT_EQ(s.capacity_ratio.size(), 1u);
  EXPECT_DOUBLE_EQ(s.capacity_ratio[0], 0.25);
  EXPECT_EQ(s.longest_path, 3u);
  EXPECT_DOUBLE_EQ(s.mean_path, (7 * 1 + 24 * 3) / 31.0);
}

TEST(Clos, PlanesAndPods) {
  const Topology t = three_tier(2);
  EXPECT_EQ(t.hosts(), 24u);
  EXPECT_EQ(t.switches(), 6 + 4 + 6u);
  const auto node = [&](const std::string& name) {
    for (std::uint32_t n = 0; n < t.nodes(); ++n)
      if (t.name({n}) == name) return NodeId{n};
    ADD_FAILURE() << name;
    return NodeId{};
  };
  const auto count = cables(t);
  EXPECT_EQ(count.at({node("P1.L2"), node("P1.F0")}), 2);
  EXPECT_EQ(count.count({node("P1.L2"), node("P0.F0")}), 0u);
  EXPECT_EQ(count.at({node("P0.F1"), node("S1.2")}), 1);
  EXPECT_EQ(count.at({node("P1.F1"), node("S1.2")}), 1);
  EXPECT_EQ(count.count({node("P1.F1"), node("S0.2")}), 0u);
  const TopologySummary s = topology_summary(t, clos_routes(t));
  ASSERT_EQ(s.capacity_ratio.size(), 2u);
  EXPECT_DOUBLE_EQ(s.capacity_ratio[0], 1.0);  // 2 planes x 2 cables for 4 hosts
  EXPECT_DOUBLE_EQ(s.capacity_ratio[1], 1.0);  // 2 planes x 3 spines of twice the rate for 12 hosts
  EXPECT_EQ(switches_between(t, clos_routes(t), 0, 3), 1u);
  EXPECT_EQ(switches_between(t, clos_routes(t), 0, 4), 3u);
  EXPECT_EQ(switches_between(t, clos_routes(t), 0, 12), 5u);
}

TEST(Rails, AcceleratorsOfOneNumberShareALeaf) {
  const Topology t = rails();  // 2 units of 4 servers with 8 accelerators
  const RouteTable routes = clos_routes(t);
  EXPECT_EQ(t.name(t.node_of(t.to(t.host_port({8 + 3})))), "U0.R3");
  EXPECT_EQ(t.name(t.node_of(t.to(t.host_port({4 * 8 + 3})))), "U1.R3");
  EXPECT_EQ(switches_between(t, routes, 3, 8 + 3), 1u);
  EXPECT_EQ(switches_between(t, routes, 3, 4), 3u);          // another accelerator of the same server
  EXPECT_EQ(switches_between(t, routes, 3, 4 * 8 + 3), 3u);  // the same one in another unit
}

TEST(Clos, DefaultRoutesUseAllCablesAlike) {
  for (const Topology& t : {leaf_spine(4, 3, 2, 2), three_tier(2), rails()}) {
    const RouteTable routes = clos_routes(t);
    std::map<int, std::map<PortId, int>> load;  // by the level they start from
    for (std::uint32_t a = 0; a < t.hosts(); ++a)
      for (std::uint32_t b = 0; b < t.hosts(); ++b)
        if (a != b)
          for (const PortId p : default_path(t, routes, {a}, {b}))
            if (!t.is_host(t.node_of(p)) && t.level(t.node_of(t.to(p))) > t.level(t.node_of(p)))
              ++load[t.level(t.node_of(p))][p];
    for (const auto& [level, ports] : load) {
      int least = ports.begin()->second, most = least;
      for (const auto& [port, flows] : ports) {
        least = std::min(least, flows);
        most = std::max(most, flows);
      }
      EXPECT_LE(most - least, most / 4) << level;
    }
  }
}

TEST(Clos, AllWaysUpAreAllowed) {
  const Topology t = three_tier(2);
  const RouteTable routes = clos_routes(t);
  std::vector<RouteStep> scratch;
  EXPECT_EQ(routes.candidates({0}, {0}, {23}, scratch).size(), 4u);  // 2 planes x 2 cables
  EXPECT_EQ(routes.candidates({6}, {0}, {23}, scratch).size(), 3u);  // 3 spines
  EXPECT_EQ(routes.candidates({9}, {0}, {23}, scratch).size(), 2u);  // down a bundle
  EXPECT_EQ(routes.candidates({0}, {1}, {0}, scratch).size(), 1u);
  EXPECT_TRUE(routes.has_alternatives());
  EXPECT_EQ(routes.lanes().size(), 1u);
}

TEST(Clos, ImpossibleShapesAreRefused) {
  EXPECT_TRUE(says(error_of([] { leaf_spine(4096, 4096, 1); }), "16777216 hosts; the most that weir builds"));
  EXPECT_TRUE(says(error_of([] { leaf_spine(1, 65536, 4096); }), "ports; the most that weir builds"));
  EXPECT_TRUE(says(error_of([] { digit_routes(leaf_spine(2, 2, 2)); }), "trees and multistage networks"));
}

// Every pair arrives over any choice, by a shortest way, and no choice can deadlock.
RC_GTEST_PROP(ClosProperty, GoesUpThenDown, ()) {
  const auto number = [](std::uint32_t most) { return *rc::gen::inRange<std::uint32_t>(1, most + 1); };
  ClosShape shape{{number(3), number(3) + 1}, {number(3)}, {number(2)}};
  if (number(2) == 2) {
    shape.down.push_back(number(2) + 1);
    shape.up.push_back(number(3));
    shape.bundle.push_back(number(2));
  } else if (number(2) == 2) {
    shape.rails = 2;
    shape.down[1] *= 2;
  }
  const Topology t = clos(shape, kLink, {kLink, kLink});
  const RouteTable routes = clos_routes(t);
  std::vector<RouteStep> scratch;
  for (std::uint32_t a = 0; a < t.hosts(); ++a)
    for (std::uint32_t b = 0; b < t.hosts(); ++b) {
      if (a == b) continue;
      RC_ASSERT(default_path(t, routes, {a}, {b}).back() == t.from(t.host_port({b})));
    }
  RC_ASSERT(check_deadlock(t, routes, Dependencies::all_candidates).free);
  RC_ASSERT(search_cycle(t, routes, Dependencies::all_candidates).free);
}

}  // namespace
}  // namespace weir
