// Link speeds: data rates after the line code, and the way from text to rate and back.
#include "network/fabric/link_speed.h"

#include <gtest/gtest.h>

namespace weir {
namespace {

std::int64_t rate(std::string_view text) { return parse_link_speed(text)->rate().bits_per_second; }

TEST(LinkSpeed, rates_are_data_rates) {
  EXPECT_EQ(rate("1xSDR"), 2'000'000'000);
  EXPECT_EQ(rate("4xSDR"), 8'000'000'000);
  EXPECT_EQ(rate("12xSDR"), 24'000'000'000);
  EXPECT_EQ(rate("4xDDR"), 16'000'000'000);
  EXPECT_EQ(rate("4xQDR"), 32'000'000'000);
  EXPECT_EQ(rate("4xFDR10"), 40'000'000'000);
  EXPECT_EQ(rate("4xFDR"), 54'545'454'545);
  EXPECT_EQ(rate("4xEDR"), 100'000'000'000);
  EXPECT_EQ(rate("2xHDR"), 100'000'000'000);
  EXPECT_EQ(rate("4xHDR"), 200'000'000'000);
  EXPECT_EQ(rate("8xNDR"), 800'000'000'000);
}

TEST(LinkSpeed, text_reads_back) {
  for (const int lanes : {1, 2, 4, 8, 12}) {
    for (const std::string_view lane : {"SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR"}) {
      const std::string text = std::to_string(lanes) + "x" + std::string(lane);
      ASSERT_TRUE(parse_link_speed(text)) << text;
      EXPECT_EQ(parse_link_speed(text)->text(), text);
    }
  }
  EXPECT_EQ(parse_link_speed("4Xfdr-10"), parse_link_speed("4xFDR10"));
}

TEST(LinkSpeed, nothing_where_there_is_no_such_speed) {
  for (const std::string_view text : {"", "4x", "x", "4", "3xSDR", "4xSDRR", "0xSDR", "4x???", "-4xSDR", "SDR"})
    EXPECT_FALSE(parse_link_speed(text)) << text;
}

TEST(LinkSpeed, rate_finds_its_speed_with_four_lanes_first) {
  EXPECT_EQ(link_speed_of({100'000'000'000})->text(), "4xEDR");
  EXPECT_EQ(link_speed_of({8'000'000'000})->text(), "4xSDR");
  EXPECT_EQ(link_speed_of({10'000'000'000})->text(), "1xFDR10");
  EXPECT_FALSE(link_speed_of({12'500'000'000}));
}

}  // namespace
}  // namespace weir
