// Every detection with every correction and adapter on a small network: nothing is lost, order holds, and the link to
// the hot spot does not stand idle while a sender has a hot packet that it may inject.
#include <gtest/gtest.h>

#include "packet/packet_engine.h"
#include "run/lab.h"
#include "scale.h"
#include "schemes/marking/marking_family.h"

namespace weir::marking {
namespace {

constexpr std::uint32_t kHotHost = 0;

// Looks at the hot link several times per round trip. A gap is idle time of more than one shortest round trip, after
// the first hot packet has arrived, throughout which some sender holds a hot packet that the scheme would let go.
struct GapProbe : MarkingFamily {
  using MarkingFamily::MarkingFamily;

  void on_start(const GlobalView& all) override {
    MarkingFamily::on_start(all);
    hot_link = all.topology().from(all.topology().host_port({kHotHost}));
    step = config.trip.shortest / 8;
    all.set_timer(step, 0);
  }
  void on_queued(HostView here, const Packet& p, bool was_empty) override {
    if (is_hot(p)) ++waiting[p.connection];
    MarkingFamily::on_queued(here, p, was_empty);
  }
  void on_inject(HostView here, Packet& p) override {
    if (is_hot(p)) --waiting[p.connection];
    MarkingFamily::on_inject(here, p);
  }
  void on_delivery(HostView here, Packet& p) override {
    if (here.here().index == kHotHost && is_hot(p)) hot_seen = true;
  }
  void on_global_timer(const GlobalView& all, std::uint32_t, std::uint32_t) override {
    bool allowed = false;
    for (ConnectionId c{0}; c.index < waiting.size() && !allowed; ++c.index)
      allowed = waiting[c] > 0 && correction.may_inject(states.of_pair(c)) <= all.now();
    const bool idle = all.fabric().link(hot_link).busy_until <= all.now().ps;
    idle_for = hot_seen && idle && allowed ? idle_for + step : Time{};
    if (idle_for > config.trip.shortest && idle_for - step <= config.trip.shortest) ++gaps;
    if (all.now() < until) all.set_timer(all.now() + step, 0);
  }

  // Of the pulse. A uniform host that draws the hot host has other packets, which keep its own link busy.
  static bool is_hot(const Packet& p) { return p.traffic_class == 1; }

  ConnectionTable<std::uint32_t> waiting{*this};
  LinkId hot_link;
  Time step, idle_for, until = {2'000'000'000};
  bool hot_seen = false;
  int gaps = 0;
};

struct Result {
  Measurements m;
  int gaps = 0;
};

Result run(const std::string& scheme, const std::string& adapter, MarkingPreset preset = MarkingPreset::free,
           std::uint64_t seed = 7) {
  const Scenario scenario = weir::testing::scenario_of(
      R"([topology]
kind = "bmin"
k = 2
n = 3
[link]
rate = "8Gbps"
delay = "1ns"
[packet]
payload = [64, 256]
header = "22B"
ack = "22B"
[switch]
organisation = "fifo-in-out"
arbitration = "oldest-first"
buffer = "1KiB"
buffer_counts = "payload-bytes"
[adapter]
)" +
      adapter +
      R"([[traffic]]
name = "cold"
pattern = "uniform"
class = "cold"
except = "hot"
load = 0.4
stop = "60us"
[[traffic]]
name = "hot"
pattern = "hotspot"
class = "hot"
share = "50%"
target = 0
load = 0.7
packets = 100
after_received = 60
[run]
duration = "20ms"
[scheme]
)" +
      scheme);
  const Topology topology = build_topology(scenario);
  const RouteTable routes = build_routes(scenario, topology);
  const Workload workload = build_workload(scenario, topology);
  const RunInput setup{topology, routes, workload, packet_config(scenario, topology, workload), seed};
  GapProbe probe(marking_config(setup, scenario.section("scheme"), preset));
  Result result;
  result.m = run_packets(setup, probe);
  result.gaps = probe.gaps;
  return result;
}

constexpr const char* kAdapters[] = {"organisation = 'per-destination'\n", "organisation = 'modulo'\nqueues = 3\n",
                                     "organisation = 'shared'\nmemory = '3kB'\n", "organisation = 'fifo'\n"};

void expect_nothing_lost(const Measurements& m, const std::string& what) {
  for (const ClassResult& c : m.classes) {
    EXPECT_EQ(c.generated, c.received) << what << ": " << c.name;
    EXPECT_GT(c.received, 0u) << what << ": " << c.name;
    EXPECT_EQ(c.out_of_order, 0u) << what << ": " << c.name;
  }
  EXPECT_EQ(m.ending, Ending::duration) << what << ": " << m.ending_text;
}

TEST(MarkingConformance, EveryCombinationDeliversEverythingInOrder) {
  // Under a sanitizer every 23rd, which still takes each value of each choice with most values of the others.
  const int step = static_cast<int>(scaled_count(23, 1, 1));
  int runs = 0, with_gaps = 0, gaps = 0;
  for (const char* detection : {"none", "ipm", "rpm", "opm", "iopm", "mvpm"})
    for (const char* window : {"none", "static", "dynamic"})
      for (const char* delay : {"none", "slots", "table", "aimd", "fimd", "lipd"})
        for (const char* adapter : kAdapters) {
          if (runs++ % step != 0) continue;
          const char* recovery = (runs % 2) == 1 ? "immediate" : "progressive";
          const std::string scheme = fmt::format(
              "name = 'marking'\ndetection = '{}'\nwindow = '{}'\ndelay = '{}'\nrecovery = '{}'\n", detection,
              window, delay, recovery);
          const Result result = run(scheme, adapter);
          expect_nothing_lost(result.m, scheme + adapter);
          gaps += result.gaps;
          with_gaps += result.gaps > 0 ? 1 : 0;
        }
  EXPECT_EQ(runs, 6 * 3 * 6 * 4);
  RecordProperty("combinations_with_idle_gaps", with_gaps);
  fmt::print("{} combinations, {} of them with idle gaps of the hot link, {} gaps in total\n", (runs + step - 1) / step,
             with_gaps, gaps);
}

TEST(MarkingConformance, WaitingSlotsWithoutLimitDeliverEverything) {
  const Result result = run("name = 'marking'\nlimit = 0\n", kAdapters[0]);
  expect_nothing_lost(result.m, "no limit");
}

TEST(MarkingConformance, MvcmAndIocmNeverLeaveTheHotLinkIdleForNothing) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  for (const char* adapter : kAdapters)
    for (const std::uint64_t seed : {7u, 8u, 9u}) {
      EXPECT_EQ(run("name = 'mvcm'\n", adapter, MarkingPreset::mvcm, seed).gaps, 0) << adapter << seed;
      EXPECT_EQ(run("name = 'iocm'\n", adapter, MarkingPreset::iocm, seed).gaps, 0) << adapter << seed;
    }
  for (const char* name : {"renato", "pfister"}) {
    const int gaps = run(fmt::format("name = '{}'\n", name), kAdapters[0],
                         std::string_view(name) == "renato" ? MarkingPreset::renato : MarkingPreset::pfister).gaps;
    RecordProperty(std::string(name) + "_gaps", gaps);
    fmt::print("{}: {} idle gaps\n", name, gaps);
  }
}

}  // namespace
}  // namespace weir::marking
