// Every case of `weir bench` is a scenario that runs.
#include <gtest/gtest.h>

#include <set>

#include "app/bench/cases.h"
#include "app/runner.h"

namespace weir {
namespace {

TEST(BenchCases, AreScenarios) {
  std::set<std::string> names;
  for (const BenchCase& c : bench_cases(1e4)) {
    SCOPED_TRACE(c.name);
    EXPECT_TRUE(names.insert(c.name).second) << "two cases of one name";
    const Scenario scenario = parse_scenario_text(c.toml, c.name, vocabulary());
    if (c.name.starts_with("16-ary") || c.name.starts_with("32-ary") || c.name.starts_with("4096")) continue;
    EXPECT_GT(set_up(scenario).network->topology.hosts(), 0u);
  }
}

TEST(BenchCases, MeasureHopsAndEvents) {
  const BenchResult r = run_bench_case(bench_cases(1e4).front(), 1);
  ASSERT_TRUE(r.ran);
  EXPECT_EQ(r.hosts, 64u);
  EXPECT_GT(r.hops, 5'000u);
  EXPECT_GT(r.events_per_hop(), 1);
  EXPECT_GT(r.seconds, 0);
  EXPECT_GT(r.unmeasured_seconds, 0);
}

}  // namespace
}  // namespace weir
