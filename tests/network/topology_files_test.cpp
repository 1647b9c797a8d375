// Fabrics in the files of other simulators: what is read, and what is refused with its line.
#include "network/topologies/topology_files.h"

#include <gtest/gtest.h>

#include "error_of.h"
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
  EXPECT_TRUE(says(htsim_error(replaced(kLeafSpine, "Tiers 2", "Tiers 4")), "Tiers: 2 or 3, not 4"));
  EXPECT_TRUE(
      says(htsim_error(replaced(kLeafSpine, "Radix_Up 2", "Radix_Up two")), "f.topo:9: Radix_Up: must be followed"));
  EXPECT_TRUE(
      says(htsim_error(replaced(kLeafSpine, "Radix_Down 4", "Radix_Down 5")), "f.topo:14: Radix_Down of tier 1 is 5"));
  EXPECT_TRUE(says(htsim_error(replaced(kLeafSpine, "Nodes 32", "Nodes 30")), "30 is no multiple of 8"));
  EXPECT_TRUE(says(htsim_error(replaced(kLeafSpine, "Tier 1", "Tier 0")), "tier 0 is described twice"));
  EXPECT_TRUE(says(htsim_error(""), "Nodes is missing"));
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
  EXPECT_TRUE(says(ns3_error("3 1 2\n7\n"), "t.txt:2: there is no node 7; there are 0 to 2"));
  EXPECT_TRUE(says(ns3_error("3 1 1\n2\n0 2 fast 1us 0\n"), "t.txt:3: rate"));
  EXPECT_TRUE(says(ns3_error("3 1 1\n2\n0 2 1Gbps 1us\n"), "the error rate is missing"));
  EXPECT_TRUE(says(ns3_error("3 1 2\n2\n0 2 1Gbps 1us 0\n"), "node: must be a whole number, not \"\""));
  EXPECT_TRUE(says(ns3_error("3 1 1\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n"), "more than the 1 links"));
}

}  // namespace
}  // namespace weir
