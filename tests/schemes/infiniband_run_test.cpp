// InfiniBand congestion control and its manager from a scenario to the end of the run: the test bed of Mizero et al.
// 2017, a hundred times shorter. X-Y shares a link with A-D, and A-D, B-D, C-D share the port of D.
#include <gtest/gtest.h>

#include <algorithm>

#include "measure/derive.h"
#include "run/lab.h"
#include "says.h"
#include "scale.h"
#include "source_dir.h"

namespace weir {
namespace {

using testing::number_of;

std::string bed(const std::string& scheme, const std::string& more = "") {
  return R"(
[topology]
kind = "graph"
hosts = ["X", "A", "Y", "B", "C", "D"]
switches = ["S1", "S2"]
links = [["X", "S1:11"], ["A", "S1:12"], ["S1:15", "S2:20", "32Gbps"],
         ["D", "S2:23"], ["Y", "S2:21"], ["B", "S2:22"], ["C", "S2:24"]]
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = ["2048B"]
[switch]
arbitration = "round-robin"
buffer = "16KiB"
route_delay = "100ns"
switch_delay = "0ns"
lanes = 2
[[traffic]]
class = "B-D"
pattern = "flows"
list = [["B", "D", "180MB", "0s"]]
[[traffic]]
class = "X-Y"
pattern = "flows"
list = [["X", "Y", "180MB", "20ms"]]
[[traffic]]
class = "C-D"
pattern = "flows"
list = [["C", "D", "180MB", "50ms"]]
[[traffic]]
class = "A-D"
pattern = "flows"
list = [["A", "D", "180MB", "70ms"]]
[run]
until = "flows"
settle = "1ms"
[scheme]
ccti_timer = 75
cct_step = 3.25
jitter = 0.1
)" + scheme + more;
}

const PortResult& port_named(const Outcome& outcome, std::string_view name) {
  const Topology& t = outcome.network->topology;
  for (std::uint32_t p = 0; p < t.ports(); ++p)
    if (t.port_name({p}) == name) return outcome.measurements.ports[p];
  ADD_FAILURE() << name;
  return outcome.measurements.ports[0];
}

// Of flow 1, X-Y.
double ends_ms(const Outcome& outcome) { return outcome.measurements.flows.at(1).completion.seconds() * 1e3; }

TEST(CcaRun, MarkingAllPacketsFreesTheVictimAndMarkingNoneDoesNot) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  const Outcome off = testing::run_text(bed("name = 'cca'\nthreshold = 0\n"));
  const Outcome on = testing::run_text(bed("name = 'cca'\nthreshold = 15\nmarking_rate = 0\n"));
  EXPECT_GT(ends_ms(off), 400);  // X-Y has to wait with A-D: a third of its link
  EXPECT_LT(ends_ms(on), 210);   // 180 ms at full rate
  EXPECT_EQ(port_named(off, "S2:23").marked, 0u);
  EXPECT_GT(port_named(off, "S1:15").wait.seconds(), 0.2);
  EXPECT_LT(port_named(on, "S1:15").wait.seconds(), 0.01);
}

double last_of(const Outcome& outcome, const std::string& series) {
  for (const SchemeSeries& s : outcome.measurements.scheme_series)
    if (s.name == series && !s.values.empty()) return s.values.back();
  ADD_FAILURE() << series;
  return -1;
}

// Each mark is counted where it is set, where it arrives, and where its answer arrives.
TEST(CcaRun, MarksAndAnswersAreCountedPerPort) {
  for (const std::string becn : {"cnp", "ack"}) {
    const Outcome outcome = testing::run_text(
        bed("name = 'cca'\nthreshold = 15\nmarking_rate = 8\nbecn = '" + becn + "'\n",
            "[measure]\nwatch = ['A', 'B', 'C', 'D', 'X', 'Y']\nwatch_bin = '100ms'\n"));
    std::uint64_t marked = 0;
    for (const auto* port : {"S1:15", "S2:21", "S2:23"}) marked += port_named(outcome, port).marked;
    const double to_d = last_of(outcome, "PortRcvFECN D:1"), to_y = last_of(outcome, "PortRcvFECN Y:1");
    EXPECT_GT(port_named(outcome, "S2:23").marked, 100u) << becn;
    EXPECT_LE(to_d + to_y, static_cast<double>(marked)) << becn;  // S1 may have marked what S2 marks again
    EXPECT_GE(to_d + to_y, static_cast<double>(marked - port_named(outcome, "S1:15").marked)) << becn;
    double answered = 0;
    for (const std::string host : {"A:1", "B:1", "C:1"}) {
      EXPECT_GT(last_of(outcome, "PortRcvBECN " + host), 10) << becn << host;
      EXPECT_EQ(last_of(outcome, "PortRcvFECN " + host), 0) << becn << host;
      answered += last_of(outcome, "PortRcvBECN " + host);
    }
    EXPECT_EQ(answered, to_d) << becn;
    EXPECT_EQ(last_of(outcome, "PortRcvBECN X:1"), to_y) << becn;
    for (const std::string receiver : {"D:1", "Y:1"}) EXPECT_EQ(last_of(outcome, "PortRcvBECN " + receiver), 0) << becn;
  }
}

TEST(CcaRun, CountersOfWatchedPortsAreKeptOverTime) {
  const Outcome outcome = testing::run_text(bed("name = 'cca'\nthreshold = 15\nmarking_rate = 2048\n",
                                                "[measure]\nwatch = ['S1:15']\nwatch_bin = '10ms'\n"));
  const auto& all = outcome.measurements.scheme_series;
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "PortXmitWait [s] S1:15");
  EXPECT_EQ(all[1].name, "PortXmitTimeCong [s] S1:15");
  const std::vector<double>& wait = all[0].values;
  ASSERT_GT(wait.size(), 40u);
  EXPECT_EQ(wait[4], 0);  // until 50 ms nothing stands in the way
  EXPECT_GT(wait[20] - wait[10], 0.05);
  EXPECT_TRUE(std::is_sorted(wait.begin(), wait.end()));
  EXPECT_NEAR(wait.back(), port_named(outcome, "S1:15").wait.seconds(), 0.011);
}

// ---- the manager ----

std::string managed(const std::string& more = "") {
  const std::string wait = more.find("wait_threshold") == std::string::npos ? "wait_threshold = 27.4e4\n" : "";
  return R"(name = "dcms"
threshold = 15
marking_rate = 128
manager = "C"
calm_period = "10.75ms"
period = "10.75ms"
answer_timeout = "100us"
set_delay = "10us"
congestion_threshold = 8e4
data_threshold = 25e4
)" +
         wait + more;
}

struct Act {
  bool low;
  double ms;
  bool limit;
};
std::vector<Act> acts(const Outcome& outcome) {
  std::vector<Act> list;
  for (const auto& [name, value] : outcome.measurements.scheme_numbers)
    if (name.starts_with("port "))
      list.push_back({name.find("set low") != std::string::npos, value * 1e3, name.find("limit") != std::string::npos});
  return list;
}

TEST(DcmsRun, ActsForTheVictimAndOnlyThen) {
  const Outcome alone = testing::run_text(bed(managed("wait_threshold = 1e18\n")));
  EXPECT_TRUE(acts(alone).empty());
  EXPECT_GT(ends_ms(alone), 400);
  const Outcome outcome = testing::run_text(bed(managed("low_limit = 12\n")));
  const std::vector<Act> list = acts(outcome);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_TRUE(list[0].low);
  EXPECT_GT(list[0].ms, 70);  // not at 50 ms, when congestion is local to D's switch
  EXPECT_LT(list[0].ms, 100);
  EXPECT_LT(ends_ms(outcome), 250);
  EXPECT_FALSE(list[1].low);
  EXPECT_GT(list[1].ms, ends_ms(outcome));  // and nothing more after X-Y has ended
}

TEST(DcmsRun, AShortLimitNeedsASecondReduction) {
  const Outcome outcome = testing::run_text(bed(managed("low_limit = 6\n")));
  const std::vector<Act> list = acts(outcome);
  ASSERT_EQ(list.size(), 4u);
  EXPECT_TRUE(list[1].limit);
  EXPECT_TRUE(list[2].low);
  EXPECT_LT(list[2].ms, ends_ms(outcome));
  EXPECT_FALSE(list[3].limit);
}

TEST(DcmsRun, AsPrintedLowNeverEnds) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  const Outcome outcome = testing::run_text(bed(managed("low_limit = 6\nrules = 'printed'\n")));
  ASSERT_EQ(acts(outcome).size(), 1u);
  EXPECT_TRUE(acts(outcome)[0].low);
}

// A manager in a fabric with one lane, where its packets are among data in a hot spot: they turn only where data turns.
TEST(DcmsRun, AManagerDoesNotMakeTheFabricDeadlock) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  const Scenario hotspot =
      parse_scenario_file(source_dir() + "/scenarios/hotspot.toml", vocabulary(),
                          {parse_override("scheme.name=dcms"), parse_override("scheme.manager=H5")});
  const Outcome outcome = simulate(hotspot);
  EXPECT_EQ(outcome.measurements.ending, Ending::finished);
  ASSERT_EQ(outcome.warnings.size(), 1u);
  EXPECT_TRUE(says(outcome.warnings[0], "switch.lanes = 2")) << outcome.warnings[0];
  EXPECT_EQ(number_of(outcome, "switches that the manager cannot ask"), -1) << "all can be asked";
}

// 80 switch ports are asked for in the first sweep. Nobody should notice.
TEST(DcmsRun, PollingDoesNotFloodTheManagersLink) {
  const auto p99 = [](const std::string& scheme) {
    const Outcome outcome = testing::run_text(
        R"([topology]
kind = "k-ary-n-tree"
k = 4
n = 2
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = [256]
[switch]
buffer = "8KiB"
[[traffic]]
pattern = "uniform"
load = 0.5
[run]
duration = "100us"
[scheme]
)" + scheme);
    EXPECT_GT(outcome.measurements.classes.at(0).received, 1000u);
    return static_cast<double>(outcome.measurements.classes.at(0).latency.quantile(0.99));
  };
  const double without = p99("name = 'cca'\nmarking_rate = 128\n");
  EXPECT_LT(p99("name = 'dcms'\n"), 1.1 * without);
  EXPECT_GT(p99("name = 'dcms'\noutstanding = 1000\n"), 1.3 * without) << "a burst of 80 requests would show";
}

TEST(DcmsRun, TheDefaultMarkingRateIsTheDocumentedOne) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  const auto marked = [](const std::string& more) {
    const Outcome outcome = testing::run_text(bed("name = 'dcms'\nmanager = 'C'\n" + more));
    std::uint64_t sum = 0;
    for (const PortResult& port : outcome.measurements.ports) sum += port.marked;
    return sum;
  };
  const std::uint64_t as_default = marked("");
  EXPECT_EQ(as_default, marked("marking_rate = 128\n"));
  // A row for all ports is not overruled by the default.
  EXPECT_GT(marked("ports = [['S1', 'marking_rate', 16], ['S2', 'marking_rate', 16]]\n"), 2 * as_default);
  const auto params = scheme_named("dcms").params;
  const auto rate = std::find_if(params.begin(), params.end(), [](const auto& p) { return p.name == "marking_rate"; });
  ASSERT_NE(rate, params.end());
  EXPECT_TRUE(rate->help.ends_with("default 128")) << rate->help;
}

}  // namespace
}  // namespace weir
