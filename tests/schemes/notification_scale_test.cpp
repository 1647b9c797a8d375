// Defaults of schemes on fabrics other than their papers': the papers' own values at the papers' parameters, a scheme
// that acts where the paper's set-point is out of reach, and no slow clocks on fast links.
#include "schemes/ethernet/notification_scale.h"

#include <gtest/gtest.h>

#include "run/lab.h"
#include "scale.h"
#include "source_dir.h"

namespace weir {
namespace {

using testing::number_of;

std::string pause_fabric(const std::string& rate, const std::string& delay, const std::string& buffer,
                         const std::string& more) {
  return fmt::format(
      R"([topology]
kind = "k-ary-n-tree"
k = 4
n = 2
[link]
rate = "{}"
delay = "{}"
[packet]
payload = [1500]
header = 0
[switch]
organisation = "output-queued"
flow_control = "pause"
buffer = "{}"
route_delay = "200ns"
[adapter]
organisation = "per-flow"
{})",
      rate, delay, buffer, more);
}
std::string incast(const std::string& bytes) {
  return fmt::format(R"([[traffic]]
pattern = "incast"
target = 0
fan_in = 12
bytes = "{}"
[run]
until = "flows"
max_time = "1s"
)", bytes);
}

NotificationScale scale_of(const std::string& text) {
  const Scenario scenario = testing::scenario_of(text);
  const RunSetup prepared = set_up(scenario);
  const Topology& topology = prepared.network->topology;
  const RunInput run{topology, prepared.network->routes, *prepared.workload,
                      packet_config(scenario, topology, *prepared.workload), scenario.seed};
  return notification_scale(run);
}

TEST(NotificationScale, IsThePapersAtThePapersParameters) {
  const NotificationScale s = scale_of(pause_fabric("10Gbps", "100ns", "150kB", incast("1MB")));
  EXPECT_EQ(s.equilibrium, 33'000);
  EXPECT_EQ(s.interval, 150'000);
  EXPECT_EQ(s.rate, 1);
  EXPECT_EQ(s.time, 1);
}

TEST(NotificationScale, FollowsRateDelayAndBuffer) {
  const NotificationScale fast = scale_of(pause_fabric("100Gbps", "100ns", "150kB", incast("1MB")));
  EXPECT_EQ(fast.equilibrium, 33'000);
  EXPECT_EQ(fast.interval, 150'000);
  EXPECT_EQ(fast.rate, 10);
  EXPECT_DOUBLE_EQ(fast.time, 0.1);
  const NotificationScale small = scale_of(pause_fabric("10Gbps", "100ns", "50kB", incast("1MB")));
  EXPECT_EQ(small.equilibrium, 11'000);
  EXPECT_EQ(small.interval, 50'000);
  EXPECT_NEAR(small.time, 1.0 / 3, 1e-12);
  // 100 Gb/s over ten kilometres: far more than 33 kB are in flight, and the buffer holds them.
  const NotificationScale far = scale_of(pause_fabric("100Gbps", "50us", "30MB", incast("1MB")));
  EXPECT_GT(far.equilibrium, 3'000'000);
  EXPECT_LE(far.equilibrium, 6'600'000);
  EXPECT_GE(far.interval, far.equilibrium) << "one sample in a round trip";
  const NotificationScale large = scale_of(pause_fabric("10Gbps", "100ns", "3MB", incast("1MB")));
  EXPECT_EQ(large.equilibrium, 33'000) << "more memory alone is no reason for longer queues";
}

// The buffers of scenarios/hotspot.toml hold 1 KiB. With the paper's numbers nothing happens.
TEST(ScaledDefaults, ActWhereAQueueIsShort) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  for (const std::string name : {"qcn", "ecm"}) {
    SCOPED_TRACE(name);
    const auto run = [&](std::vector<Override> overrides) {
      overrides.push_back(parse_override("scheme.name=" + name));
      overrides.push_back(parse_override("run.max_time=400us"));  // half of it with the hot spot
      return simulate(parse_scenario_file(source_dir() + "/scenarios/hotspot.toml", vocabulary(), overrides));
    };
    const Outcome papers = run({parse_override("scheme.qeq=33000B"), parse_override("scheme.sample_interval=150kB")});
    EXPECT_NE(papers.measurements.scheme_idle, "");
    const Outcome scaled = run({});
    EXPECT_EQ(scaled.measurements.scheme_idle, "");
    EXPECT_GT(number_of(scaled, name == "qcn" ? "rate cuts" : "negative notifications"), 500);
  }
}

// Output buffers that are counted in packets are measured in bytes all the same.
TEST(ScaledDefaults, ActWhereBuffersAreCountedInPackets) {
  for (const std::string name : {"qcn", "ecm"}) {
    SCOPED_TRACE(name);
    testing::Star star;
    star.hosts = 8;
    star.switches = "organisation = 'fifo-in-out'\nbuffer_packets = 8\n";
    star.scheme = "name = '" + name + "'\n";
    star.traffic = "[[traffic]]\npattern = 'incast'\ntarget = 0\nbytes = '200kB'\n";
    const Outcome outcome = testing::run_text(star.text());
    EXPECT_EQ(outcome.measurements.scheme_idle, "");
    EXPECT_GT(number_of(outcome, name == "qcn" ? "rate cuts" : "negative notifications"), 10);
  }
}

// At 100 Gb/s: every scheme lets the last of twelve flows through about as late, against none, as it does at 10 Gb/s.
TEST(ScaledDefaults, KeepCompletionInProportionOnFastLinks) {
  const auto last = [](const std::string& rate, const std::string& scheme) {
    const Outcome outcome = testing::run_text(
        pause_fabric(rate, rate == "10Gbps" ? "100ns" : "10ns", "150kB", "[scheme]\n" + scheme + incast("1MB")));
    EXPECT_EQ(outcome.measurements.ending, Ending::finished);
    Time end;
    for (const FlowResult& flow : outcome.measurements.flows) end = std::max(end, flow.completion);
    return end.seconds();
  };
  for (const std::string name : {"qcn", "ecm", "cca"}) {
    SCOPED_TRACE(name);
    const std::string scheme = "name = '" + name + "'\n";
    const double slow = last("10Gbps", scheme) / last("10Gbps", "name = 'none'\n");
    const double fast = last("100Gbps", scheme) / last("100Gbps", "name = 'none'\n");
    EXPECT_LT(fast, 1.5 * slow);
    const std::string old = name == "cca" ? "ccti_timer = 150\n"
                            : name == "qcn"
                                ? "timer = '15ms'\nactive_increase = '5Mbps'\nhyper_increase = '50Mbps'\n"
                                : "ru = '8Mbps'\ndrift = '1Mbps'\ndrift_interval = '1ms'\n";
    EXPECT_GT(last("100Gbps", scheme + old) / last("100Gbps", scheme), 1.3) << "what it was before";
  }
}

}  // namespace
}  // namespace weir
