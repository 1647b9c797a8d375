// Names for narrow tables.
#include "network/short_names.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

Topology with_switches(const std::vector<std::string>& names) {
  const LinkProperties link{Rate{1'000'000'000}, Time{}, 0};
  TopologyBuilder b;
  const HostId host = b.add_host("stage84 mlx4_0");
  for (const std::string& name : names) b.add_switch(name, 40);
  b.connect(TopologyBuilder::at(host), TopologyBuilder::at(SwitchId{0}, 11), link);
  for (std::uint32_t s = 1; s < names.size(); ++s)
    b.connect(TopologyBuilder::at(SwitchId{0}, s), TopologyBuilder::at(SwitchId{s}, 0), link);
  return std::move(b).build();
}

std::string first_switch(const std::vector<std::string>& names) {
  const Topology t = with_switches(names);
  return ShortNames(t).node(t.node(SwitchId{0}));
}

TEST(ShortNames, LeaveOutWhatAllSwitchesShare) {
  const Topology t = with_switches({"MF0;ib7:SX6036/U1", "MF0;ib2:SX6036/U1", "MF0;ib12:SX6036/U1"});
  const ShortNames names(t);
  EXPECT_EQ(names.node(t.node(SwitchId{2})), "ib12");
  EXPECT_EQ(names.node(t.node(HostId{0})), "stage84 mlx4_0");
  const PortId to_host = t.port(t.node(SwitchId{0}), 11);
  EXPECT_EQ(names.port(to_host), "ib7:" + std::to_string(t.port_label(to_host)));
  EXPECT_EQ(names.link(to_host), names.port(to_host) + " -> stage84 mlx4_0");
}

// A director has many switches of one system: these keep what tells them apart.
TEST(ShortNames, LeaveOutTheModelWhereTheSystemIsEnough) {
  const Topology t = with_switches({"sat11-0101-0902-02ib0:MQM8700/U1", "sat11-0101-0903-02ib0:MQM8700/U1",
                                    "sat11-0101-0907-01:CS8500/L21/U1", "sat11-0101-0907-01:CS8500/L22/U1"});
  const ShortNames names(t);
  EXPECT_EQ(names.node(t.node(SwitchId{0})), "0902-02ib0");
  EXPECT_EQ(names.node(t.node(SwitchId{2})), "0907-01:CS8500/L21");
  EXPECT_EQ(first_switch({"plain", "other:X/U1"}), "plain");
}

TEST(ShortNames, CutNoWordsAndLeaveSomethingOfEach) {
  EXPECT_EQ(first_switch({"leaf1", "leaf2"}), "leaf1");
  EXPECT_EQ(first_switch({"rack-1", "rack-12"}), "1");
  EXPECT_EQ(first_switch({"a:U1", "a:x:U1"}), "a:U1");
  EXPECT_EQ(first_switch({"same", "same"}), "same");
  EXPECT_EQ(first_switch({"alone:1"}), "alone:1");
}

}  // namespace
}  // namespace weir
