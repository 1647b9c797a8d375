// Derived numbers against values computed by hand.
#include "measure/derive.h"

#include <gtest/gtest.h>

#include "measure/digest.h"
#include "measure/sample_run.h"
#include "traffic/workload.h"

namespace weir {
namespace {

TEST(Derive, ClassThroughputAndLatency) {
  const Measurements m = sample_measurements();
  const ClassSummary cold = summarize(m, kCold);
  // 89 packets of 1000 B in 100 us, 79 of them in the 90 us after warm-up.
  EXPECT_DOUBLE_EQ(*cold.throughput, 89e3 * 8 / 100e-6);
  EXPECT_DOUBLE_EQ(*cold.window_throughput, 79e3 * 8 / 90e-6);
  EXPECT_DOUBLE_EQ(cold.latency->mean_ps, (60 * 1 + 5 * 50 + 2 * 200 + 10 * 20 + 12 * 10) / 89.0 * kMicro);
  EXPECT_EQ(cold.latency->max_ps, 200.0 * kMicro);
  EXPECT_NEAR(cold.latency->p50_ps, 1.0 * kMicro, 0.016 * kMicro);
  EXPECT_DOUBLE_EQ(*cold.peak_latency_ps, 200.0 * kMicro);
  EXPECT_EQ(cold.peak_at, Time{50 * kMicro});
  EXPECT_DOUBLE_EQ(*summarize(m, kHot).marked_share, 0.75);
}

TEST(Derive, ClassThatReceivedNothingHasNoLatency) {
  Measurements m;
  m.classes.resize(1);
  const ClassSummary s = summarize(m, kCold);
  EXPECT_FALSE(s.latency);
  EXPECT_FALSE(s.throughput);
  EXPECT_FALSE(s.marked_share);
  EXPECT_FALSE(s.peak_latency_ps);
}

TEST(Derive, SeriesKnowTheShortLastBin) {
  Measurements m = sample_measurements();
  m.end = {95 * kMicro};
  const auto rates = throughput_series(m, kCold);
  EXPECT_DOUBLE_EQ(*rates[8], 10e3 * 8 / 10e-6);
  EXPECT_DOUBLE_EQ(*rates[9], 10e3 * 8 / 5e-6);
  m.end = {94 * kMicro};  // less than half of it is left: its rate says nothing
  EXPECT_FALSE(throughput_series(m, kCold)[9]);
  EXPECT_DOUBLE_EQ(*throughput_series(m, kCold)[8], 10e3 * 8 / 10e-6);
  m.end = {90 * kMicro};  // nothing is left of the last bin
  EXPECT_FALSE(throughput_series(m, kCold)[9]);
  EXPECT_FALSE(latency_series(m, kHot)[0]);
  EXPECT_DOUBLE_EQ(*latency_series(m, kHot)[5], 300.0 * kMicro);
}

FlowResult flow_of(Time start, Time completion, Bytes delivered) {
  FlowResult flow;
  flow.source = {0};
  flow.destination = {2};
  flow.traffic_class = kCold;
  flow.app = {0};
  flow.bytes = delivered;
  flow.delivered = delivered;
  flow.start = start;
  flow.completion = completion;
  return flow;
}

TEST(Derive, FlowRateRunsToCompletionOrToTheEnd) {
  Measurements m = sample_measurements();
  EXPECT_DOUBLE_EQ(*flow_rate(m, flow_of(Time{10 * kMicro}, Time{30 * kMicro}, 1000)), 1000 * 8 / 20e-6);
  EXPECT_DOUBLE_EQ(*flow_rate(m, flow_of(Time{20 * kMicro}, kNever, 1000)), 1000 * 8 / 80e-6);
  EXPECT_FALSE(flow_rate(m, flow_of(kNever, kNever, 0)));
  EXPECT_FALSE(flow_rate(m, flow_of(m.end, kNever, 0)));
  EXPECT_DOUBLE_EQ(*flow_completion_ps(flow_of(Time{10}, Time{30}, 1)), 20);
  EXPECT_FALSE(flow_completion_ps(flow_of(Time{10}, kNever, 1)));
}

TEST(Derive, JainIndex) {
  EXPECT_FALSE(fairness_of({}));
  EXPECT_DOUBLE_EQ(fairness_of({5, 5, 5})->jain, 1);
  EXPECT_DOUBLE_EQ(fairness_of({1, 0, 0, 0})->jain, 0.25);
  const Fairness f = *fairness_of({1, 3});
  EXPECT_DOUBLE_EQ(f.jain, 16.0 / 20);
  EXPECT_DOUBLE_EQ(f.min_over_mean, 0.5);
  EXPECT_DOUBLE_EQ(fairness_of({0, 0})->jain, 1);
}

TEST(Derive, FairnessUsesFlowsWhereThereAreAny) {
  Measurements m = sample_measurements();
  // Hosts: h0 sends 60 kB, h1 12 kB; the others never wanted to.
  const Fairness hosts = *fairness(m);
  EXPECT_EQ(hosts.count, 2u);
  EXPECT_DOUBLE_EQ(hosts.jain, 72.0 * 72 / (2 * (60.0 * 60 + 12 * 12)));
  EXPECT_EQ(fairness(m, kCold)->count, 1u);
  m.hosts[2].peak_backlog_packets = 7;  // h1, cold: starved
  EXPECT_EQ(fairness(m, kCold)->count, 2u);
  EXPECT_DOUBLE_EQ(fairness(m, kCold)->jain, 0.5);
  m.flows = {flow_of(Time{0}, kNever, 1000), flow_of(Time{0}, kNever, 3000), flow_of(kNever, kNever, 0)};
  EXPECT_EQ(fairness(m)->count, 2u);
  EXPECT_DOUBLE_EQ(fairness(m)->jain, 0.8);
  EXPECT_FALSE(fairness(m, kHot));
}

TEST(Derive, HostsCountedForAllClassesTogether) {
  Measurements m = sample_measurements();
  std::vector<HostResult> totals;
  for (std::uint32_t h = 0; h < 4; ++h) totals.push_back(host_total(m, {h}));
  EXPECT_EQ(totals[1].injected_bytes, 12'000u);
  const double jain = fairness(m)->jain;
  m.hosts = totals;
  m.hosts_by_class = false;
  EXPECT_EQ(host_count(m), 4u);
  EXPECT_EQ(fairness(m)->jain, jain);
  EXPECT_FALSE(fairness(m, kCold));
  EXPECT_EQ(host_of_class(m, HostId{0}, kCold), nullptr);
}

TEST(Derive, ApplicationsCompleteWithTheirLastFiniteFlow) {
  Measurements m = sample_measurements();
  m.flows = {flow_of(Time{0}, Time{10}, 1), flow_of(Time{0}, Time{40}, 1), flow_of(Time{0}, kNever, 5)};
  m.phase_ends = {{Time{10}, kNever}};
  EXPECT_FALSE(apps(m).at(0).completion);
  m.flows[2].bytes = kEndless;
  const AppResult app = apps(m).at(0);
  EXPECT_EQ(*app.completion, Time{40});
  EXPECT_EQ(app.completed, 2u);
  ASSERT_EQ(app.phases.size(), 2u);
  EXPECT_EQ(*app.phases[0], Time{10});
  EXPECT_FALSE(app.phases[1]);
}

TEST(Derive, InfinibandCounters) {
  PortResult port;
  port.xmit_bytes = 4099;
  port.rcv_bytes = 8;
  port.xmit_packets = 2;
  port.wait = {1'000'000};
  port.congested = {256'000};
  port.tick_ps = 128'000;
  const IbCounters c = ib_counters(port);
  EXPECT_EQ(c.port_xmit_data, 1024u);
  EXPECT_EQ(c.port_rcv_data, 2u);
  EXPECT_EQ(c.port_xmit_pkts, 2u);
  EXPECT_EQ(c.port_xmit_wait, 7u);
  EXPECT_EQ(c.port_xmit_cong_time, 2u);
  port.tick_ps = 0;
  EXPECT_EQ(ib_counters(port).port_xmit_wait, 0u);
}

TEST(Derive, Utilisation) {
  const Measurements m = sample_measurements();
  EXPECT_DOUBLE_EQ(utilisation(m, kHotPort), 0.4);
  EXPECT_DOUBLE_EQ(wait_share(m, kUplink), 0.2);
  Measurements empty;
  empty.ports.resize(1);
  EXPECT_EQ(utilisation(empty, PortId{0}), 0);
}

TEST(Derive, MeanOfTheLargest) {
  Histogram h;
  for (std::uint64_t v = 1; v <= 50; ++v) h.add(v);
  EXPECT_DOUBLE_EQ(mean_of_largest(h, 0.1), 48);   // 46 to 50
  EXPECT_DOUBLE_EQ(mean_of_largest(h, 0.01), 50);  // one at least
  EXPECT_DOUBLE_EQ(mean_of_largest(h, 1), 25.5);
  EXPECT_EQ(mean_of_largest(Histogram(), 0.01), 0);
  Histogram tail;  // two victims among a thousand packets
  for (int i = 0; i < 998; ++i) tail.add(4'000'000);
  tail.add(100'000'000);
  tail.add(200'000'000);
  EXPECT_NEAR(mean_of_largest(tail, 0.01), (8 * 4e6 + 3e8) / 10, 0.016 * 3.3e7);
}

TEST(Derive, LatencyGrowsFromTheFirstHalfToTheSecond) {
  Measurements m = sample_measurements();
  m.ending = Ending::duration;
  for (std::size_t b = 0; b < 10; ++b) {
    ClassBin& bin = m.classes[0].series[b];
    bin.received = 30;
    bin.latency_sum_ps = 30.0 * kMicro * (b < 1 ? 50 : b < 5 ? 1 : 3);  // the first bin is warm-up
  }
  // The middle of the 90 us after the warm-up lies in bin 5.
  EXPECT_NEAR(*summarize(m, kCold).latency_growth, 3, 0.5);
  EXPECT_FALSE(digest(m, sample_topology()).classes[0].summary.latency_growth);  // hot starts late
  m.ending = Ending::finished;
  EXPECT_FALSE(summarize(m, kCold).latency_growth);
}

// Rates that are exactly as their weights are fair.
TEST(Derive, FairnessIsThatOfRatesOverWeights) {
  Measurements m;
  m.end = {1'000'000};
  for (const int weight : {1, 2, 4}) {
    FlowResult flow;
    flow.start = Time{0};
    flow.delivered = 1000 * weight;
    m.flows.push_back(flow);
  }
  EXPECT_NEAR(fairness(m)->jain, 49.0 / 63, 1e-9);
  for (std::size_t f = 0; f < 3; ++f) m.flows[f].weight = static_cast<double>(m.flows[f].delivered) / 1000;
  EXPECT_NEAR(fairness(m)->jain, 1, 1e-9);
  EXPECT_NEAR(fairness(m)->min_over_mean, 1, 1e-9);
}

}  // namespace
}  // namespace weir
