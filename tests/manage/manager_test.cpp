// The manager against a subnet whose answers are lost, late, doubled, saturated, stuck and hostile: whatever comes, it
// stays within its bounds, and what it has changed it restores.
#include "manage/manager.h"

#include <gtest/gtest.h>

#include "base/file_text.h"
#include "base/random.h"
#include "error_of.h"
#include "live/agents/agents.h"
#include "manage/discover.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"
#include "scale.h"
#include "temp_dir.h"

namespace weir::manage {
namespace {

const LinkProperties kLink{Rate{8'000'000'000}, Time{1000}, 0};

class FakeMachine final : public live::Machine {
 public:
  Time now() const override { return {}; }
  live::PortSample sample(PortId port) const override { return samples.at(port.index); }
  Time lane_congested(PortId port, std::uint32_t) const override { return samples.at(port.index).congested; }
  std::uint32_t lanes() const override { return 1; }
  Time wait_tick(PortId) const override { return {1}; }
  Time congestion_tick() const override { return {1}; }
  std::vector<live::PortSample> samples;
};

// Datagrams go to the agents of a subnet directly; some do not arrive as they should.
class FakeTransport final : public Transport {
 public:
  FakeTransport(live::Subnet& of, live::Machine& machine)
      : subnet(of), agent(of), performance(of, machine), congestion(of, machine) {}

  std::vector<Reply> exchange(std::vector<Request> requests) override {
    std::vector<Reply> replies;
    for (Request& r : requests) replies.push_back(harm(r, answer(r)));
    return replies;
  }

  Reply answer(Request& r) {
    mad::Mad m = r.mad;
    const bool directed = m.is(mad::Class::subnet_directed);
    const live::NodePort from = subnet.of(HostId{0});
    const auto at = directed ? subnet.walk(from, m) : subnet.walk(from, r.lid, false);
    if (!at) return std::nullopt;
    live::Answer a = live::Answer::silence;
    if (m.is_smp()) a = agent.answer(*at, m);
    if (m.is(mad::Class::performance)) a = performance.answer(*at, m);
    if (m.is(mad::Class::congestion_control)) a = congestion.answer(*at, m);
    if (a == live::Answer::silence) return std::nullopt;
    return m;
  }

  Reply harm(const Request& request, Reply reply) {
    if (faults == 0 || random.unit() >= faults) {
      earlier = reply;
      return reply;
    }
    switch (random.below(6)) {
      case 0: return std::nullopt;                             // lost
      case 1: return earlier;                                  // that of another request
      case 2: {                                                // bytes at random
        mad::Mad noise;
        for (std::uint8_t& byte : noise.bytes()) byte = static_cast<std::uint8_t>(random.below(256));
        return noise;
      }
      case 3:                                                  // counters at random
        if (reply && request.mad.is(mad::Class::performance))
          for (std::uint8_t& byte : reply->data().subspan(2)) byte = static_cast<std::uint8_t>(random.below(256));
        return reply;
      case 4:                                                  // stuck at the maximum
        if (reply && request.mad.is(mad::Class::performance))
          for (std::uint8_t& byte : reply->data().subspan(2)) byte = 0xff;
        return reply;
      default: {                                               // a setting that was lost, or its answer
        if (reply) reply->set_status(mad::status::kBadValue);
        return reply;
      }
    }
  }

  live::Subnet& subnet;
  live::SubnetAgent agent;
  live::PerformanceAgent performance;
  live::CongestionAgent congestion;
  RandomStream random{1, Purpose::test, 0};
  double faults = 0;
  Reply earlier;
};

class FakeClock final : public ManagerClock {
 public:
  Time now() override { return at; }
  void sleep_until(Time time) override { at = time; }
  Time at;
};

constexpr const char* kPolicy = R"(
[sweeps]
period = "1s"
calm_period = "1s"
answer_timeout = "100ms"
[thresholds]
wait = 1000
congestion = 1000
data = 1000
low_limit = 3
[actions]
low_rate = 5
[bounds]
ports = ["tree*", "S*"]
most_low = 2
most_actions = 6
within = "20s"
)";

struct Lab {
  explicit Lab(const std::string& policy_text = kPolicy)
      : topology(two_switch({3, 3, 1}, kLink, kLink)),
        subnet(topology, 1),
        policy(read_policy_text(policy_text, "policy")),
        transport(subnet, machine) {
    subnet.configure(min_hop_routes(topology));
    machine.samples.resize(topology.ports());
    for (live::SubnetNode& node : subnet.nodes()) {
      node.congestion.of_switch.control_map = 0x15;
      node.congestion.of_switch.threshold = 15;
      node.congestion.of_switch.marking_rate = 100;
    }
    fabric = discover(transport);
    seen = to_topology(fabric, {kLink, kLink}).topology;
    options.say = [this](const std::string& text) { said.push_back(text); };
    options.stopped = [] { return false; };
  }
  Manager manager(ActionLog* log) { return Manager(seen, policy, transport, clock, log, nullptr, options); }
  // A host port of the second switch is congested, and holds back the port that feeds its switch.
  void congest(std::uint64_t ticks) {
    for (std::uint32_t p = 0; p < topology.ports(); ++p) {
      if (topology.is_host(topology.node_of({p}))) continue;
      machine.samples[p].waited += Time{static_cast<std::int64_t>(ticks)};
      machine.samples[p].congested += Time{static_cast<std::int64_t>(ticks)};
      machine.samples[p].sent_bytes += 4 * ticks;
    }
  }
  void congested_round(Manager& manager) {
    congest(100'000);
    clock.at = manager.round();
  }
  std::map<std::pair<std::uint64_t, std::uint32_t>, mad::SwitchPortCongestion> settings() const {
    std::map<std::pair<std::uint64_t, std::uint32_t>, mad::SwitchPortCongestion> all;
    for (const live::SubnetNode& node : subnet.nodes())
      for (std::uint32_t p = 0; p < node.congestion.ports.size(); ++p) all[{node.guid, p}] = node.congestion.ports[p];
    return all;
  }
  std::size_t changed() const {
    std::size_t count = 0;
    for (const auto& [port, s] : settings()) count += s.valid;
    return count;
  }

  Topology topology;
  live::Subnet subnet;
  FakeMachine machine;
  Policy policy;
  FakeTransport transport;
  FakeClock clock;
  Fabric fabric;
  Topology seen;
  ManagerOptions options;
  std::vector<std::string> said;
};

TEST(Discover, finds_the_subnet_as_it_is) {
  Lab lab;
  EXPECT_EQ(lab.seen.hosts(), 6u);
  EXPECT_EQ(lab.seen.switches(), 2u);
  EXPECT_EQ(lab.fabric.cables.size(), 7u);
  EXPECT_TRUE(lab.fabric.remarks.empty());
  for (std::uint32_t h = 0; h < 6; ++h) {
    const NodeIdentity i = lab.seen.identity({h});
    EXPECT_NE(i.lid, 0u);
    EXPECT_NE(i.port_guid, 0u);
    EXPECT_EQ(lab.seen.link(lab.seen.host_port({h})).rate.gigabits(), 8);
  }
}

TEST(Manager, dry_run_sets_nothing_and_says_what_it_would_do) {
  Lab lab;
  Manager manager = lab.manager(nullptr);
  for (int i = 0; i < 6; ++i) lab.congested_round(manager);
  EXPECT_EQ(lab.changed(), 0u);
  EXPECT_GT(manager.decisions().size(), 0u);
  ASSERT_FALSE(lab.said.empty());
  EXPECT_NE(lab.said.front().find("would set its Marking_Rate to 5"), std::string::npos) << lab.said.front();
}

TEST(Manager, acts_within_its_bounds_and_undoes_everything_at_the_end) {
  TempDir dir;
  Lab lab;
  lab.options.act = true;
  const auto original = lab.settings();
  ActionLog log(dir / "log.sqlite");
  Manager manager = lab.manager(&log);
  std::size_t most = 0;
  for (int i = 0; i < 10; ++i) {
    lab.congested_round(manager);
    most = std::max(most, lab.changed());
  }
  EXPECT_GT(most, 0u);
  EXPECT_LE(most, 2u);  // bounds.most_low
  EXPECT_GT(manager.totals().refused, 0u);
  for (const auto& [port, s] : lab.settings()) {
    if (s.valid) {
      EXPECT_EQ(s, (mad::SwitchPortCongestion{true, false, 15, 0, 5}));
    }
  }
  manager.undo_all("test");
  EXPECT_EQ(lab.settings(), original);
  EXPECT_TRUE(log.open_actions().empty());
  EXPECT_FALSE(log.all().empty());
  EXPECT_NE(log.all()[0].counters.find("PortXmitWait"), std::string::npos);
}

// As after kill -9: nothing is undone, and the next one finds the log.
TEST(Manager, the_next_one_undoes_what_a_killed_one_has_left) {
  TempDir dir;
  Lab lab;
  lab.options.act = true;
  const auto original = lab.settings();
  {
    ActionLog log(dir / "log.sqlite");
    Manager killed = lab.manager(&log);
    for (int i = 0; i < 4; ++i) lab.congested_round(killed);
    EXPECT_GT(lab.changed(), 0u);
  }
  ActionLog log(dir / "log.sqlite");
  EXPECT_FALSE(log.open_actions().empty());
  Manager next = lab.manager(&log);
  lab.options.stopped = [] { return true; };
  Manager ends_at_once(lab.seen, lab.policy, lab.transport, lab.clock, &log, nullptr, lab.options);
  ends_at_once.run();
  EXPECT_EQ(lab.settings(), original);
  EXPECT_TRUE(log.open_actions().empty());
}

TEST(Manager, a_port_that_somebody_else_changed_is_left_alone) {
  TempDir dir;
  Lab lab;
  lab.options.act = true;
  ActionLog log(dir / "log.sqlite");
  Manager manager = lab.manager(&log);
  for (int i = 0; i < 4; ++i) lab.congested_round(manager);
  ASSERT_GT(lab.changed(), 0u);
  const mad::SwitchPortCongestion theirs{true, false, 9, 0, 77};
  for (live::SubnetNode& node : lab.subnet.nodes())
    for (mad::SwitchPortCongestion& s : node.congestion.ports)
      if (s.valid) s = theirs;
  manager.undo_all("test");
  for (const auto& [port, s] : lab.settings()) {
    if (s.valid) {
      EXPECT_EQ(s, theirs);
    }
  }
}

TEST(Manager, without_answers_everything_is_undone) {
  TempDir dir;
  Lab lab;
  lab.options.act = true;
  const auto original = lab.settings();
  ActionLog log(dir / "log.sqlite");
  Manager manager = lab.manager(&log);
  for (int i = 0; i < 4; ++i) lab.congested_round(manager);
  ASSERT_GT(lab.changed(), 0u);
  lab.transport.faults = 0.5;
  for (int i = 0; i < 20 && lab.changed() > 0; ++i) lab.congested_round(manager);
  lab.transport.faults = 0;
  manager.undo_all("test");
  EXPECT_EQ(lab.settings(), original);
}

TEST(Manager, random_faults_never_lead_out_of_bounds) {
  const auto sequences = static_cast<int>(scaled_count(30, 150, 10'000));
  std::uint64_t actions = 0;
  for (int n = 0; n < sequences; ++n) {
    Lab lab;
    lab.options.act = true;
    const auto original = lab.settings();
    RandomStream random(7, Purpose::test, static_cast<std::uint32_t>(n));
    lab.transport.random = RandomStream(8, Purpose::test, static_cast<std::uint32_t>(n));
    ActionLog log(":memory:");
    Manager manager = lab.manager(&log);
    for (int i = 0; i < 12; ++i) {
      lab.transport.faults = random.below(3) == 0 ? 0.02 + 0.5 * random.unit() : 0;
      if (random.below(4) != 0) lab.congest(random.below(200'000));
      if (random.below(16) == 0)
        lab.machine.samples[random.below(lab.machine.samples.size())] = {};  // cleared by others
      lab.clock.at = std::max(manager.round(), lab.clock.at + Time{1});
      ASSERT_LE(lab.changed(), 2u) << "sequence " << n;
      for (const auto& [port, s] : lab.settings()) {
        if (s.valid) {
          ASSERT_EQ(s, (mad::SwitchPortCongestion{true, false, 15, 0, 5})) << "sequence " << n;
        }
      }
    }
    actions += manager.totals().settings;
    lab.transport.faults = 0;
    manager.undo_all("test");
    lab.options.stopped = [] { return true; };
    Manager next(lab.seen, lab.policy, lab.transport, lab.clock, &log, nullptr, lab.options);
    next.run();
    ASSERT_EQ(lab.settings(), original) << "sequence " << n;
  }
  EXPECT_GT(actions, static_cast<std::uint64_t>(sequences) / 4);  // otherwise nothing was tried
}

TEST(Policy, mistakes_are_refused_with_their_line) {
  EXPECT_NE(error_of([] {
              read_policy_text("[thresholds]\nwait = 1\ncongestion = 1\ndata = 1\n[bounds]\nmost = 1\n", "p.toml");
            }).find("p.toml:6:"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              read_policy_text("[thresholds]\nwait = 1\ncongestion = 1\ndata = 1\n[actions]\ncc_key = \"x\"\n",
                               "p.toml");
            }).find("is no hexadecimal number"),
            std::string::npos);
  EXPECT_TRUE(matches("S*:1*", "S12:15"));
  EXPECT_FALSE(matches("S*:1*", "S12:25"));
  EXPECT_TRUE(matches("*", ""));
}

TEST(Recording, replay_decides_the_same_again) {
  TempDir dir;
  Lab lab;
  const std::string file = (dir / "telemetry.txt").string();
  std::vector<DcmsController::Decision> live_decisions;
  {
    Recorder recorder(file, lab.fabric, lab.seen);
    Manager manager(lab.seen, lab.policy, lab.transport, lab.clock, nullptr, &recorder, lab.options);
    for (int i = 0; i < 12; ++i) {
      if (i % 5 != 4) lab.congest(100'000);
      lab.clock.at = manager.round();
    }
    live_decisions = manager.decisions();
  }
  const Recording recording = parse_recording(file, read_text_file(file));
  const Topology again = to_topology(recording.fabric, {kLink, kLink}).topology;
  const auto decisions = replay(recording, again, lab.policy.controller);
  ASSERT_EQ(decisions.size(), live_decisions.size());
  ASSERT_FALSE(decisions.empty());
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    EXPECT_EQ(decisions[i].at, live_decisions[i].at);
    EXPECT_EQ(again.port_name(decisions[i].root), lab.seen.port_name(live_decisions[i].root));
    EXPECT_EQ(decisions[i].low, live_decisions[i].low);
  }
  EXPECT_NE(error_of([] { parse_recording("r", "weir recording 1\n|x\nsweep x\n"); }).find("r:3:"), std::string::npos);
}

}  // namespace
}  // namespace weir::manage
