// Counters of tools, and what is concluded from two readings of them.
#include "manage/diagnose.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "error_of.h"
#include "network/fabric/fabric.h"

namespace weir::manage {
namespace {

// Two leaves and a spine, 100 Gb/s; LIDs 1 to 4 are hosts, 11 to 13 switches.
Topology small_fabric() {
  const LinkProperties link{Rate{1'000'000'000}, Time{}, 0};
  return to_topology(parse_ibnetdiscover("net", R"(
Switch 4 "S-00000000000000a1" # "leaf1" enhanced port 0 lid 11 lmc 0
[1] "H-00000000000000c1"[1](c11) # "n1" lid 1 4xEDR
[2] "H-00000000000000c2"[1](c21) # "n2" lid 2 4xEDR
[3] "S-00000000000000b1"[1] # "spine" lid 13 4xEDR
Switch 4 "S-00000000000000a2" # "leaf2" enhanced port 0 lid 12 lmc 0
[1] "H-00000000000000c3"[1](c31) # "n3" lid 3 4xEDR
[2] "H-00000000000000c4"[1](c41) # "n4" lid 4 4xEDR
[3] "S-00000000000000b1"[3] # "spine" lid 13 4xEDR
Switch 4 "S-00000000000000b1" # "spine" enhanced port 0 lid 13 lmc 0
)"), {link, link}).topology;
}

std::string block(std::uint32_t lid, std::uint32_t port, double gigabits, double waiting) {
  return fmt::format("# Port extended counters: Lid {} port {} (CapMask: 0x5300 CapMask2: 0x0000002)\n"
                     "PortSelect:......................{}\nPortXmitData:....................{:.0f}\n"
                     "PortRcvData:.....................0\nPortXmitWait:....................{:.0f}\n",
                     lid, port, port, gigabits * 1e9 / 32, waiting * 100e9 / 64);
}

// leaf2's port to n3 is full; the spine and leaf1 wait for leaf2.
TEST(Diagnose, root_victims_senders_and_lost_bandwidth) {
  const Topology t = small_fabric();
  std::string first, last;
  for (const auto& [lid, port] : {std::pair(11u, 3u), std::pair(13u, 3u), std::pair(12u, 1u), std::pair(12u, 2u)})
    first += block(lid, port, 0, 0);
  last = block(11, 3, 60, 0.4) + block(13, 3, 60, 0.4) + block(12, 1, 99, 0) + block(12, 2, 5, 0);
  const Diagnosis d = diagnose(t, parse_counters("a", first), parse_counters("b", last), {1.0, 8});
  EXPECT_EQ(d.compared, 4u);
  ASSERT_EQ(d.congestion.roots.size(), 1u);
  EXPECT_EQ(t.port_name(d.congestion.roots[0].port), "leaf2:1");
  ASSERT_EQ(d.congestion.roots[0].victims.size(), 2u);
  EXPECT_NEAR(d.lost_gigabits(t, d.congestion.roots[0].victims[0].port), 40, 0.01);
  ASSERT_FALSE(d.senders[0].empty());
  EXPECT_EQ(t.port_name(d.senders[0][0].port), "spine:3");
  EXPECT_NEAR(d.senders[0][0].gigabits, 60, 0.01);
}

TEST(Diagnose, counters_that_stopped_or_went_back_tell_nothing) {
  const Topology t = small_fabric();
  const std::string narrow = "# Port counters: Lid 12 port 1 (CapMask: 0x5300)\nPortXmitData:....4294967295\n"
                             "PortXmitWait:....7\n";
  const Diagnosis d = diagnose(t, parse_counters("a", narrow + block(13, 3, 60, 0.4)),
                               parse_counters("b", narrow + block(13, 3, 10, 0.4)), {1.0, 8});
  EXPECT_EQ(d.compared, 0u);
  ASSERT_EQ(d.remarks.size(), 1u);
  EXPECT_NE(d.remarks[0].find("missing, stopped or were cleared: 2"), std::string::npos) << d.remarks[0];
}

TEST(Diagnose, more_than_a_link_can_carry_is_no_reading) {
  const Topology t = small_fabric();
  const Diagnosis d =
      diagnose(t, parse_counters("a", block(12, 1, 0, 0)), parse_counters("b", block(12, 1, 900, 0)), {1.0, 8});
  EXPECT_EQ(d.compared, 0u);
  EXPECT_EQ(d.remarks.size(), 1u);
}

TEST(CounterDump, ibqueryerrors_and_the_sum_of_all_ports) {
  const CounterDump dump = parse_counters("x",
                                          "Errors for \"leaf2\"\n   GUID 0xa2 port ALL: [PortXmitWait == 9]\n"
                                          "   GUID 0xa2 port 1: [PortXmitWait == 7] [PortXmitData == 12 (48.000B)]\n");
  ASSERT_EQ(dump.size(), 1u);
  const DumpedCounters& c = dump.at({0, 0xa2, 1});
  EXPECT_EQ(c.wait, 7u);
  EXPECT_EQ(c.data, 12u);
  EXPECT_EQ(parse_counters("x", block(4, 2, 1, 0) + "# Port extended counters: Lid 4 port 255 (x)\nPortXmitWait:..1\n")
                .size(),
            1u);
  EXPECT_NE(error_of([] { parse_counters("x", "hello\n"); }).find("x: has no counters"), std::string::npos);
  EXPECT_NE(error_of([] { parse_counters("x", block(4, 2, 1, 0) + "PortXmitWait:....abc\n"); }).find("x:6:"),
            std::string::npos);
}

}  // namespace
}  // namespace weir::manage
