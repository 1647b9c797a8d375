// Calculated rates put into practice on small trees: with enough buffers every flow gets what was calculated, with few
// and late credits it does not; and what is measured is what was meant.
#include "reproduce/zdornov/runs.h"

#include <gtest/gtest.h>

#include "reproduce/embedded.h"

namespace weir::zdornov {
namespace {

Scenario scenario_with(const std::string& name, const std::vector<Override>& overrides) {
  const std::string file = "reproduce/zdornov/" + name;
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
