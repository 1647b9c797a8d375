// What the nodes of a served subnet answer, without any socket.
#include "live/agents/agents.h"

#include <gtest/gtest.h>

#include "live/port_speed.h"
#include "mad/smp_fields.h"
#include "network/fabric/fabric.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"

namespace weir::live {
namespace {

using mad::get;
using mad::Mad;
using mad::Method;
using mad::put;

const LinkProperties kEdr{Rate{100'000'000'000}, Time{1000}, 0};

// A machine whose counters a test sets.
class SetMachine final : public Machine {
 public:
  Time now() const override { return at; }
  PortSample sample(PortId port) const override { return samples.at(port.index); }
  Time lane_congested(PortId port, std::uint32_t) const override { return samples.at(port.index).congested; }
  std::uint32_t lanes() const override { return 1; }
  const char* without_arbitration() const override { return nullptr; }
  std::vector<MarkEvent> mark_events(NodeId) const override { return events; }
  Time wait_tick(PortId) const override { return {10}; }
  Time congestion_tick() const override { return {100}; }
  std::vector<PortSample> samples;
  std::vector<MarkEvent> events;
  Time at;
};

struct Lab {
  Lab() : topology(k_ary_n_tree({2, 2, 0}, kEdr, kEdr)), subnet(topology, 2) {
    machine.samples.resize(topology.ports());
  }
  Topology topology;
  Subnet subnet;
  SetMachine machine;
  SubnetAgent agent{subnet};
  PerformanceAgent performance{subnet, machine};
  CongestionAgent congestion{subnet, machine};
};

Mad request(mad::Class c, Method method, std::uint16_t attribute, std::uint32_t modifier = 0) {
  Mad m;
  m.set_class(c, 1);
  m.set_method(method);
  m.set_attribute(attribute, modifier);
  return m;
}
Mad smp(Method method, std::uint16_t attribute, std::uint32_t modifier = 0) {
  return request(mad::Class::subnet_lid, method, attribute, modifier);
}

TEST(Subnet, ComesUpAsAfterPowerOn) {
  Lab lab;
  const NodePort host = lab.subnet.of(HostId{0}), leaf = lab.subnet.of(SwitchId{0});
  Mad m = smp(Method::get, mad::smp::kNodeInfo);
  EXPECT_EQ(lab.agent.answer(host, m), Answer::reply);
  EXPECT_EQ(m.method(), 0x81);
  EXPECT_EQ(get(m.data(), mad::node_info::kType), mad::node_info::kAdapter);
  EXPECT_EQ(get(m.data(), mad::node_info::kGuid), lab.subnet.identities().guid({0}));
  m = smp(Method::get, mad::smp::kPortInfo, 1);
  lab.agent.answer(leaf, m);
  EXPECT_EQ(get(m.data(), mad::port_info::kState), mad::port_info::kInit);
  EXPECT_EQ(speed_of(m.data()).value().rate().gigabits(), 100);
  m = smp(Method::get, mad::smp::kPortInfo, 9);
  lab.agent.answer(leaf, m);
  EXPECT_EQ(m.status(), mad::status::kBadValue);
  m = smp(Method::get, 0x77);
  lab.agent.answer(leaf, m);
  EXPECT_EQ(m.status(), mad::status::kBadAttribute);
}

// From the first host: up to its leaf, on to a root, and back down to the other leaf.
TEST(Subnet, DirectedRoutesNoteTheWayBack) {
  Lab lab;
  Mad m = smp(Method::get, mad::smp::kNodeInfo);
  m.set_class(mad::Class::subnet_directed, 1);
  m.set_hops(0, 2);
  m.path(1) = 1;
  const NodePort leaf = lab.subnet.of(lab.topology.to(lab.topology.host_port({0})));
  // An up port of the leaf: its neighbour is a switch.
  std::uint8_t up = 0;
  for (std::uint8_t p = 1; p < lab.subnet.node(leaf).ports.size() && up == 0; ++p)
    if (const auto next = lab.subnet.peer({leaf.node, p}); next && lab.subnet.node(*next).is_switch) up = p;
  m.path(2) = up;
  const auto end = lab.subnet.walk(lab.subnet.of(HostId{0}), m);
  ASSERT_TRUE(end);
  EXPECT_TRUE(lab.subnet.node(*end).is_switch);
  EXPECT_EQ(m.return_path(1), leaf.port);
  EXPECT_EQ(m.return_path(2), end->port);
  m.path(2) = 99;
  EXPECT_FALSE(lab.subnet.walk(lab.subnet.of(HostId{0}), m));
  m.set_hops(0, 64);
  EXPECT_FALSE(lab.subnet.walk(lab.subnet.of(HostId{0}), m));
}

TEST(Subnet, ConfiguredTablesLeadEveryLidHome) {
  Lab lab;
  const NodePort first = lab.subnet.of(HostId{0});
  EXPECT_FALSE(lab.subnet.walk(first, 2, false));
  lab.subnet.configure(digit_routes(lab.topology));
  for (std::uint32_t a = 0; a < lab.topology.hosts(); ++a) {
    for (std::uint32_t b = 0; b < lab.topology.hosts(); ++b)
      EXPECT_EQ(lab.subnet.walk(lab.subnet.of(HostId{a}), b + 1, false), lab.subnet.of(HostId{b}));
    for (std::uint32_t s = 0; s < lab.topology.switches(); ++s) {
      const NodePort to = lab.subnet.of(SwitchId{s});
      EXPECT_EQ(lab.subnet.walk(lab.subnet.of(HostId{a}), lab.subnet.lid(to), false), to);
    }
  }
}

TEST(Subnet, WithLmcAPortHasSeveralLids) {
  Lab lab;
  lab.subnet.configure(digit_routes(lab.topology));
  const NodePort from = lab.subnet.of(HostId{0}), to = lab.subnet.of(HostId{3});
  put(lab.subnet.port(to).info, mad::port_info::kLid, 64);
  put(lab.subnet.port(to).info, mad::port_info::kLmc, 1);
  for (std::uint32_t s = 0; s < lab.topology.switches(); ++s) {
    auto& table = lab.subnet.node(lab.subnet.of(SwitchId{s})).forwarding;
    table.resize(70, SubnetNode::kNoPort);
    for (std::uint32_t lid = 64; lid <= 66; ++lid) table[lid] = table[4];
  }
  EXPECT_EQ(lab.subnet.walk(from, 64, false), to);
  EXPECT_EQ(lab.subnet.walk(from, 65, false), to);
  EXPECT_FALSE(lab.subnet.walk(from, 66, false));
}

TEST(Subnet, AnImportedFabricKeepsItsLids) {
  const Topology imported = to_topology(parse_ibnetdiscover("net", R"(
Switch 4 "S-00000000000000a1" # "leaf" enhanced port 0 lid 77 lmc 0
[1] "H-00000000000000c1"[1](c11) # "n1" lid 12 4xEDR
[2] "H-00000000000000c2"[1](c21) # "n2" lid 300 4xEDR
)"), {kEdr, kEdr}).topology;
  Subnet subnet(imported, 1);
  subnet.configure(min_hop_routes(imported));
  EXPECT_EQ(subnet.lid(subnet.of(HostId{0})), 12u);
  EXPECT_EQ(subnet.lid(subnet.of(SwitchId{0})), 77u);
  EXPECT_EQ(subnet.walk(subnet.of(HostId{0}), 300, false), subnet.of(HostId{1}));
  EXPECT_EQ(subnet.walk(subnet.of(HostId{1}), 77, false), subnet.of(SwitchId{0}));
  EXPECT_FALSE(subnet.walk(subnet.of(HostId{0}), 1, false));
}

TEST(Subnet, ACutLinkIsDownAtBothEndsAndNoticed) {
  Lab lab;
  lab.subnet.configure(digit_routes(lab.topology));
  const PortId host = lab.topology.host_port({0});
  const auto noticed = lab.subnet.set_link(host, false);
  ASSERT_EQ(noticed.size(), 1u);  // the switch's end
  EXPECT_EQ(noticed[0], lab.subnet.of(lab.topology.to(host)));
  EXPECT_FALSE(lab.subnet.is_up(lab.subnet.of(HostId{0})));
  EXPECT_FALSE(lab.subnet.walk(lab.subnet.of(HostId{1}), 1, false));
  EXPECT_EQ(get(lab.subnet.node(noticed[0]).switch_info, mad::switch_info::kStateChange), 1u);
  EXPECT_EQ(lab.subnet.set_link(host, true).size(), 1u);
  EXPECT_EQ(lab.subnet.state(lab.subnet.of(HostId{0})), mad::port_info::kInit);
  EXPECT_EQ(lab.subnet.port(noticed[0]).downed, 1u);
}

// What `ibportstate disable` and `enable` send.
TEST(SubnetAgent, APortCanBeDisabledAndEnabled) {
  Lab lab;
  const NodePort leaf = lab.subnet.of(lab.topology.to(lab.topology.host_port({0})));
  const auto set_physical = [&](std::uint8_t state) {
    Mad m = smp(Method::get, mad::smp::kPortInfo, leaf.port);
    lab.agent.answer({leaf.node, 0}, m);
    m.set_method(Method::set);
    put(m.data(), mad::port_info::kState, 0);
    put(m.data(), mad::port_info::kPhysicalState, state);
    lab.agent.answer({leaf.node, 0}, m);
  };
  set_physical(mad::port_info::kPhysicalDisabled);
  EXPECT_EQ(lab.subnet.state(leaf), mad::port_info::kDown);
  EXPECT_EQ(lab.subnet.state(lab.subnet.of(HostId{0})), mad::port_info::kDown);
  EXPECT_EQ(lab.agent.take_changed_ports().size(), 1u);
  set_physical(mad::port_info::kPhysicalPolling);
  EXPECT_EQ(lab.subnet.state(leaf), mad::port_info::kInit);
}

TEST(SubnetAgent, StatesOfALinkGoUpOneByOne) {
  Lab lab;
  const NodePort leaf = lab.subnet.of(lab.topology.to(lab.topology.host_port({0})));
  const auto set_state = [&](std::uint8_t state) {
    Mad m = smp(Method::set, mad::smp::kPortInfo, leaf.port);
    put(m.data(), mad::port_info::kState, state);
    lab.agent.answer({leaf.node, 0}, m);
    return lab.subnet.state(leaf);
  };
  EXPECT_EQ(set_state(mad::port_info::kActive), mad::port_info::kInit);
  EXPECT_EQ(set_state(mad::port_info::kArmed), mad::port_info::kArmed);
  EXPECT_EQ(set_state(mad::port_info::kActive), mad::port_info::kActive);
}

TEST(SubnetAgent, AWrongKeyWritesNothing) {
  Lab lab;
  const NodePort host = lab.subnet.of(HostId{0});
  put(lab.subnet.port(host).info, mad::port_info::kManagementKey, 7);
  Mad m = smp(Method::set, mad::smp::kPortInfo, 1);
  put(m.data(), mad::port_info::kLid, 5);
  EXPECT_EQ(lab.agent.answer(host, m), Answer::silence);
  EXPECT_EQ(lab.subnet.lid(host), 0u);
  m.set_key(7);
  EXPECT_EQ(lab.agent.answer(host, m), Answer::reply);
  EXPECT_EQ(lab.subnet.lid(host), 5u);
}

TEST(SubnetAgent, ForwardingTablesInBlocksOf64) {
  Lab lab;
  const NodePort leaf = lab.subnet.of(SwitchId{0});
  Mad m = smp(Method::set, mad::smp::kLinearTable, 1);
  std::fill(m.data().begin(), m.data().end(), std::uint8_t{255});
  m.data()[3] = 2;
  lab.agent.answer(leaf, m);
  EXPECT_EQ(lab.subnet.node(leaf).out_port(67), 2);
  EXPECT_EQ(lab.subnet.node(leaf).out_port(66), SubnetNode::kNoPort);
  EXPECT_EQ(lab.subnet.node(leaf).out_port(5000), SubnetNode::kNoPort);
  m = smp(Method::get, mad::smp::kLinearTable, 0xffff);
  lab.agent.answer(leaf, m);
  EXPECT_EQ(m.status(), mad::status::kBadValue);
}

TEST(PerformanceAgent, CountersOf32And64BitsAreClearedApart) {
  Lab lab;
  const PortId link = lab.topology.to(lab.topology.host_port({0}));
  const NodePort at = lab.subnet.of(link);
  PortSample& s = lab.machine.samples[link.index];
  s.sent_bytes = 40;
  s.waited = {105};
  const auto ask = [&](Method method, std::uint16_t attribute, std::uint32_t select = 0, std::uint32_t select2 = 0) {
    Mad m = request(mad::Class::performance, method, attribute);
    put(m.data(), {8, 8}, at.port);
    put(m.data(), {16, 16}, select);
    put(m.data(), mad::port_counters::kCounterSelect2, select2);
    lab.performance.answer({at.node, 0}, m);
    return m;
  };
  Mad m = ask(Method::get, mad::perf::kPortCounters);
  EXPECT_EQ(get(m.data(), mad::port_counters::kXmitWords), 10u);
  EXPECT_EQ(get(m.data(), mad::port_counters::kXmitWait), 10u);
  ask(Method::set, mad::perf::kPortCounters, mad::port_counters::kSelXmitWords);
  s.sent_bytes = 48;
  m = ask(Method::get, mad::perf::kPortCounters);
  EXPECT_EQ(get(m.data(), mad::port_counters::kXmitWords), 2u);
  EXPECT_EQ(get(m.data(), mad::port_counters::kXmitWait), 10u);  // was not selected
  m = ask(Method::get, mad::perf::kPortCountersExtended);
  EXPECT_EQ(get(m.data(), mad::port_counters_ext::kXmitWords), 12u);
  ask(Method::set, mad::perf::kPortCounters, 0, mad::port_counters::kSel2XmitWait);
  m = ask(Method::get, mad::perf::kPortCounters);
  EXPECT_EQ(get(m.data(), mad::port_counters::kXmitWait), 0u);
  s.sent_bytes = std::uint64_t{1} << 40;
  m = ask(Method::get, mad::perf::kPortCounters);
  EXPECT_EQ(get(m.data(), mad::port_counters::kXmitWords), 0xffffffffu);
}

TEST(PerformanceAgent, PortsThatDoNotExistAreRefused) {
  Lab lab;
  Mad m = request(mad::Class::performance, Method::get, mad::perf::kPortCounters);
  put(m.data(), {8, 8}, 77);
  lab.performance.answer(lab.subnet.of(SwitchId{0}), m);
  EXPECT_EQ(m.status(), mad::status::kBadValue);
  m = request(mad::Class::performance, Method::get, 0x7777);
  lab.performance.answer(lab.subnet.of(SwitchId{0}), m);
  EXPECT_EQ(m.status(), mad::status::kBadAttribute);
}

TEST(CongestionAgent, SettingsAreKeptAndAKeyProtectsThem) {
  Lab lab;
  const NodePort leaf = lab.subnet.of(SwitchId{0});
  Mad m = request(mad::Class::congestion_control, Method::set, mad::cc::kSwitchPortSetting);
  mad::encode(mad::SwitchPortCongestion{true, false, 15, 0, 100}, m.data().subspan(4, 4));  // port 1
  EXPECT_EQ(lab.congestion.answer(leaf, m), Answer::reply);
  EXPECT_EQ(lab.subnet.node(leaf).congestion.ports[1].marking_rate, 100);
  EXPECT_EQ(lab.subnet.congestion_changed, std::vector<std::uint32_t>{leaf.node});
  m = request(mad::Class::congestion_control, Method::set, mad::cc::kKeyInfo);
  put(m.data(), mad::congestion_key::kKey, 9);
  EXPECT_EQ(lab.congestion.answer(leaf, m), Answer::reply);
  m = request(mad::Class::congestion_control, Method::set, mad::cc::kSwitchPortSetting);
  EXPECT_EQ(lab.congestion.answer(leaf, m), Answer::silence);
  EXPECT_EQ(lab.subnet.node(leaf).congestion.violations, 1);
  EXPECT_EQ(lab.subnet.node(leaf).congestion.ports[1].marking_rate, 100);
  m = request(mad::Class::congestion_control, Method::get, mad::cc::kSwitchPortSetting);
  EXPECT_EQ(lab.congestion.answer(leaf, m), Answer::reply);
}

TEST(CongestionAgent, TheLogShowsTheLastMarks) {
  namespace f = mad::congestion_log;
  Lab lab;
  lab.subnet.configure(digit_routes(lab.topology));
  for (std::uint32_t i = 0; i < kMarkEvents; ++i)
    lab.machine.events.push_back({HostId{1}, HostId{2}, Lane{i == 0 ? 1u : 0u}, Time{(100 - i) * 1'024'000LL}});
  const auto lid = [&](HostId host) { return lab.subnet.lid(lab.subnet.of(host)); };
  Mad m = request(mad::Class::congestion_control, Method::get, mad::cc::kCongestionLog);
  lab.congestion.answer(lab.subnet.of(SwitchId{0}), m);
  for (std::size_t i = 0; i < f::kMostSwitchEvents; ++i) {
    const auto entry = m.data().subspan(f::kSwitchEventsAt + i * f::kSwitchEventBytes, f::kSwitchEventBytes);
    EXPECT_EQ(get(entry, f::kEventSource), lid({1}));
    EXPECT_EQ(get(entry, f::kEventDestination), lid({2}));
    EXPECT_EQ(get(entry, f::kEventLevel), i == 0 ? 1u : 0u);
    EXPECT_EQ(get(entry, f::kEventTime), 100 - i);
  }
  m = request(mad::Class::congestion_control, Method::get, mad::cc::kCongestionLog);
  lab.congestion.answer(lab.subnet.of(HostId{1}), m);
  EXPECT_EQ(get(m.data(), f::kAdapterMap), 3u);
  const auto last = m.data().subspan(f::kAdapterEventsAt + 12 * f::kAdapterEventBytes, f::kAdapterEventBytes);
  EXPECT_EQ(get(last, f::kEventOwnLid), lid({1}));
  EXPECT_EQ(get(last, f::kEventRemoteLid), lid({2}));
  EXPECT_EQ(get(last, f::kAdapterEventTime), 88u);
}

// Anything may come: every request is answered or refused, and nothing is read or written out of bounds.
TEST(Agents, BytesAtRandomDoNoHarm) {
  Lab lab;
  lab.subnet.configure(digit_routes(lab.topology));
  std::uint64_t state = 20261116;
  const auto next = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  for (int i = 0; i < 20'000; ++i) {
    Mad m;
    for (std::uint8_t& byte : m.bytes()) byte = static_cast<std::uint8_t>(next() >> 56);
    const mad::Class classes[] = {mad::Class::subnet_lid, mad::Class::subnet_directed, mad::Class::performance,
                                  mad::Class::congestion_control};
    m.set_class(classes[i % 4], 1);
    m.set_method(next() >> 63 != 0 ? Method::get : Method::set);
    m.set_attribute(static_cast<std::uint16_t>(next() >> 58), static_cast<std::uint32_t>(next() >> (32 + next() % 32)));
    const auto node = static_cast<std::uint32_t>(next() >> 33) % static_cast<std::uint32_t>(lab.subnet.nodes().size());
    const NodePort at{node, static_cast<std::uint32_t>(next() >> 33) %
                                static_cast<std::uint32_t>(lab.subnet.nodes()[node].ports.size())};
    if (m.is(mad::Class::performance)) lab.performance.answer(at, m);
    else if (m.is(mad::Class::congestion_control)) lab.congestion.answer(at, m);
    else lab.agent.answer(at, m);
    lab.subnet.walk(lab.subnet.of(HostId{0}), m);
    lab.subnet.walk(at, static_cast<std::uint32_t>(next() >> 48), false);
  }
}

}  // namespace
}  // namespace weir::live
