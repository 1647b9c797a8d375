// Flow routing: the guarantees of static routing, of adaptive ascent and of horizontal movement, route caches, and that
// a torn down fabric is as new.
#include "flow/flow_router.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/error.h"
#include "flow/solvers/incidence.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"
#include "network/topologies/tree_structure.h"

namespace weir {
namespace {

const LinkProperties kLink{Rate{10'000'000'000}, Time{15'000}, 16'384};

struct Fabric {
  Topology topology;
  RouteTable routes;
  Fabric(std::uint32_t k, std::uint32_t n, std::uint32_t width)
      : topology(k_ary_n_tree({k, n, width}, kLink, kLink)), routes(digit_routes(topology)) {}
};

std::vector<std::uint32_t> permutation(std::size_t hosts, std::uint64_t number) {
  std::vector<std::uint32_t> out(hosts);
  std::iota(out.begin(), out.end(), 0u);
  RandomStream random(5, Purpose::permutation, number);
  shuffle(out, random);
  return out;
}

RowList route_all(FlowRouter& router, const std::vector<std::uint32_t>& destination) {
  RowList paths;
  for (std::uint32_t h = 0; h < destination.size(); ++h) {
    router.set_up({h}, {destination[h]}, 1.0, paths.items);
    paths.close_row();
  }
  return paths;
}

std::uint32_t most_on_a_link(const FlowRouter& router, const RowList& paths) {
  std::uint32_t most = 0;
  for (const std::uint32_t link : paths.items) most = std::max(most, router.flows_on({link}));
  return most;
}

// A path is a chain of cables from source to destination that goes up, then down with sideways moves, never up again.
void expect_valid(const Topology& topology, std::span<const std::uint32_t> path, HostId from, HostId to,
                  std::uint32_t most_hops) {
  ASSERT_FALSE(path.empty());
  EXPECT_EQ(path.front(), topology.host_port(from).index);
  EXPECT_EQ(topology.node_of(topology.to({path.back()})), topology.node(to));
  bool descending = false;
  std::uint32_t hops = 0;
  std::set<std::uint32_t> seen;
  for (std::size_t i = 0; i < path.size(); ++i) {
    EXPECT_TRUE(seen.insert(path[i]).second) << "a link twice";
    const NodeId a = topology.node_of({path[i]}), b = topology.node_of(topology.to({path[i]}));
    if (i > 0) {
      EXPECT_EQ(topology.node_of(topology.to({path[i - 1]})), a);
    }
    const int step = topology.level(b) - topology.level(a);
    if (step > 0) {
      EXPECT_FALSE(descending);
    } else {
      descending = true;
    }
    hops = step == 0 ? hops + 1 : 0;
    EXPECT_LE(hops, most_hops);
  }
}

TEST(FlowRouting, StaticRoutingNeverMeetsOnTheWayDown) {
  const Fabric fabric(4, 3, 0);
  const TreeStructure tree(fabric.topology);
  FlowRouter router(fabric.topology, fabric.routes, FlowRoutingPolicy::fixed());
  for (std::uint64_t n = 0; n < 20; ++n) {
    router.restart(n);
    route_all(router, permutation(fabric.topology.hosts(), n));
    std::size_t links = 0;
    for (std::uint32_t s = 0; s < fabric.topology.switches(); ++s) {
      const PortRange down = tree.level({s}) > 0 ? tree.down({s}) : PortRange{};
      for (std::uint32_t i = 0; i < down.count; ++i) EXPECT_LE(router.flows_on(down[i]), 1u);
      links += down.count;
    }
    EXPECT_EQ(links, 2u * 64u) << "between three levels";
  }
}

TEST(FlowRouting, ShiftsMeetNowhereUnderStaticRouting) {
  const Fabric fabric(4, 3, 0);
  const auto hosts = static_cast<std::uint32_t>(fabric.topology.hosts());
  FlowRouter router(fabric.topology, fabric.routes, FlowRoutingPolicy::fixed());
  for (std::uint32_t shift = 1; shift < hosts; ++shift) {
    router.restart(1);
    std::vector<std::uint32_t> destination(hosts);
    for (std::uint32_t h = 0; h < hosts; ++h) destination[h] = (h + shift) % hosts;
    EXPECT_EQ(most_on_a_link(router, route_all(router, destination)), 1u) << "shift " << shift;
  }
}

TEST(FlowRouting, AdaptiveAscentSpreadsAPermutationOverAllUpLinks) {
  for (const auto ties : {FlowRoutingPolicy::Ties::chance, FlowRoutingPolicy::Ties::default_port}) {
    const Fabric fabric(4, 3, 0);
    const TreeStructure tree(fabric.topology);
    FlowRoutingPolicy policy = FlowRoutingPolicy::ascent();
    policy.ties = ties;
    FlowRouter router(fabric.topology, fabric.routes, policy);
    for (std::uint64_t n = 0; n < 20; ++n) {
      router.restart(n);
      const std::vector<std::uint32_t> destination = permutation(fabric.topology.hosts(), n);
      const RowList paths = route_all(router, destination);
      for (std::uint32_t s = 0; s < fabric.topology.switches(); ++s)
        for (std::uint32_t i = 0; i < tree.up({s}).count; ++i) EXPECT_LE(router.flows_on(tree.up({s})[i]), 1u);
      for (std::uint32_t h = 0; h < destination.size(); ++h)
        if (destination[h] != h) expect_valid(fabric.topology, paths[h], {h}, {destination[h]}, 0);
    }
  }
}

TEST(FlowRouting, HorizontalHopsKeepTheirLimitsAndPathsHaveNoCycles) {
  const Fabric fabric(4, 3, 2);
  for (const std::uint32_t most : {0u, 1u, 3u, HorizontalPolicy::kUnlimited}) {
    for (const FlowRoutingPolicy& policy : {FlowRoutingPolicy::forced(most), FlowRoutingPolicy::free(most)}) {
      FlowRouter router(fabric.topology, fabric.routes, policy);
      for (std::uint64_t n = 0; n < 10; ++n) {
        router.restart(n);
        for (std::uint64_t repeat = 0; repeat < 3; ++repeat) {
          const std::vector<std::uint32_t> destination = permutation(fabric.topology.hosts(), 10 * n + repeat);
          const RowList paths = route_all(router, destination);
          for (std::uint32_t h = 0; h < destination.size(); ++h)
            if (destination[h] != h) expect_valid(fabric.topology, paths[h], {h}, {destination[h]}, most);
        }
      }
    }
  }
}

TEST(FlowRouting, ForcedDirectionLeadsAwayFromTheNearerEnd) {
  const Fabric fabric(4, 2, 1);
  const TreeStructure tree(fabric.topology);
  const auto one_loaded = [&](PortId loaded) { return [loaded](PortId p) { return p == loaded ? 1 : 0; }; };
  for (std::uint32_t place = 0; place < 4; ++place) {
    const SwitchId root = tree.at(1, place);
    const PortId down = tree.down(root)[0];
    HorizontalState state;
    const PortId chosen =
        choose_descent(tree, root, down, {HorizontalPolicy::Direction::forced, 8}, state, one_loaded(down));
    EXPECT_TRUE((place < 2 ? tree.right(root) : tree.left(root)).contains(chosen)) << place;
    EXPECT_EQ(state.hops, 1u);
    EXPECT_EQ(state.heading, place < 2 ? HorizontalState::Heading::right : HorizontalState::Heading::left);
  }
}

TEST(FlowRouting, HorizontalPortMustBeStrictlyBetterAndTheDirectionIsKept) {
  const Fabric fabric(4, 2, 1);
  const TreeStructure tree(fabric.topology);
  const SwitchId root = tree.at(1, 1);
  const PortId down = tree.down(root)[0], left = tree.left(root)[0];
  HorizontalState state;
  const HorizontalPolicy free{HorizontalPolicy::Direction::free, 8};
  EXPECT_EQ(choose_descent(tree, root, down, free, state, [](PortId) { return 2; }), down);
  state = {HorizontalState::Heading::left, 3};
  EXPECT_EQ(choose_descent(tree, root, down, free, state, [&](PortId p) { return p == down   ? 2
                                                                                 : p == left ? 1
                                                                                             : 0; }),
            left);
  EXPECT_EQ(state.hops, 4u);
  state = {HorizontalState::Heading::left, 8};
  const auto sides_are_equal = [&](PortId p) { return p == down ? 2 : 0; };
  EXPECT_EQ(choose_descent(tree, root, down, free, state, sides_are_equal), down);
  state = {};
  EXPECT_EQ(choose_descent(tree, root, down, free, state, sides_are_equal), left);
  state = {};
  EXPECT_EQ(choose_descent(tree, root, down, free, state, sides_are_equal, true), tree.right(root)[0]);
}

TEST(FlowRouting, FullCachesFallBackToTheDefaultPort) {
  const Fabric fabric(4, 3, 2);
  FlowRoutingPolicy policy = FlowRoutingPolicy::forced(8);
  const std::vector<std::uint32_t> destination = permutation(fabric.topology.hosts(), 3);
  policy.cache_entries = 0;
  FlowRouter without(fabric.topology, fabric.routes, policy);
  FlowRouter fixed(fabric.topology, fabric.routes, FlowRoutingPolicy::fixed());
  EXPECT_EQ(route_all(without, destination).items, route_all(fixed, destination).items);

  policy.cache_entries = 2;
  FlowRouter small(fabric.topology, fabric.routes, policy);
  for (std::uint64_t n = 0; n < 12; ++n) route_all(small, permutation(fabric.topology.hosts(), n));
  std::uint32_t full = 0;
  for (std::uint32_t p = 0; p < fabric.topology.ports(); ++p) {
    EXPECT_LE(small.cached_at({p}), 2u);
    full += small.cached_at({p}) == 2;
  }
  EXPECT_GT(full, 0u);
}

TEST(FlowRouting, TearingDownLeavesNothing) {
  const Fabric fabric(4, 3, 1);
  FlowRoutingPolicy policy = FlowRoutingPolicy::forced(8);
  policy.cache_entries = 3;
  policy.measure = FlowRoutingPolicy::Measure::weight;
  FlowRouter router(fabric.topology, fabric.routes, policy);
  const std::vector<std::uint32_t> a = permutation(fabric.topology.hosts(), 1);
  RowList paths;
  for (std::uint32_t h = 0; h < a.size(); ++h) {
    router.set_up({h}, {a[h]}, 0.1 + h, paths.items);
    paths.close_row();
  }
  for (std::uint32_t h = 0; h < a.size(); ++h) router.tear_down({h}, {a[h]}, 0.1 + h, paths[h]);
  for (std::uint32_t p = 0; p < fabric.topology.ports(); ++p) {
    EXPECT_EQ(router.flows_on({p}), 0u);
    EXPECT_EQ(router.weight_on({p}), 0.0);
    EXPECT_EQ(router.cached_at({p}), 0u);
  }
}

TEST(FlowRouting, UsesTheCandidatesOfOtherFabrics) {
  const Topology topology = two_switch({4, 4, 4}, kLink, kLink);
  const RouteTable routes = shortest_path_routes(topology);
  FlowRouter router(topology, routes, FlowRoutingPolicy::ascent());
  RowList paths = route_all(router, {4, 5, 6, 7, 0, 1, 2, 3});
  EXPECT_EQ(most_on_a_link(router, paths), 1u);
  FlowRouter fixed(topology, routes, FlowRoutingPolicy::fixed());
  paths = route_all(fixed, {4, 5, 6, 7, 0, 1, 2, 3});
  EXPECT_EQ(most_on_a_link(fixed, paths), 4u);
}

TEST(FlowRouting, RefusesHorizontalHopsWhereThereAreNone) {
  const Fabric fabric(4, 2, 0);
  EXPECT_THROW(FlowRouter(fabric.topology, fabric.routes, FlowRoutingPolicy::forced(8)), InputError);
  const Topology star_topology = star(4, kLink);
  const RouteTable routes = min_hop_routes(star_topology);
  EXPECT_THROW(FlowRouter(star_topology, routes, FlowRoutingPolicy::free(1)), InputError);
}

}  // namespace
}  // namespace weir
