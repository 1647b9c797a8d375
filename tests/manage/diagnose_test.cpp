// Counters of tools, and what is concluded from two readings of them.
#include "manage/diagnosis/diagnose.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

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

Diagnosis diagnose_dumps(const Topology& t, const CounterDump& before, const CounterDump& after, double seconds) {
  return diagnose(t, growth_between(t, before, after, seconds), {});
}

std::set<std::string> roots_of(const Topology& t, const std::string& before, const std::string& after) {
  const Diagnosis d = diagnose_dumps(t, parse_counters("a", before), parse_counters("b", after), 1.0);
  std::set<std::string> roots;
  for (const CongestionRoot& root : d.congestion.roots) roots.insert(t.port_name(root.port));
  return roots;
}

// leaf2's port to n3 is full; the spine and leaf1 wait for leaf2.
TEST(Diagnose, RootWhatItHoldsBackAndWhatComesToItsSwitch) {
  const Topology t = small_fabric();
  std::string first, last;
  for (const auto& [lid, port] : {std::pair(11u, 3u), std::pair(13u, 3u), std::pair(12u, 1u), std::pair(12u, 2u)})
    first += block(lid, port, 0, 0);
  last = block(11, 3, 60, 0.4) + block(13, 3, 60, 0.4) + block(12, 1, 99, 0) + block(12, 2, 5, 0);
  const Diagnosis d = diagnose_dumps(t, parse_counters("a", first), parse_counters("b", last), 1.0);
  EXPECT_EQ(d.compared, 4u);
  ASSERT_EQ(d.congestion.roots.size(), 1u);
  EXPECT_EQ(t.port_name(d.congestion.roots[0].port), "leaf2:1");
  ASSERT_EQ(d.congestion.roots[0].victims.size(), 2u);
  EXPECT_NEAR(d.unused_gigabits(t, d.congestion.roots[0].victims[0].port), 40, 0.01);
  EXPECT_NEAR(d.sent_gigabits(t, d.congestion.roots[0].port), 99, 0.01);
  ASSERT_FALSE(d.inputs[0].empty());
  EXPECT_EQ(t.port_name(d.inputs[0][0].port), "spine:3");
  EXPECT_NEAR(d.inputs[0][0].gigabits, 60, 0.01);
  EXPECT_FALSE(d.is_inconclusive());
}

// n3 receives what leaf2 sends: what it sends itself does not go into that link. n4's may.
TEST(Diagnose, TheHostOfTheRootIsNoneOfItsInputs) {
  const Topology t = small_fabric();
  std::string first, last;
  for (const auto& [lid, port] : {std::pair(13u, 3u), std::pair(12u, 1u), std::pair(3u, 1u), std::pair(4u, 1u)})
    first += block(lid, port, 0, 0);
  last = block(13, 3, 60, 0.4) + block(12, 1, 99, 0) + block(3, 1, 90, 0) + block(4, 1, 30, 0.7);
  const Diagnosis d = diagnose_dumps(t, parse_counters("a", first), parse_counters("b", last), 1.0);
  ASSERT_EQ(d.inputs.size(), 1u);
  std::vector<std::string> inputs, held;
  for (const auto& input : d.inputs[0]) inputs.push_back(t.port_name(input.port));
  for (const PortId port : d.held_back(t)) held.push_back(t.port_name(port));
  EXPECT_EQ(inputs, (std::vector<std::string>{"spine:3", "n4:1"}));
  EXPECT_EQ(held, (std::vector<std::string>{"spine:3", "n4:1"}));  // switch ports first, though n4 waits longer
}

// What the spine, n4 and leaf2's port to n3, the only full link, count in one second.
std::vector<PortGrowth> growths_of_a_hot_spot(const Topology& t, double seconds) {
  const std::string first = block(13, 3, 0, 0) + block(12, 1, 0, 0) + block(4, 1, 0, 0);
  const std::string last = block(13, 3, 60, 0.4) + block(12, 1, 100, 0) + block(4, 1, 40, 0.6);
  return growth_between(t, parse_counters("a", first), parse_counters("b", last), seconds);
}

TEST(Diagnose, ATimeThatDoesNotFitTheCountersIsNoConclusion) {
  const Topology t = small_fabric();
  for (const double seconds : {8000., 1.5, 1.08, 0.9, 0.5}) {
    const Diagnosis d = diagnose(t, growths_of_a_hot_spot(t, seconds), {});
    EXPECT_TRUE(d.is_time_doubtful && d.is_inconclusive()) << seconds;
    EXPECT_TRUE(d.congestion.roots.empty() && d.inputs.empty()) << seconds;
    EXPECT_EQ(t.port_name(d.busiest), "leaf2:1");
    EXPECT_NEAR(d.busiest_load, 1 / seconds, 1e-6);
    EXPECT_NEAR(d.seconds_if_busiest_was_full(), 1, 1e-6);
  }
  for (const double seconds : {1.03, 1., 0.97}) {
    const Diagnosis d = diagnose(t, growths_of_a_hot_spot(t, seconds), {});
    EXPECT_FALSE(d.is_inconclusive()) << seconds;
    EXPECT_EQ(d.congestion.roots.size(), 1u) << seconds;
    EXPECT_EQ(d.seconds, seconds);
  }
}

// With the wrong time no link is full, so the unit of PortXmitWait must be derived with the right one.
TEST(Diagnose, ATimeIsDoubtedWhateverTheUnitOfWaitingIs) {
  const Topology t = small_fabric();
  const std::string first = block(13, 3, 0, 0) + block(12, 1, 0, 0) + block(4, 1, 0, 0) + block(2, 1, 0, 0);
  const std::string last = block(13, 3, 60, 0.4 / 16) + block(12, 1, 100, 0) + block(4, 1, 40, 0.6 / 16) +
                           block(2, 1, 10, 0.9 / 16);
  const auto growths = growth_between(t, parse_counters("a", first), parse_counters("b", last), 4);
  EXPECT_TRUE(diagnose(t, growths, {}).is_time_doubtful);
}

// Nothing is full, and nothing would be with another time: n4 waits for longer than any link is busy.
TEST(Diagnose, LongWaitingWithoutAFullLinkIsNoConclusion) {
  const Topology t = small_fabric();
  const std::string first = block(13, 3, 0, 0) + block(12, 1, 0, 0) + block(4, 1, 0, 0);
  const std::string last = block(13, 3, 10, 0.1) + block(12, 1, 30, 0) + block(4, 1, 20, 0.7);
  const Diagnosis d = diagnose_dumps(t, parse_counters("a", first), parse_counters("b", last), 1);
  EXPECT_FALSE(d.is_time_doubtful);
  EXPECT_EQ(d.waiting_for_nothing, 1u);
  EXPECT_TRUE(d.is_inconclusive());
  // Ports that wait now and then are no riddle.
  const Diagnosis calm = diagnose_dumps(t, parse_counters("a", first),
                                        parse_counters("b", block(13, 3, 30, 0.03) + block(12, 1, 60, 0.01) +
                                                                block(4, 1, 30, 0.08)), 1);
  EXPECT_FALSE(calm.is_inconclusive());
  EXPECT_TRUE(calm.congestion.roots.empty());
}

TEST(Diagnose, CountersThatStoppedOrWentBackTellNothing) {
  const Topology t = small_fabric();
  const std::string narrow = "# Port counters: Lid 12 port 1 (CapMask: 0x5300)\nPortXmitData:....4294967295\n"
                             "PortXmitWait:....7\n";
  const Diagnosis d = diagnose_dumps(t, parse_counters("a", narrow + block(13, 3, 60, 0.4)),
                               parse_counters("b", narrow + block(13, 3, 10, 0.4)), 1.0);
  EXPECT_EQ(d.compared, 0u);
  ASSERT_EQ(d.remarks.size(), 1u);
  EXPECT_NE(d.remarks[0].find("missing, stopped or were cleared: 2"), std::string::npos) << d.remarks[0];
}

TEST(Diagnose, MoreThanALinkCanCarryIsNoReading) {
  const Topology t = small_fabric();
  const Diagnosis d =
      diagnose_dumps(t, parse_counters("a", block(12, 1, 0, 0)), parse_counters("b", block(12, 1, 900, 0)), 1.0);
  EXPECT_EQ(d.compared, 0u);
  EXPECT_EQ(d.remarks.size(), 1u);
}

// leaf1 waits for leaf2, whose port to n3 is full, but it has nothing to send for half of the time.
TEST(Diagnose, WhoeverIsIdleNowAndThenIsNoVictim) {
  const Topology t = small_fabric();
  std::string first, last;
  for (const auto& [lid, port] : {std::pair(13u, 3u), std::pair(12u, 1u), std::pair(11u, 3u)})
    first += block(lid, port, 0, 0);
  last = block(13, 3, 60, 0.4) + block(12, 1, 99, 0) + block(11, 3, 30, 0.2);
  const Diagnosis d = diagnose_dumps(t, parse_counters("a", first), parse_counters("b", last), 1.0);
  ASSERT_EQ(d.congestion.roots.size(), 1u);
  ASSERT_EQ(d.congestion.roots[0].victims.size(), 1u);
  EXPECT_EQ(t.port_name(d.congestion.roots[0].victims[0].port), "spine:3");
  EXPECT_NEAR(d.congestion.roots[0].caused_wait.seconds(), 0.4, 1e-9);
}

// n1 and n2 send more to n3 than the spine passes on to leaf2: that port is full and not held back. leaf2's port to n3,
// which is full as well, only passes on what it brings. n4 waits for its way up, not for n3.
TEST(Diagnose, AFullLinkThatOnlyPassesOnIsNoRoot) {
  const Topology t = small_fabric();
  std::string first, last;
  for (const auto& [lid, port] : {std::pair(13u, 3u), std::pair(12u, 1u), std::pair(11u, 3u), std::pair(12u, 3u),
                                  std::pair(4u, 1u), std::pair(13u, 1u), std::pair(11u, 1u)})
    first += block(lid, port, 0, 0);
  last = block(13, 3, 100, 0) + block(12, 1, 100, 0) + block(11, 3, 60, 0.4) + block(12, 3, 30, 0.7) +
         block(4, 1, 30, 0.7) + block(13, 1, 70, 0.3) + block(11, 1, 100, 0);
  EXPECT_EQ(roots_of(t, first, last), (std::set<std::string>{"spine:3", "leaf1:1"}));
}

// leaf2's port to n3 carries more than the full link from the spine brings: others send to n3 as well.
TEST(Diagnose, AFullLinkThatCarriesMoreThanIsBroughtIsARoot) {
  const Topology t = small_fabric();
  std::string first, last;
  for (const auto& [lid, port] : {std::pair(13u, 3u), std::pair(12u, 1u), std::pair(12u, 3u), std::pair(4u, 1u),
                                  std::pair(13u, 1u), std::pair(11u, 1u)})
    first += block(lid, port, 0, 0);
  last = block(13, 3, 96, 0) + block(12, 1, 100, 0) + block(12, 3, 30, 0.7) + block(4, 1, 30, 0.7) +
         block(13, 1, 70, 0.3) + block(11, 1, 100, 0);
  EXPECT_TRUE(roots_of(t, first, last).contains("leaf2:1"));
}

// n4's link idles for 3 % of the time: who waits at leaf2 waits for n3's, which never does. Alone it would be the root.
TEST(Diagnose, ALinkThatIdlesIsNoRootBesideOneThatNeverDoes) {
  const Topology t = small_fabric();
  std::string first, last;
  for (const auto& [lid, port] : {std::pair(13u, 3u), std::pair(12u, 1u), std::pair(12u, 2u)})
    first += block(lid, port, 0, 0);
  last = block(13, 3, 60, 0.4) + block(12, 2, 97, 0);
  EXPECT_EQ(roots_of(t, first, last + block(12, 1, 100, 0)), (std::set<std::string>{"leaf2:1"}));
  EXPECT_EQ(roots_of(t, first, last + block(12, 1, 50, 0)), (std::set<std::string>{"leaf2:2"}));
  // Measured over a time that is given 2 % too long, full links seem to idle: the busiest tells how much.
  last = block(13, 3, 58.8, 0.392) + block(12, 2, 95.1, 0) + block(12, 1, 98, 0);
  EXPECT_EQ(roots_of(t, first, last), (std::set<std::string>{"leaf2:1"}));
}

// leaf2's port to n4 idles now and then, perhaps because its senders wait for the way up, which is held back. It is
// asked for more than it can carry all the same.
TEST(Diagnose, ALinkThatIdlesMayBeARootBesideOneThatIsHeldBack) {
  const Topology t = small_fabric();
  std::string first, last;
  for (const auto& [lid, port] : {std::pair(4u, 1u), std::pair(12u, 2u), std::pair(12u, 3u), std::pair(13u, 1u)})
    first += block(lid, port, 0, 0);
  last = block(4, 1, 30, 0.7) + block(12, 2, 97, 0) + block(12, 3, 40, 0.6) + block(13, 1, 100, 0);
  EXPECT_EQ(roots_of(t, first, last), (std::set<std::string>{"leaf2:2", "spine:1"}));
}

// The same waiting, counted in units of 64 bytes.
TEST(Diagnose, TellsWithWhichUnitAFullLinkWouldBeARoot) {
  const Topology t = small_fabric();
  const std::string first = block(13, 3, 0, 0) + block(12, 1, 0, 0);
  const std::string last = block(13, 3, 60, 0.4 / 64) + block(12, 1, 99, 0);
  const CounterDump before = parse_counters("a", first), after = parse_counters("b", last);
  const Diagnosis d = diagnose_dumps(t, before, after, 1.0);
  EXPECT_TRUE(d.congestion.roots.empty());
  ASSERT_EQ(d.remarks.size(), 1u);
  EXPECT_EQ(d.remarks[0], "leaf2:1 is 99 % busy. With --wait-bytes 64 to 248 it would be a root, with 8 nobody waits "
                          "for it. Find out in which unit these devices count PortXmitWait");
  EXPECT_TRUE(d.is_inconclusive());
  EXPECT_EQ(t.port_name(d.root_with_other_unit), "leaf2:1");
  EXPECT_TRUE(diagnose(t, growth_between(t, before, after, 1.0), WaitUnit{56}).congestion.roots.empty());
  const Diagnosis right = diagnose(t, growth_between(t, before, after, 1.0), WaitUnit{64});
  EXPECT_EQ(right.congestion.roots.size(), 1u);
  EXPECT_FALSE(right.is_inconclusive());
  // Whoever knows the unit knows that nobody waits.
  const WaitUnit known{8, WaitUnit::From::known};
  EXPECT_FALSE(diagnose(t, growth_between(t, before, after, 1.0), known).is_inconclusive());
  // With nobody waiting, no unit makes it a root.
  EXPECT_TRUE(diagnose_dumps(t, before, parse_counters("b", block(13, 3, 60, 0) + block(12, 1, 99, 0)), 1.0)
                  .remarks.empty());
}

// What n1, n2 and the spine send towards n3's full link, in units of 128 bytes; they never idle. n4 does.
std::vector<PortGrowth> growths_in_unit(const Topology& t, double unit, const std::vector<double>& gigabits) {
  std::string first, last;
  const std::uint32_t lids[] = {1, 2, 13};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t port = i == 2 ? 3 : 1;
    first += block(lids[i], port, 0, 0);
    last += block(lids[i], port, gigabits[i], (1 - gigabits[i] / 100) * 8 / unit);
  }
  first += block(4, 1, 0, 0) + block(12, 1, 0, 0);
  last += block(4, 1, 40, 0.2 * 8 / unit) + block(12, 1, 99, 0);
  return growth_between(t, parse_counters("a", first), parse_counters("b", last), 1.0);
}

TEST(WaitUnit, FollowsFromPortsThatNeverIdle) {
  const Topology t = small_fabric();
  for (const double unit : {8., 100., 128.}) {
    const auto derived = derived_wait_unit(t, growths_in_unit(t, unit, {10, 25, 60}));
    ASSERT_TRUE(derived) << unit;
    EXPECT_EQ(derived->bytes, unit);
    EXPECT_EQ(derived->busy_ports, 3u);
    const Diagnosis d = diagnose(t, growths_in_unit(t, unit, {10, 25, 60}), *derived);
    ASSERT_EQ(d.congestion.roots.size(), 1u) << unit;
    EXPECT_EQ(t.port_name(d.congestion.roots[0].port), "leaf2:1");
  }
  // At equal rates, three that agree on an odd unit may all idle for as long; on a power of two hardly by accident.
  EXPECT_FALSE(derived_wait_unit(t, growths_in_unit(t, 100, {25, 25, 25})));
  EXPECT_TRUE(derived_wait_unit(t, growths_in_unit(t, 128, {25, 25, 25})));
}

TEST(WaitUnit, IsNotDerivedWithoutAFullLinkOrFromTwoPorts) {
  const Topology t = small_fabric();
  std::vector<PortGrowth> growths = growths_in_unit(t, 128, {10, 25, 60});
  std::vector<PortGrowth> calm;
  for (const PortGrowth& g : growths)
    if (t.port_name(g.port) != "leaf2:1") calm.push_back(g);
  EXPECT_FALSE(derived_wait_unit(t, calm));
  std::erase_if(growths, [&](const PortGrowth& g) { return t.port_name(g.port) == "n1:1"; });
  EXPECT_FALSE(derived_wait_unit(t, growths));
}

TEST(WaitUnit, OneThatTheCountersContradictIsNoConclusion) {
  const Topology t = small_fabric();
  const Diagnosis d = diagnose(t, growths_in_unit(t, 128, {60, 60, 60}), WaitUnit{8, WaitUnit::From::known});
  EXPECT_TRUE(d.congestion.roots.empty());
  EXPECT_TRUE(d.is_inconclusive());
  ASSERT_EQ(d.remarks.size(), 1u);
  EXPECT_TRUE(d.remarks[0].starts_with("with --wait-bytes 128 instead of 8, 3 ports")) << d.remarks[0];
}

TEST(Diagnose, KnowsWhetherCountersMoved) {
  const Topology t = small_fabric();
  const CounterDump before = parse_counters("a", block(13, 3, 5, 0.1));
  const Diagnosis still = diagnose_dumps(t, before, before, 1.0);
  EXPECT_EQ(still.compared, 1u);
  EXPECT_FALSE(still.data_grew);
  EXPECT_FALSE(still.wait_grew);
  EXPECT_TRUE(still.is_inconclusive());
  const Diagnosis sent = diagnose_dumps(t, before, parse_counters("b", block(13, 3, 6, 0.1)), 1.0);
  EXPECT_TRUE(sent.data_grew);
  EXPECT_FALSE(sent.wait_grew);
}

TEST(Growth, SwappedDumpsAreNoticed) {
  const CounterDump low = parse_counters("a", block(13, 3, 5, 0) + block(12, 1, 5, 0.1));
  const CounterDump high = parse_counters("b", block(13, 3, 6, 0) + block(12, 1, 7, 0.2));
  const CounterDump mixed = parse_counters("c", block(13, 3, 4, 0) + block(12, 1, 7, 0.2));
  EXPECT_TRUE(all_went_backwards(high, low));
  EXPECT_FALSE(all_went_backwards(low, high));
  EXPECT_FALSE(all_went_backwards(low, low));
  EXPECT_FALSE(all_went_backwards(low, mixed));  // one port was cleared
}

TEST(Growth, LostAndDamagedPacketsAreTold) {
  const Topology t = small_fabric();
  const auto narrow = [](std::uint32_t lid, std::uint32_t port, int symbols, int discards) {
    return fmt::format("# Port counters: Lid {} port {} (CapMask: 0x5300)\nSymbolErrorCounter:....{}\n"
                       "PortXmitDiscards:....{}\n", lid, port, symbols, discards);
  };
  const auto told = [&](const std::string& before, const std::string& after) {
    return losses(t, parse_counters("a", before), parse_counters("b", after));
  };
  const std::string calm = narrow(13, 3, 3, 900) + narrow(12, 1, 0, 0);
  EXPECT_TRUE(told(calm, calm).empty());
  // The 64-bit counters of the same port, before or after, hide nothing.
  const std::vector<std::string> lost{
      "packets were discarded at 2 ports: PortXmitDiscards is 7 at leaf2:1, 7 more than at "
      "the first reading"};
  EXPECT_EQ(told(block(12, 1, 1, 0) + calm, block(12, 1, 2, 0) + narrow(13, 3, 3, 901) + narrow(12, 1, 0, 7)), lost);
  const std::string bad = narrow(13, 3, 5000, 0);
  EXPECT_EQ(told(bad, bad), (std::vector<std::string>{"bits were damaged on the cable at 1 port: SymbolErrorCounter is "
                                                      "5000 at spine:3, 0 more than at the first reading"}));
  EXPECT_EQ(told("Data Counters for x\nGUID 0xb1 port 3: [PortXmitData == 1]\nErrors for x\nGUID 0xb1 port 3: "
                 "[PortXmitDiscards == 5]\n",
                 "Data Counters for x\nGUID 0xb1 port 3: [PortXmitData == 1]\nErrors for x\nGUID 0xb1 port 3: "
                 "[PortXmitDiscards == 6] [SymbolErrorCounter == 1]\n").size(), 1u);
}

Recording recording_of(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& wait_and_data) {
  Recording recording;
  for (std::size_t i = 0; i < wait_and_data.size(); ++i) {
    const auto [wait, data] = wait_and_data[i];
    const Time at{static_cast<std::int64_t>(i) * 1'000'000'000'000};
    recording.sweeps.push_back({at, 0, {{0xa2, 1, wait, {}, data}}});
  }
  return recording;
}

// The second counter was cleared, and the last one has stopped: both intervals are left out, with their time.
TEST(Growth, OfARecordingIsThatOfItsGoodIntervals) {
  const Topology t = small_fabric();
  const Recording recording = recording_of({{100, 10}, {150, 30}, {5, 50}, {25, 80}, {0xffffffff, 90}});
  std::vector<PortGrowth> growths = growth_in(t, recording, 1e9);
  ASSERT_EQ(growths.size(), 1u);
  EXPECT_EQ(t.port_name(growths[0].port), "leaf2:1");
  EXPECT_EQ(growths[0].wait, 70u);
  EXPECT_EQ(growths[0].data, 50u);
  EXPECT_EQ(growths[0].seconds, 2);
  growths = growth_in(t, recording, 2);  // from the third sweep on
  ASSERT_EQ(growths.size(), 1u);
  EXPECT_EQ(growths[0].wait, 20u);
  EXPECT_EQ(growths[0].seconds, 1);
}

TEST(Growth, ARecordingWithoutAGoodIntervalTellsNothing) {
  const Topology t = small_fabric();
  const Diagnosis d = diagnose(t, growth_in(t, recording_of({{100, 10}, {50, 30}}), 1e9), {});
  EXPECT_EQ(d.compared, 0u);
  EXPECT_EQ(d.remarks.size(), 1u);
}

// As Debian's ibqueryerrors prints them: an adapter by its own GUID in the first output, by that of its port in the
// second.
constexpr const char* kData =
    "Data Counters for 0xa2 \"leaf2\"\n"
    "   GUID 0xa2 port 0: [PortXmitData == 0 (0.000B)] [PortRcvData == 0 (0.000B)]\n"
    "   GUID 0xa2 port 1: [PortXmitData == 12 (48.000B)] [PortRcvData == 3 (12.000B)]\n"
    "Data Counters for 0xc4 \"n4\"\n"
    "   GUID 0xc4 port 1: [PortXmitData == 5 (20.000B)] [PortRcvData == 0 (0.000B)]\n";
constexpr const char* kErrors =
    "Errors for \"n4\"\n"
    "   GUID 0xc41 port 1: [PortXmitWait == 7 (7.000)]\n"
    "Errors for 0xa1 \"leaf1\"\n"
    "   GUID 0xa1 port ALL: [PortXmitWait == 9 (9.000)]\n";

std::string end_of_ibqueryerrors(const std::string& thresholds = "", const std::string& suppressed = "") {
  return "\n## Summary: 7 nodes checked, 2 bad nodes found\n"
         "##          14 ports checked, 2 ports have errors beyond threshold\n"
         "## Thresholds: " + thresholds + "\n## Suppressed:" + suppressed + "\n";
}

TEST(CounterDump, BothOutputsOfIbqueryerrors) {
  const CounterDump dump = parse_counters("x", kData + end_of_ibqueryerrors() + kErrors + end_of_ibqueryerrors());
  ASSERT_EQ(dump.size(), 3u);
  EXPECT_EQ(dump.at({0, 0xa2, 1}).wait, 0u);  // not among the errors
  EXPECT_EQ(dump.at({0, 0xa2, 1}).data, 12u);
  EXPECT_EQ(dump.at({0, 0xc41, 1}).wait, 7u);
  EXPECT_FALSE(dump.at({0, 0xc41, 1}).data);
  const CounterDump calm = parse_counters("x", kData + end_of_ibqueryerrors() + end_of_ibqueryerrors());
  EXPECT_EQ(calm.at({0, 0xc4, 1}).wait, 0u);
}

TEST(CounterDump, WhatIbqueryerrorsHasLeftOutIsRefused) {
  const auto refused = [](const std::string& text) { return error_of([&] { parse_counters("x", text); }); };
  EXPECT_NE(refused(kData + end_of_ibqueryerrors()).find("x:2: ibqueryerrors has PortXmitWait only without --counters"),
            std::string::npos);
  EXPECT_NE(refused(kErrors + end_of_ibqueryerrors()).find("x:2: ibqueryerrors has PortXmitData of all ports only"),
            std::string::npos);
  const std::string data = kData + end_of_ibqueryerrors();
  EXPECT_NE(refused(data + kErrors + end_of_ibqueryerrors("[PortXmitWait = 9]")).find("x:18: ports that waited for"),
            std::string::npos);
  EXPECT_NE(refused(data + kErrors + end_of_ibqueryerrors("", " PortXmitWait")).find("x:19: PortXmitWait was supp"),
            std::string::npos);
  EXPECT_EQ(parse_counters("x", kData + end_of_ibqueryerrors("[PortXmitWait = 9]") + kErrors).size(), 3u);
}

TEST(Growth, APortWithSeveralNamesHasTheCountersOfAll) {
  const Topology t = small_fabric();
  const std::string later = "Data Counters for 0xc4 \"n4\"\n   GUID 0xc4 port 1: [PortXmitData == 25 (100.000B)]\n"
                            "Errors for \"n4\"\n   GUID 0xc41 port 1: [PortXmitWait == 9 (9.000)]\n";
  const auto growths = growth_between(t, parse_counters("a", kData + end_of_ibqueryerrors() + end_of_ibqueryerrors()),
                                      parse_counters("b", later), 1.0);
  ASSERT_EQ(growths.size(), 1u);
  EXPECT_EQ(t.port_name(growths[0].port), "n4:1");
  EXPECT_EQ(growths[0].wait, 9u);
  EXPECT_EQ(growths[0].data, 20u);
}

TEST(CounterDump, SumsOfAllPortsAreLeftOutAndMistakesRefused) {
  EXPECT_EQ(parse_counters("x", block(4, 2, 1, 0) + "# Port extended counters: Lid 4 port 255 (x)\nPortXmitWait:..1\n")
                .size(),
            1u);
  EXPECT_NE(error_of([] { parse_counters("x", "hello\n"); }).find("x: has no counters"), std::string::npos);
  EXPECT_NE(error_of([] { parse_counters("x", block(4, 2, 1, 0) + "PortXmitWait:....abc\n"); }).find("x:6:"),
            std::string::npos);
}

}  // namespace
}  // namespace weir::manage
