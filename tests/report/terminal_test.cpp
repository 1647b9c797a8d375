// Terminals of all widths, with and without UTF-8.
#include <gtest/gtest.h>

#include "report/terminal/table.h"
#include "report/terminal/terminal_text.h"
#include "says.h"

namespace weir {
namespace {

TEST(Terminal, WidthIsThatOfColumnsThenOfTheTerminal) {
  EXPECT_EQ(usable_width("80", 120, 100), 80u);
  EXPECT_EQ(usable_width(nullptr, 120, 100), 120u);
  EXPECT_EQ(usable_width(nullptr, 0, 100), 100u);
  EXPECT_EQ(usable_width("wide", 0, 100), 100u);
  EXPECT_EQ(usable_width("3", 0, 100), 40u) << "less cannot be used";
}

TEST(Terminal, ShowsUtf8UnlessItsSettingsSayOtherwise) {
  EXPECT_TRUE(shows_utf8(nullptr, nullptr, nullptr));
  EXPECT_TRUE(shows_utf8(nullptr, nullptr, "en_US.UTF-8"));
  EXPECT_TRUE(shows_utf8("", "C.utf8", "C"));
  EXPECT_FALSE(shows_utf8("C", nullptr, "en_US.UTF-8"));
  EXPECT_FALSE(shows_utf8(nullptr, nullptr, "de_DE.ISO-8859-1"));
}

TEST(Terminal, DrawingsHaveAsciiOfTheSameWidth) {
  const std::string spark = sparkline({0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0});
  EXPECT_EQ(in_ascii(spark), ".:-=+*#@");
  TextTable table({{"name", Align::left, 9, 4}, {"value"}});
  table.add({"a long name that is cut", "1"});
  const std::string ascii = in_ascii(table.render({16, false}));
  for (const char c : ascii) EXPECT_LT(static_cast<unsigned char>(c), 128) << ascii;
  EXPECT_TRUE(says(ascii, "----------------\n")) << ascii;
}

TEST(Table, SaysTheWidthThatShowsAllColumns) {
  TextTable table({{"name", Align::left, 9}, {"latency", Align::right, 5}, {"marked", Align::right, 3}});
  table.add({"a", "12.5 us", "1 %"});
  EXPECT_TRUE(says(table.render({16, false}), "`marked`;")) << table.render({16, false});
  EXPECT_TRUE(says(table.render({16, false}), "COLUMNS=21")) << table.render({16, false});
  EXPECT_FALSE(says(table.render({21, false}), "width")) << table.render({21, false});
}

TEST(Table, TitlesOfTwoLinesAreAsWideAsTheLongerLine) {
  TextTable table({{"name", Align::left, 9}, {"p99 slowdown\n<= 1 kB"}, {"flows", Align::right, 9}});
  table.add({"a", "2.00", "7"});
  EXPECT_EQ(table.render({40, false}).rfind("      p99 slowdown\n"
                                            "name       <= 1 kB  flows\n", 0), 0u) << table.render({40, false});
  EXPECT_TRUE(says(table.render({24, false}), "`p99\nslowdown <= 1 kB`")) << table.render({24, false});
}

TEST(Table, LeavesOutColumnsThatSayNothing) {
  TextTable table({{"name", Align::left, 9}, {"latency"}, {"marked"}});
  table.add({"a", "-", "0 %"});
  table.add({"b", "", "1 %"});
  const std::string text = table.render({});
  EXPECT_FALSE(says(text, "latency")) << text;
  EXPECT_FALSE(says(text, "lack of width")) << text;
  EXPECT_TRUE(says(text, "marked")) << text;
}

}  // namespace
}  // namespace weir
