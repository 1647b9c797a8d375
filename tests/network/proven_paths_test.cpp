// Ways to switches and back: they exist, and they turn only where the deadlock check has looked.
#include "network/deadlock/proven_paths.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fabrics.h"
#include "network/deadlock/channel_dependencies.h"
#include "network/deadlock/deadlock.h"

namespace weir {
namespace {

using testing::kLink;
using testing::switch_graph;
using testing::tree;

// The ways are connected, end where they should, and add no turn to those of the routes.
void expect_proven(const Topology& t, const RouteTable& routes, Dependencies which, HostId host) {
  const ProvenPaths paths = proven_paths(t, routes, which, host);
  const ChannelDependencies known(t, routes, which);
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    if (!paths.in_reach[s]) continue;
    NodeId at = t.node_of(t.to(t.host_port(host)));
    for (const std::vector<RouteStep>* way : {&paths.there[s], &paths.back[s]}) {
      const auto channel = [&](std::size_t i) {
        const RouteStep step = (*way)[i];
        EXPECT_EQ(step.keeps_lane(), !routes.changes_lanes());
        return step.keeps_lane() ? RouteChannel{step.port()} : RouteChannel{step.port(), step.lane()};
      };
      for (std::size_t i = 0; i < way->size(); ++i) {
        ASSERT_EQ(t.node_of(channel(i).port), at);
        at = t.node_of(t.to(channel(i).port));
        if (i == 0 || t.is_host(at)) continue;
        EXPECT_TRUE(known.has(channel(i - 1), channel(i))) << t.port_name(channel(i).port);
      }
      ASSERT_EQ(at, way == &paths.there[s] ? t.node(SwitchId{s}) : t.node(host));
    }
  }
}

std::size_t in_reach(const ProvenPaths& paths) {
  return static_cast<std::size_t>(std::count(paths.in_reach.begin(), paths.in_reach.end(), true));
}

TEST(ProvenPaths, reach_every_switch_of_trees_and_never_turn_up_again) {
  std::vector<Topology> fabrics;
  fabrics.push_back(tree(2, 3));
  fabrics.push_back(tree(3, 3, 2));
  fabrics.push_back(tree(5, 1));
  fabrics.push_back(bmin({4, 3, 32}, kLink, kLink));
  fabrics.push_back(bmin({2, 4, 0}, kLink, kLink));
  for (const Topology& t : fabrics) {
    const RouteTable routes = digit_routes(t);
    for (const HostId host : {HostId{0}, HostId{5 % static_cast<std::uint32_t>(t.hosts())}}) {
      EXPECT_EQ(in_reach(proven_paths(t, routes, Dependencies::default_ports, host)), t.switches());
      expect_proven(t, routes, Dependencies::all_candidates, host);
    }
  }
}

TEST(ProvenPaths, follow_the_routes_of_a_graph) {
  // A ring of six with a chord: the shortest way round is not the way of up*/down*.
  const Topology t = graph(switch_graph(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 4}}));
  for (const RouteTable& routes : {up_down_routes(t), min_hop_routes(t)})
    for (std::uint32_t h = 0; h < t.hosts(); ++h) {
      EXPECT_EQ(in_reach(proven_paths(t, routes, Dependencies::default_ports, {h})), t.switches()) << routes.name();
      expect_proven(t, routes, Dependencies::default_ports, {h});
    }
}

TEST(ProvenPaths, follow_the_lanes_of_a_torus) {
  for (const TorusShape& shape : {TorusShape{{5}, 1}, TorusShape{{4, 6}, 1}, TorusShape{{3, 2, 5}, 2}}) {
    const Topology t = torus(shape, kLink, kLink);
    for (const bool dateline : {true, false}) {
      const RouteTable routes = dimension_order_routes(t, dateline);
      for (std::uint32_t h = 0; h < t.hosts(); h += 5) {
        EXPECT_EQ(in_reach(proven_paths(t, routes, Dependencies::default_ports, {h})), t.switches());
        expect_proven(t, routes, Dependencies::default_ports, {h});
      }
    }
  }
}

TEST(ProvenPaths, one_way_networks_reach_what_lies_on_the_way_back_to_the_host) {
  const Topology t = umin({3, 3}, kLink, kLink);
  const ProvenPaths paths = proven_paths(t, digit_routes(t), Dependencies::default_ports, {4});
  EXPECT_EQ(in_reach(paths), 3u);
  expect_proven(t, digit_routes(t), Dependencies::default_ports, {4});
}

}  // namespace
}  // namespace weir
