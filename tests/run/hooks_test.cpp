// What the engine promises to a scheme family: which hook is called when, that its own packets, timers, gates and holds
// take effect at the right moment, and that the books balance at any time in between.
#include <gtest/gtest.h>

#include "packet/packet_engine.h"
#include "run/lab.h"
#include "run/random_scenario.h"

namespace weir {
namespace {

using testing::kNs;
using testing::Star;

// A scheme made of everything: each test switches on what it needs.
struct Probe : SchemeHooks {
  static constexpr bool kAcknowledges = true;
  static constexpr bool kConnections = true;

  // ---- what to do ----
  Time audit_every{}, audit_until{};
  Time gap{};                          // between two injections of a connection
  Time hold{};                         // at every switch
  Time control_at = kNever;            // host 0 sends a control packet to host 1
  std::uint64_t notify_above = ~0ull;  // queued bytes at which a switch notifies the source

  // ---- what was seen ----
  std::vector<std::int64_t> injections, controls, notifications;
  std::vector<std::uint64_t> next_allowed;
  std::uint64_t control_switches = 0, audits = 0, starved = 0, fed = 0, acks = 0, outputs = 0, departures = 0;
  std::uint64_t flow_starts = 0, flow_ends = 0, deliveries = 0;

  void on_start(EngineView& e) override {
    next_allowed.assign(e.connections().count(), 0);
    if (audit_every.ps > 0) e.set_timer(audit_every, 0);
    if (control_at != kNever) e.set_timer(control_at, 1);
  }
  void on_timer(EngineView& e, std::uint32_t entity, std::uint32_t) override {
    if (entity == 1) {
      const Lane highest{e.config().switches.lanes - 1};
      return e.send_from_host({0}, e.new_packet({PacketKind::control, {0}, {1}, 64, highest}));
    }
    e.audit();
    ++audits;
    if (e.now() + audit_every < audit_until) e.set_timer(e.now() + audit_every, 0);
  }
  Time gate(EngineView& e, ConnectionId connection, Packet&) override {
    const Time allowed{static_cast<std::int64_t>(next_allowed[connection.index])};
    return gap.ps == 0 || allowed <= e.now() ? Time{} : allowed;
  }
  void on_inject(EngineView& e, HostId, Packet& p) override {
    injections.push_back(e.now().ps);
    next_allowed[p.connection.index] = static_cast<std::uint64_t>((e.now() + gap).ps);
  }
  Time on_switch_arrival(EngineView& e, SwitchId, ChannelId, Packet& p) override {
    if (p.is(PacketKind::control)) ++control_switches;
    return hold.ps == 0 ? Time{} : e.now() + hold;
  }
  void on_output(EngineView& e, ChannelId channel, Packet& p) override {
    ++outputs;
    if (!p.is(PacketKind::data) || e.fabric().channel(channel).queued <= notify_above) return;
    const NodeId here = e.fabric().link(e.fabric().link_of(channel)).sender;
    Packet n = e.new_packet({PacketKind::notification, p.source, p.source, 30, {0}, p.connection});
    n.marks = 7;
    n.load(Notification{{99}, p.destination, -5});
    e.send_from_switch(e.topology().switch_of(here), n);
  }
  void on_departure(EngineView&, ChannelId, Packet&) override {
    ++departures;
  }
  void on_starved(EngineView&, ChannelId) override {
    ++starved;
  }
  void on_fed(EngineView&, ChannelId) override {
    ++fed;
  }
  void on_delivery(EngineView&, HostId, Packet&) override {
    ++deliveries;
  }
  void on_ack(EngineView&, HostId, Packet&) override {
    ++acks;
  }
  void on_control(EngineView& e, HostId host, Packet&) override {
    EXPECT_EQ(host.index, 1u);
    controls.push_back(e.now().ps);
  }
  void on_notification(EngineView&, HostId host, Packet& p) override {
    EXPECT_EQ(p.marks, 7);
    EXPECT_EQ(p.template cargo<Notification>().origin, PortId{99});
    EXPECT_EQ(p.template cargo<Notification>().feedback, -5);
    EXPECT_EQ(p.destination, host);
    notifications.push_back(host.index);
  }
  void on_flow_start(EngineView&, FlowId) override {
    ++flow_starts;
  }
  void on_flow_end(EngineView&, FlowId) override {
    ++flow_ends;
  }
};

struct Probed {
  Probe seen;
  Measurements m;
};

Probed run_probe(const std::string& text, Probe probe) {
  const Scenario scenario = testing::scenario_of(text);
  const RunSetup built = set_up(scenario);
  const PacketRun run{built.network->topology, built.network->routes, *built.workload,
                      packet_config(scenario, built.network->topology, *built.workload), scenario.seed};
  Measurements m = run_packets(run, probe);
  return {std::move(probe), std::move(m)};
}

TEST(Hooks, TheBooksBalanceAtAnyMoment) {
  for (std::uint64_t i = 0; i < scaled_count(20, 150, 600); ++i) {
    Probe probe;
    probe.audit_every = {777 * kNs};
    probe.audit_until = {80'000 * kNs};
    probe.hold = i % 5 == 0 ? Time{50 * kNs} : Time{};
    const Probed run = run_probe(testing::RandomScenario(200'000 + i).text(), probe);
    EXPECT_GE(run.seen.audits, 1u);
    for (const ClassResult& c : run.m.classes) EXPECT_EQ(c.received, c.generated);
  }
}

TEST(Hooks, AGateSpacesInjectionsExactly) {
  Star star;
  star.traffic = testing::flows("[0, 1, 5000]");
  Probe probe;
  probe.gap = {2500 * kNs};
  const Probed run = run_probe(star.text(), probe);
  ASSERT_EQ(run.seen.injections.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(run.seen.injections[i], static_cast<std::int64_t>(i) * 2500 * kNs);
  EXPECT_EQ(run.seen.flow_starts, 1u);
  EXPECT_EQ(run.seen.flow_ends, 1u);
  EXPECT_EQ(run.seen.deliveries, 5u);
}

TEST(Hooks, GatesOfSeveralFlowsAreIndependent) {
  Star star;
  star.traffic = testing::flows("[0, 1, 4000], [0, 2, 4000]");
  Probe probe;
  probe.gap = {3000 * kNs};
  const Probed run = run_probe(star.text(), probe);
  EXPECT_EQ(run.seen.injections.size(), 8u);
  EXPECT_EQ(run.m.flows[0].completion.ps, 10'000 * kNs);
  EXPECT_EQ(run.m.flows[1].completion.ps, 11'000 * kNs);
}

TEST(Hooks, AHeldPacketGoesOnLater) {
  for (const char* organisation : {"voq-input", "fifo-in-out", "output-queued"}) {
    Star star;
    star.switches = fmt::format("organisation = \"{}\"\n", organisation);
    star.traffic = testing::flows("[0, 1, 1000]");
    Probe probe;
    probe.hold = {300 * kNs};
    EXPECT_EQ(run_probe(star.text(), probe).m.flows[0].completion.ps, 1300 * kNs) << organisation;
  }
}

TEST(Hooks, ControlPacketsVisitEverySwitchAndPreempt) {
  const std::string text =
      "[topology]\nkind = \"two-switch\"\nleft = 1\nright = 1\n[link]\nrate = \"8Gbps\"\ndelay = \"10ns\"\n"
      "[packet]\npayload = [8000]\n[switch]\nlanes = 2\npriority = \"preemptive\"\nbuffer = \"64kB\"\n"
      "[run]\nuntil = \"flows\"\nsettle = \"1us\"\n" +
      testing::flows("[0, 1, 80000]");
  Probe probe;
  probe.control_at = {20'000 * kNs};
  const Probed run = run_probe(text, probe);
  EXPECT_EQ(run.seen.control_switches, 2u);
  ASSERT_EQ(run.seen.controls.size(), 1u);
  EXPECT_EQ(run.seen.controls[0], (20'000 + 3 * 10 + 2 * 2 + 64) * kNs);
  EXPECT_EQ(run.m.totals.control_packets, 1u);
  EXPECT_EQ(run.m.totals.hops - run.m.totals.data_hops - run.seen.acks * 3, 3u)
      << "one control packet over three links";
}

TEST(Hooks, SwitchesNotifySources) {
  for (const char* lines : {"", "arbitration = \"round-robin\"\n", "organisation = \"fifo-in-out\"\n"}) {
    Star star;
    star.switches = std::string("buffer_packets = 10\n") + lines;
    star.traffic = testing::flows("[0, 3, 20000], [1, 3, 20000]");
    star.run = "until = \"flows\"\nsettle = \"100us\"\n";
    Probe probe;
    probe.notify_above = 2500;
    const Probed run = run_probe(star.text(), probe);
    EXPECT_GT(run.seen.notifications.size(), 0u) << lines;
    EXPECT_EQ(run.seen.notifications.size(), run.m.totals.notifications) << lines;
    EXPECT_EQ(run.seen.acks, 40u) << lines;
  }
}

TEST(Hooks, StarvingBeginsAndEnds) {
  for (const char* lines : {"buffer_packets = 1\n", "flow_control = \"pause\"\nbuffer = \"4kB\"\n"}) {
    Star star;
    star.link = "delay = \"50ns\"\n";
    star.switches = lines;
    star.traffic = testing::flows("[0, 3, 20000], [1, 3, 20000], [2, 3, 20000]");
    star.run = "until = \"flows\"\nsettle = \"100us\"\n";
    const Probed run = run_probe(star.text(), {});
    EXPECT_GT(run.seen.starved, 10u) << lines;
    EXPECT_EQ(run.seen.starved, run.seen.fed) << lines;
    EXPECT_EQ(run.seen.outputs, run.seen.departures) << lines;
    EXPECT_EQ(run.seen.outputs, 2 * 60u) << "data and acknowledgements, each through one switch";
  }
}

}  // namespace
}  // namespace weir
