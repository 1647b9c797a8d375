// The view of a tree that adaptive flow routing uses, checked against the cables.
#include "network/topologies/tree_structure.h"

#include <gtest/gtest.h>

#include <set>

#include "fabrics.h"

namespace weir {
namespace {

using testing::kLink;
using testing::tree;

TEST(TreeStructure, port_ranges_cover_every_port_once) {
  for (const std::uint32_t width : {0u, 1u, 3u}) {
    const Topology t = tree(3, 3, width);
    const TreeStructure structure(t);
    for (std::uint32_t i = 0; i < t.switches(); ++i) {
      const SwitchId s{i};
      std::set<std::uint32_t> ports;
      for (const PortRange& range : {structure.down(s), structure.up(s), structure.left(s), structure.right(s)}) {
        for (std::uint32_t p = 0; p < range.count; ++p) {
          EXPECT_TRUE(ports.insert(range[p].index).second);
          EXPECT_TRUE(range.contains(range[p]));
        }
        EXPECT_FALSE(range.contains({range.first.index + range.count}));
      }
      EXPECT_EQ(ports.size(), t.port_count(t.node(s)));
      EXPECT_EQ(*ports.begin(), t.first_port(t.node(s)).index);
    }
  }
}

TEST(TreeStructure, horizontal_ports_lead_to_neighbours_of_the_same_logical_node) {
  const Topology t = tree(3, 3, 2);
  const TreeStructure structure(t);
  std::size_t horizontal = 0;
  for (std::uint32_t i = 0; i < t.switches(); ++i) {
    const SwitchId s{i};
    EXPECT_EQ(structure.left(s).empty(), structure.place_in_node(s) == 0);
    for (std::uint32_t p = 0; p < structure.right(s).count; ++p) {
      const PortId arrival = t.to(structure.right(s)[p]);
      const SwitchId next = t.switch_of(t.node_of(arrival));
      EXPECT_EQ(arrival, structure.left(next)[p]);
      EXPECT_EQ(structure.level(next), structure.level(s));
      EXPECT_EQ(structure.logical_node(next), structure.logical_node(s));
      EXPECT_EQ(structure.place_in_node(next), structure.place_in_node(s) + 1);
      ++horizontal;
    }
    EXPECT_TRUE(structure.level(s) > 0 || structure.right(s).empty());
  }
  EXPECT_EQ(horizontal, 2u * (3 * 2 + 8));  // level 1: three nodes of three switches; level 2: one node of nine
}

// The whole logical node leads down to the same hosts, which is why horizontal movement keeps the destination in reach.
TEST(TreeStructure, ancestors_are_those_that_lead_down_to_the_host) {
  const Topology t = tree(3, 3, 1);
  const TreeStructure structure(t);
  std::vector<std::set<std::uint32_t>> below(t.switches());
  for (std::uint32_t i = 0; i < t.switches(); ++i) {  // level by level
    const SwitchId s{i};
    for (std::uint32_t p = 0; p < 3; ++p) {
      const NodeId child = t.node_of(t.to(structure.down(s)[p]));
      if (t.is_host(child)) below[i].insert(child.index);
      else below[i].insert(below[t.switch_of(child).index].begin(), below[t.switch_of(child).index].end());
    }
    for (std::uint32_t h = 0; h < t.hosts(); ++h) EXPECT_EQ(structure.is_ancestor(s, {h}), below[i].contains(h));
  }
  EXPECT_EQ(structure.turning_level({0}, {2}), 0u);
  EXPECT_EQ(structure.turning_level({0}, {8}), 1u);
  EXPECT_EQ(structure.turning_level({0}, {9}), 2u);
  EXPECT_EQ(structure.digit(structure.at(1, 5), 0), 2u);
  EXPECT_EQ(structure.digit(structure.at(1, 5), 1), 1u);
  EXPECT_EQ(structure.host_digit({14}, 1), 1u);
  EXPECT_EQ(structure.leaf({14}), SwitchId{4});
  EXPECT_EQ(structure.node_size(2), 9u);
}

TEST(TreeStructure, refuses_other_topologies) {
  const Topology t = star(4, kLink);
  EXPECT_NE(error_of([&] { TreeStructure structure(t); }), "no error");
}

}  // namespace
}  // namespace weir
