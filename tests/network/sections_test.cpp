// From scenario text to tables: the sections [topology], [link] and [routing], their examples, and errors with file and
// line.
#include <gtest/gtest.h>

#include "fabrics.h"
#include "says.h"
#include "scenario/parse.h"

namespace weir {
namespace {


Vocabulary vocabulary() {
  Vocabulary v;
  v.sections.push_back({.name = "topology", .summary = "the fabric", .selector = "kind", .required = true,
                        .kinds = topology_kinds()});
  v.sections.push_back({.name = "link", .summary = "cables", .common = link_params()});
  v.sections.push_back({.name = "failures", .summary = "missing cables", .common = failure_params()});
  v.sections.push_back({.name = "routing", .summary = "routes", .selector = "kind", .default_kind = "auto",
                        .kinds = routing_kinds()});
  return v;
}

Network network(const std::string& text) {
  const Scenario scenario = parse_scenario_text(text, "f.toml", vocabulary());
  Topology topology = build_topology(scenario);
  RouteTable routes = build_routes(scenario, topology);
  return {std::move(topology), std::move(routes)};
}

std::string error(const std::string& text) {
  return error_of([&] { network(text); });
}

TEST(Sections, VocabularyHasNoProblems) {
  EXPECT_EQ(vocabulary_problems(vocabulary()), std::vector<std::string>{});
}

bool needs_file(const KindSpec& kind) { return kind.name == "file" || kind.name == "htsim" || kind.name == "ns3"; }

// Memory is estimated from it, before anything is built.
TEST(Sections, SizesAreKnownBeforehand) {
  for (const KindSpec& kind : topology_kinds()) {
    if (needs_file(kind)) continue;
    const Scenario scenario = parse_scenario_text(std::string(kind.example), "f.toml", vocabulary());
    const FabricSize expected = fabric_size(scenario.section("topology"));
    const FabricSize built = fabric_size(build_topology(scenario));
    EXPECT_EQ(expected.hosts, built.hosts) << kind.name;
    EXPECT_EQ(expected.switches, built.switches) << kind.name;
    EXPECT_GE(expected.ports, built.ports) << kind.name;  // ends of chains have fewer, a star's cables have two ends
    EXPECT_LE(expected.ports, built.ports + built.ports / 2) << kind.name;
    EXPECT_GE(expected.radix, built.radix) << kind.name;
  }
}

bool needs_structure(const KindSpec& kind) { return kind.name == "dor" || kind.name == "minimal"; }

TEST(Sections, EveryExampleWorksWithEveryDefault) {
  for (const KindSpec& kind : topology_kinds()) {
    ASSERT_FALSE(kind.example.empty());
    if (needs_file(kind)) continue;  // fabric_test.cpp and topology_files_test.cpp have some
    const Network n = network(std::string(kind.example));
    EXPECT_GT(n.topology.hosts(), 0u) << kind.name;
    EXPECT_EQ(n.routes.is_computed(), n.topology.shape() != Shape::graph) << kind.name;
    EXPECT_FALSE(default_path(n.topology, n.routes, {0}, {1}).empty());
  }
  for (const KindSpec& kind : routing_kinds()) {
    if (kind.name == "lft") continue;  // needs a file; forwarding_test.cpp has some
    const std::string fabric = needs_structure(kind) ? "'torus'\nsizes = [3, 3]\n" : "'k-ary-n-tree'\nk = 2\nn = 2\n";
    const Network n = network("[topology]\nkind = " + fabric + std::string(kind.example));
    EXPECT_EQ(default_path(n.topology, n.routes, {0}, {3}).size(), needs_structure(kind) ? 3u : 4u) << kind.name;
  }
}

TEST(Sections, LinksHaveARateOfTheirOwnToHosts) {
  const Network n = network(
      R"([topology]
kind = "k-ary-n-tree"
k = 2
n = 2
[link]
rate = "40Gbps"
delay = "15ns"
host_rate = "10Gbps"
)");
  const Topology& t = n.topology;
  EXPECT_EQ(t.link(t.host_port({0})).rate.gigabits(), 10);
  EXPECT_EQ(t.link(t.host_port({0})).delay, Time{15'000});
  EXPECT_EQ(t.link(t.from(t.host_port({0}))).rate.gigabits(), 10);
  EXPECT_EQ(t.link(t.port(t.node(SwitchId{0}), 2)).rate.gigabits(), 40);
}

TEST(Sections, TwoSwitchesMayHaveASlowerMiddle) {
  const Network n = network(
      R"([topology]
kind = "two-switch"
left = 2
right = 2
links = 2
middle_rate = "1Gbps"
middle_delay = "7ns"
)");
  const Topology& t = n.topology;
  const LinkProperties& middle = t.link(t.port(t.node(SwitchId{0}), 2));
  EXPECT_EQ(middle.rate.gigabits(), 1);
  EXPECT_EQ(middle.delay, Time{7'000});
  EXPECT_EQ(t.link(t.host_port({0})).rate.gigabits(), 8);
}

const char* const kGraph =
    R"([topology]
kind = "graph"
hosts = ["H1", "H2"]
switches = ["S1", "S2:3"]
links = [
  ["H1", "S1"],
  ["H2", "S2"],
)";

TEST(Sections, GraphRowsTakeRateDelayAndCountInAnyOrder) {
  const Network n = network(std::string(kGraph) + "  ['S1:15', 'S2', 'x2', '500ps', '1 GB/s'],\n]\n");
  const Topology& t = n.topology;
  const NodeId s1 = t.node(SwitchId{0});
  ASSERT_EQ(t.port_count(s1), 3u);
  EXPECT_EQ(t.port_name(t.port(s1, 1)), "S1:15");
  EXPECT_EQ(t.port_name(t.port(s1, 2)), "S1:16");
  EXPECT_EQ(t.link(t.port(s1, 2)).rate.gigabits(), 8);
  EXPECT_EQ(t.link(t.port(s1, 2)).delay, Time{500});
}

TEST(Sections, GraphErrorsNameTheRow) {
  const auto with = [](const std::string& row) { return error(std::string(kGraph) + row + "]\n"); };
  EXPECT_EQ(with("  ['S1', 'S3'],\n"), "f.toml:8: unknown node S3; the nodes are H1, H2, S1, S2");
  EXPECT_EQ(with("  ['S1', 'S2'],\n  ['H1', 'S2'],\n"),
            "f.toml:9: host H1 is connected twice; a host has one port");
  EXPECT_EQ(with("  ['H1', 'H1'],\n"), "f.toml:8: host H1 is connected to itself");
  EXPECT_EQ(with("  ['S1:4', 'S2'],\n  ['S1:4', 'S2'],\n"), "f.toml:9: port S1:4 is used twice");
  EXPECT_EQ(with("  ['S1'],\n").rfind("f.toml:8: a link needs two ends", 0), 0u);
  EXPECT_EQ(with("  ['S1', 'S2', 'soon'],\n").rfind("f.toml:8: ", 0), 0u);
  EXPECT_EQ(with("  ['S1', 'S2', '0Gbps'],\n").rfind("f.toml:8: ", 0), 0u);
  EXPECT_EQ(with("  ['S1', 'S2', '1ns', '2ns'],\n"), "f.toml:8: the link has two delays; write one");
  EXPECT_EQ(with("  ['S1', 'S2', 'x3'],\n"), "f.toml:8: switch S2 has only 3 ports, all in use");
}

TEST(Sections, AnUnreachableHostIsRefusedByName) {
  const std::string text = error(std::string(kGraph) + "]\n[routing]\nkind = 'min-hop'\n");
  EXPECT_EQ(text,
            "f.toml:10: routing `min-hop` finds no path from host H2 to host H1; the links must connect all hosts");
}

TEST(Sections, ImpossibleShapesAndRoutingsAreRefusedWithTheirPlace) {
  EXPECT_EQ(error("[topology]\nkind = 'bmin'\nk = 4\nn = 4\nhosts = 512\n"),
            "f.toml:1: a bmin of 512 hosts with k = 4 needs n = 5 stages, not 4");
  EXPECT_EQ(error("[topology]\nkind = 'star'\n[routing]\nkind = 'digits'\n")
                .rfind("f.toml:4: routing `digits` is for", 0),
            0u);
  EXPECT_EQ(error("[topology]\nkind = 'umin'\nk = 2\n[routing]\nkind = 'up-down'\n").rfind("f.toml:5: ", 0), 0u);
}

TEST(Sections, AnUnknownRootGetsASuggestion) {
  const std::string start = std::string(kGraph) + "  ['S1', 'S2'],\n]\n[routing]\nkind = 'up-down'\nroot = ";
  EXPECT_EQ(error(start + "\"S2\"\n"), "no error");
  const std::string text = error(start + "\"S9\"\n");
  EXPECT_EQ(text.rfind("f.toml:12: ", 0), 0u) << text;
  EXPECT_TRUE(says(text, "S1"));
}

}  // namespace
}  // namespace weir
