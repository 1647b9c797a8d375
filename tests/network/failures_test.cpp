// [failures]: cables by name and at random, on every topology; what is lost, what is slow, and who cannot be reached.
#include <gtest/gtest.h>

#include "fabrics.h"
#include "network/deadlock/deadlock.h"
#include "network/summary.h"
#include "says.h"
#include "scenario/parse.h"

namespace weir {
namespace {

Scenario scenario(const std::string& text) {
  Vocabulary v;
  v.sections.push_back(
      {.name = "topology", .summary = "the fabric", .selector = "kind", .required = true, .kinds = topology_kinds()});
  v.sections.push_back({.name = "link", .summary = "cables", .common = link_params()});
  v.sections.push_back({.name = "failures", .summary = "missing cables", .common = failure_params()});
  v.sections.push_back(
      {.name = "routing", .summary = "routes", .selector = "kind", .default_kind = "auto", .kinds = routing_kinds()});
  return parse_scenario_text(text, "f.toml", v);
}
Topology built(const std::string& failures, const std::string& topology = "kind = 'leaf-spine'\n") {
  return build_topology(scenario("[topology]\n" + topology + "[failures]\n" + failures));
}
std::size_t cables(const Topology& t) { return topology_summary(t, up_down_routes(t)).switch_cables; }
std::string error(const std::string& failures) {
  return error_of([&] { built(failures); });
}

TEST(Failures, ByName) {
  const Topology whole = built("");
  EXPECT_EQ(whole.shape(), Shape::clos);
  EXPECT_EQ(cables(whole), 16u);
  EXPECT_EQ(cables(built("failed = ['L0 - S1', 'S3:2']\n")), 14u);
  EXPECT_EQ(cables(built("failed = ['L0 - S1']\n", "kind = 'leaf-spine'\nbundle = 3\n")), 45u);
  EXPECT_EQ(built("failed = ['L0 - S1']\n").shape(), Shape::graph);
  const Topology slow = built("degraded = ['L0 - S1']\ndegraded_to = 0.25\n");
  EXPECT_EQ(slow.shape(), Shape::clos);
  EXPECT_EQ(slow.link(slow.port(slow.node(SwitchId{0}), 4 + 1)).rate.gigabits(), 2);
  EXPECT_EQ(slow.link(slow.port(slow.node(SwitchId{5}), 0)).rate.gigabits(), 2);
  EXPECT_EQ(slow.link(slow.port(slow.node(SwitchId{0}), 4)).rate.gigabits(), 8);
}

TEST(Failures, AtRandomWithASeed) {
  EXPECT_EQ(cables(built("failed_count = 3\n")), 13u);
  EXPECT_EQ(cables(built("failed_share = 0.25\nfailed = ['L0 - S1']\n")), 11u);
  const auto ports = [](const Topology& t) {
    std::vector<bool> there;
    for (std::uint32_t p = 0; p < t.ports(); ++p) there.push_back(t.to({p}).valid());
    return there;
  };
  EXPECT_EQ(ports(built("failed_count = 3\n")), ports(built("failed_count = 3\n")));
  EXPECT_NE(ports(built("failed_count = 3\n")), ports(built("failed_count = 3\nseed_offset = 1\n")));
  const TopologySummary s =
      topology_summary(built("degraded_count = 5\nfailed_count = 1\n"), up_down_routes(built("failed_count = 1\n")));
  ASSERT_EQ(s.rates.size(), 2u);
  EXPECT_EQ(s.rates[1].cables, 5u);
}

TEST(Failures, WhatIsNoCableIsRefusedByName) {
  EXPECT_TRUE(says(error("failed = ['L0 - S9']\n"), "there is no node named \"S9\""));
  EXPECT_TRUE(says(error("failed = ['L0 - L1']\n"), "no cable joins L0 - L1"));
  EXPECT_TRUE(says(error("failed = ['L0:44']\n"), "L0 has no cable at port 44"));
  EXPECT_TRUE(says(error("failed = ['L0']\n"), "names no cable; write a port"));
  EXPECT_TRUE(says(error("failed = ['H3 - L0']\n"), "H3 has no other cable"));
  EXPECT_TRUE(says(error("failed_count = 17\n"), "there are 16 cables between switches"));
  EXPECT_TRUE(says(error("degraded_to = 0.25\n"), "no cable is degraded"));
}

// The routes that `auto` takes lead around the missing cables, and may use all equally short ways.
TEST(Failures, RoutesLeadAround) {
  for (const std::string kind :
       {"'leaf-spine'", "'clos'\nhosts = 2\npods = 2", "'rail-optimised'", "'dragonfly'", "'mesh'\nsizes = [4, 4]",
        "'dragonfly+'\nhosts = 1\nleaves = 2\nspines = 2", "'torus'\nsizes = [4, 4]", "'hyperx'"}) {
    const Scenario s = scenario("[topology]\nkind = " + kind + "\n[failures]\nfailed_count = 1\n");
    const Topology t = build_topology(s);
    const RouteTable routes = build_routes(s, t);
    EXPECT_EQ(routes.name(), "up-down") << kind;
    EXPECT_TRUE(check_deadlock(t, routes, Dependencies::all_candidates).free) << kind;
    for (std::uint32_t b = 1; b < t.hosts(); ++b) EXPECT_FALSE(default_path(t, routes, {0}, {b}).empty());
  }
  const Scenario s = scenario("[topology]\nkind = 'leaf-spine'\n[failures]\nfailed = ['L0 - S1']\n");
  const Topology t = build_topology(s);
  std::vector<RouteStep> scratch;
  EXPECT_EQ(build_routes(s, t).candidates({0}, {0}, {15}, scratch).size(), 3u);
  EXPECT_EQ(build_routes(s, t).candidates({2}, {8}, {0}, scratch).size(), 3u);
  EXPECT_EQ(build_routes(s, t).candidates({2}, {8}, {15}, scratch).size(), 4u);
}

}  // namespace
}  // namespace weir
