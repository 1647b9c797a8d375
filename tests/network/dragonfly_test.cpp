// Dragonfly and dragonfly+: cables between groups, hop counts, lanes along ways and detours, and freedom from deadlock.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "detours.h"
#include "fabrics.h"
#include "network/summary.h"
#include "network/topologies/dragonfly_plan.h"
#include "says.h"

namespace weir {
namespace {

using testing::check_detours;
using testing::kLink;
using testing::switches_between;

Topology dragonfly_of(DragonflyShape shape) { return dragonfly(shape, kLink, kLink, kLink); }
Topology dragonfly_plus_of(DragonflyPlusShape shape) { return dragonfly_plus(shape, kLink, kLink, kLink); }

// Cables between each pair of groups, and how many ports lead out of the group.
template <class Plan>
std::map<std::pair<std::uint32_t, std::uint32_t>, int> between_groups(const Topology& t, const Plan& plan) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> count;
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    if (!t.to({p}).valid() || t.is_host(t.node_of({p})) || t.is_host(t.node_of(t.to({p})))) continue;
    const std::uint32_t a = plan.group_of(t.switch_of(t.node_of({p})));
    const std::uint32_t b = plan.group_of(t.switch_of(t.node_of(t.to({p}))));
    if (a != b) ++count[{a, b}];
  }
  return count;
}

TEST(Dragonfly, OneCablePerPairOfGroups) {
  for (const Arrangement arrangement : {Arrangement::absolute, Arrangement::palmtree}) {
    const DragonflyShape shape{4, 2, 2, 9, arrangement};
    const Topology t = dragonfly_of(shape);
    EXPECT_EQ(t.hosts(), 72u);
    EXPECT_EQ(t.switches(), 36u);
    EXPECT_EQ(t.port_count(t.node(SwitchId{0})), 2 + 3 + 2u);
    for (std::uint32_t p = 0; p < t.ports(); ++p) EXPECT_TRUE(t.to({p}).valid());
    const auto count = between_groups(t, DragonflyPlan(shape));
    EXPECT_EQ(count.size(), 72u);
    for (const auto& [pair, cables] : count) EXPECT_EQ(cables, 1);
  }
}

TEST(Dragonfly, FewerGroupsHaveSeveralCablesPerPair) {
  const DragonflyShape shape{4, 2, 2, 4, Arrangement::palmtree};
  const auto count = between_groups(dragonfly_of(shape), DragonflyPlan(shape));
  EXPECT_EQ(count.size(), 12u);
  for (const auto& [pair, cables] : count) EXPECT_EQ(cables, 2);  // 8 ports for 3 groups
}

TEST(Dragonfly, ArrangementsAreTheOnesOfTheField) {
  const auto behind = [](Arrangement arrangement, std::uint32_t router, std::uint32_t port) {
    const DragonflyPlan plan({4, 2, 2, 9, arrangement});
    const Topology t = dragonfly_of(plan.shape());
    return t.name(t.node_of(t.to(t.port(t.node(plan.at(3, router)), 2 + 3 + port))));
  };
  EXPECT_EQ(behind(Arrangement::absolute, 0, 0), "G0.R1");  // group 3 is at port 2 of group 0
  EXPECT_EQ(behind(Arrangement::absolute, 1, 1), "G4.R1");
  EXPECT_EQ(behind(Arrangement::palmtree, 0, 0), "G2.R3");  // one back; from there, seven on
  EXPECT_EQ(behind(Arrangement::palmtree, 3, 1), "G4.R0");
}

TEST(Dragonfly, ShortestWaysHaveAtMostThreeCables) {
  const Topology t = dragonfly_of({4, 2, 2, 9, Arrangement::palmtree});
  const RouteTable routes = dragonfly_routes(t);
  EXPECT_EQ(routes.lanes().size(), 2u);
  EXPECT_EQ(switches_between(t, routes, 0, 1), 1u);
  EXPECT_EQ(switches_between(t, routes, 0, 2), 2u);
  const TopologySummary s = topology_summary(t, routes);
  EXPECT_EQ(s.longest_path, 4u);
}

TEST(Dragonfly, LanesCountTheGroups) {
  const Topology t = dragonfly_of({4, 2, 2, 9, Arrangement::palmtree});
  const RouteTable routes = dragonfly_routes(t);
  for (std::uint32_t b = 8; b < t.hosts(); ++b) {
    std::uint32_t raised = 0;
    const std::vector<RouteStep> steps = default_path_steps(t, routes, {0}, {b});
    for (const RouteStep step : steps) raised += step.raises_lane();
    EXPECT_EQ(raised, 1u);
    EXPECT_EQ(steps.back().lane(), Lane{0});
  }
}

TEST(Dragonfly, ImpossibleShapesAreRefused) {
  EXPECT_TRUE(says(error_of([] {
                     dragonfly_of({4, 2, 2, 10, Arrangement::absolute});
                   }),
                   "10 groups are too many: a group has 8 global ports"));
  EXPECT_TRUE(says(error_of([] { dragonfly_of({1000, 1000, 5, 1000, Arrangement::absolute}); }), "hosts, the most"));
}

TEST(DragonflyPlus, GroupsAreJoinedBySpines) {
  const DragonflyPlusShape shape{3, 2, 4, 2, 5, Arrangement::palmtree};
  const DragonflyPlusPlan plan(shape);
  const Topology t = dragonfly_plus_of(shape);
  EXPECT_EQ(t.hosts(), 60u);
  EXPECT_EQ(t.switches(), 25u);
  for (const auto& [pair, cables] : between_groups(t, plan)) EXPECT_EQ(cables, 1);
  EXPECT_EQ(between_groups(t, plan).size(), 20u);
  const RouteTable routes = dragonfly_plus_routes(t);
  EXPECT_EQ(routes.lanes().size(), 1u);
  EXPECT_EQ(switches_between(t, routes, 0, 1), 1u);
  EXPECT_EQ(switches_between(t, routes, 0, 4), 3u);
  EXPECT_EQ(switches_between(t, routes, 0, 59), 4u);
}

RC_GTEST_PROP(DragonflyProperty, WaysAndDetoursArriveAndAreFreeOfDeadlock, ()) {
  const auto number = [](std::uint32_t least, std::uint32_t most) {
    return *rc::gen::inRange<std::uint32_t>(least, most + 1);
  };
  DragonflyShape shape{number(1, 4), number(1, 2), number(1, 3), 0, Arrangement{number(0, 1)}};
  shape.groups = number(2, std::max(2u, shape.routers * shape.global_ports + 1));
  RC_PRE(shape.groups <= shape.routers * shape.global_ports + 1 && shape.groups <= 9);
  const Topology t = dragonfly_of(shape);
  check_detours(t, dragonfly_routes(t, true));
  RC_ASSERT(search_cycle(t, dragonfly_routes(t), Dependencies::all_candidates).free);
}

RC_GTEST_PROP(DragonflyPlusProperty, WaysAndDetoursArriveAndAreFreeOfDeadlock, ()) {
  const auto number = [](std::uint32_t least, std::uint32_t most) {
    return *rc::gen::inRange<std::uint32_t>(least, most + 1);
  };
  DragonflyPlusShape shape{number(1, 3), number(1, 3), number(1, 2), number(1, 3), 0, Arrangement{number(0, 1)}};
  shape.groups = number(2, std::max(2u, shape.spines * shape.global_ports + 1));
  RC_PRE(shape.groups <= shape.spines * shape.global_ports + 1 && shape.groups <= 7);
  const Topology t = dragonfly_plus_of(shape);
  check_detours(t, dragonfly_plus_routes(t, true));
  RC_ASSERT(search_cycle(t, dragonfly_plus_routes(t), Dependencies::all_candidates).free);
}

}  // namespace
}  // namespace weir
