// Rates without control in cases that can be reckoned by hand, and the entries of paper 000 that are exact.
#include "reproduce/zdornov/no_control.h"

#include <gtest/gtest.h>

#include "reproduce/embedded.h"
#include "reproduce/entry.h"

namespace weir::zdornov {
namespace {

Scenario no_control() {
  const std::string file = "reproduce/zdornov/no-control.toml";
  return parse_scenario_text(embedded_file(file), file, vocabulary());
}

TEST(ZdornovNoControl, SharesOfTheLastLink) {
  const Wired fabric({4, 2, 0});
  // Alone: the whole link. Two to one host: a half each. Two from one host, each to a host of its own: a half each.
  const std::vector<FlowPair> flows = {{{0}, {5}}, {{1}, {6}}, {{2}, {6}}, {{8}, {12}}, {{8}, {13}}};
  const NoControlRates rates = measure_no_control(no_control(), fabric, flows);
  const double expected[] = {1, 0.5, 0.5, 0.5, 0.5};
  ASSERT_EQ(rates.steady.size(), flows.size());
  for (std::size_t f = 0; f < flows.size(); ++f) {
    EXPECT_NEAR(rates.steady[f], expected[f], 0.004) << f;
    EXPECT_NEAR(rates.start[f], expected[f], 0.01) << f;  // the way of the first packet counts here
    EXPECT_NEAR(rates.whole[f], 0.4 * rates.start[f] + 0.6 * rates.steady[f], 1e-9) << f;
  }
}

// All points and runs, both ways of routing, each in its place and whatever the number of threads.
TEST(ZdornovNoControl, EveryPointAndRunIsMeasured) {
  const auto flows = [](std::size_t hosts, std::size_t point, std::uint32_t run) {
    return independent_flows(hosts, point == 0 ? 1 : 3, 7, run);
  };
  const Reproduction one("zdornov/fig-6.8", "", Depth::quick, 1), two("zdornov/fig-6.8", "", Depth::quick, 2);
  const std::vector<NoControl> points = measure_no_control(one, {4, 2, 2}, 2, 2, flows);
  const std::vector<NoControl> again = measure_no_control(two, {4, 2, 2}, 2, 2, flows);
  const Wired plain({4, 2, 0});
  for (std::size_t point = 0; point < 2; ++point) {
    const std::vector<Baseline> baselines = points[point].baselines();
    ASSERT_EQ(baselines.size(), std::size(kHorizons));
    for (std::uint32_t run = 0; run < 2; ++run) {
      const std::vector<FlowPair> some = flows(16, point, run);
      const NoControlRates alone = measure_no_control(no_control(), plain, some);
      for (std::size_t h = 0; h < baselines.size(); ++h) {
        EXPECT_EQ(baselines[h].no_control(plain, {}, {}, run), alone.at(kHorizons[h]));
        EXPECT_EQ(baselines[h].adaptive_routing(plain, {}, {}, run), again[point].adaptive[run].at(kHorizons[h]));
        EXPECT_EQ(baselines[h].adaptive_routing(plain, {}, {}, run).size(), some.size());
      }
    }
  }
}

TEST(ZdornovEntries, ExactOnesAreReached) {
  const std::vector<std::string> names = {"zdornov/fig-2.2", "zdornov/table-6.1", "zdornov/prop-4.4.1",
                                          "zdornov/prop-4.4.2"};
  for (const Entry& entry : entries_named(names)) {
    const EntryResult result = run_entry(entry, Depth::quick, 1);
    EXPECT_FALSE(result.checks.empty());
    for (const Check& check : result.checks)
      EXPECT_TRUE(check.verdict == Verdict::reached || check.verdict == Verdict::reported)
          << result.id << ": " << check.what << ": " << check.measured;
  }
}

TEST(ZdornovEntries, ContentionIsAsRecorded) {
  for (const Entry& entry : entries_named({"zdornov/fig-6.2"}))
    for (const Check& check : run_entry(entry, Depth::quick, 2).checks)
      EXPECT_FALSE(falls_short(check.verdict)) << check.what << ": " << check.measured;
}

}  // namespace
}  // namespace weir::zdornov
