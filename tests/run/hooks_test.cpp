// What the engine promises to a scheme family: which hook is called when, that its own packets, timers, gates and holds
// take effect at the right moment, and that the books balance at any time in between.
#include <gtest/gtest.h>

#include <numeric>

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
  ConnectionTable<Time> next_allowed{*this};
  std::uint64_t control_switches = 0, audits = 0, starved = 0, fed = 0, acks = 0, outputs = 0, departures = 0;
  std::uint64_t flow_starts = 0, flow_ends = 0, deliveries = 0;

  void on_start(const GlobalView& all) override {
    if (audit_every.ps > 0) all.set_timer(audit_every, 0);
    if (control_at != kNever) all.at(HostId{0}).set_timer(control_at);
  }
  void on_host_timer(HostView here, std::uint32_t) override {
    EXPECT_EQ(here.here(), HostId{0});
    const Lane highest{here.config().switches.lanes - 1};
    here.send(here.new_packet({PacketKind::control, {0}, {1}, 64, highest}));
  }
  void on_global_timer(const GlobalView& all, std::uint32_t, std::uint32_t) override {
    all.audit();
    ++audits;
    if (all.now() + audit_every < audit_until) all.set_timer(all.now() + audit_every, 0);
  }
  Time gate(HostView here, ConnectionId connection, Packet&) override {
    const Time allowed = next_allowed[connection];
    return gap.ps == 0 || allowed <= here.now() ? Time{} : allowed;
  }
  void on_inject(HostView here, Packet& p) override {
    injections.push_back(here.now().ps);
    next_allowed[p.connection] = here.now() + gap;
  }
  Time on_switch_arrival(SwitchView here, ChannelId, Packet& p) override {
    if (p.is(PacketKind::control)) ++control_switches;
    return hold.ps == 0 ? Time{} : here.now() + hold;
  }
  void on_output(SwitchView here, ChannelId channel, Packet& p) override {
    ++outputs;
    if (!p.is(PacketKind::data) || here.queued(channel) <= notify_above) return;
    Packet n = here.new_packet({PacketKind::notification, p.source, p.source, 30, {0}, p.connection});
    n.marks = 7;
    n.load(Notification{{99}, p.destination, -5});
    here.send(n);
  }
  void on_departure(SwitchView, ChannelId, Packet&) override { ++departures; }
  void on_starved(SwitchView, ChannelId) override { ++starved; }
  void on_fed(SwitchView, ChannelId) override { ++fed; }
  void on_delivery(HostView, Packet&) override { ++deliveries; }
  void on_ack(HostView, Packet&) override { ++acks; }
  void on_control(HostView here, Packet&) override {
    EXPECT_EQ(here.here(), HostId{1});
    controls.push_back(here.now().ps);
  }
  void on_notification(HostView here, Packet& p) override {
    EXPECT_EQ(p.marks, 7);
    EXPECT_EQ(p.template cargo<Notification>().origin, PortId{99});
    EXPECT_EQ(p.template cargo<Notification>().feedback, -5);
    EXPECT_EQ(p.destination, here.here());
    notifications.push_back(here.here().index);
  }
  void on_flow_start(HostView here, FlowId flow) override {
    EXPECT_EQ(here.here(), here.workload().flows[flow].source);
    ++flow_starts;
  }
  void on_flow_end(HostView here, FlowId flow) override {
    EXPECT_EQ(here.here(), here.workload().flows[flow].destination);
    ++flow_ends;
  }
};

struct Probed {
  const Probe& seen;
  Measurements m;
};

template <class Scheme>
Measurements run_hooks(const std::string& text, Scheme& scheme) {
  const Scenario scenario = testing::scenario_of(text);
  const RunSetup built = set_up(scenario);
  const RunInput run{built.network->topology, built.network->routes, *built.workload,
                      packet_config(scenario, built.network->topology, *built.workload), scenario.seed};
  return run_packets(run, scheme);
}
Probed run_probe(const std::string& text, Probe& probe) {
  Measurements m = run_hooks(text, probe);
  return {probe, std::move(m)};
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
    star.switches = fmt::format("organisation = '{}'\n", organisation);
    star.traffic = testing::flows("[0, 1, 1000]");
    Probe probe;
    probe.hold = {300 * kNs};
    EXPECT_EQ(run_probe(star.text(), probe).m.flows[0].completion.ps, 1300 * kNs) << organisation;
  }
}

TEST(Hooks, ControlPacketsVisitEverySwitchAndPreempt) {
  const std::string text =
      R"([topology]
kind = "two-switch"
left = 1
right = 1
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = [8000]
[switch]
lanes = 2
priority = "preemptive"
buffer = "64kB"
[run]
until = "flows"
settle = "1us"
)" +
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
  for (const char* lines : {"", "arbitration = 'round-robin'\n", "organisation = 'fifo-in-out'\n"}) {
    Star star;
    star.switches = std::string("buffer_packets = 10\n") + lines;
    star.traffic = testing::flows("[0, 3, 20000], [1, 3, 20000]");
    star.run = "until = 'flows'\nsettle = '100us'\n";
    Probe probe;
    probe.notify_above = 2500;
    const Probed run = run_probe(star.text(), probe);
    EXPECT_GT(run.seen.notifications.size(), 0u) << lines;
    EXPECT_EQ(run.seen.notifications.size(), run.m.totals.notifications) << lines;
    EXPECT_EQ(run.seen.acks, 40u) << lines;
  }
}

// Counts at every kind of place what passes there.
struct Tables : SchemeHooks {
  static constexpr bool kConnections = true;

  void on_inject(HostView here, Packet& p) override {
    ++hosts[here.here()];
    ++connections[p.connection];
    here.set_timer(here.now() + Time{1}, p.connection.index);
  }
  void on_host_timer(HostView here, std::uint32_t number) override {
    EXPECT_EQ(here.connections().source({number}), here.here());
    ++host_timers;
  }
  void on_output(SwitchView here, ChannelId out, Packet&) override {
    ++switches[here.here()];
    ++nodes[here.node()];
    ++channels[out];
    ++ports[here.link_of(out)];
    here.set_timer(here.now(), out.index);
  }
  void on_switch_timer(SwitchView here, std::uint32_t number) override {
    EXPECT_GT(channels[{number}], 0u);
    EXPECT_LE(channels[{number}], switches[here.here()]);
    ++switch_timers;
  }
  void on_delivery(HostView, Packet& p) override { ++flows[{p.connection.index}]; }

  HostTable<std::uint64_t> hosts{*this};
  SwitchTable<std::uint64_t> switches{*this};
  NodeTable<std::uint64_t> nodes{*this};
  PortTable<std::uint64_t> ports{*this};
  ChannelTable<std::uint64_t> channels{*this};
  ConnectionTable<std::uint64_t> connections{*this};
  FlowTable<std::uint64_t> flows{*this, 100};
  HostTable<std::uint64_t> unused{*this, 0, false};
  std::uint64_t host_timers = 0, switch_timers = 0;
};

TEST(Hooks, TablesHaveAnEntryForEachPlace) {
  Star star;
  star.traffic = testing::flows("[0, 1, 5000], [2, 3, 7000]");
  Tables seen;
  const Measurements m = run_hooks(star.text(), seen);
  const auto sum = [](const auto& table) { return std::accumulate(table.begin(), table.end(), std::uint64_t{0}); };
  EXPECT_EQ(sum(seen.hosts), 12u);
  EXPECT_EQ(sum(seen.connections), 12u);
  EXPECT_EQ(sum(seen.flows), 200 + 12u);
  for (const std::uint64_t count : {sum(seen.switches), sum(seen.nodes), sum(seen.ports), sum(seen.channels)})
    EXPECT_EQ(count, 12u);
  EXPECT_EQ(seen.host_timers, 12u);
  EXPECT_EQ(seen.switch_timers, 12u);
  EXPECT_EQ(seen.hosts[{2}], 7u);
  EXPECT_TRUE(seen.unused.empty());
  std::size_t entries = 0;
  for (const std::size_t size : {seen.hosts.size(), seen.switches.size(), seen.nodes.size(), seen.ports.size(),
                                 seen.channels.size(), seen.connections.size(), seen.flows.size()})
    entries += size;
  EXPECT_EQ(seen.bytes_of_state(), entries * sizeof(std::uint64_t));
  EXPECT_EQ(m.one_thread, "");
}

TEST(Hooks, WhoSeesAllNodesNeedsOneThread) {
  struct Solver : SchemeHooks {
    CentralPart all{*this, "it solves everything at once"};
    void on_inject(HostView here, Packet&) override { EXPECT_EQ(all.now(), here.now()); }
  };
  Star star;
  star.traffic = testing::flows("[0, 1, 5000]");
  Solver solver;
  EXPECT_EQ(run_hooks(star.text(), solver).one_thread, "it solves everything at once");
  Probe probe;
  EXPECT_EQ(run_hooks(star.text(), probe).one_thread, "this scheme has a timer that belongs to no node");
}

// A hook that reaches for the state of another node is caught where checks are compiled in.
TEST(HooksDeathTest, AHookTouchesOnlyItsNode) {
  struct Thief : SchemeHooks {
    HostTable<int> hosts{*this};
    void on_inject(HostView here, Packet& p) override {
      ++hosts[here.here()];
      ++hosts[p.destination];
    }
  };
  if (!kChecks) GTEST_SKIP();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Star star;
  star.traffic = testing::flows("[0, 1, 5000]");
  Thief thief;
  EXPECT_DEATH(run_hooks(star.text(), thief), "may_touch");
}

// The switch of hosts 0 and 1 waits for space in that of hosts 2 and 3. Hosts wait too, but have no hook for it.
TEST(Hooks, StarvingBeginsAndEnds) {
  for (const char* lines : {"buffer_packets = 1\n", "flow_control = 'pause'\nbuffer = '4kB'\n"}) {
    const std::string text =
        fmt::format(R"([topology]
kind = "two-switch"
left = 2
right = 2
[link]
rate = "8Gbps"
delay = "50ns"
[packet]
payload = [1000]
[switch]
{}[run]
until = "flows"
settle = "100us"
{})",
                    lines, testing::flows("[0, 3, 40000], [1, 3, 40000], [2, 3, 40000]"));
    Probe probe;
    const Probed run = run_probe(text, probe);
    EXPECT_GT(run.seen.starved, 10u) << lines;
    EXPECT_EQ(run.seen.starved, run.seen.fed) << lines;
    EXPECT_EQ(run.seen.outputs, run.seen.departures) << lines;
    EXPECT_EQ(run.seen.outputs, 2 * (2 * 80u + 40)) << "data and acknowledgements, through two switches or one";
  }
}

}  // namespace
}  // namespace weir
