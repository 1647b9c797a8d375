// A small subnet for tests of the manager: two switches, agents that answer, and a wire that can lose, delay, double
// and falsify what they say.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "live/agents/agents.h"
#include "manage/discover.h"
#include "manage/exchange.h"
#include "manage/manager.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"

namespace weir::manage {

inline const LinkProperties kLink{Rate{8'000'000'000}, Time{1000}, 0};

class FakeMachine final : public live::Machine {
 public:
  Time now() const override { return {}; }
  live::PortSample sample(PortId port) const override { return samples.at(port.index); }
  Time lane_congested(PortId port, std::uint32_t) const override { return samples.at(port.index).congested; }
  std::uint32_t lanes() const override { return 1; }
  const char* without_arbitration() const override { return nullptr; }
  std::vector<live::MarkEvent> mark_events(NodeId) const override { return {}; }
  Time wait_tick(PortId) const override { return {1}; }
  Time congestion_tick() const override { return {1}; }
  std::vector<live::PortSample> samples;
};

struct Killed : std::runtime_error {
  Killed() : std::runtime_error("killed") {}
};

// Datagrams go to the agents of a subnet directly; some do not arrive as they should.
class FakeWire final : public Wire {
 public:
  FakeWire(live::Subnet& of, live::Machine& machine)
      : subnet(of), agent(of), performance(of, machine), congestion(of, machine) {}

  bool send(const Request& request) override {
    if (kill_at > 0 && --kill_at == 0) throw Killed();
    if (before_send) before_send(request);
    if (faults > 0 && random.chance(faults)) harm(request);
    else deliver({answer(request), request.lid});
    return true;
  }
  std::optional<Received> receive() override {
    if (arriving.empty()) return std::nullopt;
    const Received first = arriving.front();
    arriving.pop_front();
    return first;
  }

  struct Answered {
    Reply mad;
    std::uint32_t lid = 0;
  };
  void deliver(const Answered& a) {
    if (!a.mad) return;
    keep(a);
    arriving.push_back({*a.mad, a.lid, true});
  }
  void keep(const Answered& a) {
    std::deque<Answered>& same = old[a.mad->attribute()];
    same.push_back(a);
    if (same.size() > 6) same.pop_front();
  }
  Reply answer(const Request& r);
  void harm(const Request& request);
  Answered old_one(std::uint16_t attribute) {
    const std::deque<Answered>& same = old[attribute];
    return same.empty() ? Answered{} : same[random.below(same.size())];
  }

  live::Subnet& subnet;
  live::SubnetAgent agent;
  live::PerformanceAgent performance;
  live::CongestionAgent congestion;
  RandomStream random{1, Purpose::test, 0};
  double faults = 0;          // share of datagrams that meet one
  bool narrow = false;        // devices say that they count PortXmitWait in 32 bits
  std::uint64_t kill_at = 0;  // so many datagrams from now on; 0: never
  std::function<void(const Request&)> before_send;
  std::deque<Received> arriving;
  std::map<std::uint16_t, std::deque<Answered>> old;  // by attribute
};

inline Reply FakeWire::answer(const Request& r) {
  mad::Mad m = r.mad;
  const bool directed = m.is(mad::Class::subnet_directed);
  const live::NodePort from = subnet.of(HostId{0});
  const auto at = directed ? subnet.walk(from, m) : subnet.walk(from, r.lid, false);
  if (!at) return std::nullopt;
  live::Answer a = live::Answer::silence;
  if (m.is_smp()) a = agent.answer(*at, m);
  if (m.is(mad::Class::performance)) a = performance.answer(*at, m);
  if (narrow && m.is(mad::Class::performance) && m.attribute() == mad::kClassPortInfo)
    put(m.data(), mad::class_port_info::kCapabilities2, 0);
  if (m.is(mad::Class::congestion_control)) a = congestion.answer(*at, m);
  if (a == live::Answer::silence) return std::nullopt;
  return m;
}

inline void FakeWire::harm(const Request& request) {
  const std::uint64_t kind = random.below(12);
  if (kind == 0) return;                                                // the request is lost
  if (kind == 1) return arriving.push_back({request.mad, 0, false});  // and the device gives up
  Answered good{answer(request), request.lid};
  if (!good.mad || kind == 2) return;  // the answer is lost
  mad::Mad& m = *good.mad;
  const auto falsify = [&](std::size_t from, auto byte) {
    for (std::uint8_t& b : m.data().subspan(from)) b = byte();
  };
  const auto any_byte = [&] { return static_cast<std::uint8_t>(random.below(256)); };
  const bool counters = m.is(mad::Class::performance);
  switch (kind) {
    case 3: keep(good); return;                                      // late: it comes when something else is awaited
    case 4: deliver(good); break;                                    // twice
    case 5:                                                          // behind one to an older request
      if (const Answered a = old_one(request.mad.attribute()); a.mad) arriving.push_back({*a.mad, a.lid, true});
      break;
    case 6:                                                          // an older one, as if it were this one
      if (const Answered a = old_one(request.mad.attribute()); a.mad) {
        const std::uint64_t transaction = m.transaction();
        m = *a.mad;
        m.set_transaction(transaction);
      }
      break;
    case 7:                                                          // bytes at random
      for (std::uint8_t& b : m.bytes()) b = any_byte();
      break;
    case 8: falsify(counters ? 2 : 0, any_byte); break;              // counters or settings at random
    case 9: falsify(counters ? 2 : 0, [] { return std::uint8_t{0xff}; }); break;  // stuck at the maximum
    case 10: m.set_status(mad::status::kBadValue); break;            // it was done, and is denied
    default: good.lid = static_cast<std::uint32_t>(random.below(16)); break;  // from somebody else
  }
  deliver(good);
}

class FakeClock final : public ManagerClock {
 public:
  Time now() override { return at; }
  void sleep_until(Time time) override { at = time; }
  std::int64_t wall_seconds() override { return at.ps / 1'000'000'000'000; }
  Time at;
};

inline constexpr const char* kPolicy = R"(
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
ports = ["S*"]
most_low = 2
most_actions = 6
within = "20s"
)";

using PortName = std::pair<std::uint64_t, std::uint32_t>;  // GUID of the switch, number of the port
using AllSettings = std::map<PortName, mad::SwitchPortCongestion>;

struct Lab {
  explicit Lab(const std::string& policy_text = kPolicy, LinkProperties of_hosts = kLink,
               LinkProperties between_switches = kLink)
      : topology(two_switch({3, 3, 1}, of_hosts, between_switches)), subnet(topology, 1),
        policy(read_policy_text(policy_text, "policy")) {
    auto own = std::make_unique<FakeWire>(subnet, machine);
    wire = own.get();
    transport = std::make_unique<Exchange>(std::move(own), 8);
    subnet.configure(min_hop_routes(topology));
    machine.samples.resize(topology.ports());
    for (live::SubnetNode& node : subnet.nodes()) {
      node.congestion.of_switch.control_map = 0x15;
      node.congestion.of_switch.threshold = 15;
      node.congestion.of_switch.marking_rate = 100;
    }
    fabric = discover(*transport);
    seen = to_topology(fabric, {kLink, kLink}).topology;
    options.say = [this](const std::string& text) { said.push_back(text); };
    options.stopped = [] { return false; };
  }
  Manager manager(ActionLog* log) { return Manager(seen, policy, *transport, clock, log, nullptr, options); }
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
  AllSettings settings() const {
    AllSettings all;
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
  FakeWire* wire = nullptr;
  std::unique_ptr<Exchange> transport;
  FakeClock clock;
  Fabric fabric;
  Topology seen;
  ManagerOptions options;
  std::vector<std::string> said;
};

}  // namespace weir::manage
