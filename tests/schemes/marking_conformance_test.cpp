// Every detection with every correction and adapter on a small network: nothing is lost, order holds, and the link to
// the hot spot does not stand idle while a sender has a hot packet that it may inject.
#include <gtest/gtest.h>

#include "packet/packet_engine.h"
#include "run/lab.h"
#include "schemes/marking_family.h"

namespace weir::marking {
namespace {

constexpr std::uint32_t kHotHost = 0;

// Looks at the hot link several times per round trip. A gap is idle time of more than one shortest round trip, after
// the first hot packet has arrived, throughout which some sender holds a hot packet that the scheme would let go.
struct GapProbe : MarkingFamily {
  using MarkingFamily::MarkingFamily;

  void on_start(EngineView& engine) override {
    MarkingFamily::on_start(engine);
    waiting.assign(engine.connections().count(), 0);
    hot_link = engine.topology().from(engine.topology().host_port({kHotHost}));
    step = config.trip.shortest / 8;
    engine.set_timer(step, 0);
  }
  void on_queued(EngineView& engine, HostId host, const Packet& p, bool was_empty) override {
    if (is_hot(p)) ++waiting[p.connection.index];
    MarkingFamily::on_queued(engine, host, p, was_empty);
  }
  void on_inject(EngineView& engine, HostId host, Packet& p) override {
    if (is_hot(p)) --waiting[p.connection.index];
    MarkingFamily::on_inject(engine, host, p);
  }
  void on_delivery(EngineView&, HostId host, Packet& p) override {
    if (host.index == kHotHost && is_hot(p)) hot_seen = true;
  }
  void on_timer(EngineView& engine, std::uint32_t, std::uint32_t) override {
    bool allowed = false;
    for (std::uint32_t c = 0; c < waiting.size() && !allowed; ++c)
      allowed = waiting[c] > 0 && correction.may_inject(flows[c]) <= engine.now();
    const bool idle = engine.fabric().link(hot_link).busy_until <= engine.now().ps;
    idle_for = hot_seen && idle && allowed ? idle_for + step : Time{};
    if (idle_for > config.trip.shortest && idle_for - step <= config.trip.shortest) ++gaps;
    if (engine.now() < until) engine.set_timer(engine.now() + step, 0);
  }

  // Of the pulse. A uniform host that draws the hot host has other packets, which keep its own link busy.
  static bool is_hot(const Packet& p) { return p.traffic_class == 1; }

  std::vector<std::uint32_t> waiting;
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
      "[topology]\nkind = \"bmin\"\nk = 2\nn = 3\n[link]\nrate = \"8Gbps\"\ndelay = \"1ns\"\n[packet]\npayload = [64, "
      "256]\nheader = \"22B\"\n"
      "ack = \"22B\"\n[switch]\norganisation = \"fifo-in-out\"\narbitration = \"oldest-first\"\nbuffer = \"1KiB\"\n"
      "buffer_counts = \"payload-bytes\"\n[adapter]\n" +
      adapter +
      "[[traffic]]\nname = \"cold\"\npattern = \"uniform\"\nclass = \"cold\"\nexcept = \"hot\"\nload = 0.4\nstop = "
      "\"60us\"\n"
      "[[traffic]]\nname = \"hot\"\npattern = \"hotspot\"\nclass = \"hot\"\nshare = \"50%\"\ntarget = 0\nload = "
      "0.7\npackets = 100\n"
      "after_received = 60\n[run]\nduration = \"20ms\"\n[scheme]\n" +
      scheme);
  const Topology topology = build_topology(scenario);
  const RouteTable routes = build_routes(scenario, topology);
  const Workload workload = build_workload(scenario, topology);
  const PacketRun setup{topology, routes, workload, packet_config(scenario, topology, workload), seed};
  GapProbe probe(marking_config(setup, scenario.section("scheme"), preset));
  Result result;
  result.m = run_packets(setup, probe);
  result.gaps = probe.gaps;
  return result;
}

constexpr const char* kAdapters[] = {"organisation = \"per-destination\"\n", "organisation = \"modulo\"\nqueues = 3\n",
                                     "organisation = \"shared\"\nmemory = \"3kB\"\n", "organisation = \"fifo\"\n"};

void expect_nothing_lost(const Measurements& m, const std::string& what) {
  for (const ClassResult& c : m.classes) {
    EXPECT_EQ(c.generated, c.received) << what << ": " << c.name;
    EXPECT_GT(c.received, 0u) << what << ": " << c.name;
    EXPECT_EQ(c.out_of_order, 0u) << what << ": " << c.name;
  }
  EXPECT_EQ(m.ending, Ending::duration) << what << ": " << m.ending_text;
}

TEST(MarkingConformance, EveryCombinationDeliversEverythingInOrder) {
  // Under a sanitizer every fifth, which still takes each value of each choice with most values of the others.
  const int step = static_cast<int>(scaled_count(5, 1, 1));
  int runs = 0, with_gaps = 0, gaps = 0;
  for (const char* detection : {"none", "ipm", "rpm", "opm", "iopm", "mvpm"})
    for (const char* window : {"none", "static", "dynamic"})
      for (const char* delay : {"none", "slots", "table", "aimd", "fimd", "lipd"})
        for (const char* adapter : kAdapters) {
          if (runs++ % step != 0) continue;
          const char* recovery = (runs % 2) == 1 ? "immediate" : "progressive";
          const std::string scheme = fmt::format(
              "name = \"marking\"\ndetection = \"{}\"\nwindow = \"{}\"\ndelay = \"{}\"\nrecovery = \"{}\"\n", detection,
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
  const Result result = run("name = \"marking\"\nlimit = 0\n", kAdapters[0]);
  expect_nothing_lost(result.m, "no limit");
}

TEST(MarkingConformance, MvcmAndIocmNeverLeaveTheHotLinkIdleForNothing) {
  for (const char* adapter : kAdapters)
    for (const std::uint64_t seed : {7u, 8u, 9u}) {
      EXPECT_EQ(run("name = \"mvcm\"\n", adapter, MarkingPreset::mvcm, seed).gaps, 0) << adapter << seed;
      EXPECT_EQ(run("name = \"iocm\"\n", adapter, MarkingPreset::iocm, seed).gaps, 0) << adapter << seed;
    }
  for (const char* name : {"renato", "pfister"}) {
    const int gaps = run(fmt::format("name = \"{}\"\n", name), kAdapters[0],
                         std::string_view(name) == "renato" ? MarkingPreset::renato : MarkingPreset::pfister).gaps;
    RecordProperty(std::string(name) + "_gaps", gaps);
    fmt::print("{}: {} idle gaps\n", name, gaps);
  }
}

}  // namespace
}  // namespace weir::marking
