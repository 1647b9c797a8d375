// The headline and the table below it must not contradict each other: the link that caused most waiting is in both.
#include <gtest/gtest.h>

#include "report/answer/phrases.h"
#include "run/random_scenario.h"
#include "run/short_scenarios.h"
#include "says.h"

namespace weir {
namespace {

// Whether there was a root at all.
bool expect_worst_link_named(const Scenario& scenario) {
  const Outcome outcome = simulate(scenario);
  RunRecord record;
  record.scenario = &scenario;
  record.topology = &outcome.network->topology;
  record.routes = &outcome.network->routes;
  record.m = &outcome.measurements;
  const AnalysedRun run = analyse(record);
  const auto& roots = run.digest.congestion.roots;
  if (roots.empty()) return false;
  EXPECT_TRUE(says(headline(run), link_name(run.topology(), roots.front().port)));
  return true;
}

TEST(Headline, NamesTheWorstRootOfEveryScenario) {
  for (const testing::ScenarioFile& file : testing::scenario_files()) {
    SCOPED_TRACE(file.name);
    expect_worst_link_named(parse_scenario_file(file.path, vocabulary(), file.shorter));
  }
}

TEST(Headline, NamesTheWorstRootOfRandomScenarios) {
  int congested = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    SCOPED_TRACE(number);
    congested += expect_worst_link_named(testing::scenario_of(testing::RandomScenario(number).text()));
  }
  EXPECT_GE(congested, 10);
}

}  // namespace
}  // namespace weir
