// Tori and their dimension-order routes: places and cables, lanes hop by hop, and freedom from deadlock with and
// without the dateline.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "fabrics.h"
#include "network/deadlock/deadlock.h"
#include "network/routings/stored_routes.h"
#include "network/topologies/torus_plan.h"
#include "says.h"

namespace weir {
namespace {

using testing::kLink;
using testing::switch_graph;

Topology torus_of(std::vector<std::uint32_t> sizes, std::uint32_t hosts = 1) {
  return torus({std::move(sizes), hosts}, kLink, kLink);
}

// "S6:1/0 S7:1/0 S0:1/1": the ports of a path behind the host's own, each with its lane.
std::string steps_of(const Topology& t, const RouteTable& routes, std::uint32_t a, std::uint32_t b) {
  std::string text;
  for (const RouteStep step : default_path_steps(t, routes, {a}, {b})) {
    if (t.is_host(t.node_of(step.port()))) continue;
    text += (text.empty() ? "" : " ") + t.port_name(step.port());
    if (!step.keeps_lane()) text += "/" + std::to_string(step.lane().index);
  }
  return text;
}

TEST(RouteStep, KeepsAPortAndALaneInOneWord) {
  static_assert(sizeof(RouteStep) == 4);
  const PortId last{(1u << 24) - 1};
  EXPECT_EQ(RouteStep(last).port(), last);
  EXPECT_TRUE(RouteStep(last).keeps_lane());
  for (std::uint32_t lane = 0; lane < RouteStep::kMostLanes; ++lane) {
    const RouteStep step(last, Lane{lane});
    EXPECT_EQ(step.port(), last);
    EXPECT_FALSE(step.keeps_lane());
    EXPECT_EQ(step.lane(), Lane{lane});
  }
  EXPECT_FALSE(RouteStep().port().valid());
}

TEST(LaneBlocks, PacketsStayInTheirBlock) {
  const LaneBlocks one, three(3);
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(one.first({lane}).index, lane);
    EXPECT_EQ(one.after({lane}, PortId{1}).index, lane);
    EXPECT_EQ(three.first({lane}).index, lane / 3 * 3);
    EXPECT_EQ(three.within({lane}).index, lane % 3);
    EXPECT_EQ(three.after({lane}, PortId{1}).index, lane);
  }
  EXPECT_EQ(three.after({5}, {PortId{1}, Lane{0}}).index, 3u);
  EXPECT_EQ(three.after({3}, {PortId{1}, Lane{2}}).index, 5u);
}

TEST(Torus, HasRingsInEveryDimension) {
  const Topology t = torus_of({4, 2, 3}, 2);
  EXPECT_EQ(t.switches(), 24u);
  EXPECT_EQ(t.hosts(), 48u);
  EXPECT_EQ(t.port_count(t.node(SwitchId{0})), 2 + 2 + 1 + 2u);  // two switches are joined by one cable
  EXPECT_EQ(t.name(t.node(SwitchId{23})), "S3.1.2");
  const auto next = [&](std::uint32_t s, std::uint32_t local) {
    return t.name(t.node_of(t.to(t.port(t.node(SwitchId{s}), local))));
  };
  EXPECT_EQ(next(0, 2), "S1.0.0");
  EXPECT_EQ(next(0, 3), "S3.0.0");
  EXPECT_EQ(next(0, 4), "S0.1.0");
  EXPECT_EQ(next(4, 4), "S0.0.0");
  EXPECT_EQ(next(0, 5), "S0.0.1");
  EXPECT_EQ(next(0, 6), "S0.0.2");
  EXPECT_EQ(t.name(t.node_of(t.to(t.host_port({47})))), "S3.1.2");
  for (std::uint32_t p = 0; p < t.ports(); ++p) EXPECT_TRUE(t.to({p}).valid());
}

TEST(Torus, ImpossibleShapesAreRefused) {
  EXPECT_EQ(error_of([] { torus_of({}); }), "a torus needs a size for each dimension, as in sizes = [8, 8]");
  EXPECT_EQ(error_of([] { torus_of({4, 1}); }),
            "a torus of 4 x 1 is impossible: every dimension needs a size of at least 2");
  EXPECT_TRUE(says(error_of([] { torus_of({4096, 4096}); }), "hosts, the most that weir builds"));
  EXPECT_TRUE(says(error_of([] { torus_of({2048, 2048}); }), "ports, the most that weir builds"));
  EXPECT_TRUE(says(error_of([] { dimension_order_routes(testing::tree(2, 2)); }), "`torus`"));
}

TEST(DimensionOrder, ChangesLanesBehindTheDateline) {
  const Topology ring = torus_of({8});
  const RouteTable routes = dimension_order_routes(ring);
  EXPECT_EQ(routes.lanes().size(), 2u);
  EXPECT_EQ(steps_of(ring, routes, 6, 1), "S6:1/0 S7:1/0 S0:1/1 S1:0/0");   // upwards over the dateline
  EXPECT_EQ(steps_of(ring, routes, 1, 6), "S1:2/0 S0:2/0 S7:2/1 S6:0/0");   // and downwards
  EXPECT_EQ(steps_of(ring, routes, 2, 4), "S2:1/1 S3:1/1 S4:0/0");          // it is not on the way
  EXPECT_EQ(steps_of(ring, routes, 6, 0), "S6:1/0 S7:1/0 S0:0/0");          // it is the last link
  const Topology plane = torus_of({8, 4});
  EXPECT_EQ(steps_of(plane, dimension_order_routes(plane), 6, 9),
            "S6.0:1/0 S7.0:1/0 S0.0:1/1 S1.0:3/1 S1.1:0/0");  // each dimension begins anew
  EXPECT_EQ(steps_of(plane, dimension_order_routes(plane, false), 6, 9), "S6.0:1 S7.0:1 S0.0:1 S1.0:3 S1.1:0");
}

TEST(DimensionOrder, SharesTiesOutEvenly) {
  const Topology t = torus_of({4, 4});
  const RouteTable routes = dimension_order_routes(t);
  std::map<PortId, int> load;
  for (std::uint32_t a = 0; a < t.hosts(); ++a)
    for (std::uint32_t b = 0; b < t.hosts(); ++b)
      for (const PortId p : default_path(t, routes, {a}, {b}))
        if (!t.is_host(t.node_of(p)) && !t.is_host(t.node_of(t.to(p)))) ++load[p];
  EXPECT_EQ(load.size(), 64u);
  for (const auto& [port, flows] : load) EXPECT_EQ(flows, 8) << t.port_name(port);
}

TEST(DimensionOrder, WithoutADatelineTheRingIsNamed) {
  const Topology t = torus_of({6, 5});
  const RouteTable routes = dimension_order_routes(t, false);
  EXPECT_FALSE(routes.changes_lanes());
  EXPECT_EQ(check_deadlock(t, routes, Dependencies::default_ports).text(t),
            "S0.0:3, S0.1:3, S0.2:3, S0.3:3, S0.4:3, S0.0:3 (each waits for the next)");
  EXPECT_TRUE(check_deadlock(t, dimension_order_routes(t), Dependencies::all_candidates).free);
}

// The table of a ring in which packets go upwards only, and change to lane 1 where they pass from the last switch to
// the first; everywhere else they keep the lane that they have.
TEST(Deadlock, LanesThatAreKeptCountByWherePacketsComeFrom) {
  constexpr std::uint32_t kSize = 5;
  GraphSpec spec = switch_graph(kSize, {});
  for (std::uint32_t s = 0; s < kSize; ++s)
    spec.cables.push_back(
        {{"S" + std::to_string(s), true, 2}, {"S" + std::to_string((s + 1) % kSize), true, 3}, kLink, 1, {}});
  const Topology t = graph(spec);
  const auto table = [&](bool change, std::uint32_t lanes) {
    StoredRoutes routes("round", kSize, kSize, lanes);
    for (std::uint32_t s = 0; s < kSize; ++s)
      for (std::uint32_t d = 0; d < kSize; ++d) {
        const PortId up = t.port(t.node(SwitchId{s}), 1);
        const bool crosses = change && s + 1 == kSize;
        if (s == d) routes.set({s}, {d}, t.from(t.host_port({d})));
        else routes.set({s}, {d}, crosses ? RouteStep(up, Lane{1}) : RouteStep(up));
      }
    return std::move(routes).build();
  };
  EXPECT_TRUE(check_deadlock(t, table(true, 2), Dependencies::default_ports).free);
  EXPECT_EQ(check_deadlock(t, table(false, 1), Dependencies::default_ports).text(t),
            "S0:2, S1:2, S2:2, S3:2, S4:2, S0:2 (each waits for the next)");
  EXPECT_EQ(check_deadlock(t, table(false, 2), Dependencies::default_ports).text(t),
            "S0:2 lane 0, S1:2 lane 0, S2:2 lane 0, S3:2 lane 0, S4:2 lane 0, S0:2 lane 0 (each waits for the next)");
}

// Every pair arrives by a shortest way and is delivered on the lane on which it was sent; what the rings tell agrees
// with a search of the whole graph.
RC_GTEST_PROP(DimensionOrderProperty, IsMinimalAndFreeOfDeadlock, ()) {
  const auto sizes = *rc::gen::container<std::vector<std::uint32_t>>(*rc::gen::inRange<std::size_t>(1, 4),
                                                                     rc::gen::inRange<std::uint32_t>(2, 8));
  std::uint64_t switches = 1;
  for (const std::uint32_t size : sizes) switches *= size;
  RC_PRE(switches <= 130);
  const Topology t = torus_of(sizes, *rc::gen::inRange<std::uint32_t>(1, 3));
  const RouteTable routes = dimension_order_routes(t), plain = dimension_order_routes(t, false);
  const TorusPlan plan(t);
  for (std::uint32_t a = 0; a < t.hosts(); ++a) {
    for (std::uint32_t b = 0; b < t.hosts(); ++b) {
      if (a == b) continue;
      const SwitchId from{a / plan.hosts_per_switch()}, to{b / plan.hosts_per_switch()};
      std::size_t hops = 2;
      for (std::uint32_t i = 0; i < plan.dimensions(); ++i) {
        const std::uint32_t up = (plan.coordinate(to, i) + plan.size(i) - plan.coordinate(from, i)) % plan.size(i);
        hops += std::min(up, plan.size(i) - up);
      }
      const std::vector<RouteStep> steps = default_path_steps(t, routes, {a}, {b});
      RC_ASSERT(steps.size() == hops);
      RC_ASSERT(steps.back().lane() == Lane{0});
      RC_ASSERT(default_path(t, plain, {a}, {b}) == default_path(t, routes, {a}, {b}));
    }
  }
  RC_ASSERT(check_deadlock(t, routes, Dependencies::all_candidates).free);
  RC_ASSERT(search_cycle(t, routes, Dependencies::all_candidates).free);
  const bool free = search_cycle(t, plain, Dependencies::all_candidates).free;
  RC_CLASSIFY(!free, "deadlocks without lanes");
  RC_ASSERT(check_deadlock(t, plain, Dependencies::all_candidates).free == free);
}

}  // namespace
}  // namespace weir
