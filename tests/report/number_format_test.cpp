// Human numbers, text widths, tables, sparklines and the progress bar.
#include "report/number_format.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "report/terminal/progress.h"
#include "report/terminal/table.h"
#include "report/terminal/terminal_text.h"
#include "says.h"

namespace weir {
namespace {

TEST(Format, Times) {
  EXPECT_EQ(format_time(12.34e6), "12.3 us");
  EXPECT_EQ(format_time(0.0), "0 ps");
  EXPECT_EQ(format_time(999.4), "999 ps");
  EXPECT_EQ(format_time(999.6), "1.00 ns");
  EXPECT_EQ(format_time(99.96e3), "100 ns");
  EXPECT_EQ(format_time(9.996e3), "10.0 ns");
  EXPECT_EQ(format_time(1.5e15), "1500 s");
  EXPECT_EQ(format_time(kNever), "-");
  EXPECT_EQ(format_time(std::nan("")), "-");
  EXPECT_EQ(format_time(std::numeric_limits<double>::infinity()), "-");
}

TEST(Format, OtherUnits) {
  EXPECT_EQ(format_rate(7.98e9), "7.98 Gb/s");
  EXPECT_EQ(format_rate(0), "0 b/s");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(2048), "2.05 kB");
  EXPECT_EQ(format_count(9999), "9999");
  EXPECT_EQ(format_count(10'000), "10.0k");
  EXPECT_EQ(format_count(1'250'000), "1.25M");
  EXPECT_EQ(format_count(999'999), "1.00M");
  EXPECT_EQ(format_share(0.931), "93.1 %");
  EXPECT_EQ(format_share(0.0001), "0.01 %");
  EXPECT_EQ(format_share(0), "0.0 %");
  EXPECT_EQ(format_factor(210.4), "210x");
  EXPECT_EQ(format_factor(1.5), "1.50x");
}

TEST(Text, WidthCountsColumns) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("grün"), 4u);
  EXPECT_EQ(display_width("网络"), 4u);
  EXPECT_EQ(display_width("e\xCC\x81"), 1u);  // e and a combining accent
  EXPECT_EQ(display_width("█▁"), 2u);
  EXPECT_EQ(display_width("\xff"), 1u);
}

TEST(Text, ShortenNeverCutsACharacter) {
  EXPECT_EQ(shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(shorten("abcdef", 4), "abc…");
  EXPECT_EQ(shorten("网络网络", 4), "网…");
  EXPECT_EQ(shorten("abc", 0), "");
  EXPECT_EQ(shorten_name("abcdef", 6), "abcdef");
  EXPECT_EQ(shorten_name("abcdef", 4), "abc…");
  EXPECT_EQ(shorten_name("MF0;sat11-0101-0927-20ib0:MQM8700/U1:15", 24), "MF0;sat…b0:MQM8700/U1:15");
  // Of a link, the port that sends stays visible.
  EXPECT_EQ(shorten_name("MF0;sat11-0101-0902-02ib0:MQM8700/U1:15 -> stage84", 24), "MF0;…00/U1:15 -> stage84");
  EXPECT_EQ(shorten_name("leaf1:3 -> MF0;sat11-0101-0902-02ib0:MQM8700/U1", 24), "leaf1:3 -> MF0;…M8700/U1");
}

TEST(Text, ControlCharactersDoNotReachTheTerminal) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\xEF\xBF\xBD[2Jb");
  EXPECT_EQ(printable("x\ny"), "x\xEF\xBF\xBDy");
  EXPECT_EQ(printable("\xC2\x9B"), "\xEF\xBF\xBD");      // the 8-bit form of ESC [
  EXPECT_EQ(printable("\xE2\x80\xAE"), "\xEF\xBF\xBD");  // turns the writing direction
  EXPECT_EQ(printable("<b>grün</b>"), "<b>grün</b>");
}

TEST(Text, Wrap) {
  EXPECT_EQ(wrap("aa bb cc", 5), "aa bb\ncc\n");
  EXPECT_EQ(wrap("aa bb cc", 5, 2), "aa bb\n  cc\n");
  EXPECT_EQ(wrap("", 5), "\n");
}

TEST(Text, Sparkline) {
  EXPECT_EQ(sparkline({0.0, 4.0, 8.0}), "▁▅█");
  EXPECT_EQ(sparkline({1.0, std::nullopt, 1.0}), "█ █");
  EXPECT_EQ(sparkline({}), "");
  std::vector<std::optional<double>> long_series(1000, 1.0);
  long_series[500] = 100;
  const std::string line = sparkline(long_series, 60);
  EXPECT_EQ(display_width(line), 60u);
  EXPECT_TRUE(says(line, "█"));  // a single peak survives
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, display_width(line));
  return widest;
}

TEST(Table, AlignsByColumnsNotBytes) {
  TextTable table({{"name", Align::left}, {"value"}});
  table.add({"grün", "1.0"});
  table.add({"x", "22.0"});
  EXPECT_EQ(table.render({}), "name  value\n───────────\ngrün    1.0\nx      22.0\n");
}

TEST(Table, ShortensNamesBeforeDroppingColumns) {
  TextTable table({{"name", Align::left, 9, 6}, {"a", Align::right, 5}, {"b", Align::right, 1}});
  table.add({std::string(50, 'n'), "1", "2"});
  EXPECT_EQ(table.render({20, false}), "name            a  b\n────────────────────\nnnnn…nnnnnnnnn  1  2\n");
}

TEST(Table, DropsTheLeastImportantAndSaysSo) {
  TextTable table({{"name", Align::left, 9}, {"alpha", Align::right, 5}, {"beta", Align::right, 1}});
  table.add({"x", "1", "2"});
  const std::string text = table.render({12, false});
  EXPECT_TRUE(says(text, "alpha"));
  EXPECT_EQ(text.find("beta"), text.rfind("beta"));
  EXPECT_TRUE(says(text, "(columns"));
}

RC_GTEST_PROP(Table, NeverWiderThanAsked, ()) {
  const auto columns = *rc::gen::inRange<std::size_t>(1, 12);
  const auto width = *rc::gen::inRange<std::size_t>(30, 110);
  std::vector<TextColumn> specs;
  for (std::size_t c = 0; c < columns; ++c)
    specs.push_back({*rc::gen::string<std::string>(), *rc::gen::element(Align::left, Align::right),
                     *rc::gen::inRange(0, 10), *rc::gen::inRange<std::size_t>(0, 9)});
  for (TextColumn& spec : specs) spec.title = printable(spec.title);
  TextTable table(specs);
  for (int r = 0; r < 3; ++r) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < columns; ++c)
      cells.push_back(*rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
    table.add(cells);
  }
  RC_ASSERT(widest_line(table.render({width, false})) <= width);
}

TEST(Table, ColourOnlyWhenWanted) {
  EXPECT_TRUE(wants_colour(true, nullptr));
  EXPECT_TRUE(wants_colour(true, ""));
  EXPECT_FALSE(wants_colour(true, "1"));
  EXPECT_FALSE(wants_colour(false, nullptr));
  TextTable table({{"a"}});
  table.add({"1"});
  EXPECT_EQ(table.render({100, false}).find('\x1b'), std::string::npos);
  EXPECT_NE(table.render({100, true}).find('\x1b'), std::string::npos);
}

TEST(Progress, SilentInTheFirstSecondAndInPipes) {
  double now = 5;
  std::ostringstream out;
  {
    ProgressBar bar(out, true, [&] { return now; });
    bar.update(0.1, "");
    now = 5.9;
    bar.update(0.2, "");
    EXPECT_EQ(out.str(), "");
  }
  EXPECT_EQ(out.str(), "");
  ProgressBar pipe(out, false, [&] { return now += 10; });
  pipe.update(0.5, "");
  EXPECT_EQ(out.str(), "");
}

TEST(Progress, ShowsTimeLeft) {
  double now = 0;
  std::ostringstream out;
  ProgressBar bar(out, true, [&] { return now; });
  now = 10;
  bar.update(0.25, "window\x1b[2J");
  EXPECT_TRUE(says(out.str(), " 25 %"));
  EXPECT_TRUE(says(out.str(), "30 s left"));
  EXPECT_FALSE(says(out.str(), "\x1b[2J"));
  const std::size_t drawn = out.str().size();
  now = 10.05;
  bar.update(0.26, "");  // too soon to draw again
  EXPECT_EQ(out.str().size(), drawn);
  bar.finish();
  EXPECT_EQ(out.str().substr(drawn), "\r\x1b[K");
}

TEST(Progress, OddFractions) {
  double now = 0;
  std::ostringstream out;
  ProgressBar bar(
      out, true, [&] { return now; }, 40);
  for (const double f : {-1.0, 0.0, 1.0, 7.0, std::nan("")}) {
    now += 2;
    out.str("");
    bar.update(f, std::string(200, 'x'));
    EXPECT_LT(display_width(out.str().substr(4)), 40u);
    EXPECT_FALSE(says(out.str(), "nan"));
  }
}

TEST(Progress, Durations) {
  EXPECT_EQ(format_duration(0.2), "1 s");
  EXPECT_EQ(format_duration(185), "3 min 05 s");
  EXPECT_EQ(format_duration(7620), "2 h 07 min");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "-");
}

}  // namespace
}  // namespace weir
