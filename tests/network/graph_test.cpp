// Graphs from lists: ports, labels, parallel and mixed cables, and errors at the row that made them.
#include <gtest/gtest.h>

#include "fabrics.h"

namespace weir {
namespace {

using testing::kLink;

SourcePosition row(std::uint32_t line) { return {"f.toml", line, 1}; }

GraphSpec pair_of_switches() {
  GraphSpec spec;
  spec.hosts = {{"A", row(1)}, {"B", row(1)}};
  spec.switches = {{"X", 0, row(2)}, {"Y", 4, row(2)}};
  spec.cables = {{{"A"}, {"X"}, kLink, 1, row(3)}, {{"Y"}, {"B"}, kLink, 1, row(4)}};
  return spec;
}

TEST(Graph, KeepsLabelsAndOrdersPortsByThem) {
  GraphSpec spec = pair_of_switches();
  spec.cables.push_back({{"X", true, 15}, {"Y", true, 2}, {Rate{32'000'000'000}, Time{10'000}, 0}, 1, row(5)});
  spec.cables.push_back({{"X"}, {"Y"}, kLink, 2, row(6)});
  const Topology t = graph(spec);
  const NodeId x = t.node(SwitchId{0}), y = t.node(SwitchId{1});
  ASSERT_EQ(t.port_count(x), 4u);
  ASSERT_EQ(t.port_count(y), 4u);
  EXPECT_EQ(t.port_name(t.port(x, 0)), "X:1");  // to A
  EXPECT_EQ(t.port_name(t.port(x, 1)), "X:2");
  EXPECT_EQ(t.port_name(t.port(x, 2)), "X:3");
  EXPECT_EQ(t.port_name(t.port(x, 3)), "X:15");
  EXPECT_EQ(t.port_name(t.to(t.port(x, 3))), "Y:2");
  EXPECT_EQ(t.port_name(t.to(t.port(x, 1))), "Y:3");
  EXPECT_EQ(t.port_name(t.to(t.port(x, 2))), "Y:4");
  EXPECT_EQ(t.link(t.port(x, 3)).rate.bits_per_second, 32'000'000'000);
  EXPECT_EQ(t.link(t.port(y, 1)).delay, Time{10'000});
  EXPECT_EQ(t.to(t.host_port({1})), t.port(y, 0));
}

TEST(Graph, ASwitchMayBeCabledToItself) {
  GraphSpec spec = pair_of_switches();
  spec.cables.push_back({{"X"}, {"Y"}, kLink, 1, row(5)});
  spec.cables.push_back({{"X", true, 7}, {"X", true, 9}, kLink, 1, row(6)});
  const Topology t = graph(spec);
  EXPECT_EQ(t.port_count(t.node(SwitchId{0})), 4u);
}

TEST(Graph, ReportsMistakesAtTheirRow) {
  const auto with = [](GraphCable cable) {
    GraphSpec spec = pair_of_switches();
    spec.cables.push_back(std::move(cable));
    return error_of([&] { graph(spec); });
  };
  EXPECT_EQ(with({{"X"}, {"Z"}, kLink, 1, row(9)}), "f.toml:9: unknown node Z; the nodes are A, B, X, Y");
  EXPECT_EQ(with({{"A"}, {"Y"}, kLink, 1, row(9)}), "f.toml:9: host A is connected twice; a host has one port");
  EXPECT_EQ(with({{"A"}, {"A"}, kLink, 1, row(9)}), "f.toml:9: host A is connected to itself");
  EXPECT_EQ(with({{"A"}, {"B"}, kLink, 1, row(9)}),
            "f.toml:9: hosts A and B are connected to each other; a host is connected to a switch");
  EXPECT_EQ(with({{"X", true, 3}, {"X", true, 3}, kLink, 1, row(9)}), "f.toml:9: port X:3 is used twice");
  EXPECT_EQ(with({{"X"}, {"Y", true, 5}, kLink, 1, row(9)}), "f.toml:9: switch Y has 4 ports; port 5 does not exist");
  EXPECT_EQ(with({{"X"}, {"Y"}, kLink, 4, row(9)}), "f.toml:9: switch Y has only 4 ports, all in use");
  EXPECT_EQ(with({{"X"}, {"Y"}, kLink, 0, row(9)}), "f.toml:9: a link has 1 to 4096 parallel cables, not 0");
  EXPECT_EQ(with({{"X"}, {"Y"}, {Rate{0}, Time{}, 0}, 1, row(9)}), "f.toml:9: the rate of a link must be above 0");
  EXPECT_EQ(with({{"X", true, 4'000'000'000}, {"Y"}, kLink, 1, row(9)}),
            "f.toml:9: port numbers go up to 1000000, not 4000000000");
}

TEST(Graph, ReportsNamesUsedTwiceAndLonelyHosts) {
  GraphSpec spec = pair_of_switches();
  spec.switches.push_back({"A", 0, row(7)});
  EXPECT_EQ(error_of([&] { graph(spec); }),
            "f.toml:7: there is already a node named A; names of hosts and switches must differ");
  spec = pair_of_switches();
  spec.hosts.push_back({"C", row(8)});
  EXPECT_EQ(error_of([&] { graph(spec); }), "f.toml:8: host C is not connected; links need a row with it and a switch");
}

TEST(SmallNetworks, StarAndTwoSwitchHaveTheStatedPorts) {
  const Topology s = star(5, kLink);
  EXPECT_EQ(s.switches(), 1u);
  EXPECT_EQ(s.port_count(s.node(SwitchId{0})), 5u);
  const Topology t = two_switch({3, 2, 2}, kLink, {Rate{1'000'000'000}, Time{9}, 0});
  EXPECT_EQ(t.hosts(), 5u);
  EXPECT_EQ(t.port_count(t.node(SwitchId{0})), 5u);
  EXPECT_EQ(t.port_count(t.node(SwitchId{1})), 4u);
  EXPECT_EQ(t.link(t.port(t.node(SwitchId{0}), 3)).delay, Time{9});
  EXPECT_EQ(t.node_of(t.to(t.host_port({3}))), t.node(SwitchId{1}));
  EXPECT_NE(error_of([] { two_switch({3, 0, 1}, kLink, kLink); }), "no error");
  EXPECT_NE(error_of([] { star(1, kLink); }), "no error");
}

}  // namespace
}  // namespace weir
