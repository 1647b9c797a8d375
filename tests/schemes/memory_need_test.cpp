// The estimate of memory beside what the engine says it has taken.
#include "schemes/memory_need.h"

#include <gtest/gtest.h>

#include "schemes/lab.h"

namespace weir {
namespace {

std::string tree(const std::string& more) {
  return "[topology]\nkind = \"k-ary-n-tree\"\nk = 12\nn = 3\n[[traffic]]\npattern = \"uniform\"\nload = 0.7\n"
         "[run]\nduration = \"2us\"\n" + more;
}

TEST(MemoryNeed, OfTheEngineIsRight) {
  for (const std::string more :
       {"", "[switch]\nlanes = 4\n", "[switch]\narbitration = \"round-robin\"\n",
        "[switch]\norganisation = \"fifo-in-out\"\n", "[adapter]\norganisation = \"per-destination\"\n",
        "[adapter]\norganisation = \"modulo\"\nqueues = 100\n", "[scheme]\nname = \"window\"\npackets = 4\n",
        "[scheme]\nname = \"cca\"\n", "[scheme]\nname = \"qcn\"\n"}) {
    const Scenario scenario = testing::scenario_of(tree(more));
    const Outcome run = simulate(scenario);
    const MemoryNeed need = memory_need(scenario, fabric_size(run.network->topology), run.workload.get());
    const double expected = need.engine + need.traffic;
    const auto taken = static_cast<double>(run.measurements.totals.state_bytes);
    EXPECT_GT(expected, 0.7 * taken) << more << expected << " expected, " << taken << " taken";
    EXPECT_LT(expected, 3.5 * taken) << more << expected << " expected, " << taken << " taken";
  }
}

TEST(MemoryNeed, GrowsWithWhatIsKept) {
  const auto results = [](const std::string& measure) {
    const Scenario scenario = testing::scenario_of(tree("[measure]\n" + measure));
    return memory_need(scenario, fabric_size(scenario.section("topology")), nullptr).results;
  };
  EXPECT_GT(results("frames = 10000\n"), 10 * results("frames = 100\n"));
  EXPECT_GT(results("max_bins = 1000000\n"), 10 * results("max_bins = 2000\n"));
  EXPECT_GT(results("bin = \"10ps\"\n"), 2 * results("bin = \"10ns\"\n"));
}

TEST(MemoryNeed, IsRefusedBeforeTheFabricIsBuilt) {
  const std::string said = testing::refusal(
      "[topology]\nkind = \"k-ary-n-tree\"\nk = 16\nn = 5\n[[traffic]]\npattern = \"uniform\"\nload = 0.7\n"
      "[run]\nduration = \"20us\"\n[measure]\nframes = 100000\n");
  EXPECT_NE(said.find("needs about"), std::string::npos) << said;
  EXPECT_NE(said.find("--force"), std::string::npos) << said;
}

}  // namespace
}  // namespace weir
