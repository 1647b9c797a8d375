// Adaptive routing by snooping in whole runs, and what belongs to it: the limit of send queues, watched ports,
// refusals.
#include <gtest/gtest.h>

#include "lab.h"
#include "says.h"

namespace weir {
namespace {

// Two flows share S2-S3 by default; S1 has a detour over S4 and S5. The same as a line of text per section.
std::string detour(const std::string& routing, const std::string& scheme = "name = 'qcn'\n") {
  return R"([topology]
kind = "graph"
hosts = ["H1", "H2", "H3", "H4"]
switches = ["S1", "S2", "S3", "S4", "S5"]
links = [["H1", "S1"], ["H2", "S2"], ["H3", "S3"], ["H4", "S3"], ["S1", "S2"], ["S2:9", "S3"], ["S1", "S4"],
         ["S4", "S5"], ["S5", "S3"]]
[link]
rate = "10Gbps"
delay = "100ns"
[packet]
payload = ["1500B"]
[switch]
organisation = "output-queued"
flow_control = "pause"
buffer = "150kB"
[adapter]
organisation = "per-destination"
queue_limit = "150kB"
[routing]
kind = "shortest-paths"
)" +
         routing + "[scheme]\n" + scheme +
         R"([[traffic]]
pattern = "hotspot"
name = "one"
class = "hot"
hosts = [0]
target = 2
load = 0.9
[[traffic]]
pattern = "hotspot"
name = "two"
class = "hot"
hosts = [1]
target = 3
load = 0.9
[measure]
watch = ["S2:9"]
[run]
duration = "60ms"
warmup = "20ms"
)";
}

double hot_gbps(const Outcome& outcome) {
  const Measurements& m = outcome.measurements;
  return static_cast<double>(m.classes.at(0).received_bytes_in_window) * 8e-9 / (m.end - m.warmup).seconds();
}

TEST(SnoopingRun, FlowsAreRoutedAroundCongestionInsteadOfSlowedDown) {
  const Outcome alone = testing::run_text(detour(""));
  const Outcome routed = testing::run_text(detour("choice = 'snooping'\n"));
  EXPECT_NEAR(hot_gbps(alone), 10, 0.2);
  EXPECT_NEAR(hot_gbps(routed), 18, 0.2);
  EXPECT_EQ(alone.measurements.resequencing.out_of_order, 0u);
  EXPECT_GT(routed.measurements.resequencing.out_of_order, 0u);
  EXPECT_LT(routed.measurements.totals.notifications, alone.measurements.totals.notifications);
}

// A flow that ECM has limited and that is then routed around the congestion meets no congestion point that knows its
// tag: only the drift raises its rate. So less is gained than with QCN, but more than without.
TEST(SnoopingRun, WorksWithAnySchemeThatNotifies) {
  const double routed = hot_gbps(testing::run_text(detour("choice = 'snooping'\n", "name = 'ecm'\n")));
  EXPECT_GT(routed, hot_gbps(testing::run_text(detour("", "name = 'ecm'\n"))) + 2);
}

TEST(SnoopingRun, EqualSeedsGiveEqualRuns) {
  const std::string text = detour("choice = 'snooping'\nsnoop_timer = '5ms'\nsnoop_timing = 'each'\n");
  const Measurements a = testing::run_text(text).measurements, b = testing::run_text(text).measurements;
  EXPECT_EQ(a.totals.events, b.totals.events);
  EXPECT_EQ(a.classes[0].received, b.classes[0].received);
  EXPECT_EQ(a.resequencing.out_of_order, b.resequencing.out_of_order);
}

TEST(SnoopingRun, SettingsWithoutEffectAreRefusedOrTold) {
  EXPECT_TRUE(says(testing::refusal(detour("snoop_timer = '5ms'\n")), "has no effect"));
  const RunSetup silent = set_up(testing::scenario_of(detour("choice = 'snooping'\n", "name = 'none'\n")));
  ASSERT_EQ(silent.warnings.size(), 1u);
  EXPECT_TRUE(says(silent.warnings[0], "sends no notifications"));
  const std::string one_way = R"([topology]
kind = "umin"
k = 2
n = 2
[routing]
choice = "snooping"
[[traffic]]
pattern = "uniform"
load = 0.1
[run]
duration = "1us"
)";
  EXPECT_TRUE(says(testing::refusal(one_way), "both directions"));
}

TEST(QueueLimit, AnOverloadedSourceKeepsSilentAndOthersAreNotHurt) {
  const Outcome outcome = testing::run_text(detour(""));
  const ClassResult& hot = outcome.measurements.classes.at(0);
  EXPECT_GT(hot.refused, 0u);
  for (const HostResult& host : outcome.measurements.hosts) EXPECT_LE(host.peak_backlog_packets, 100u);
  std::string small = detour("");
  small.replace(small.find(R"(queue_limit = "150kB")"), 21, R"(queue_limit = "1499B")");
  EXPECT_TRUE(says(testing::refusal(small), "cannot hold"));
}

TEST(Watch, SeriesAgreeWithTheTotals) {
  const Outcome outcome = testing::run_text(detour(""));
  const WatchedPort& port = outcome.measurements.watched.at(0);
  ASSERT_EQ(port.series.size(), 60u);
  EXPECT_EQ(port.name, "S2:9");
  double bits = 0;
  for (const WatchBin& bin : port.series) {
    bits += bin.rate * 1e-3;
    EXPECT_LE(bin.queue_mean, static_cast<double>(bin.queue_max));
  }
  EXPECT_NEAR(bits / 8, static_cast<double>(outcome.measurements.ports.at(port.port.index).xmit_bytes), 1500);
  std::string wrong = detour("");
  wrong.replace(wrong.find(R"(watch = ["S2:9"])"), 16, R"(watch = ["S2:8"])");
  EXPECT_TRUE(says(testing::refusal(wrong), "no port or host named"));
}

}  // namespace
}  // namespace weir
