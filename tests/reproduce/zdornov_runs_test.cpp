// Calculated rates put into practice on small trees: with enough buffers every flow gets what was calculated, with few
// and late credits it does not; and what is measured is what was meant.
#include "reproduce/zdornov/runs.h"

#include <gtest/gtest.h>

#include "reproduce/embedded.h"
#include "run/vocabulary.h"

namespace weir::zdornov {
namespace {

Scenario scenario_with(const std::string& name, const std::vector<Override>& overrides) {
  const std::string file = "reproduce/zdornov2009/" + name;
  return parse_scenario_text(embedded_file(file), file, vocabulary(), overrides);
}

TEST(ZdornovRuns, EightBuffersRealiseEveryRate) {
  const Wired tree({4, 3, 2});
  for (const std::uint32_t n : {1u, 3u, 5u}) {
    const Workload phase = workload_of(random_permutations(tree.topology.hosts(), n, 1, 0));
    const Realised saa = realise(RateAlgorithm::saa, scenario_with("realisation.toml", {}), tree, phase);
    EXPECT_NEAR(saa.ratio_of_minima(), 1, 0.005) << n;
    EXPECT_NEAR(saa.worst_flow(), 1, 0.01) << n;  // some 50 packets of the slowest flows
    const Workload independent = workload_of(independent_flows(tree.topology.hosts(), n, 1, 0));
    const Realised ffa = realise(RateAlgorithm::ffa, scenario_with("realisation.toml", {}), tree, independent);
    EXPECT_NEAR(ffa.ratio_of_means(), 1, 0.005) << n;
    EXPECT_NEAR(ffa.worst_flow(), 1, 0.01) << n;
  }
}

TEST(ZdornovRuns, TwoBuffersWithLateCreditsDoNot) {
  const Wired tree({4, 3, 2});
  const Workload phase = workload_of(random_permutations(tree.topology.hosts(), 3, 1, 0));
  const Realised few =
      realise(RateAlgorithm::saa,
              scenario_with("realisation.toml", {{"switch.buffer_packets", "2"}, {"switch.credit_delay", "1638400ps"}}),
              tree, phase);
  EXPECT_LT(few.ratio_of_minima(), 0.9);
  EXPECT_LE(few.worst_flow(), few.ratio_of_minima() + 1e-9);
}

// What tables 6.3 and 6.4 rely on when they do not repeat a run with more buffers.
TEST(ZdornovRuns, WhereNobodyLacksSpaceMoreOfItChangesNothing) {
  const Wired tree({4, 3, 2});
  const Workload phase = workload_of(random_permutations(tree.topology.hosts(), 3, 1, 0));
  const auto with = [&](const std::string& buffers) {
    return realise(RateAlgorithm::saa, scenario_with("realisation.toml", {{"switch.buffer_packets", buffers}}), tree,
                   phase);
  };
  const Realised few = with("2"), enough = with("8"), more = with("16");
  EXPECT_TRUE(few.lacked_space);
  EXPECT_NE(few.measured, enough.measured);
  EXPECT_FALSE(enough.lacked_space);
  EXPECT_EQ(enough.measured, more.measured);
}

TEST(ZdornovRuns, SharesOfTheLastLink) {
  const Wired fabric({4, 2, 0});
  // Alone: the whole link. Two to one host: a half each. Two from one host, each to a host of its own: a half each.
  const std::vector<FlowPair> flows = {{{0}, {5}}, {{1}, {6}}, {{2}, {6}}, {{8}, {12}}, {{8}, {13}}};
  const FlowShares rates = measure_shares(scenario_with("no-control.toml", {}), fabric, flows);
  const double expected[] = {1, 0.5, 0.5, 0.5, 0.5};
  ASSERT_EQ(rates.steady.size(), flows.size());
  for (std::size_t f = 0; f < flows.size(); ++f) {
    EXPECT_NEAR(rates.steady[f], expected[f], 0.004) << f;
    EXPECT_NEAR(rates.start[f], expected[f], 0.01) << f;  // the way of the first packet counts here
    EXPECT_NEAR(rates.whole[f], 0.4 * rates.start[f] + 0.6 * rates.steady[f], 1e-9) << f;
  }
}

TEST(ZdornovRuns, TheReadingsOfTheMinimumDiffer) {
  Realised r;
  r.calculated = {0.1, 0.5};
  r.measured = {0.1, 0.2};
  EXPECT_DOUBLE_EQ(r.ratio_of_minima(), 1.0);
  EXPECT_DOUBLE_EQ(r.worst_flow(), 0.4);
  EXPECT_DOUBLE_EQ(r.ratio_of_means(), 0.5);
}

TEST(ZdornovRuns, CompletionIsInUnitsOfAFlowAlone) {
  const Wired tree({4, 2, 0});
  const Bytes bytes = 409600;
  const Workload two = workload_of({{{0}, {5}}, {{1}, {5}}}, bytes);
  EXPECT_NEAR(completion_of(run_flows(scenario_with("phase.toml", {}), tree, two), tree, bytes), 2, 0.02);
}

}  // namespace
}  // namespace weir::zdornov
