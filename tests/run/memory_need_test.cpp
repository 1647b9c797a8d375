// The estimate of memory beside what the engine says it has taken.
#include "run/memory_need.h"

#include <gtest/gtest.h>

#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

std::string fabric_text(const std::string& more) {
  return R"([topology]
kind = "k-ary-n-tree"
k = 12
n = 3
[[traffic]]
pattern = "uniform"
load = 0.7
[run]
duration = "2us"
)" + more;
}

TEST(MemoryNeed, OfTheEngineIsRight) {
  for (const std::string more :
       {"", "[switch]\nlanes = 4\n", "[switch]\narbitration = 'round-robin'\n",
        "[switch]\norganisation = 'fifo-in-out'\n", "[adapter]\norganisation = 'per-destination'\n",
        "[adapter]\norganisation = 'modulo'\nqueues = 100\n", "[scheme]\nname = 'window'\npackets = 4\n",
        "[scheme]\nname = 'cca'\n", "[scheme]\nname = 'qcn'\n"}) {
    const Scenario scenario = testing::scenario_of(fabric_text(more));
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
    const Scenario scenario = testing::scenario_of(fabric_text("[measure]\n" + measure));
    return memory_need(scenario, fabric_size(scenario.section("topology")), nullptr).results;
  };
  EXPECT_GT(results("frames = 10000\n"), 10 * results("frames = 100\n"));
  EXPECT_GT(results("max_bins = 1000000\n"), 10 * results("max_bins = 2000\n"));
  EXPECT_GT(results("bin = '10ps'\n"), 2 * results("bin = '10ns'\n"));
}

double backlog_of(const std::string& more, const std::string& duration = "1s") {
  const Scenario scenario = testing::scenario_of(
      R"([topology]
kind = "star"
hosts = 8
[link]
rate = "8Gbps"
[packet]
payload = [1000]
[[traffic]]
pattern = "uniform"
load = 2
[run]
max_backlog = 1000000000
duration = ')" +
      duration + "'\n" + more);
  const Topology topology = build_topology(scenario, nullptr);
  const Workload workload = build_workload(scenario, topology);
  return backlog_need(packet_config(scenario, topology, workload), workload, topology.hosts());
}

TEST(MemoryNeed, HasRoomForTheBacklogThatIsKept) {
  constexpr double kMade = 16e6;  // packets in a second
  EXPECT_EQ(backlog_of(""), 0);
  EXPECT_EQ(backlog_of("[adapter]\norganisation = 'per-flow'\n"), 0);
  EXPECT_NEAR(backlog_of("[adapter]\norganisation = 'per-destination'\n"), 16 * kMade, 1);
  EXPECT_NEAR(backlog_of("[adapter]\norganisation = 'per-destination'\n", "1ms"), 16 * kMade / 1000, 1);
  EXPECT_GE(backlog_of("[adapter]\nmemory = '100kB'\n"), 68 * kMade);
  EXPECT_EQ(backlog_of("[adapter]\nqueue_limit = '100kB'\n"), 8 * 100 * 16);
  EXPECT_EQ(backlog_of("[adapter]\norganisation = 'per-destination'\n", "1000s"), 16e9) << "run.max_backlog";
}

TEST(MemoryNeed, OfTheBacklogCoversWhatIsTaken) {
  for (const std::string adapter : {"organisation = 'per-destination'\n", "memory = '100kB'\n"}) {
    const std::string text =
        R"([topology]
kind = "star"
hosts = 8
[link]
rate = "8Gbps"
[packet]
payload = [1000]
[adapter]
)" +
        adapter + R"([[traffic]]
pattern = "hotspot"
target = 0
load = 20
[run]
duration = "5ms"
)";
    const Scenario scenario = testing::scenario_of(text);
    const Outcome run = simulate(scenario);
    const Topology& topology = run.network->topology;
    const MemoryNeed need = memory_need(scenario, fabric_size(topology), run.workload.get());
    const double backlog = backlog_need(packet_config(scenario, topology, *run.workload), *run.workload, 8);
    const auto taken = static_cast<double>(run.measurements.totals.state_bytes);
    EXPECT_GT(backlog, 0.5 * taken) << adapter << "it is most of the memory";
    EXPECT_GT(need.engine + need.traffic + backlog, taken) << adapter;
    EXPECT_LT(backlog, 2 * taken) << adapter;
  }
}

TEST(MemoryNeed, OfTheBacklogIsRefusedWhereItIsAskedFor) {
  const std::string text =
      R"([topology]
kind = "star"
hosts = 8
[link]
rate = "400Gbps"
[[traffic]]
pattern = "uniform"
load = 0.5
[run]
duration = "1000s"
max_backlog = 2000000000
)";
  EXPECT_EQ(testing::refusal(text), "no error");
  const std::string said = testing::refusal(text + "[adapter]\nmemory = '100kB'\n");
  EXPECT_TRUE(says(said, "max_backlog"));
  EXPECT_TRUE(says(said, "needs about"));
}

TEST(MemoryNeed, IsRefusedBeforeTheFabricIsBuilt) {
  const std::string said = testing::refusal(
      R"([topology]
kind = "k-ary-n-tree"
k = 16
n = 5
[[traffic]]
pattern = "uniform"
load = 0.7
[run]
duration = "20us"
[measure]
frames = 100000
)");
  EXPECT_TRUE(says(said, "needs about"));
  EXPECT_TRUE(says(said, "--force"));
}

}  // namespace
}  // namespace weir
