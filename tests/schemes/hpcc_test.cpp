// HPCC step by step against values calculated by hand, and in the engine against its steady state.
#include <gtest/gtest.h>

#include "packet/packet_engine.h"
#include "packet/scheme/travelling_records.h"
#include "run/lab.h"
#include "says.h"
#include "schemes/bottleneck.h"
#include "schemes/fabric_facts.h"
#include "schemes/roce/hpcc_sender.h"

namespace weir {
namespace {

using testing::kNs;
using testing::kUs;
using testing::number_of;
using testing::run_text;
using testing::Star;

// ---- the sender: 100 Gb/s, T = 10 us, so 125 kB are in flight at full load ----

constexpr double kHpccLine = 100e9;

HpccParams params() {
  HpccParams p;
  p.additive = 40e6;
  return p;
}

struct Loop {
  HpccSender sender{params(), kHpccLine};
  HpccHop last;
  Time at;
  double sent = 0;

  // An acknowledgement 10 us later, after the link had sent at this share of its rate.
  void ack(double load, std::uint32_t queue, bool anew, Time after = {10 * kUs}) {
    at += after;
    sent += load * 0.0125 * static_cast<double>(after.ps);
    const HpccHop now(at, static_cast<std::uint64_t>(sent), queue);
    const double rate = kHpccLine;
    sender.acknowledged(params(), {&last, 1}, {&now, 1}, {&rate, 1}, anew);
    last = now;
  }
};

TEST(HpccSender, StartsAtLineRateWithAWindowOfOneProduct) {
  Loop loop;
  EXPECT_DOUBLE_EQ(loop.sender.rate(), kHpccLine);
  EXPECT_DOUBLE_EQ(loop.sender.window(params()), 125'000);
  HpccParams p = params();
  p.initial_rate = 10e9;
  EXPECT_DOUBLE_EQ(HpccSender(p, kHpccLine).rate(), 10e9);
}

TEST(HpccSender, CountsRateAndTheSmallerOfTwoQueues) {
  Loop loop;
  loop.ack(1, 50'000, true);  // the queue before was 0
  EXPECT_DOUBLE_EQ(loop.sender.in_flight(), 1);
  EXPECT_DOUBLE_EQ(loop.sender.rate(), 95e9 + 40e6);
  loop.ack(1, 25'000, true);  // 25 of 125 kB: u = 1.2
  EXPECT_DOUBLE_EQ(loop.sender.in_flight(), 1.2);
  EXPECT_DOUBLE_EQ(loop.sender.rate(), (95e9 + 40e6) * 0.95 / 1.2 + 40e6);
}

TEST(HpccSender, SmoothsOverARoundTrip) {
  Loop loop;
  loop.ack(0.5, 0, false, {5 * kUs});  // half of T: half of the old U, which is 1, and half of the new one
  EXPECT_DOUBLE_EQ(loop.sender.in_flight(), 0.75);
  loop.ack(0.5, 0, false, {40 * kUs});  // longer than T counts as T
  EXPECT_DOUBLE_EQ(loop.sender.in_flight(), 0.5);
}

TEST(HpccSender, EveryAcknowledgementStartsFromTheSameReference) {
  Loop loop;
  loop.ack(1, 25'000, true);
  const double reference = loop.sender.rate();
  loop.ack(1, 25'000, false);
  const double cut = reference * 0.95 / 1.2 + 40e6;
  EXPECT_DOUBLE_EQ(loop.sender.rate(), cut);
  loop.ack(1, 25'000, false);
  EXPECT_DOUBLE_EQ(loop.sender.rate(), cut) << "not cut twice";
  EXPECT_DOUBLE_EQ(loop.sender.reference(), reference);
  loop.ack(1, 25'000, true);
  EXPECT_DOUBLE_EQ(loop.sender.reference(), cut);
}

TEST(HpccSender, AdditiveStepsThenOneByTheLoad) {
  HpccParams p = params();
  p.initial_rate = 10e9;
  Loop loop;
  loop.sender = HpccSender(p, kHpccLine);
  for (int stage = 1; stage <= 5; ++stage) {
    loop.ack(0.5, 0, true);
    EXPECT_DOUBLE_EQ(loop.sender.rate(), 10e9 + stage * 40e6);
    EXPECT_EQ(loop.sender.stage(), static_cast<std::uint32_t>(stage));
  }
  loop.ack(0.5, 0, true);  // the sixth: U = 0.5, so the rate is multiplied by 1.9
  EXPECT_DOUBLE_EQ(loop.sender.rate(), 10.2e9 * 1.9 + 40e6);
  EXPECT_EQ(loop.sender.stage(), 0u);
}

TEST(HpccSender, TheFullestHopCounts) {
  HpccSender sender(params(), kHpccLine);
  const Time start, end{10 * kUs};
  const HpccHop before[] = {{start, 0, 0}, {start, 0, 30'000}, {start, 0, 0}};
  const HpccHop now[] = {{end, 100'000, 0}, {end, 40'000, 30'000}, {end, 12'500, 0}};
  const double rates[] = {100e9, 40e9, 100e9};
  sender.acknowledged(params(), before, now, rates, true);
  EXPECT_DOUBLE_EQ(sender.in_flight(), 1.4) << "40 of 50 kB on the wire and 30 kB queued, of 50";
}

TEST(HpccHop, CountersMayStartAgain) {
  const Time late{(std::int64_t{1} << 32) * HpccHop::kTick - kUs};
  const HpccHop before(late, (std::uint64_t{1} << 32) - 1000, 0);
  const HpccHop now(late + Time{2 * kUs}, (std::uint64_t{1} << 32) + 500, 0);
  EXPECT_DOUBLE_EQ(now.seconds_since(before), 2e-6);
  EXPECT_EQ(now.bytes_since(before), 1500u);
  EXPECT_TRUE(now.is_later_than(before));
  EXPECT_FALSE(before.is_later_than(now));
}

// ---- what it stands on ----

TEST(BaseRoundTrip, IsThatOfALonePacket) {
  for (const char* switching : {"cut-through", "store-and-forward"}) {
    const std::string text = fmt::format(R"([topology]
kind = "two-switch"
left = 2
right = 2
[link]
rate = "8Gbps"
delay = "700ns"
[packet]
payload = [1000]
header = "64B"
ack = "84B"
[switch]
switching = "{}"
route_delay = "30ns"
switch_delay = "40ns"
[scheme]
name = "timely"
[[traffic]]
pattern = "flows"
list = [[0, 3, 1000]]
[run]
until = "flows"
settle = "100us"
)",
                                         switching);
    const RunSetup setup = set_up(testing::scenario_of(text));
    const RunInput run{setup.network->topology, setup.network->routes, *setup.workload, setup.config, 1};
    // TIMELY leaves out the time of the packet itself on the first link.
    EXPECT_DOUBLE_EQ(base_round_trip(run).nanoseconds() - 1064,
                     number_of(run_text(text), "longest round trip [ns]")) << switching;
  }
}

// Records are taken, written on the way and given back, whoever executes the nodes; none is lost.
struct Traveller : SchemeHooks {
  static constexpr bool kAcknowledges = true;
  static constexpr bool kConnections = true;
  using Records = TravellingRecords<std::uint64_t>;

  void on_inject(HostView here, Packet& p) override {
    const Records::Number number = records.take(here);
    std::fill_n(records.at(here.here(), number), 3, kNobody);
    p.load(number);
  }
  void on_departure(SwitchView here, ChannelId, Packet& p) override {
    if (!p.is(PacketKind::data)) return;
    std::uint64_t* hop = records.at(p.source, p.cargo<Records::Number>());
    while (*hop != kNobody) ++hop;
    *hop = here.node().index;
  }
  void on_ack(HostView here, Packet& p) override {
    const auto number = p.cargo<Records::Number>();
    const std::uint64_t* hops = records.at(here.here(), number);
    Count& c = counts[here.here()];
    for (int i = 0; i < 3; ++i)
      c.hops += hops[i] != kNobody && !here.topology().is_host({static_cast<std::uint32_t>(hops[i])});
    ++c.acks;
    records.give_back(here, number);
  }

  static constexpr std::uint64_t kNobody = ~std::uint64_t{0};
  struct Count {
    std::uint64_t hops = 0, acks = 0;
  };
  Records records{*this, 3};
  HostTable<Count> counts{*this};
};

TEST(TravellingRecords, ComeBackAsTheySetOutOverAnyNumberOfThreads) {
  const Scenario scenario = testing::scenario_of(R"([topology]
kind = "k-ary-n-tree"
k = 2
n = 2
[link]
rate = "8Gbps"
delay = "500ns"
[packet]
payload = [1000]
[switch]
buffer = "1MB"
[[traffic]]
pattern = "shift"
offset = 2
bytes = "200kB"
[run]
duration = "1ms"
)");
  const RunSetup setup = set_up(scenario);
  for (const std::uint32_t threads : {1u, 2u}) {
    RunInput run{setup.network->topology, setup.network->routes, *setup.workload, setup.config, 1};
    run.threads = threads;
    run.routes_proven = true;
    Traveller traveller;
    const Measurements m = run_packets(run, traveller);
    EXPECT_EQ(m.totals.threads, threads) << m.totals.one_thread;
    Traveller::Count all;
    for (const Traveller::Count& c : traveller.counts) all = {all.hops + c.hops, all.acks + c.acks};
    EXPECT_EQ(all.acks, 800u);
    EXPECT_EQ(all.hops, 800u * 3) << "up, over the top, and down";
    // In a round trip of 5 us a host sends five packets, and it needs no more records than are under way.
    EXPECT_GE(traveller.records.made(), 4 * 5u);
    EXPECT_LE(traveller.records.made(), 4 * 7u);
    EXPECT_GE(traveller.bytes_of_state(), traveller.records.made() * 24);
  }
}

// ---- in the engine ----

std::string hpcc_bottleneck(int flows, const std::string& scheme, const std::string& run) {
  return testing::Bottleneck{flows, "100Gbps", "10us", "name = 'hpcc'\nrai = '40Mbps'\n" + scheme, run}.text();
}

TEST(Hpcc, UsesTheLinkToEtaAndTheAdditiveSteps) {
  for (const int flows : {2, 16}) {
    const Outcome run = run_text(hpcc_bottleneck(flows, "", "duration = '10ms'"));
    const auto& series = run.measurements.watched.at(0).series;
    double busy = 0, longest = 0;
    for (std::size_t i = 50; i < 100; ++i) {
      busy += series[i].rate / 100e9 / 50;
      longest = std::max(longest, static_cast<double>(series[i].queue_max));
    }
    const double expected = 0.95 + flows * 0.0004;
    EXPECT_NEAR(busy, expected, 0.01 * expected);
    EXPECT_LT(longest, 20'000);
    EXPECT_EQ(run.measurements.scheme_idle, "");
    EXPECT_GT(number_of(run, "telemetry echoed"), 10'000);
    EXPECT_EQ(number_of(run, "telemetry cut short"), -1);
  }
}

TEST(Hpcc, AWindowBoundsWhatIsInFlight) {
  Star star;
  star.link = "delay = '10us'\n";
  star.switches = "buffer = '1MB'\n";
  star.scheme = "name = 'hpcc'\nbase_rtt = '4us'\n";  // a tenth of the true one: 4 packets instead of 41
  star.traffic = testing::flows("[0, 1, 400000]");
  const Outcome run = run_text(star.text());
  // Four packets, and one that finds them below the window, in each round trip of 41.064 us.
  const double expected = 400 / 4 * 41'064.0 * kNs;
  EXPECT_NEAR(static_cast<double>(testing::completion(run, 0)), expected, 0.05 * expected);
}

TEST(Hpcc, RefusesWhatCannotBe) {
  const std::string said = testing::refusal(hpcc_bottleneck(2, "eta = '120%'", "duration = '1ms'"));
  EXPECT_TRUE(says(said, "eta")) << said;
}

}  // namespace
}  // namespace weir
