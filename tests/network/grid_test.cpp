// Meshes and HyperX: who is joined to whom, bisection, hop counts; and detours on them and on tori.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "detours.h"
#include "fabrics.h"
#include "network/topologies/hyperx_plan.h"
#include "says.h"

namespace weir {
namespace {

using testing::check_detours;
using testing::kLink;
using testing::switches_between;

// Cables between switches with a coordinate below `cut` in the last dimension and the others.
int across(const Topology& t, std::uint32_t stride, std::uint32_t cut) {
  int count = 0;
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    if (!t.to({p}).valid() || t.is_host(t.node_of({p})) || t.is_host(t.node_of(t.to({p})))) continue;
    const auto side = [&](PortId q) { return t.switch_of(t.node_of(q)).index / stride < cut; };
    count += side({p}) && !side(t.to({p}));
  }
  return count;
}

TEST(Mesh, IsATorusWithoutItsClosingCables) {
  const Topology t = mesh({{4, 3}, 1}, kLink, kLink);
  EXPECT_EQ(t.switches(), 12u);
  EXPECT_EQ(across(t, 4, 1), 4);
  EXPECT_EQ(across(torus({{4, 3}, 1}, kLink, kLink), 4, 1), 8);
  const RouteTable routes = dimension_order_routes(t);
  EXPECT_EQ(routes.lanes().size(), 1u);
  EXPECT_EQ(switches_between(t, routes, 0, 3), 4u);  // from end to end
  EXPECT_EQ(switches_between(t, routes, 0, 11), 6u);
  EXPECT_TRUE(search_cycle(t, routes, Dependencies::all_candidates).free);
  EXPECT_EQ(error_of([] {
              mesh({{}, 1}, kLink, kLink);
            }),
            "a mesh needs a size for each dimension, as in sizes = [8, 8]");
}

TEST(HyperX, JoinsAllSwitchesOfARow) {
  const Topology t = hyperx({{4, 3}, 2}, kLink, kLink);
  EXPECT_EQ(t.switches(), 12u);
  EXPECT_EQ(t.hosts(), 24u);
  EXPECT_EQ(t.port_count(t.node(SwitchId{0})), 2 + 3 + 2u);
  for (std::uint32_t p = 0; p < t.ports(); ++p) EXPECT_TRUE(t.to({p}).valid());
  EXPECT_EQ(t.name(t.node(SwitchId{7})), "S3.1");
  EXPECT_EQ(across(t, 4, 1), 8);
  const RouteTable routes = dimension_order_routes(t);
  EXPECT_EQ(routes.lanes().size(), 1u);
  EXPECT_EQ(switches_between(t, routes, 0, 1), 1u);
  EXPECT_EQ(switches_between(t, routes, 0, 6), 2u);
  EXPECT_EQ(switches_between(t, routes, 0, 23), 3u);
  EXPECT_TRUE(says(error_of([] { hyperx({{4, 1}, 2}, kLink, kLink); }), "a size of at least 2 in every dimension"));
}

RC_GTEST_PROP(DetourProperty, OnGridsArriveAndAreFreeOfDeadlock, ()) {
  const auto sizes = *rc::gen::container<std::vector<std::uint32_t>>(*rc::gen::inRange<std::size_t>(1, 4),
                                                                     rc::gen::inRange<std::uint32_t>(2, 6));
  std::uint64_t switches = 1;
  for (const std::uint32_t size : sizes) switches *= size;
  RC_PRE(switches <= 40);
  const Topology ring = torus({sizes, 1}, kLink, kLink), flat = mesh({sizes, 1}, kLink, kLink);
  const Topology full = hyperx({sizes, 1}, kLink, kLink);
  check_detours(ring, dimension_order_routes(ring, true, true));
  check_detours(flat, dimension_order_routes(flat, true, true));
  check_detours(full, dimension_order_routes(full, true, true));
  RC_ASSERT(search_cycle(flat, dimension_order_routes(flat), Dependencies::all_candidates).free);
  RC_ASSERT(search_cycle(full, dimension_order_routes(full), Dependencies::all_candidates).free);
}

// Without datelines detours wait for each other, too; the cycle is named.
TEST(Detours, WithoutDatelinesTheRingIsNamed) {
  const Topology t = torus({{6}, 1}, kLink, kLink);
  const DeadlockVerdict verdict =
      check_deadlock(t, dimension_order_routes(t, false, true), Dependencies::all_candidates);
  EXPECT_FALSE(verdict.free);
  EXPECT_EQ(verdict.cycle.size(), 6u);
}

}  // namespace
}  // namespace weir
