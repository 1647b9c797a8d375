// The operators' formula for headroom, beside the table that one vendor's switch is configured with.
#include <gtest/gtest.h>

#include "packet/flow_control/operator_headroom.h"

namespace weir {
namespace {

struct Published {
  std::int64_t gbps;
  double metres;
  Bytes bytes;
};
constexpr Published kTable[] = {{100, 5, 33792},  {100, 40, 44032},  {100, 300, 117760},
                                {400, 5, 38912}, {400, 40, 77824}, {400, 300, 373760}};

OperatorHeadroom formula(const Published& row, Bytes response) {
  OperatorHeadroom headroom;
  headroom.rate = {row.gbps * 1'000'000'000};
  headroom.metres = row.metres;
  headroom.response = response;
  return headroom;
}

// What the table leaves for everything but the cable is the same for both rates: with an MTU of 9100 B and 819 B
// between the MACs, 62 quanta (3968 B) that the peer still sends, far fewer than the standard allows.
TEST(OperatorHeadroom, GivesThePublishedTable) {
  for (const Published& row : kTable)
    EXPECT_EQ(formula(row, 62 * OperatorHeadroom::kQuantum).bytes(), row.bytes) << row.gbps << " " << row.metres;
}

TEST(OperatorHeadroom, OfASlowPeerIsLargerByItsQuantaInCells) {
  for (const Published& row : kTable) {
    const Bytes quanta = standard_response_quanta({row.gbps * 1'000'000'000});
    const double more = static_cast<double>((quanta - 62) * OperatorHeadroom::kQuantum) * 2.25;
    EXPECT_NEAR(static_cast<double>(formula(row, quanta * OperatorHeadroom::kQuantum).bytes() - row.bytes), more, 1024);
  }
}

TEST(OperatorHeadroom, GrowsByTheCableAlone) {
  OperatorHeadroom headroom = formula(kTable[0], 0);
  headroom.metres = 99;
  EXPECT_DOUBLE_EQ(headroom.on_cable(), 12500);  // 1 us there and back at 100 Gb/s
}

}  // namespace
}  // namespace weir
