// Levels found from cables alone, up*/down* routes that use all top switches, and what is said about irregular fabrics.
#include "network/topologies/tree_levels.h"

#include <gtest/gtest.h>

#include <set>

#include "fabrics.h"
#include "network/fabric/irregularities.h"

namespace weir {
namespace {

// Leaves with hosts each, below spines, `cables` between every pair.
GraphSpec two_levels(const std::vector<std::uint32_t>& hosts, std::uint32_t spines, std::uint32_t cables = 1) {
  GraphSpec spec;
  for (std::size_t leaf = 0; leaf < hosts.size(); ++leaf) {
    const std::string name = "L" + std::to_string(leaf);
    spec.switches.push_back({name, 0, {}});
    for (std::uint32_t h = 0; h < hosts[leaf]; ++h) {
      spec.hosts.push_back({name + "h" + std::to_string(h), {}});
      spec.cables.push_back({{spec.hosts.back().name}, {name}, testing::kLink, 1, {}});
    }
    for (std::uint32_t s = 0; s < spines; ++s)
      spec.cables.push_back({{name}, {"T" + std::to_string(s)}, testing::kLink, cables, {}});
  }
  for (std::uint32_t s = 0; s < spines; ++s) spec.switches.push_back({"T" + std::to_string(s), 0, {}});
  return spec;
}

void add_host(GraphSpec& spec, const std::string& name, const std::string& at) {
  spec.hosts.push_back({name, {}});
  spec.cables.push_back({{name}, {at}, testing::kLink, 1, {}});
}

bool any_says(const std::vector<std::string>& lines, std::string_view part) {
  for (const std::string& line : lines) {
    if (line.find(part) != std::string::npos) return true;
  }
  return false;
}

TEST(TreeLevels, StructuredTreesHaveTheLevelsTheyWereBuiltWith) {
  for (const auto& [k, n] : {std::pair(2u, 2u), std::pair(2u, 4u), std::pair(4u, 3u)}) {
    const Topology t = testing::tree(k, n);
    const TreeLevels tree = tree_levels(t);
    ASSERT_TRUE(tree.is_tree);
    EXPECT_EQ(tree.levels, n);
    for (std::uint32_t s = 0; s < t.switches(); ++s)
      EXPECT_EQ(static_cast<int>(tree.level[s]), t.level(t.node(SwitchId{s})));
    EXPECT_TRUE(irregularities(t, tree).empty());
  }
}

TEST(TreeLevels, RingsAndPairsAreNoTrees) {
  EXPECT_FALSE(tree_levels(graph(testing::switch_graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}))).is_tree);
  EXPECT_FALSE(tree_levels(graph(testing::switch_graph(2, {{0, 1}}))).is_tree);
  EXPECT_TRUE(tree_levels(star(3, testing::kLink)).is_tree);
  EXPECT_FALSE(tree_levels(umin({2, 2}, testing::kLink, testing::kLink)).is_tree);
}

// A dead switch is on no level, and routes use all others.
TEST(TreeLevels, AreThoseOfTheSwitchesThatHaveCables) {
  GraphSpec spec = two_levels({2, 2, 2}, 2);
  spec.switches.push_back({"dead", 0, {}});
  const Topology t = graph(spec);
  const TreeLevels tree = tree_levels(t);
  ASSERT_TRUE(tree.is_tree);
  EXPECT_EQ(tree.levels, 2u);
  EXPECT_EQ(tree.level[5], kFar);
  EXPECT_TRUE(any_says(describe_levels(t, tree), "2 levels of switches, from the leaves up: 3, 2"));
  EXPECT_TRUE(any_says(irregularities(t, tree), "switches without a cable: 1 (dead)"));
  const RouteTable routes = up_down_routes(t, {{}, true, true});
  EXPECT_EQ(default_path(t, routes, {0}, {4}).size(), 4u);
  EXPECT_TRUE(routes.has_alternatives());
}

TEST(TreeLevels, AFewHostsDoNotMakeATopSwitchALeaf) {
  GraphSpec spec = two_levels({8, 8, 8, 8}, 2);
  add_host(spec, "storage", "T1");
  const Topology t = graph(spec);
  const TreeLevels tree = tree_levels(t);
  EXPECT_TRUE(tree.is_tree);
  EXPECT_EQ(tree.levels, 2u);
  EXPECT_EQ(tree.level[5], 1u);
  EXPECT_TRUE(any_says(irregularities(t, tree), "switches with hosts above the leaf level: 1 (T1: 1 host)"));
}

TEST(TreeLevels, ALeafWithoutHostsIsALeaf) {
  const TreeLevels tree = tree_levels(graph(two_levels({4, 4, 0}, 2)));
  EXPECT_TRUE(tree.is_tree);
  EXPECT_EQ(tree.levels, 2u);
  EXPECT_EQ(tree.level[2], 0u);
}

TEST(TreeLevels, UpDownRoutesUseEveryTopSwitch) {
  const Topology t = graph(two_levels({4, 4, 4}, 4));
  const RouteTable routes = up_down_routes(t);
  std::set<std::uint32_t> used;
  for (std::uint32_t a = 0; a < t.hosts(); ++a) {
    for (std::uint32_t b = 0; b < t.hosts(); ++b) {
      if (a == b) continue;
      const auto links = default_path(t, routes, {a}, {b});
      EXPECT_LE(links.size(), 4u);
      if (links.size() == 4) used.insert(t.node_of(links[2]).index);
    }
  }
  EXPECT_EQ(used.size(), 4u);
}

TEST(Oddities, TellsWhatIsIrregular) {
  GraphSpec spec = two_levels({4, 4, 2, 4}, 2, 2);
  spec.cables.push_back({{"L0"}, {"T0"}, testing::kLink, 1, {}});
  LinkProperties fast = testing::kLink;
  fast.rate = {32'000'000'000};
  spec.cables.push_back({{"T0"}, {"T1"}, fast, 1, {}});
  spec.cables[0].link = fast;
  const Topology t = graph(spec);
  const TreeLevels tree = tree_levels(t);
  ASSERT_TRUE(tree.is_tree);
  const std::vector<std::string> lines = irregularities(t, tree);
  EXPECT_TRUE(any_says(lines, "mixed speeds of cables to hosts: 1 at 32 Gb/s (4xQDR), 13 at 8 Gb/s (4xSDR)"));
  const std::vector<std::string> guessed = irregularities(t, tree, {{testing::kLink.rate, 13}});
  EXPECT_TRUE(any_says(guessed, "mixed speeds of cables to hosts: 1 at 32 Gb/s (4xQDR), 13 at 8 Gb/s"));
  EXPECT_FALSE(any_says(guessed, "4xSDR")) << "a guessed rate is no speed";
  EXPECT_TRUE(any_says(lines,
                       "unequal numbers of parallel cables between levels 0 and 1: usually 2, but 1 pair has another "
                       "number (L0 - T0: 3)"));
  EXPECT_TRUE(any_says(lines, "half-populated leaf switches: 1 with at most half of the usual 4 hosts (L2: 2)"));
  EXPECT_TRUE(any_says(lines, "unequal numbers of uplinks on level 0: usually 4, but 1 switch has another number (L0: "
                              "5)"));
  EXPECT_TRUE(any_says(lines, "1 cable between switches of level 1"));
  EXPECT_TRUE(any_says(describe_levels(t, tree), "2 levels of switches, from the leaves up: 4, 2"));
}

}  // namespace
}  // namespace weir
