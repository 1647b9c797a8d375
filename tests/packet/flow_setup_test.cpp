// The tables of flow set-up: choices, route caches, tear-down, connections in use.
#include "packet/routing/flow_setup.h"

#include <gtest/gtest.h>

#include "network/routings/routings.h"
#include "network/topologies/topologies.h"

namespace weir {
namespace {

const LinkProperties kLink{Rate{10'000'000'000}, Time{15'000}, 16'384};

struct Tree {
  Topology topology;
  RouteTable routes;
  FlowSetupConfig config;
  explicit Tree(std::uint32_t width = 0)
      : topology(k_ary_n_tree({2, 2, width}, kLink, kLink)), routes(digit_routes(topology)) {
    config.cache_entries = 100;
    if (width > 0) config.horizontal = {HorizontalPolicy::Direction::forced, 8};
  }
  PortId input_of(HostId h) const { return topology.to(topology.host_port(h)); }
  SwitchId leaf_of(HostId h) const { return topology.switch_of(topology.node_of(input_of(h))); }
};

TEST(FlowRoutes, TheLeastLoadedPortAndTheDefaultOneOfEquals) {
  Tree tree;
  FlowRoutes routes(tree.config, tree.topology, tree.routes, 4, 1);
  const HostId a{0}, b{1}, to{3};
  const SwitchId leaf = tree.leaf_of(a);
  const PortId usual = tree.routes.default_port(leaf, a, to);
  HorizontalState state;
  EXPECT_EQ(routes.set_up({0}, leaf, tree.input_of(a), a, to, 1, 0, state), usual);
  EXPECT_EQ(routes.cached_at(tree.input_of(a)), 0u);  // default ports need no entry
  const PortId other = routes.set_up({1}, leaf, tree.input_of(b), b, to, 1, 0, state).port();
  EXPECT_NE(other, usual);
  EXPECT_EQ(routes.cached_at(tree.input_of(b)), 1u);
  EXPECT_EQ(routes.flows_on(usual), 1u);
  EXPECT_EQ(routes.flows_on(other), 1u);
  EXPECT_EQ(routes.follow({0}, 0, tree.input_of(a), usual), usual);
  EXPECT_EQ(routes.follow({1}, 0, tree.input_of(b), usual), other);
  EXPECT_EQ(routes.follow({2}, 0, tree.input_of(b), usual), usual);  // a connection without a route
  EXPECT_EQ(routes.follow({1}, 0, tree.input_of(a), usual), usual);  // the cache of another input
}

TEST(FlowRoutes, PacketsFromBeforeTheSetUpKeepToDefaultPorts) {
  Tree tree;
  FlowRoutes routes(tree.config, tree.topology, tree.routes, 2, 1);
  const HostId a{0}, to{3};
  const SwitchId leaf = tree.leaf_of(a);
  const PortId usual = tree.routes.default_port(leaf, a, to), in = tree.input_of(a);
  HorizontalState state;
  routes.set_up({0}, leaf, in, a, to, 1, 0, state);
  const PortId out = routes.set_up({1}, leaf, tree.input_of({1}), {1}, to, 1, 5, state).port();
  ASSERT_NE(out, usual);
  EXPECT_EQ(routes.follow({1}, 4, tree.input_of({1}), usual), usual);
  EXPECT_EQ(routes.follow({1}, 5, tree.input_of({1}), usual), out);
}

TEST(FlowRoutes, AFullCacheMeansTheDefaultPort) {
  Tree tree;
  tree.config.cache_entries = 1;
  FlowRoutes routes(tree.config, tree.topology, tree.routes, 8, 1);
  const HostId a{0};
  const SwitchId leaf = tree.leaf_of(a);
  const PortId in = tree.input_of(a);
  HorizontalState state;
  const PortId usual = tree.routes.default_port(leaf, a, {3});
  EXPECT_EQ(routes.set_up({0}, leaf, in, a, {3}, 1, 0, state), usual);
  EXPECT_NE(routes.set_up({1}, leaf, in, a, {3}, 1, 0, state), usual);
  EXPECT_EQ(routes.set_up({2}, leaf, in, a, {3}, 1, 0, state), usual);  // a tie
  EXPECT_EQ(routes.found_full(), 0u);
  EXPECT_EQ(routes.set_up({3}, leaf, in, a, {3}, 1, 0, state), usual);  // wanted the other
  EXPECT_EQ(routes.found_full(), 1u);
  EXPECT_EQ(routes.cached_at(in), 1u);
  EXPECT_EQ(routes.most_cached(), 1u);
  EXPECT_EQ(routes.flows_on(usual), 3u);
  // Another input has a cache of its own.
  EXPECT_NE(routes.set_up({4}, leaf, tree.input_of({1}), {1}, {3}, 1, 0, state), usual);
}

TEST(FlowRoutes, TearDownErasesEverything) {
  Tree tree;
  FlowRoutes routes(tree.config, tree.topology, tree.routes, 2, 1);
  const HostId a{0}, to{3};
  const SwitchId leaf = tree.leaf_of(a);
  const PortId in = tree.input_of(a), usual = tree.routes.default_port(leaf, a, to);
  HorizontalState state;
  routes.set_up({0}, leaf, in, a, to, 2.5, 0, state);
  const PortId other = routes.set_up({1}, leaf, in, a, to, 1.5, 0, state).port();
  EXPECT_EQ(routes.links_of({1}), std::vector<LinkId>{other});
  EXPECT_DOUBLE_EQ(routes.weight_on(usual), 2.5);
  EXPECT_EQ(routes.tear_down({1}, in, usual, 1.5), other);
  EXPECT_EQ(routes.cached_at(in), 0u);
  EXPECT_EQ(routes.flows_on(other), 0u);
  EXPECT_EQ(routes.weight_on(other), 0.0);
  EXPECT_TRUE(routes.links_of({1}).empty());
  EXPECT_EQ(routes.follow({1}, 0, in, usual), usual);
  EXPECT_EQ(routes.tear_down({0}, in, usual, 2.5), usual);
  EXPECT_EQ(routes.flows_on(usual), 0u);
}

TEST(FlowRoutes, ByWeight) {
  Tree tree;
  tree.config.by_weight = true;
  FlowRoutes routes(tree.config, tree.topology, tree.routes, 3, 1);
  const HostId a{0}, to{3};
  const SwitchId leaf = tree.leaf_of(a);
  const PortId in = tree.input_of(a);
  HorizontalState state;
  const PortId first = routes.set_up({0}, leaf, in, a, to, 3, 0, state).port();
  const PortId second = routes.set_up({1}, leaf, in, a, to, 1, 0, state).port();
  EXPECT_NE(first, second);
  EXPECT_EQ(routes.set_up({2}, leaf, in, a, to, 1, 0, state), second);  // 1 against 3, though one flow each
}

TEST(FlowConnections, AConnectionIsUsedAgainAfterItWasGivenBack) {
  FlowSetupConfig config;
  config.connections = 1;
  Workload workload;
  workload.flows.resize(3);
  FlowConnections c(config, workload, 4);
  EXPECT_TRUE(c.take({0}, {1}, {0}));
  EXPECT_FALSE(c.take({0}, {1}, {1}));
  EXPECT_FALSE(c.take({0}, {1}, {2}));
  EXPECT_TRUE(c.take({1}, {0}, {7}));  // the other direction is another pair
  EXPECT_EQ(c.give({0}, {1}), ConnectionId{1});   // in the order of asking
  EXPECT_EQ(c.give({0}, {1}), ConnectionId{2});
  EXPECT_EQ(c.give({0}, {1}), kNoConnection);
  EXPECT_TRUE(c.take({0}, {1}, {0}));
}

TEST(FlowConnections, ATrainOfPacketsIsAFlow) {
  FlowSetupConfig config;
  config.train = 3;
  config.idle = Time{100};
  FlowConnections c(config, Workload{}, 4);
  FlowConnections::Entry entry;
  EXPECT_FALSE(c.starts_flow(entry, 0));
  EXPECT_FALSE(c.starts_flow(entry, 100));
  EXPECT_FALSE(c.starts_flow(entry, 201));  // the gap was too long: the first of a new train
  EXPECT_FALSE(c.starts_flow(entry, 250));
  EXPECT_TRUE(c.starts_flow(entry, 350));
}

TEST(FlowConnections, AnswersWaitForWhatIsUnderWay) {
  FlowConnections c(FlowSetupConfig{}, Workload{}, 4);
  SetupStep step = SetupStep::gone;
  EXPECT_FALSE(c.awaits());
  c.await({9}, SetupStep::finish, 3);
  EXPECT_TRUE(c.awaits());
  EXPECT_FALSE(c.due({8}, 3, step));
  EXPECT_FALSE(c.due({9}, 2, step));
  EXPECT_TRUE(c.due({9}, 3, step));
  EXPECT_EQ(step, SetupStep::finish);
  EXPECT_FALSE(c.due({9}, 4, step));
}

}  // namespace
}  // namespace weir
