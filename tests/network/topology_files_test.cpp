// Fabrics in the files of other simulators: what is read, and what is refused with its line.
#include "network/topologies/topology_files.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "base/file_text.h"
#include "error_of.h"
#include "fabric_files.h"
#include "network/hops.h"
#include "network/routings/routings.h"
#include "says.h"

namespace weir {
namespace {

// The form of htsim's own examples.
const std::string kLeafSpine =
    "# small\nNodes 32\nTiers 2\nPodsize 32\n\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 2\n"
    "Downlink_Latency_ns 1000\nSwitch_Latency_ns 0\nOversubscribed 4\n\nTier 1\nDownlink_speed_Gbps 50\nRadix_Down 4\n"
    "Downlink_Latency_ns 500\n";
const std::string kThreeTiers =
    "Nodes 64\nTiers 3\nPodsize 16\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up 4\nDownlink_Latency_ns "
    "1000\n"
    "Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 4\nDownlink_Latency_ns 1000\nBundle 2\n"
    "Tier 2\nDownlink_speed_Gbps 200\nRadix_Down 4\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 300\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}
Topology built(const HtsimFabric& f) { return clos(f.shape, f.cables[0], {f.cables.begin() + 1, f.cables.end()}); }

// The same hosts at the same distances over cables of the same kinds; switches may have other numbers and names.
void expect_same(const Topology& a, const Topology& b) {
  ASSERT_EQ(a.hosts(), b.hosts());
  ASSERT_EQ(a.switches(), b.switches());
  const auto cables = [](const Topology& t) {
    std::map<std::pair<std::int64_t, std::int64_t>, int> kinds;
    for (std::uint32_t p = 0; p < t.ports(); ++p)
      if (t.to({p}).valid()) ++kinds[{t.link({p}).rate.bits_per_second, t.link({p}).delay.ps}];
    return kinds;
  };
  EXPECT_EQ(cables(a), cables(b));
  for (const std::uint32_t h : {0u, static_cast<std::uint32_t>(a.hosts() - 1)}) {
    const auto switch_of = [](const Topology& t, std::uint32_t host) {
      return t.switch_of(t.node_of(t.to(t.host_port({host}))));
    };
    const auto to_a = hops_to(a, switch_of(a, h)), to_b = hops_to(b, switch_of(b, h));
    for (std::uint32_t other = 0; other < a.hosts(); ++other)
      ASSERT_EQ(to_a[switch_of(a, other).index], to_b[switch_of(b, other).index]) << other;
  }
}

std::string htsim_error(const std::string& text) {
  return error_of([&] { parse_htsim_fabric("f.topo", text); });
}
std::string ns3_error(const std::string& text) {
  return error_of([&] { parse_ns3_fabric("t.txt", text); });
}

TEST(HtsimFile, LeafSpine) {
  const HtsimFabric fabric = parse_htsim_fabric("f.topo", kLeafSpine);
  EXPECT_EQ(fabric.shape.down, (std::vector<std::uint32_t>{8, 4}));
  EXPECT_EQ(fabric.shape.up, (std::vector<std::uint32_t>{2}));
  ASSERT_EQ(fabric.cables.size(), 2u);
  EXPECT_EQ(fabric.cables[1].rate.gigabits(), 50);
  EXPECT_EQ(fabric.cables[1].delay, Time{500'000});
  const Topology t = clos(fabric.shape, fabric.cables[0], {fabric.cables[1]});
  EXPECT_EQ(t.hosts(), 32u);
  EXPECT_EQ(t.switches(), 6u);
}

TEST(HtsimFile, ThreeTiersWithBundles) {
  const HtsimFabric fabric = parse_htsim_fabric("f.topo", kThreeTiers);
  EXPECT_EQ(fabric.shape.down, (std::vector<std::uint32_t>{4, 4, 4}));
  EXPECT_EQ(fabric.shape.up, (std::vector<std::uint32_t>{2, 4}));
  EXPECT_EQ(fabric.shape.bundle, (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(fabric.switch_latency_ns, 300);
}

TEST(HtsimFile, ErrorsHaveTheirLine) {
  EXPECT_TRUE(says(htsim_error(replaced(kLeafSpine, "Tiers 2", "Tiers 4")), "Tiers: must be 2 or 3, not 4"));
  EXPECT_TRUE(
      says(htsim_error(replaced(kLeafSpine, "Radix_Up 2", "Radix_Up two")), "f.topo:9: Radix_Up: must be followed"));
  EXPECT_TRUE(
      says(htsim_error(replaced(kLeafSpine, "Radix_Down 4", "Radix_Down 5")), "f.topo:14: Radix_Down of tier 1 is 5"));
  EXPECT_TRUE(says(htsim_error(replaced(kLeafSpine, "Nodes 32", "Nodes 30")), "30 is no multiple of 8"));
  EXPECT_TRUE(says(htsim_error(replaced(kLeafSpine, "Tier 1", "Tier 0")), "tier 0 is described twice"));
  EXPECT_TRUE(says(htsim_error(""), "Nodes is missing"));
}

// Files of htsim itself (tests/network/data/htsim), and what weir writes of them.
TEST(HtsimFile, SamplesAreReadAndWritten) {
  const std::tuple<const char*, std::size_t, std::size_t> kSamples[] = {
      {"leaf_spine_tiny", 32, 6}, {"test", 8, 4 + 4 + 4}, {"fat_tree_1024", 1024, 128 + 128 + 64}};
  for (const auto& [name, hosts, switches] : kSamples) {
    const std::string file = testing::fixture(std::string("htsim/") + name + ".topo");
    const std::string text = read_text_file(file);
    EXPECT_EQ(simulator_of_fabric(text), "htsim");
    const Topology t = built(parse_htsim_fabric(file, text));
    EXPECT_EQ(t.hosts(), hosts) << name;
    EXPECT_EQ(t.switches(), switches) << name;
    expect_same(t, built(parse_htsim_fabric("again.topo", write_htsim_fabric(t))));
    expect_same(t, graph(parse_ns3_fabric("again.txt", write_ns3_fabric(t)).graph));
  }
}

TEST(HtsimFile, WhatItCannotSayIsRefused) {
  const LinkProperties link{Rate{100'000'000'000}, Time{1000}, 0};
  const auto error = [](const Topology& t) { return error_of([&] { write_htsim_fabric(t); }); };
  EXPECT_TRUE(says(error(torus({{4, 4}, 1}, link, link)), "this one has another structure"));
  const Topology tree = k_ary_n_tree({4, 2, 0}, link, link);
  expect_same(tree, built(parse_htsim_fabric("t.topo", write_htsim_fabric(tree))));
  EXPECT_TRUE(says(error(k_ary_n_tree({2, 4, 0}, link, link)), "this one has 4 levels"));
  const PortId cable = tree.port(tree.node(SwitchId{0}), 5);
  EXPECT_TRUE(says(error(tree.without({{cable}})), "lost cables"));
  EXPECT_TRUE(says(error(tree.slowed({{cable}}, 0.5)), "one rate and delay for all cables of a level"));
  EXPECT_TRUE(says(error_of([&] { write_ns3_fabric(umin({2, 2}, link, link)); }), "the same in both directions"));
}

TEST(Ns3File, OtherFilesAreNotMistaken) {
  EXPECT_EQ(simulator_of_fabric("5 2 5\n3 4\n"), "ns3");
  EXPECT_EQ(simulator_of_fabric("4 2 1 1 4 A100\n2 3\n"), "ns3");
  EXPECT_EQ(simulator_of_fabric("2\n0 1 3 100 20000 2.0\n"), "");
  EXPECT_EQ(simulator_of_fabric("Nodes 16\nConnections 2\n"), "");
  EXPECT_EQ(simulator_of_fabric(""), "");
  EXPECT_EQ(simulator_of_fabric("#"), "");
}

TEST(Ns3File, HostsAndSwitches) {
  const Ns3Fabric fabric = parse_ns3_fabric(
      "t.txt",
      "5 2 5\n3 4\n0 3 100Gbps 0.001ms 0\n1 3 100Gbps 1us 0\n2 4 25Gbps 1us 0\n3 4 400Gbps 2us 0\n3 4 400Gbps 2us 0\n");
  EXPECT_EQ(fabric.hosts_with_several_cables, 0u);
  const Topology t = graph(fabric.graph);
  EXPECT_EQ(t.hosts(), 3u);
  EXPECT_EQ(t.switches(), 2u);
  EXPECT_EQ(t.link(t.host_port({0})).delay, Time{1'000'000});
  EXPECT_EQ(t.link(t.host_port({2})).rate.gigabits(), 25);
}

// SimAI: a server switch and a leaf at every accelerator.
TEST(Ns3File, HostsWithSeveralCablesBecomeSwitches) {
  const Ns3Fabric fabric = parse_ns3_fabric(
      "t.txt",
      "4 2 1 1 4 A100\n2 3\n0 2 2400Gbps 25ns 0\n1 2 2400Gbps 25ns 0\n0 3 100Gbps 500ns 0\n1 3 100Gbps 500ns 0\n");
  EXPECT_EQ(fabric.hosts_with_several_cables, 2u);
  const Topology t = graph(fabric.graph);
  EXPECT_EQ(t.hosts(), 2u);
  EXPECT_EQ(t.switches(), 4u);
  EXPECT_EQ(t.link(t.host_port({0})).rate.gigabits(), 2400);
  EXPECT_EQ(hops_to(t, {1})[0], 2u);
}

TEST(Ns3File, ErrorsHaveTheirLine) {
  EXPECT_TRUE(says(ns3_error("3 1\n2\n"), "t.txt:1: the first line has the numbers of nodes"));
  EXPECT_TRUE(says(ns3_error("3 1 2\n7\n"), "t.txt:2: there is no node 7; the nodes are 0 to 2"));
  EXPECT_TRUE(says(ns3_error("3 1 1\n2\n0 2 fast 1us 0\n"), "t.txt:3: rate"));
  EXPECT_TRUE(says(ns3_error("3 1 1\n2\n0 2 1Gbps 1us\n"), "the error rate is missing"));
  EXPECT_TRUE(says(ns3_error("3 1 2\n2\n0 2 1Gbps 1us 0\n"),
                   "t.txt:4: node is missing: the file ends here, before its 2 links"));
  const Ns3Fabric goes_on = parse_ns3_fabric("t.txt", "2 1 1\n1\n0 1 1Gbps 1us 0\n\nthat was all\n");
  EXPECT_EQ(goes_on.unread_from, 5u);
  EXPECT_EQ(goes_on.graph.cables.size(), 1u);
}

}  // namespace
}  // namespace weir
