// The builder, its refusals, and the tables it freezes.
#include "network/topology.h"

#include <gtest/gtest.h>

#include "fabrics.h"

namespace weir {
namespace {

using testing::kLink;

TEST(Topology, NumbersHostsFirstAndPairsPorts) {
  TopologyBuilder b;
  const HostId h0 = b.add_host("A");
  const HostId h1 = b.add_host("B");
  const SwitchId s = b.add_switch("X", 2, 3, 7);
  b.connect(b.at(h0), b.at(s, 1), kLink);
  b.connect(b.at(s, 0), b.at(h1), {Rate{1'000'000}, Time{5}, 64});
  b.set_label(b.at(s, 1), 36);
  const Topology t = std::move(b).build();
  EXPECT_EQ(t.hosts(), 2u);
  EXPECT_EQ(t.switches(), 1u);
  EXPECT_EQ(t.ports(), 4u);
  const NodeId x = t.node(s);
  EXPECT_EQ(t.level(x), 3);
  EXPECT_EQ(t.position(x), 7u);
  EXPECT_EQ(t.level(t.node(h0)), -1);
  EXPECT_EQ(t.to(t.host_port(h0)), t.port(x, 1));
  EXPECT_EQ(t.from(t.host_port(h0)), t.port(x, 1));
  EXPECT_EQ(t.to(t.port(x, 0)), t.host_port(h1));
  EXPECT_EQ(t.link(t.host_port(h1)).buffer, 64);
  EXPECT_EQ(t.link(t.port(x, 1)).rate.bits_per_second, 8'000'000'000);
  EXPECT_EQ(t.port_name(t.port(x, 1)), "X:36");
  EXPECT_EQ(t.port_name(t.port(x, 0)), "X:0");
  EXPECT_EQ(t.local(t.port(x, 1)), 1u);
}

TEST(Topology, OneWayLinksHaveDifferentEnds) {
  TopologyBuilder b;
  const HostId h = b.add_host("A");
  const SwitchId first = b.add_switch("X", 1);
  const SwitchId second = b.add_switch("Y", 1);
  b.connect_one_way(b.at(h), b.at(first, 0), kLink);
  b.connect_one_way(b.at(first, 0), b.at(second, 0), kLink);
  b.connect_one_way(b.at(second, 0), b.at(h), kLink);
  const Topology t = std::move(b).build();
  EXPECT_EQ(t.node_of(t.to(t.host_port(h))), t.node(first));
  EXPECT_EQ(t.node_of(t.from(t.host_port(h))), t.node(second));
}

TEST(Topology, RefusesMisuseByName) {
  const auto with = [](auto&& connect) {
    return error_of([&] {
      TopologyBuilder b;
      const HostId h0 = b.add_host("A");
      const HostId h1 = b.add_host("B");
      const SwitchId s = b.add_switch("X", 2);
      connect(b, h0, h1, s);
      std::move(b).build();
    });
  };
  EXPECT_EQ(with([](auto& b, HostId h0, HostId, SwitchId s) { b.connect(b.at(h0), b.at(s, 0), kLink); }),
            "B is not connected in both directions");
  EXPECT_EQ(with([](auto& b, HostId h0, HostId h1, SwitchId s) {
              b.connect(b.at(h0), b.at(s, 0), kLink);
              b.connect(b.at(h1), b.at(s, 0), kLink);
            }),
            "X:0 is connected twice");
  EXPECT_EQ(with([](auto& b, HostId h0, HostId, SwitchId s) { b.connect(b.at(h0), b.at(s, 2), kLink); }),
            "X has 2 ports, numbered from 0; a cable names port 2");
  EXPECT_EQ(with([](auto& b, HostId h0, HostId, SwitchId) { b.connect_one_way(b.at(h0), b.at(h0), kLink); }),
            "A is connected to itself");
  EXPECT_EQ(with([](auto& b, HostId h0, HostId, SwitchId s) { b.connect(b.at(h0), b.at(s, 0), {Rate{0}, Time{}}); }),
            "A:0 has a link without a rate; it must be above 0");
}

}  // namespace
}  // namespace weir
