// [failures]: cables by name and at random, on every topology; what is lost, what is slow, and who cannot be reached.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fabrics.h"
#include "network/deadlock/deadlock.h"
#include "network/hops.h"
#include "network/summary.h"
#include "says.h"
#include "scenario/parse.h"
#include "temp_dir.h"

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

// 4 leaves with 4 hosts each, ports 0 to 3, and a cable to each of 4 spines.
TEST(Failures, WholeSwitchesAndPatterns) {
  EXPECT_EQ(cables(built("failed = ['S2']\n")), 12u);
  EXPECT_EQ(cables(built("failed = ['L* - S2']\n")), 12u);
  EXPECT_EQ(cables(built("failed = ['S1', 'S2', 'L0 - S2', 'S2:0']\n")), 8u);  // each cable once
  EXPECT_EQ(cables(built("failed = ['L*:6']\n")), 12u);
  EXPECT_EQ(cables(built("failed = ['S1 - L?']\n")), 12u);
}

// As tables show them: what the names of all switches have in common is left out.
TEST(Failures, ByShortName) {
  const std::string fabric =
      "kind = 'graph'\nhosts = ['a', 'b']\nswitches = ['MF0;ib1:SX/U1', 'MF0;ib2:SX/U1', 'MF0;ib3:SX/U1']\n"
      "links = [['a', 'MF0;ib1:SX/U1'], ['b', 'MF0;ib2:SX/U1'], ['MF0;ib1:SX/U1', 'MF0;ib2:SX/U1'], "
      "['MF0;ib1:SX/U1', 'MF0;ib3:SX/U1'], ['MF0;ib2:SX/U1', 'MF0;ib3:SX/U1']]\n";
  ASSERT_EQ(cables(built("", fabric)), 3u);
  EXPECT_EQ(cables(built("failed = ['ib3']\n", fabric)), 1u);
  EXPECT_EQ(cables(built("failed = ['ib1 - ib2']\n", fabric)), 2u);
  EXPECT_EQ(cables(built("failed = ['ib3:1']\n", fabric)), 2u);
  EXPECT_EQ(cables(built("failed = 'MF0;ib3:SX/U1:1'\n", fabric)), 2u);
}

// Hosts of a file go by their names, so those of a dead switch can be left out; numbers elsewhere would mean others.
TEST(Failures, AFabricFromAFileLosesTheHostsOfADeadSwitch) {
  const TempDir dir;
  const std::string file = dir.write("f.topo",
                                     "Switch 8 \"S-01\" # \"left\"\n[1] \"H-11\"[1] # \"tank1\" lid 3 4xSDR\n"
                                     "[2] \"S-02\"[1] # \"right\" lid 2 4xSDR\n\n"
                                     "Switch 8 \"S-02\" # \"right\"\n[1] \"S-01\"[2] # \"left\" lid 1 4xSDR\n"
                                     "[2] \"H-12\"[1] # \"stage1\" lid 4 4xSDR\n"
                                     "[7] \"H-13\"[1] # \"stage2\" lid 5 4xSDR\n");
  std::vector<std::string> warnings;
  const Topology t = build_topology(
      scenario("[topology]\nkind = 'file'\npath = '" + file + "'\n[failures]\nfailed = ['left']\n"), &warnings);
  ASSERT_EQ(t.hosts(), 2u);
  EXPECT_EQ(t.switches(), 2u);
  EXPECT_EQ(t.name(NodeId{0}), "stage1");
  EXPECT_EQ(t.port_name(t.to(t.host_port({1}))), "right:7");
  ASSERT_FALSE(warnings.empty());
  EXPECT_TRUE(says(warnings.back(), "[failures] leaves a host without a cable: tank1. They take no part"));
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
  EXPECT_TRUE(says(error("failed = ['L9']\n"), "there is no node named \"L9\""));
  EXPECT_TRUE(says(error("failed = ['X*']\n"), "there is no node named \"X*\""));
  EXPECT_TRUE(says(error("failed = ['X*']\n"), "write a port, as in \"L0:4\"; two nodes"));
  EXPECT_TRUE(says(error("failed = ['L3-S2']\n"), "write \"L3 - S2\", with blanks around the dash"));
  EXPECT_TRUE(says(error("failed = ['L*-S2']\n"), "write \"L* - S2\", with blanks around the dash"));
  EXPECT_TRUE(says(error("failed = ['L0']\n"), "H0 has no other cable"));
  EXPECT_TRUE(says(error("failed = ['H3 - L0']\n"), "H3 has no other cable"));
  EXPECT_TRUE(says(error("failed_count = 17\n"), "there are 16 cables between switches"));
  EXPECT_TRUE(says(error("degraded_to = 0.25\n"), "no cable is degraded"));
}

// The routes that `auto` takes lead around the missing cables, and may use all equally short ways.
// Switches fail as a whole, so they are what is listed; a host would not be.
TEST(Failures, NameTheSwitchesWhereNoneHasThisName) {
  const std::string few = error("failed = ['aggregation']\n");
  EXPECT_TRUE(says(
      few, "there is no node named \"aggregation\"; the switches are L0, L1, L2, L3, S0, S1, S2, S3; write a port"));
  const std::string many =
      error_of([] { built("failed = ['aggregation']\n", "kind = 'leaf-spine'\nleaves = 20\nspines = 4\n"); });
  EXPECT_TRUE(says(many, "L6, L7, ..., L16, L17, L18, L19, S0, S1, S2, S3; write")) << many;
  EXPECT_EQ(cables(built("failed = 'S1'\n")), 12u);  // one of a list, without its brackets
}

TEST(Failures, RoutesLeadAround) {
  for (const std::string kind :
       {"'leaf-spine'", "'clos'\nhosts = 2\npods = 2", "'rail-optimised'", "'dragonfly'", "'mesh'\nsizes = [4, 4]",
        "'dragonfly+'\nhosts = 1\nleaves = 2\nspines = 2", "'torus'\nsizes = [4, 4]", "'hyperx'"}) {
    const Scenario s = scenario("[topology]\nkind = " + kind + "\n[failures]\nfailed_count = 1\n");
    const Topology t = build_topology(s);
    const RouteTable routes = build_routes(s, t);
    EXPECT_EQ(routes.name(), t.built_as() == Shape::clos ? "minimal" : "up-down") << kind;
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

std::vector<PortId> sorted_ports(const RouteTable& routes, SwitchId s, HostId destination) {
  std::vector<RouteStep> scratch;
  std::vector<PortId> ports;
  for (const RouteStep step : routes.candidates(s, {0}, destination, scratch)) ports.push_back(step.port());
  std::sort(ports.begin(), ports.end());
  return ports;
}

bool is_in_pieces(const Topology& t) {
  const std::vector<std::uint32_t> hops = hops_to(t, next_switch(t, t.host_port({0})));
  for (std::uint32_t h = 1; h < t.hosts(); ++h)
    if (hops[next_switch(t, t.host_port({h})).index] == kFar) return true;
  return false;
}

// A Clos fabric keeps its shortest ways: at every switch those that up*/down* finds by a search of the graph. Default
// ways that are whole stay as they were.
TEST(Failures, ClosFabricsKeepTheirShortestWays) {
  int compared = 0;
  for (const std::string kind :
       {"'leaf-spine'\nhosts = 2\nleaves = 5\nspines = 4\nbundle = 2\n", "'clos'\nhosts = 2\npods = 3\nbundle = 2\n",
        "'clos'\nhosts = 1\nleaves = 3\npods = 3\nplanes = 2\nspines = 3\nspine_bundle = 2\n",
        "'rail-optimised'\naccelerators = 3\nservers = 2\nunits = 3\nspines = 3\n",
        "'rail-optimised'\naccelerators = 3\nservers = 2\nunits = 3\nspines = 3\nserver_switch = true\n"}) {
    const Topology whole = build_topology(scenario("[topology]\nkind = " + kind));
    const RouteTable before = clos_routes(whole);
    for (int draw = 0; draw < 12; ++draw) {
      const Scenario s = scenario(fmt::format("[topology]\nkind = {}[failures]\nfailed_count = {}\nseed_offset = {}\n",
                                              kind, 1 + draw / 2, draw));
      const Topology t = build_topology(s);
      if (is_in_pieces(t)) {
        EXPECT_TRUE(says(error_of([&] { build_routes(s, t); }), "[failures] cuts off "));
        continue;
      }
      const RouteTable routes = build_routes(s, t);
      EXPECT_TRUE(search_cycle(t, routes, Dependencies::all_candidates).free);
      if (routes.name() != "minimal") continue;
      const RouteTable searched = up_down_routes(t, {{}, true, true});
      for (std::uint32_t b = 0; b < t.hosts(); ++b) {
        for (std::uint32_t sw = 0; sw < t.switches(); ++sw)
          EXPECT_EQ(sorted_ports(routes, {sw}, {b}), sorted_ports(searched, {sw}, {b})) << kind << draw;
        for (std::uint32_t a = 0; a < t.hosts(); ++a) {
          if (a == b) continue;
          const std::vector<PortId> usual = default_path(whole, before, {a}, {b}),
                                    now = default_path(t, routes, {a}, {b});
          EXPECT_GE(now.size(), usual.size());
          if (std::all_of(usual.begin(), usual.end(), [&](PortId p) { return t.to(p).valid(); })) {
            EXPECT_EQ(now, usual);
          }
        }
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 40);
}

// Two leaves that share no spine any more: there is no way up and then down between them.
TEST(Failures, LeavesWithoutACommonSpineAreReachedAround) {
  const std::string text =
      "[topology]\nkind = 'leaf-spine'\nspines = 2\n[failures]\nfailed = ['L0 - S0', 'L1 - S1']\n[routing]\nkind = ";
  const Scenario automatic = scenario(text + "'auto'\n");
  const Topology t = build_topology(automatic);
  const RouteTable routes = build_routes(automatic, t);
  EXPECT_EQ(routes.name(), "up-down");
  EXPECT_TRUE(search_cycle(t, routes, Dependencies::all_candidates).free);
  EXPECT_EQ(testing::switches_between(t, routes, 0, 4), 5u);
  EXPECT_TRUE(
      says(error_of([&] { build_routes(scenario(text + "'minimal'\n"), t); }), "there is no such path from L0 to L1"));
}

// Routes of a large Clos fabric take no table of all pairs when cables are lost.
TEST(Failures, LargeClosFabricsStaySmall) {
  const Scenario s = scenario(
      "[topology]\nkind = 'clos'\nhosts = 16\nleaves = 16\npods = 16\nplanes = 8\nspines = 8\n[failures]\nfailed_count "
      "= 2\n");
  const Topology t = build_topology(s);
  const RouteTable routes = build_routes(s, t);
  EXPECT_NE(routes.structure(), nullptr);
  EXPECT_LT(routes.bytes_of_state(), 500'000u);
}

}  // namespace
}  // namespace weir
