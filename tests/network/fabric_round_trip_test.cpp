// Every fabric file is read, written in ibnetdiscover format and read again: the same nodes, ports, cables and rates.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "fabric_files.h"
#include "fabrics.h"
#include "network/fabric/fabric.h"
#include "network/topologies/tree_levels.h"
#include "scale.h"

namespace weir {
namespace {

using testing::kLinks;

// Names need not be unique, so nodes that share one are told apart by their GUID; a GUID that was made up on writing
// does not count.
using Node = std::tuple<std::string, int, std::uint32_t, std::uint64_t>;
using Cable = std::tuple<std::string, std::uint32_t, std::string, std::uint32_t, std::int64_t>;

std::multiset<Node> nodes(const Fabric& f, bool with_guids) {
  std::multiset<Node> result;
  for (const FabricNode& n : f.nodes)
    result.emplace(n.name, static_cast<int>(n.kind), n.ports, with_guids ? n.guid : 0);
  return result;
}

std::multiset<Cable> cables(const Fabric& f, bool with_guids) {
  std::multiset<Cable> result;
  const auto name = [&](const FabricEnd& e) {
    const FabricNode& node = f.nodes[e.node];
    return node.name + (with_guids ? "|" + std::to_string(node.guid) : "");
  };
  for (const FabricCable& c : f.cables) {
    auto a = std::tuple(name(c.a), c.a.port), b = std::tuple(name(c.b), c.b.port);
    if (b < a) std::swap(a, b);
    result.emplace(std::get<0>(a), std::get<1>(a), std::get<0>(b), std::get<1>(b),
                   c.speed ? c.speed->rate().bits_per_second : 0);
  }
  return result;
}

// By name: what a host is connected to and how fast, and the same for every port of a switch.
std::map<std::string, std::pair<std::string, std::int64_t>> links(const Topology& t) {
  std::map<std::string, std::pair<std::string, std::int64_t>> result;
  for (std::uint32_t p = 0; p < t.ports(); ++p)
    result[t.port_name({p})] = {t.port_name(t.to({p})), t.link({p}).rate.bits_per_second};
  return result;
}

void expect_same_after_writing(const Fabric& before) {
  const std::string text = write_ibnetdiscover(before);
  const Fabric after = parse_ibnetdiscover("again", text);
  const bool guids = before.nodes[0].guid != 0;
  std::multiset<Node> described = nodes(before, guids);
  if (guids) {  // nodes that were only mentioned get the number of ports that is used
    EXPECT_EQ(before.nodes.size(), after.nodes.size());
    const std::multiset<Node> again = nodes(after, guids);
    for (const Node& n : described) {
      if (std::get<2>(n) > 0) {
        EXPECT_TRUE(again.contains(n)) << std::get<0>(n);
      }
    }
  } else {
    EXPECT_EQ(described, nodes(after, guids));
  }
  EXPECT_EQ(cables(before, guids), cables(after, guids));
  EXPECT_EQ(links(to_topology(before, kLinks).topology), links(to_topology(after, kLinks).topology));
  EXPECT_EQ(write_ibnetdiscover(parse_ibnetdiscover("again", text)), text);
}

TEST(FabricRoundTrip, every_file) {
  for (const std::string& file : testing::all_fabric_files()) {
    SCOPED_TRACE(file);
    expect_same_after_writing(read_fabric(file));
  }
}

TEST(FabricRoundTrip, built_topologies) {
  for (const Topology& t : {testing::tree(3, 2), testing::tree(2, 3, 2), star(5, testing::kLink),
                            bmin({2, 3, 0}, testing::kLink, testing::kLink)}) {
    const Fabric fabric = fabric_of(t);
    expect_same_after_writing(fabric);
    const Topology again = to_topology(parse_fabric("again", write_ibnetdiscover(fabric)), kLinks).topology;
    EXPECT_EQ(again.hosts(), t.hosts());
    EXPECT_EQ(again.switches(), t.switches());
  }
}

TEST(FabricRoundTrip, refuses_what_the_format_cannot_say) {
  LinkProperties odd = testing::kLink;
  odd.rate = {12'345'000'000};
  EXPECT_NE(error_of([&] { write_ibnetdiscover(fabric_of(star(2, odd))); }).find("no InfiniBand link has"),
            std::string::npos);
  EXPECT_NE(error_of([] { fabric_of(umin({2, 2}, testing::kLink, testing::kLink)); }).find("one-way"),
            std::string::npos);
}

std::string find(const std::vector<std::string>& files, const std::string& name) {
  for (const std::string& file : files) {
    if (file.ends_with(name)) return file;
  }
  return "";
}

TEST(RealFabrics, credit_loop_is_found_under_min_hop_and_not_under_up_down) {
  const std::string file = find(testing::real_files("ibutils"), "CreditLoopDemo.cables");
  if (file.empty()) GTEST_SKIP() << "no real fabrics beside the source";
  const Topology t = to_topology(read_fabric(file), kLinks).topology;
  EXPECT_EQ(t.hosts(), 4u);
  EXPECT_EQ(check_deadlock(t, min_hop_routes(t), Dependencies::default_ports).cycle.size(), 4u);
  EXPECT_TRUE(check_deadlock(t, up_down_routes(t), Dependencies::default_ports).free);
}

struct Expected {
  const char* directory;
  const char* name;
  std::size_t hosts, switches;
  bool is_tree;
  std::uint32_t levels;
};

TEST(RealFabrics, are_what_their_owners_say) {
  const Expected all[] = {
      {"ibnetdiscover", "director-2328-hosts.topo", 2328, 400, true, 3},
      {"ibnetdiscover", "qdr-144-hosts.topo", 145, 8, true, 2},  // 144 adapters, one of them with two ports
      {"ibnetdiscover", "mixed-speeds.topo", 12, 2, false, 1},
      {"ibnetdiscover", "vendor-example-1.topo", 5, 2, false, 1},
      {"ibnetdiscover", "vendor-example-2.topo", 2, 1, true, 1},
      {"ibutils", "12-ary-2-tree.topo", 144, 24, true, 2},
      {"ibutils", "4-ary-2-tree-links-at-same-rank-1.topo", 16, 8, true, 2},
      {"ibutils", "4-ary-2-tree.topo", 16, 8, true, 2},
      {"ibutils", "4-ary-3-tree.topo", 64, 48, true, 3},
      {"ibutils", "IS3-loop.topo", 36, 11, true, 3},
  };
  for (const Expected& e : all) {
    const std::string file = find(testing::real_files(e.directory), e.name);
    if (file.empty()) GTEST_SKIP() << "no real fabrics beside the source";
    SCOPED_TRACE(file);
    const Topology t = to_topology(read_fabric(file), kLinks).topology;
    EXPECT_EQ(t.hosts(), e.hosts);
    EXPECT_EQ(t.switches(), e.switches);
    const TreeLevels tree = tree_levels(t);
    EXPECT_EQ(tree.is_tree, e.is_tree);
    EXPECT_EQ(tree.levels, e.levels);
    if (t.hosts() > scaled_count(1000, 10'000, 10'000)) continue;  // half a minute under a sanitizer
    EXPECT_TRUE(check_deadlock(t, up_down_routes(t), Dependencies::default_ports).free);
  }
}

}  // namespace
}  // namespace weir
