// Fabrics from files: what the readers understand, what they refuse, and what becomes of it.
#include "network/deadlock/deadlock.h"
#include "network/fabric/fabric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "fabric_files.h"
#include "fabrics.h"
#include "says.h"
#include "scenario/parse.h"

namespace weir {
namespace {

using testing::fixture;
using testing::kLinks;

std::vector<std::string> host_names(const Topology& t) {
  std::vector<std::string> names;
  for (std::uint32_t h = 0; h < t.hosts(); ++h) names.push_back(t.name({h}));
  return names;
}

bool has_remark(const std::vector<std::string>& remarks, std::string_view part) {
  return std::any_of(remarks.begin(), remarks.end(), [&](const std::string& r) { return r.find(part) != r.npos; });
}

TEST(Fabric, IbnetdiscoverDumpWithEverythingOdd) {
  const Fabric f = read_fabric(fixture("small.ibnetdiscover"));
  EXPECT_EQ(f.nodes.size(), 4u + 6 + 1);
  EXPECT_EQ(f.cables.size(), 14u);
  const ImportedFabric i = to_topology(f, kLinks);
  // By switch and port; node3 has a port on each leaf, and two adapters share a description.
  EXPECT_EQ(host_names(i.topology),
            (std::vector<std::string>{"node1 mlx5_0", "node2 mlx5_0", "node3 mlx5_0/P2", "node3 mlx5_0/P1",
                                      "node4 mlx5_0 0000000000000c04", "node4 mlx5_0 0000000000000c05"}));
  EXPECT_EQ(i.topology.switches(), 4u);
  EXPECT_EQ(i.unknown_speeds, 0u);
  const Topology& t = i.topology;
  EXPECT_EQ(t.link(t.host_port({0})).rate.gigabits(), 200);
  EXPECT_EQ(t.link(t.host_port({4})).rate.gigabits(), 100);  // 2xHDR
  EXPECT_EQ(t.port_name(t.to(t.host_port({2}))), "leaf one:3");
  EXPECT_TRUE(has_remark(i.remarks, "loop-back cables, left out: 1 (leaf one:30 - leaf one:31)"));
  EXPECT_TRUE(has_remark(i.remarks, "aggregation nodes, left out: 1"));
  EXPECT_TRUE(has_remark(i.remarks, "report different speeds; the slower one is used, 4xFDR"));
  EXPECT_TRUE(has_remark(i.remarks, " nodes appear as neighbours, but are not described ("));
  const Fabric one = parse_ibnetdiscover("x", "Switch 8 \"S-01\" # \"one\"\n[1] \"H-02\"[1] # \"h\" lid 3 4xSDR\n");
  EXPECT_EQ(one.remarks, (std::vector<std::string>{"line 2: h appears as a neighbour, but is not described"}));
  EXPECT_TRUE(has_remark(i.remarks, "adapters without a cable to this network, left out: 1 (node6 mlx5_0)"));
  EXPECT_TRUE(has_remark(i.remarks, "several connected ports (each port is a host of its own): 1 (node3 mlx5_0)"));
}

TEST(Fabric, LidsAndGuidsAreKept) {
  const Fabric f = read_fabric(fixture("small.ibnetdiscover"));
  const auto node1 = std::find_if(f.nodes.begin(), f.nodes.end(), [](const auto& n) { return n.guid == 0xc01; });
  ASSERT_NE(node1, f.nodes.end());
  EXPECT_EQ(f.nodes[0].lid, 11u);
  EXPECT_EQ(f.nodes[0].device, 0xd2f0u);
  for (const FabricCable& c : f.cables) {
    if (c.b.node != static_cast<std::uint32_t>(node1 - f.nodes.begin())) continue;
    EXPECT_EQ(c.b.lid, 21u);
    EXPECT_EQ(c.b.guid, 0xc11u);
  }
}

TEST(Fabric, IbdmDirectorBecomesItsChips) {
  const ImportedFabric i = to_topology(read_fabric(fixture("director.ibdm")), kLinks);
  const Topology& t = i.topology;
  EXPECT_EQ(host_names(t), (std::vector<std::string>{"H1", "H2/P1", "H2/P2", "H3"}));
  EXPECT_EQ(t.switches(), 2u + 2 + 3);  // two leaves, one spine board of three chips
  EXPECT_EQ(i.unknown_speeds, 4u + 12);
  const RouteTable routes = up_down_routes(t);
  EXPECT_EQ(testing::switches_between(t, routes, 0, 3), 5u);
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    if (t.port_name({p}) == "D/leaf1:1") {
      EXPECT_EQ(t.link({p}).rate.gigabits(), 16);  // 4x at 5 Gb/s is DDR
      EXPECT_EQ(t.port_name(t.to({p})), "SW1:13");
    }
  }
}

TEST(Fabric, RingOfCablesDeadlocksUnderMinHopOnly) {
  const Topology t = to_topology(read_fabric(fixture("ring.cables")), kLinks).topology;
  const DeadlockVerdict verdict = check_deadlock(t, min_hop_routes(t), Dependencies::default_ports);
  ASSERT_FALSE(verdict.free);
  EXPECT_EQ(verdict.cycle.size(), 5u);
  EXPECT_TRUE(check_deadlock(t, up_down_routes(t), Dependencies::default_ports).free);
}

TEST(Fabric, OnlyTheIslandWithMostHostsRemains) {
  const Fabric f = parse_fabric("f.topo",
                                "MTS800 S1\n P1 -> Cougar A P1\nMTS800 S2\n P1 -> Cougar B P1\n P2 -> Cougar C P1\n"
                                "MTS800 S3\n");
  const ImportedFabric i = to_topology(f, kLinks);
  EXPECT_EQ(host_names(i.topology), (std::vector<std::string>{"B", "C"}));
  EXPECT_TRUE(has_remark(i.remarks, "adapters without a cable to this network, left out: 1 (A)"));
  EXPECT_TRUE(has_remark(i.remarks, "switches without a cable to it, left out: 2 (S1, S3)"));
}

TEST(Fabric, CablesBetweenAdaptersAreLeftOut) {
  const Fabric f =
      parse_fabric("f.topo", "MTS800 S\n P1 -> Cougar A P1\n P2 -> Cougar B P1\nCougar A\n P2 -> Cougar B P2\n");
  const ImportedFabric i = to_topology(f, kLinks);
  EXPECT_EQ(host_names(i.topology), (std::vector<std::string>{"A", "B"}));
  EXPECT_TRUE(has_remark(i.remarks, "cables between two adapters, left out: 1 (B:2 - A:2)"));
}

std::string parse_error(std::string_view text, FabricFormat format = FabricFormat::automatic) {
  return error_of([&] { to_topology(parse_fabric("f.topo", text, format), kLinks); });
}

TEST(Fabric, IbdmErrorsNameTheLine) {
  EXPECT_TRUE(parse_error("MTS800 S1\n   P1 -> Cougar H1 P1\n\nMTS9999 S2\n")
                  .starts_with("f.topo:4: unknown type of system MTS9999; known are adapters Cougar,"));
  EXPECT_EQ(parse_error("MTS800 S1\n P9 -> Cougar H1 P1\n"), "f.topo:2: S1 has ports P1 to P8, not P9");
  EXPECT_EQ(parse_error("MTS800 S1\n P1 -> Cougar H1 P1\n P1 -> Cougar H2 P1\n"),
            "f.topo:3: S1 port 1 is connected to H2 port 1 here, and to H1 port 1 in line 2");
  EXPECT_EQ(parse_error("MTS800 S1\n P1 -> Cougar H1 P1\nMTS800 S2\n P1 -> Cougar H1 P1\n"),
            "f.topo:4: H1 port 1 is connected to S2 port 1 here, and to S1 port 1 in line 2");
  EXPECT_EQ(parse_error("MTS800 S1\n P1 -> Cougar H1 P1\nCougar H1\n P1 -> MTS800 S1 P2\n"),
            "f.topo:2: S1 port 1 is connected to H1 port 1 here, but in line 4 that port is connected to S1 port 2");
  EXPECT_EQ(parse_error("MTS800 S1\n P1 -> MTS2400 S2 P1\nMTS800 S2\n"),
            "f.topo:3: S2 is a MTS800 here and a MTS2400 in line 2");
  EXPECT_EQ(parse_error("MTS800 S1\nMTS800 S1\n"), "f.topo:2: S1 is declared twice, first in line 1");
  EXPECT_TRUE(says(parse_error("MTS800 S1\n P1 -> Cougar H1\n"), "f.topo:2: a cable is written as in"));
  EXPECT_TRUE(says(parse_error("MTS800 S1\n P1 -3x-5G-> Cougar H1 P1\n"), "f.topo:2: an arrow is"));
  EXPECT_TRUE(says(parse_error("MTS14400 D CFG: leaf13=R\n"), "leaf1 to leaf12"));
  EXPECT_EQ(parse_error("MTS14400 D CFG: leaf1=R\n L1/P1 -> Cougar H P1\n"),
            "f.topo:2: D has no leaf1 (CFG: takes it away)");
  EXPECT_TRUE(says(parse_error("MTS14400 D\n P1 -> Cougar H P1\n"), "written as in L1/P7"));
  EXPECT_EQ(parse_error("MTS800 S1\n"), "f.topo: no adapter is connected to a switch, so there is no host");
  EXPECT_TRUE(says(parse_error(""), "names no system"));
}

TEST(Fabric, IbnetdiscoverErrorsNameTheLine) {
  const auto error = [](std::string_view text) { return parse_error(text, FabricFormat::ibnetdiscover); };
  const std::string s = "Switch 8 \"S-01\" # \"one\"\n";
  EXPECT_EQ(error(s + "[1] \"H-zz\"[1]\n"),
            R"(f.topo:2: a node is written as in "S-0002c903007b78b0": S, H or R and a GUID)");
  EXPECT_EQ(error(s + "[9] \"H-02\"[1] # \"h\"\n"), "f.topo:2: one port 9 does not exist; it has ports 1 to 8");
  EXPECT_EQ(error(s + "[x] \"H-02\"[1] # \"h\"\n"), "f.topo:2: a port is a number in brackets, as in [3]");
  EXPECT_EQ(error("[1] \"H-02\"[1]\n"), "f.topo:1: this port stands before the first node");
  EXPECT_EQ(error(s + "[1] \"H-02\"[1] # \"h\"\n[1] \"H-03\"[1] # \"g\"\n"),
            "f.topo:3: one port 1 is connected to g port 1 here, and to h port 1 in line 2");
  EXPECT_TRUE(says(error("nothing of the kind\n"), "has no line of a switch or an adapter"));
  EXPECT_TRUE(says(error(s + "[1] \"S-02\"[40] # \"two\"\nSwitch 8 \"S-02\" # \"two\"\n"), "port 40 does not exist"));
  EXPECT_TRUE(says(error(s + "[1] \"H-01\"[1]\n"), "of another kind in line 1"));
}

TEST(Fabric, UnknownSpeedsTakeTheRateOfTheScenario) {
  const std::string text = R"(Switch 8 "S-01" # "one"
[1] "H-02"[1] # "h" lid 3 4x???
[2] "H-03"[1]
)";
  const ImportedFabric i = to_topology(parse_fabric("f", text), kLinks);
  EXPECT_EQ(i.unknown_speeds, 2u);
  EXPECT_TRUE(has_remark(i.remarks, "unknown link speed 4x???"));
  EXPECT_EQ(i.topology.link({0}).rate, testing::kLink.rate);
  EXPECT_EQ(i.topology.name({1}), "node 0000000000000003");
}

Scenario scenario_with(const std::string& link) {
  Vocabulary v;
  v.sections.push_back({.name = "topology", .summary = "the fabric", .selector = "kind", .required = true,
                        .kinds = topology_kinds()});
  v.sections.push_back({.name = "link", .summary = "cables", .common = link_params()});
  return parse_scenario_text("[topology]\nkind = \"file\"\npath = \"" + fixture("small.ibnetdiscover") +
                                 "\"\n[link]\n" + link,
                             "f.toml", v);
}

Topology scenario_topology(const std::string& link) { return build_topology(scenario_with(link)); }

std::vector<std::string> warnings_of(const std::string& fabric, const std::string& link = "") {
  const Scenario scenario = scenario_with(link);
  const Fabric f = parse_fabric("f.topo", fabric);
  return import_warnings(f, import_fabric(f, scenario.section("link")), scenario.section("link"));
}

TEST(FabricWarnings, NameRatesThatNobodyGave) {
  const std::string text = R"(Switch 8 "S-01" # "one"
[1] "H-02"[1] # "h" lid 3 4xXYZ
[2] "H-03"[1] # "g" 4xXYZ
[3] "S-04"[1] # "two" 4xXYZ
Switch 8 "S-04" # "two"
[1] "S-01"[3] # "one"
Ca 1 "H-02" # "h"
[1] "S-01"[1] # "one"
Ca 1 "H-03" # "g"
[1] "S-01"[2] # "one" 4xQDR
)";
  const std::string odd = "f.topo: line 2: unknown link speed 4xXYZ (2 more: weir topo --check)";
  EXPECT_EQ(warnings_of(text),
            (std::vector<std::string>{"f.topo: 2 cables have no known speed and take the default of link.rate, 8Gbps",
                                      odd}));
  EXPECT_EQ(warnings_of(text, "host_rate = '4Gbps'\n"),
            (std::vector<std::string>{"f.topo: 1 cable has no known speed and takes the default of link.rate, 8Gbps",
                                      odd}));
  EXPECT_EQ(warnings_of(text, "rate = '16Gbps'\n"), std::vector<std::string>{odd}) << "that is no guess";
}

TEST(FabricWarnings, NameWhatWasLeftOut) {
  const std::string speed = " -4x-10G-> ";
  const std::vector<std::string> lines =
      warnings_of("MTS800 S1\n P1" + speed + "Cougar A P1\nMTS800 S2\n P1" + speed + "Cougar B P1\n P2" + speed +
                  "Cougar C P1\n P3" + speed + "Cougar C P2\n");
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "f.topo: adapters without a cable to this network, left out: 1 (A)",
                       "f.topo: switches without a cable to it, left out: 1 (S1)"}))
      << "an adapter with two ports is no cause for a warning";
}

TEST(FabricWarnings, ComeWithTheTopology) {
  std::vector<std::string> warnings;
  EXPECT_EQ(build_topology(scenario_with(""), &warnings).hosts(), 6u);
  const std::string file = fixture("small.ibnetdiscover");
  EXPECT_TRUE(has_remark(warnings, file + ": loop-back cables, left out: 1"));
  EXPECT_TRUE(has_remark(warnings, file + ": adapters without a cable to this network, left out: 1 (node6 mlx5_0)"));
  EXPECT_FALSE(has_remark(warnings, "link.rate")) << "all speeds are known";
}

TEST(FabricWarnings, GuessedRatesAreCounted) {
  const std::string text =
      R"(Switch 8 "S-01" # "one"
[1] "H-02"[1] # "h" 4xXYZ
[2] "H-03"[1] # "g" 4xSDR
)";
  const ImportedFabric i = to_topology(parse_fabric("f", text), kLinks);
  EXPECT_EQ(i.guessed, (std::map<Rate, std::size_t>{{testing::kLink.rate, 1}}));
}

TEST(Fabric, ScenarioNamesTheFile) {
  const Topology t = scenario_topology("delay = '5ns'\nhost_delay = '7ns'\n");
  EXPECT_EQ(t.hosts(), 6u);
  EXPECT_EQ(t.link(t.host_port({0})).delay, Time{7000});
  EXPECT_EQ(error_of([] { scenario_topology("rate = '16Gbps'\n"); }),
            "f.toml:5: `rate` has no effect here: the fabric file gives the speed of every cable");
}

}  // namespace
}  // namespace weir
