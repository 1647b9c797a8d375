// The order in which lanes send, packet by packet: shares by weight, and InfiniBand's arbitration tables.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>

#include "packet/links/lane_turns.h"

namespace weir {
namespace {

constexpr std::uint32_t kLanes = 4;

// Lanes that always have a packet of their size; 0: they have nothing.
struct Offered {
  std::array<std::int64_t, kLanes> size{};
  std::array<std::int64_t, kLanes> sent{};  // bytes

  int lane_of(LaneTurns& turns, LinkId l = {0}) {
    int served = -1;
    turns.serve(l, [&](Lane lane) {
      EXPECT_EQ(served, -1) << "asked after a packet was sent";
      if (size[lane.index] > 0) served = static_cast<int>(lane.index);
      sent[lane.index] += size[lane.index];
      return size[lane.index];
    });
    return served;
  }
  std::string next(LaneTurns& turns, int packets) {
    std::string lanes;
    for (int i = 0; i < packets; ++i) lanes += std::to_string(lane_of(turns));
    return lanes;
  }
};

std::string served(const LaneTables& tables, std::array<std::int64_t, kLanes> sizes, int packets) {
  LaneTurns turns(order_by_tables(tables, kLanes), kLanes, 1);
  return Offered{sizes, {}}.next(turns, packets);
}

TEST(LaneTurns, ATableGrantsWeightTimes64BytesByWholePackets) {
  // 4 x 64 and 2 x 64 bytes: four packets of 64 B, then two.
  EXPECT_EQ(served({{}, {{0, 4}, {1, 2}}, 0}, {64, 64}, 12), "000011000011");
  // What the last packet takes beyond the weight is not held against the lane: 3 x 64 B are two packets of 100 B, which
  // count as 128 B each.
  EXPECT_EQ(served({{}, {{0, 3}, {1, 2}}, 0}, {100, 100}, 9), "001001001");
  // A weight below a packet's size is one packet.
  EXPECT_EQ(served({{}, {{0, 1}, {1, 255}}, 0}, {2048, 2048}, 10), "0111111110");
  // Lanes may have several entries; those of weight 0 and of lanes that do not exist are skipped.
  EXPECT_EQ(served({{}, {{0, 1}, {1, 1}, {0, 1}, {2, 0}, {3, 1}, {9, 1}}, 0}, {64, 64, 64, 64}, 8), "01030103");
}

TEST(LaneTurns, ALaneThatHasNothingLosesItsTurn) {
  EXPECT_EQ(served({{}, {{0, 2}, {1, 2}, {2, 1}}, 0}, {64, 0, 64}, 6), "002002");
  EXPECT_EQ(served({{}, {{0, 2}, {1, 2}}, 0}, {0, 0}, 1), "-1");
}

TEST(LaneTurns, TheHighTableGoesFirstUpToItsLimit) {
  const std::array<std::int64_t, kLanes> both{1024, 1024};
  EXPECT_EQ(served({{{1, 255}}, {{0, 255}}, 255}, both, 6), "111111");  // no limit
  EXPECT_EQ(served({{{1, 255}}, {{0, 255}}, 0}, both, 6), "101010");    // one packet
  EXPECT_EQ(served({{{1, 255}}, {{0, 255}}, 1}, both, 10), "1111011110");
  EXPECT_EQ(served({{{1, 255}}, {{0, 255}}, 2}, both, 9), "111111110");
  // A packet that has begun below the limit is sent whole.
  EXPECT_EQ(served({{{1, 255}}, {{0, 255}}, 1}, {3000, 3000}, 6), "110110");
  // Where the low table has nothing, the limit holds nobody up; nor does it where the high table has nothing.
  EXPECT_EQ(served({{{1, 255}}, {{0, 255}}, 0}, {0, 1024}, 3), "111");
  EXPECT_EQ(served({{{1, 255}}, {{0, 255}}, 0}, {1024, 0}, 3), "000");
}

TEST(LaneTurns, TablesKeepTheirPlaceWhileTheOtherSends) {
  // High: lanes 2 and 3 in turn; low: two packets of lane 0, one of lane 1.
  EXPECT_EQ(served({{{2, 1}, {3, 1}}, {{0, 2}, {1, 1}}, 0}, {64, 64, 64, 64}, 12), "203021302031");
}

TEST(LaneTurns, WeightsCountWhatWasSentTooMuch) {
  const std::array<double, 2> weights{1, 2};
  LaneTurns turns(order_by_weight(weights, 1000), 2, 1);
  Offered offered{{700, 1000}, {}};
  offered.next(turns, 5000);
  EXPECT_NEAR(static_cast<double>(offered.sent[1]) / static_cast<double>(offered.sent[0]), 2, 0.002);
}

TEST(LaneTurns, LinksMayDiffer) {
  LaneTurns turns({}, 2, 3);
  EXPECT_FALSE(turns.active());
  turns.set({1}, order_by_tables({{}, {{0, 1}, {1, 1}}, 0}, 2));
  Offered offered{{64, 64}, {}};
  std::string others, tables, again;
  for (int i = 0; i < 4; ++i) {
    others += std::to_string(offered.lane_of(turns, {2}));
    tables += std::to_string(offered.lane_of(turns, {1}));
  }
  turns.set({1}, {});
  for (int i = 0; i < 4; ++i) again += std::to_string(offered.lane_of(turns, {1}));
  EXPECT_EQ(others, "1111");  // strict, the higher first
  EXPECT_EQ(tables, "0101");
  EXPECT_EQ(again, "1111");
}

LaneTables::Table any_table() {
  LaneTables::Table table;
  const auto entries = *rc::gen::inRange(0, 7);
  for (int i = 0; i < entries; ++i)
    table.push_back({*rc::gen::inRange(0u, kLanes), *rc::gen::inRange(0u, 256u)});
  return table;
}

// Whatever the tables: a packet goes if any lane of theirs has one; nobody is asked twice or after that; and as long
// as both have packets, the high one sends less than its limit and a packet between two of the low one.
RC_GTEST_PROP(LaneTurns, KeepTheLinkBusyAndTheLimit, ()) {
  const LaneTables tables{any_table(), any_table(), *rc::gen::element(0u, 1u, 3u, 254u, 255u)};
  const LaneOrder order = order_by_tables(tables, kLanes);
  RC_PRE(!order.empty());
  LaneTurns turns(order, kLanes, 1);
  Offered offered;
  for (std::int64_t& size : offered.size) size = *rc::gen::inRange(0, 5000);
  std::uint32_t lanes_of[2] = {0, 0};
  for (std::size_t r = 0; r < 2; ++r)
    for (const auto& entry : order.rounds[r])
      if (offered.size[entry.lane.index] > 0) lanes_of[r] |= 1u << entry.lane.index;
  const bool apart = (lanes_of[0] & lanes_of[1]) == 0;
  std::int64_t high = 0;
  for (int packet = 0; packet < 300; ++packet) {
    const int lane = offered.lane_of(turns);
    RC_ASSERT((lane >= 0) == ((lanes_of[0] | lanes_of[1]) != 0));
    if (lane < 0 || !apart || lanes_of[0] == 0 || lanes_of[1] == 0) continue;
    if ((lanes_of[0] >> lane & 1) == 0) {
      RC_ASSERT(tables.limit < 255 && high >= std::max(1u, tables.limit * 4096));
      high = 0;
    } else {
      RC_ASSERT(high < order.limit);
      high += (offered.size[static_cast<std::size_t>(lane)] + 63) / 64 * 64;
    }
  }
}

// Lanes that always have packets get the sum of their weights, up to a packet for each entry and round.
RC_GTEST_PROP(LaneTurns, ShareByTheWeightsOfATable, ()) {
  const LaneTables tables{{}, any_table(), 0};
  const LaneOrder order = order_by_tables(tables, kLanes);
  RC_PRE(!order.empty());
  LaneTurns turns(order, kLanes, 1);
  Offered offered;
  for (std::int64_t& size : offered.size) size = 64 * *rc::gen::inRange(1, 40);
  const int rounds = 10;
  std::array<std::int64_t, kLanes> least{}, most{};
  std::int64_t packets = 0;
  for (const auto& entry : order.rounds[1]) {
    const std::int64_t size = offered.size[entry.lane.index];
    const std::int64_t in_turn = (entry.grant + size - 1) / size;
    packets += rounds * in_turn;
    least[entry.lane.index] += rounds * entry.grant;
    most[entry.lane.index] += rounds * (entry.grant + size - 1);
  }
  offered.next(turns, static_cast<int>(packets));
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    RC_ASSERT(offered.sent[lane] >= least[lane] && offered.sent[lane] <= most[lane]);
}

}  // namespace
}  // namespace weir
