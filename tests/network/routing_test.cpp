// Routings for general graphs: exact cases by hand, then properties on random connected graphs.
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/random.h"
#include "fabrics.h"
#include "network/deadlock/deadlock.h"
#include "network/hops.h"
#include "says.h"

namespace weir {
namespace {

using testing::kLink;
using testing::switch_graph;
using testing::switches_between;
using testing::tree;

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Edges ring(std::uint32_t n) {
  Edges edges;
  for (std::uint32_t s = 0; s < n; ++s) edges.push_back({s, (s + 1) % n});
  return edges;
}

SwitchId switch_named(const Topology& t, const std::string& name) {
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    if (t.name(t.node(SwitchId{s})) == name) return {s};
  }
  ADD_FAILURE() << name;
  return {};
}

// All default paths never go up after down in the order of the routing.
void expect_legal(const Topology& t, const RouteTable& routes, std::optional<SwitchId> root) {
  const std::vector<std::uint32_t> place = up_down_order(t, root);
  for (std::uint32_t a = 0; a < t.hosts(); ++a) {
    for (std::uint32_t b = 0; b < t.hosts(); ++b) {
      bool went_down = false;
      for (PortId p : default_path(t, routes, {a}, {b})) {
        const NodeId from = t.node_of(p), to = t.node_of(t.to(p));
        if (t.is_host(from) || t.is_host(to)) continue;
        const bool is_up = place[t.switch_of(to).index] < place[t.switch_of(from).index];
        ASSERT_FALSE(is_up && went_down) << t.name(from) << t.name(to);
        went_down = went_down || !is_up;
      }
    }
  }
}

// Whatever a packet chooses, it arrives: from every switch that a host's packet can reach, following any candidates, no
// switch is met twice and every way ends at the destination.
void expect_all_choices_arrive(const Topology& t, const RouteTable& routes) {
  std::vector<RouteStep> scratch;
  for (std::uint32_t d = 0; d < t.hosts(); ++d) {
    std::vector<int> state(t.switches(), 0);  // 1 = on the way here, 2 = done
    std::function<void(SwitchId)> visit = [&](SwitchId s) {
      ASSERT_NE(state[s.index], 1) << "loop towards host " << d;
      if (state[s.index] == 2) return;
      state[s.index] = 1;
      const auto span = routes.candidates(s, {0}, {d}, scratch);
      std::vector<PortId> ports;
      for (const RouteStep step : span) ports.push_back(step.port());
      ASSERT_FALSE(ports.empty());
      ASSERT_EQ(ports[0], routes.default_port(s, {0}, {d}));
      ASSERT_EQ(std::set<PortId>(ports.begin(), ports.end()).size(), ports.size());
      for (PortId p : ports) {
        const NodeId next = t.node_of(t.to(p));
        if (t.is_host(next)) {
          ASSERT_EQ(next.index, d);
        } else {
          visit(t.switch_of(next));
        }
      }
      state[s.index] = 2;
    };
    for (std::uint32_t h = 0; h < t.hosts(); ++h) {
      if (h != d) visit(next_switch(t, t.host_port({h})));
    }
  }
}

void expect_shortest(const Topology& t, const RouteTable& routes) {
  for (std::uint32_t b = 0; b < t.hosts(); ++b) {
    const SwitchId target = t.switch_of(t.node_of(t.from(t.host_port({b}))));
    const std::vector<std::uint32_t> hops = hops_to(t, target);
    for (std::uint32_t a = 0; a < t.hosts(); ++a) {
      if (a == b) continue;
      ASSERT_EQ(switches_between(t, routes, a, b), hops[next_switch(t, t.host_port({a})).index] + 1);
    }
  }
}

TEST(MinHop, LowestPortWinsUnlessSpread) {
  GraphSpec spec = switch_graph(2, {}, 8);
  spec.cables.push_back({{"S0"}, {"S1"}, kLink, 4, {}});
  const Topology t = graph(spec);
  const RouteTable lowest = min_hop_routes(t);
  const RouteTable spread = min_hop_routes(t, true);
  std::vector<int> used(4, 0);
  for (std::uint32_t d = 8; d < 16; ++d) {
    EXPECT_EQ(t.local(lowest.default_port({0}, {0}, {d})), 8u);
    ++used[t.local(spread.default_port({0}, {0}, {d})) - 8];
  }
  EXPECT_EQ(used, (std::vector<int>{2, 2, 2, 2}));
}

TEST(MinHop, SpreadingUsesAllUpperLinksOfATree) {
  const Topology t = tree(4, 3);
  for (const RouteTable& routes : {min_hop_routes(t, true), up_down_routes(t)}) {
    std::vector<int> flows(t.ports(), 0);
    for (std::uint32_t a = 0; a < t.hosts(); ++a) {
      for (std::uint32_t b = 0; b < t.hosts(); ++b) {
        for (PortId p : default_path(t, routes, {a}, {b})) ++flows[p.index];
      }
    }
    // Between switches 48 (level 1 to 2) or 60 (level 0 to 1) flows would be perfect.
    for (std::uint32_t p = 0; p < t.ports(); ++p) {
      EXPECT_GT(flows[p], 24) << t.port_name({p});
      EXPECT_LT(flows[p], 120) << t.port_name({p});
    }
  }
}

TEST(UpDown, TakesTheSwitchNearestToAllOthersAsRoot) {
  const Topology t = graph(switch_graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  EXPECT_EQ(up_down_order(t, std::nullopt)[2], 0u);
  EXPECT_EQ(up_down_order(t, SwitchId{4})[4], 0u);
  EXPECT_EQ(up_down_order(t, SwitchId{4}), (std::vector<std::uint32_t>{4, 3, 2, 1, 0}));
}

TEST(UpDown, GoesAroundWhereTheShortWayIsForbidden) {
  const Topology t = graph(switch_graph(4, ring(4)));
  const RouteTable routes = up_down_routes(t, {SwitchId{0}, true});
  expect_legal(t, routes, SwitchId{0});
  // S1 to S3: over the root 0 only, because 2 is below both.
  const auto links = default_path(t, routes, {1}, {3});
  ASSERT_EQ(links.size(), 4u);
  EXPECT_EQ(t.node_of(t.to(links[1])), t.node(SwitchId{0}));
}

TEST(UpDown, IsMinimalOnTreesAndBidirectionalMultistageNetworks) {
  const Topology a = tree(3, 3);
  expect_shortest(a, up_down_routes(a));
  expect_legal(a, up_down_routes(a), std::nullopt);
  const Topology b = bmin({4, 3, 32}, kLink, kLink);
  expect_shortest(b, up_down_routes(b));
  const Topology modified = tree(3, 3, 2);
  expect_legal(modified, up_down_routes(modified), std::nullopt);
}

TEST(UpDown, RefusesOneWayLinks) {
  const Topology t = umin({2, 2}, kLink, kLink);
  EXPECT_TRUE(says(error_of([&] { up_down_routes(t); }), "full-duplex"));
  expect_shortest(t, min_hop_routes(t));
  expect_all_choices_arrive(t, shortest_path_routes(t));
}

TEST(Routings, NameBothEndsOfAMissingWay) {
  const Topology t = graph(switch_graph(4, {{0, 1}, {2, 3}}));
  for (const std::string& error : {error_of([&] { min_hop_routes(t); }), error_of([&] { up_down_routes(t); }),
                                   error_of([&] { shortest_path_routes(t); })}) {
    EXPECT_TRUE(says(error, "no path from host H2 to host H0"));
  }
}

TEST(Routings, DigitsRefusesGraphsAndSaysWhatServes) {
  const Topology t = star(3, kLink);
  const std::string error = error_of([&] { digit_routes(t); });
  EXPECT_TRUE(says(error, "`shortest-paths`, `min-hop` or `up-down`"));
}

// The reconstructed topologies of Minkenberg et al. 2009: hosts H1.. on one side, ways around the bottleneck.
struct Named {
  std::vector<std::pair<std::string, std::string>> hosts, links;
};
Topology named(const Named& what, int switches) {
  GraphSpec spec;
  for (int s = 1; s <= switches; ++s) spec.switches.push_back({"S" + std::to_string(s), 0, {}});
  for (const auto& [h, s] : what.hosts) {
    spec.hosts.push_back({h, {}});
    spec.cables.push_back({{h}, {s}, kLink, 1, {}});
  }
  for (const auto& [a, b] : what.links) spec.cables.push_back({{a}, {b}, kLink, 1, {}});
  return graph(spec);
}
Topology t1() {
  return named({{{"H1", "S1"}, {"H2", "S2"}, {"H3", "S3"}, {"H4", "S4"}, {"H5", "S5"}, {"H6", "S6"}},
                {{"S1", "S7"}, {"S2", "S7"}, {"S3", "S7"}, {"S7", "S9"}, {"S9", "S4"}, {"S9", "S5"}, {"S9", "S6"},
                 {"S2", "S8"}, {"S8", "S10"}, {"S10", "S9"}, {"S3", "S11"}, {"S11", "S12"}, {"S12", "S9"}}},
               12);
}
Topology t2() {
  return named({{{"H1", "S1"}, {"H2", "S2"}, {"H3", "S3"}, {"H4", "S10"}, {"H5", "S11"}, {"H6", "S12"}},
                {{"S1", "S5"}, {"S2", "S5"}, {"S3", "S5"}, {"S5", "S8"}, {"S1", "S4"}, {"S4", "S13"}, {"S13", "S7"},
                 {"S3", "S6"}, {"S6", "S14"}, {"S14", "S9"}, {"S7", "S10"}, {"S7", "S11"}, {"S7", "S12"}, {"S8", "S10"},
                 {"S8", "S11"}, {"S8", "S12"}, {"S9", "S10"}, {"S9", "S11"}, {"S9", "S12"}}},
               14);
}
Topology t3() {
  return named({{{"H1", "S1"}, {"H2", "S4"}, {"H3", "S5"}, {"H4", "S5"}},
                {{"S1", "S2"}, {"S2", "S3"}, {"S3", "S4"}, {"S4", "S5"}, {"S1", "S6"}, {"S6", "S7"}, {"S7", "S3"},
                 {"S1", "S8"}, {"S8", "S9"}, {"S9", "S10"}, {"S10", "S11"}, {"S11", "S12"}, {"S12", "S5"}}},
               12);
}

std::vector<std::string> next_names(const Topology& t, const RouteTable& routes, const std::string& at, HostId to) {
  std::vector<RouteStep> scratch;
  std::vector<std::string> names;
  for (const RouteStep step : routes.candidates(switch_named(t, at), {0}, to, scratch))
    names.push_back(t.name(t.node_of(t.to(step.port()))));
  return names;
}

TEST(ShortestPaths, DetoursLeadAroundTheBottleneckOfTheFirstEthernetTopology) {
  const Topology t = t1();
  const RouteTable routes = shortest_path_routes(t);
  const HostId h5{4};
  using Names = std::vector<std::string>;
  EXPECT_EQ(next_names(t, routes, "S2", h5), (Names{"S7", "S8"}));
  EXPECT_EQ(next_names(t, routes, "S8", h5), (Names{"S10"}));  // not back to S2
  EXPECT_EQ(next_names(t, routes, "S10", h5), (Names{"S9"}));
  EXPECT_EQ(next_names(t, routes, "S3", h5), (Names{"S7", "S11"}));
  EXPECT_EQ(next_names(t, routes, "S1", h5), (Names{"S7"}));
  EXPECT_EQ(next_names(t, routes, "S7", h5), (Names{"S9"}));
  EXPECT_EQ(next_names(t, routes, "S9", {0}), (Names{"S7", "S10", "S12"}));  // the way back has detours too
  EXPECT_EQ(next_names(t, shortest_path_routes(t, Detours::none), "S2", h5), (Names{"S7"}));
  expect_all_choices_arrive(t, routes);
  expect_shortest(t, routes);
}

TEST(ShortestPaths, DetoursOfTheOtherEthernetTopologies) {
  using Names = std::vector<std::string>;
  const Topology second = t2();
  const RouteTable routes2 = shortest_path_routes(second);
  EXPECT_EQ(next_names(second, routes2, "S1", {3}), (Names{"S5", "S4"}));
  EXPECT_EQ(next_names(second, routes2, "S4", {3}), (Names{"S13"}));
  EXPECT_EQ(next_names(second, routes2, "S3", {5}), (Names{"S5", "S6"}));
  EXPECT_EQ(next_names(second, routes2, "S10", {0}), (Names{"S8", "S7", "S9"}));
  const Topology third = t3();
  const RouteTable routes3 = shortest_path_routes(third);
  // The first step of this detour leads to a switch that is farther from the destination.
  EXPECT_EQ(next_names(third, routes3, "S1", {2}), (Names{"S2", "S6", "S8"}));
  EXPECT_EQ(next_names(third, routes3, "S8", {2}), (Names{"S9"}));
  EXPECT_EQ(next_names(third, routes3, "S12", {2}), (Names{"S5"}));
  for (const Topology* t : {&second, &third}) {
    expect_all_choices_arrive(*t, shortest_path_routes(*t));
    expect_shortest(*t, shortest_path_routes(*t));
  }
}

// Every way from `from` to `to` that the routes allow, as names of the switches.
void collect_ways(const Topology& t, const RouteTable& routes, std::vector<std::string> way, HostId to,
                  std::set<std::vector<std::string>>& ways) {
  const auto next = next_names(t, routes, way.back(), to);
  if (next.empty() || next.front() == t.name(NodeId{to.index})) {
    ways.insert(way);
    return;
  }
  for (const std::string& name : next) {
    way.push_back(name);
    collect_ways(t, routes, way, to, ways);
    way.pop_back();
  }
}

TEST(ShortestPaths, TwoWayDetoursCanBeReturnedAlong) {
  for (const Topology& t : {t1(), t2(), t3()}) {
    const RouteTable routes = shortest_path_routes(t, Detours::two_way);
    expect_all_choices_arrive(t, routes);
    expect_shortest(t, routes);
    for (std::uint32_t a = 0; a < t.hosts(); ++a)
      for (std::uint32_t b = 0; b < t.hosts(); ++b) {
        if (a == b) continue;
        const auto entry = [&](std::uint32_t h) { return t.name(t.node_of(t.to(t.host_port({h})))); };
        std::set<std::vector<std::string>> there, back;
        collect_ways(t, routes, {entry(a)}, {b}, there);
        collect_ways(t, routes, {entry(b)}, {a}, back);
        for (std::vector<std::string> way : there) {
          const std::string text = fmt::format("{}", fmt::join(way, " "));
          std::reverse(way.begin(), way.end());
          EXPECT_TRUE(back.contains(way)) << text;
        }
      }
  }
}

TEST(ShortestPaths, TwoWayDetoursAreThoseOfThePaper) {
  using Names = std::vector<std::string>;
  const Topology first = t1(), second = t2(), third = t3();
  const RouteTable one = shortest_path_routes(first, Detours::two_way);
  EXPECT_EQ(next_names(first, one, "S2", {4}), (Names{"S7", "S8"}));
  EXPECT_EQ(next_names(first, one, "S3", {4}), (Names{"S7", "S11"}));
  EXPECT_EQ(next_names(first, one, "S8", {4}), (Names{"S10"}));
  EXPECT_EQ(next_names(first, one, "S9", {0}), (Names{"S7"}));  // over S10, S8 and S2 data would meet S7 again
  EXPECT_EQ(next_names(first, one, "S9", {1}), (Names{"S7", "S10"}));
  const RouteTable two = shortest_path_routes(second, Detours::two_way);
  EXPECT_EQ(next_names(second, two, "S1", {3}), (Names{"S5", "S4"}));
  EXPECT_EQ(next_names(second, two, "S10", {0}), (Names{"S8", "S7"}));
  const RouteTable three = shortest_path_routes(third, Detours::two_way);
  EXPECT_EQ(next_names(third, three, "S1", {2}), (Names{"S2", "S6", "S8"}));
}

TEST(ShortestPaths, TheEthernetTopologiesCannotDeadlockWithAllDetours) {
  for (const Topology& t : {t1(), t2(), t3()})
    for (const Detours detours : {Detours::all, Detours::two_way}) {
      const DeadlockVerdict verdict =
          check_deadlock(t, shortest_path_routes(t, detours), Dependencies::all_candidates);
      EXPECT_TRUE(verdict.free) << verdict.text(t);
    }
}

TEST(ShortestPaths, GivesTreesTheirMinimalWaysAndNoOthers) {
  const Topology t = tree(3, 3);
  const RouteTable digits = digit_routes(t), stored = shortest_path_routes(t);
  std::vector<RouteStep> a, b;
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    for (std::uint32_t d = 0; d < t.hosts(); ++d) {
      const auto x = digits.candidates({s}, {0}, {d}, a);
      const auto y = stored.candidates({s}, {0}, {d}, b);
      ASSERT_EQ(std::set<RouteStep>(x.begin(), x.end()), std::set<RouteStep>(y.begin(), y.end()));
    }
  }
}

TEST(ShortestPaths, BetweenEqualsTheOneWithMoreHostsGetsTheSecondWay) {
  GraphSpec spec = switch_graph(3, {{0, 1}, {0, 2}, {1, 2}});
  for (const char* host : {"more", "most"}) {
    spec.hosts.push_back({host, {}});
    spec.cables.push_back({{host}, {"S1"}, kLink, 1, {}});
  }
  const Topology t = graph(spec);
  const RouteTable routes = shortest_path_routes(t);
  EXPECT_EQ(next_names(t, routes, "S1", {0}), (std::vector<std::string>{"S0", "S2"}));
  EXPECT_EQ(next_names(t, routes, "S2", {0}), (std::vector<std::string>{"S0"}));
}

TEST(ShortestPaths, DeadEndsAreEnteredByNobody) {
  // S2 and S3 hang on S1 without hosts.
  GraphSpec spec = switch_graph(2, {{0, 1}});
  spec.switches.push_back({"S2", 0, {}});
  spec.switches.push_back({"S3", 0, {}});
  for (const auto& [a, b] : {std::pair{"S1", "S2"}, {"S1", "S3"}, {"S2", "S3"}})
    spec.cables.push_back({{a}, {b}, kLink, 1, {}});
  const Topology t = graph(spec);
  const RouteTable routes = shortest_path_routes(t);
  EXPECT_EQ(next_names(t, routes, "S1", {0}), (std::vector<std::string>{"S0"}));
  EXPECT_EQ(next_names(t, routes, "S3", {0}), (std::vector<std::string>{"S1", "S2"}));
}

// A random connected graph: a random tree plus extra edges, parallel ones and switches without hosts included.
Topology random_graph(std::uint64_t seed, std::uint32_t switches, std::uint32_t extra) {
  RandomStream random(seed, Purpose::test, switches);
  GraphSpec spec;
  for (std::uint32_t s = 0; s < switches; ++s) {
    const std::string name = "S" + std::to_string(s);
    spec.switches.push_back({name, 0, {}});
    const std::uint64_t hosts = s == 0 ? 1 : random.below(3);
    for (std::uint64_t i = 0; i < hosts; ++i) {
      const std::string host = "H" + std::to_string(spec.hosts.size());
      spec.hosts.push_back({host, {}});
      spec.cables.push_back({{host}, {name}, kLink, 1, {}});
    }
    if (s > 0) spec.cables.push_back({{name}, {"S" + std::to_string(random.below(s))}, kLink, 1, {}});
  }
  for (std::uint32_t e = 0; e < extra; ++e) {
    const std::string a = "S" + std::to_string(random.below(switches)),
                      b = "S" + std::to_string(random.below(switches));
    spec.cables.push_back({{a}, {b}, kLink, static_cast<std::uint32_t>(1 + random.below(2)), {}});  // also to itself
  }
  return graph(spec);
}

RC_GTEST_PROP(RandomGraphs, EveryRoutingKeepsItsPromise, ()) {
  const auto switches = *rc::gen::inRange<std::uint32_t>(1, 14);
  const auto extra = *rc::gen::inRange<std::uint32_t>(0, 16);
  const Topology t = random_graph(*rc::gen::arbitrary<std::uint64_t>(), switches, extra);
  for (const bool spread : {false, true}) {
    expect_shortest(t, min_hop_routes(t, spread));
    expect_all_choices_arrive(t, min_hop_routes(t, spread));
    const auto root = SwitchId{*rc::gen::inRange<std::uint32_t>(0, switches)};
    for (const std::optional<SwitchId>& r : {std::optional<SwitchId>(), std::optional(root)}) {
      const RouteTable routes = up_down_routes(t, {r, spread});
      expect_legal(t, routes, r);
      expect_all_choices_arrive(t, routes);
      RC_ASSERT(check_deadlock(t, routes, Dependencies::all_candidates).free);
    }
  }
  for (const Detours detours : {Detours::none, Detours::all, Detours::two_way}) {
    const RouteTable routes = shortest_path_routes(t, detours);
    expect_all_choices_arrive(t, routes);
    expect_shortest(t, routes);
  }
  RC_ASSERT(!::testing::Test::HasFailure());
}

// Detours contain the shortest ways.
RC_GTEST_PROP(RandomGraphs, DetoursOnlyAdd, ()) {
  const Topology t = random_graph(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::uint32_t>(2, 12),
                                  *rc::gen::inRange<std::uint32_t>(0, 16));
  const RouteTable none = shortest_path_routes(t, Detours::none), all = shortest_path_routes(t, Detours::all);
  std::vector<RouteStep> scratch;
  for (std::uint32_t h = 0; h < t.hosts(); ++h) {
    const SwitchId s = next_switch(t, t.host_port({h}));
    for (std::uint32_t d = 0; d < t.hosts(); ++d) {
      const auto few = none.candidates(s, {h}, {d}, scratch), many = all.candidates(s, {h}, {d}, scratch);
      RC_ASSERT(few.size() <= many.size());
      RC_ASSERT(std::equal(few.begin(), few.end(), many.begin()));
    }
  }
}

}  // namespace
}  // namespace weir
