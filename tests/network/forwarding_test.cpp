// Forwarding tables from dumps: what the reader understands, what becomes of it, and what is refused with its line.
#include "network/fabric/forwarding_dump.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fabric_files.h"
#include "fabrics.h"
#include "network/fabric/identities.h"

namespace weir {
namespace {

using testing::kLinks;
using testing::switch_graph;
using testing::tree;

// Two leaves and a spine with two cables to each leaf; every node has a LID.
Fabric two_leaves() {
  return parse_ibnetdiscover("net", R"(
Switch 4 "S-00000000000000a1" # "leaf1" enhanced port 0 lid 11 lmc 0
[1] "H-00000000000000c1"[1](c11) # "n1" lid 1 4xEDR
[2] "H-00000000000000c2"[1](c21) # "n2" lid 2 4xEDR
[3] "S-00000000000000b1"[1] # "spine" lid 13 4xEDR
[4] "S-00000000000000b1"[2] # "spine" lid 13 4xEDR
Switch 4 "S-00000000000000a2" # "leaf2" enhanced port 0 lid 12 lmc 0
[1] "H-00000000000000c3"[1](c31) # "n3" lid 3 4xEDR
[3] "S-00000000000000b1"[3] # "spine" lid 13 4xEDR
Switch 4 "S-00000000000000b1" # "spine" enhanced port 0 lid 13 lmc 0
Ca 1 "H-00000000000000c1" # "n1"
[1](c11) "S-00000000000000a1"[1] # lid 1 lmc 0 "leaf1" lid 11 4xEDR
Ca 1 "H-00000000000000c2" # "n2"
[1](c21) "S-00000000000000a1"[2] # lid 2 lmc 0 "leaf1" lid 11 4xEDR
Ca 1 "H-00000000000000c3" # "n3"
[1](c31) "S-00000000000000a2"[1] # lid 3 lmc 0 "leaf2" lid 12 4xEDR
)");
}
Topology two_leaves_topology() { return to_topology(two_leaves(), kLinks).topology; }

constexpr const char* kLeaf1 =
    R"(Unicast lids [0x0-0xd] of switch DR path slid 0; dlid 0; 0,1 guid 0x00000000000000a1 (leaf1):
  Lid  Out   Destination
       Port     Info
0x0001 001 : (Channel Adapter portguid 0x0000000000000c11: 'n1')
0x0002 002 : (Channel Adapter portguid 0x0000000000000c21: 'n2')
0x0003 004 : (Channel Adapter portguid 0x0000000000000c31: 'n3')
0x000b 000 : (Switch portguid 0x00000000000000a1: 'leaf1')
4 valid lids dumped
)";
constexpr const char* kOthers = R"(Unicast lids [0x0-0xd] of switch Lid 12 guid 0x00000000000000a2 (leaf2):
0x0001 003 : (Channel Adapter portguid 0x0000000000000c11: 'n1')
0x0002 003 : (Channel Adapter portguid 0x0000000000000c21: 'n2')
0x0003 001 : (Channel Adapter portguid 0x0000000000000c31: 'n3')
Unicast lids [0x0-0xd] of switch Lid 13 guid 0x00000000000000b1 (spine):
0x0001 001 : (Channel Adapter portguid 0x0000000000000c11: 'n1')
0x0002 002 : (Channel Adapter portguid 0x0000000000000c21: 'n2')
0x0003 003 : (Channel Adapter portguid 0x0000000000000c31: 'n3')
)";

RouteTable routes_of(const Topology& t, const std::string& text, Gaps gaps = Gaps::refuse) {
  return forwarding_routes(t, parse_forwarding("lfts", text), gaps);
}
std::vector<std::string> way(const Topology& t, const RouteTable& routes, std::uint32_t a, std::uint32_t b) {
  std::vector<std::string> names;
  for (const PortId p : default_path(t, routes, {a}, {b})) names.push_back(t.port_name(p));
  return names;
}
using Way = std::vector<std::string>;

TEST(Forwarding, TablesOfIbrouteAreTheRoutes) {
  const Topology t = two_leaves_topology();
  const RouteTable routes = routes_of(t, std::string(kLeaf1) + kOthers);
  EXPECT_EQ(way(t, routes, 0, 2), (Way{"n1:1", "leaf1:4", "spine:3", "leaf2:1"}));
  EXPECT_EQ(way(t, routes, 2, 1), (Way{"n3:1", "leaf2:3", "spine:2", "leaf1:2"}));
  EXPECT_EQ(way(t, routes, 0, 1), (Way{"n1:1", "leaf1:2"}));
  EXPECT_TRUE(check_deadlock(t, routes, Dependencies::default_ports).free);
}

// OpenSM's fdbs file has no GUIDs of destinations: LIDs come from the file of the fabric.
TEST(Forwarding, DumpOfOpensmWithHops) {
  const Topology t = two_leaves_topology();
  const RouteTable routes = routes_of(t, R"(osm_ucast_mgr_dump_ucast_routes: Switch 0x00000000000000a1
LID    : Port : Hops : Optimal
0x0001 : 001  : 00   : yes
0x0002 : 002  : 00   : yes
0x0003 : 003  : 02   : yes
0x0004 : UNREACHABLE
Switch 0x00000000000000a2
0x0001 : 003  : 02   : yes
0x0002 : 003  : 02   : yes
0x0003 : 001  : 00   : yes
Switch 0x00000000000000b1
0x0001 : 002  : 01   : No 1 hop path possible via port 1!
0x0002 : 002  : 01   : yes
0x0003 : 003  : 01   : yes
)");
  EXPECT_EQ(way(t, routes, 2, 0), (Way{"n3:1", "leaf2:3", "spine:2", "leaf1:1"}));
}

TEST(Forwarding, LidsOfTheDumpGoBeforeThoseOfTheFabric) {
  const Topology t = two_leaves_topology();
  std::string text = std::string(kLeaf1) + kOthers;
  for (std::size_t at = 0; (at = text.find("0x0003 ", at)) != text.npos; at += 6) text.replace(at, 6, "0x0023");
  EXPECT_EQ(way(t, routes_of(t, text), 0, 2).size(), 4u);
}

TEST(Forwarding, MulticastTablesAndHeadlinesArePassedOver) {
  const ForwardingDump dump =
      parse_forwarding("x", std::string("$ dump_lfts.sh\n") + kLeaf1 +
                                "Multicast mlids [0xc000-0xc3ff] of switch Lid 3 guid 0x7 (x):\n"
                                "0xc000    x x\n" +
                                kOthers);
  EXPECT_EQ(dump.switches.size(), 3u);
  EXPECT_EQ(dump.switches[0].entries.size(), 4u);
  EXPECT_EQ(dump.switches[0].name, "leaf1");
  EXPECT_EQ(dump.targets.at(3).name, "n3");
}

TEST(Forwarding, EveryMistakeIsRefusedWithItsLine) {
  const Topology t = two_leaves_topology();
  const auto error = [&](const std::string& text) { return error_of([&] { routes_of(t, text); }); };
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string text = std::string(kLeaf1) + kOthers;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return text.replace(at, from.size(), to);
  };
  EXPECT_EQ(error("hello\n").substr(0, 30), "lfts: has no forwarding table,");
  EXPECT_EQ(error("0x0001 001\n"), "lfts:1: this entry stands before the headline of its switch");
  EXPECT_NE(error("Unicast lids [0x0-0x1] of switch Lid 3 (x):\n").find("lfts:1: the headline"), std::string::npos);
  EXPECT_EQ(error(with("0x0002 002", "0x0002 abc")),
            "lfts:5: LID 0x2 must be followed by a port number, as in \"0x0002 017\"");
  EXPECT_EQ(error(with("0x0002 002", "0xffff 002")), "lfts:5: an entry begins with a LID from 0x1 to 0xbfff");
  EXPECT_EQ(error(with("0x0003 004", "0x0003 002")),
            "lfts:6: switch leaf1 sends LID 0x3 (n3) to n2, which is another host");
  EXPECT_EQ(error(with("0x0003 004", "0x0003 009")),
            "lfts:6: switch leaf1 sends LID 0x3 (n3) to port 9, which has no cable in the fabric");
  EXPECT_EQ(error(with("0x0003 003 :", "0x0003 001 :")),
            "lfts:6: packets for LID 0x3 (n3) loop for ever: leaf1:4 (line 6) -> spine:1 (line 16) -> leaf1");
  EXPECT_NE(
      error(with("0x0003 004 :", "0x0003 255 :")).find("lfts:1: the table of switch leaf1 has no port for LID 0x3"),
      std::string::npos);
  EXPECT_NE(error(with("0x0003 004", "0x0002 004")).find("lfts:6: LID 0x2 belongs to port 0xc31 here"),
            std::string::npos);
  EXPECT_NE(error(kLeaf1).find("lfts: has no table of switch leaf2 for LID 0x1 (n1), on the way from n3"),
            std::string::npos);
  EXPECT_NE(error("Unicast lids [0x0-0x1] of switch Lid 3 guid 0x77 (x):\n0x0001 001\n").find("no switch of this dump"),
            std::string::npos);
}

TEST(Forwarding, TheSameSwitchTwiceAddsUpAndMustNotContradict) {
  const Topology t = two_leaves_topology();
  EXPECT_EQ(way(t, routes_of(t, std::string(kLeaf1) + kOthers + kLeaf1), 0, 2).size(), 4u);
  std::string other = kLeaf1;
  other.replace(other.find("0x0003 004"), 10, "0x0003 003");
  EXPECT_NE(error_of([&] { routes_of(t, std::string(kLeaf1) + kOthers + other); })
                .find("sends LID 0x3 to port 3 here, and to port 4 in line 6"),
            std::string::npos);
}

TEST(Forwarding, GapsAreFilledWithShortestWaysIfAskedFor) {
  const Topology t = two_leaves_topology();
  const RouteTable routes = routes_of(t, kLeaf1, Gaps::min_hop);
  EXPECT_EQ(way(t, routes, 0, 2), (Way{"n1:1", "leaf1:4", "spine:3", "leaf2:1"}));
  EXPECT_EQ(way(t, routes, 2, 0), (Way{"n3:1", "leaf2:3", "spine:1", "leaf1:1"}));
}

TEST(Forwarding, WithoutAnyLidItSaysWhoIsMissing) {
  const Topology t = graph(switch_graph(2, {{0, 1}}));
  const Identities names(t);
  EXPECT_NE(error_of([&] { routes_of(t, "Switch 0x277656900000300\n0x0001 : 001 : 00 : yes\n"); })
                .find("the LID of host H0 is unknown"),
            std::string::npos);
}

// What is written is read back as the same routes, on trees and on random graphs.
void expect_same(const Topology& t, const RouteTable& routes) {
  const RouteTable again = forwarding_routes(t, parse_forwarding("again", write_forwarding(t, routes)));
  for (std::uint32_t a = 0; a < t.hosts(); ++a)
    for (std::uint32_t b = 0; b < t.hosts(); ++b)
      ASSERT_EQ(default_path(t, routes, {a}, {b}), default_path(t, again, {a}, {b}));
}

TEST(Forwarding, WrittenRoutesAreReadAgain) {
  expect_same(tree(3, 3), digit_routes(tree(3, 3)));
  expect_same(two_leaves_topology(), min_hop_routes(two_leaves_topology()));
  const Topology odd = to_topology(read_fabric(testing::fixture("small.ibnetdiscover")), kLinks).topology;
  expect_same(odd, up_down_routes(odd));  // some LIDs are 0 or 65535
  for (const std::string& file : testing::real_files("ibnetdiscover")) {
    const Topology t = to_topology(read_fabric(file), kLinks).topology;
    if (t.hosts() <= 200) expect_same(t, up_down_routes(t));
  }
}

RC_GTEST_PROP(Forwarding, round_trip_on_random_graphs, ()) {
  const auto n = *rc::gen::inRange(2u, 9u);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t s = 1; s < n; ++s) edges.push_back({*rc::gen::inRange(0u, s), s});
  const Topology t = graph(switch_graph(n, edges, *rc::gen::inRange(1u, 3u)));
  expect_same(t, up_down_routes(t));
}

TEST(Identities, MadeUpOnesAreThoseOfTheWrittenFabric) {
  const Topology t = tree(2, 2);
  const Identities names(t);
  const Fabric again = parse_ibnetdiscover("again", write_ibnetdiscover(fabric_of(t)));
  ASSERT_EQ(again.nodes.size(), t.nodes());
  for (const FabricNode& node : again.nodes) {
    bool found = false;
    for (std::uint32_t n = 0; n < t.nodes(); ++n)
      found = found || (names.guid({n}) == node.guid && t.name({n}) == node.name);
    EXPECT_TRUE(found) << node.name;
  }
  for (std::uint32_t p = 0; p < t.ports(); ++p)
    EXPECT_EQ(names.port(t.node_of({p}), names.number({p})), PortId{p});
  EXPECT_FALSE(names.port(t.node(SwitchId{0}), 0).valid());
}

}  // namespace
}  // namespace weir
