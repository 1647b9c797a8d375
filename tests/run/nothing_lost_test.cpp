// Nothing is lost, whatever is combined: random small scenarios run to the end, and everything that was sent has
// arrived, all counters add up, and nothing was faster than an empty fabric allows. The engine's own audit of credits
// and buffers runs at the end of each in builds with checks.
#include <gtest/gtest.h>

#include "run/lab.h"
#include "run/random_scenario.h"

namespace weir {
namespace {

struct Sums {
  std::uint64_t generated = 0, injected = 0, received = 0, bytes = 0;
};

Sums check_classes(const Measurements& m) {
  Sums all;
  for (const ClassResult& c : m.classes) {
    EXPECT_EQ(c.generated, c.injected);
    EXPECT_EQ(c.generated, c.received);
    EXPECT_EQ(c.generated_bytes, c.received_bytes);
    EXPECT_EQ(c.injected_bytes, c.received_bytes);
    EXPECT_EQ(c.latency.count(), c.received);
    EXPECT_EQ(c.network_latency.count(), c.received);
    Sums series;
    for (const ClassBin& bin : c.series) {
      series.generated += bin.generated;
      series.injected += bin.injected;
      series.received += bin.received;
      series.bytes += bin.received_bytes;
    }
    EXPECT_EQ(series.generated, c.generated);
    EXPECT_EQ(series.injected, c.injected);
    EXPECT_EQ(series.received, c.received);
    EXPECT_EQ(series.bytes, c.received_bytes);
    all.generated += c.generated;
    all.received += c.received;
    all.bytes += c.received_bytes;
  }
  return all;
}

void check_hosts(const Measurements& m, const Sums& all) {
  Sums hosts;
  for (const HostResult& h : m.hosts) {
    hosts.injected += h.injected;
    hosts.received += h.received;
    hosts.bytes += h.received_bytes;
  }
  EXPECT_EQ(hosts.injected, all.generated);
  EXPECT_EQ(hosts.received, all.received);
  EXPECT_EQ(hosts.bytes, all.bytes);
}

// Every packet leaves its host once and reaches its host once; a switch sends on what it receives, and perhaps packets
// of the scheme's own.
void check_ports(const Measurements& m, const Topology& topology, const Sums& all, bool self, bool asks_switches) {
  const std::uint64_t own = m.totals.notifications + m.totals.control_packets;
  std::uint64_t from_hosts = 0, to_hosts = 0, hops = 0, born = 0;
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    std::uint64_t in = 0, out = 0, in_bytes = 0, out_bytes = 0;
    for (std::uint32_t i = 0; i < topology.port_count({n}); ++i) {
      const PortResult& port = m.ports[topology.port({n}, i).index];
      out += port.xmit_packets;
      out_bytes += port.xmit_bytes;
      in += port.rcv_packets;
      in_bytes += port.rcv_bytes;
      hops += port.xmit_packets;
    }
    if (topology.is_host({n})) {
      from_hosts += out;
      to_hosts += in;
    } else {
      EXPECT_GE(out, in) << topology.name({n});
      EXPECT_GE(out_bytes, in_bytes) << topology.name({n});
      EXPECT_TRUE(own > 0 || out_bytes == in_bytes) << topology.name({n});
      born += out - in;
    }
  }
  EXPECT_LE(born, own);
  EXPECT_EQ(from_hosts + born, to_hosts);
  EXPECT_EQ(m.totals.hops, hops);
  EXPECT_LE(m.totals.data_hops, hops);
  EXPECT_TRUE(m.totals.acks + own > 0 || m.totals.data_hops == hops);
  const std::uint64_t sent = all.generated + m.totals.acks + own;
  EXPECT_LE(to_hosts, sent);
  // What a host sends to itself does not cross its port; a question to a switch ends there.
  EXPECT_TRUE(self || asks_switches || to_hosts == sent);
  EXPECT_TRUE(self || to_hosts + own >= sent);
}

void check_flows(const Outcome& run, const PacketConfig& config) {
  const Topology& topology = run.network->topology;
  for (const FlowResult& flow : run.measurements.flows) {
    EXPECT_EQ(flow.delivered, flow.bytes);
    ASSERT_NE(flow.completion, kNever);
    EXPECT_GE(flow.completion, flow.first_delivery);
    // The first packet alone: all links, all switches, and its time on the slowest link.
    const Bytes size = std::min(flow.bytes, config.format.payloads[0].payload) + config.format.header;
    Time least{}, slowest{};
    const auto links = default_path(topology, run.network->routes, flow.source, flow.destination);
    for (const PortId l : links) {
      least += topology.link(l).delay;
      slowest = std::max(slowest, topology.link(l).rate.time_for(size));
    }
    least += (config.switches.route_delay + config.switches.switch_delay) * static_cast<std::int64_t>(links.size() - 1);
    if (!config.switches.choice->fixed()) continue;
    EXPECT_GE(flow.first_delivery - flow.start, least + slowest);
  }
}

void check_buffers(const Measurements& m, const PacketConfig& config, const Topology& topology) {
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    EXPECT_LE(m.ports[p].peak_input_bytes, static_cast<std::uint64_t>(config.switches.buffer) * config.switches.lanes);
    EXPECT_LE(m.ports[p].busy.ps + m.ports[p].wait.ps, m.end.ps) << topology.port_name({p});
  }
}

std::string text_of(std::uint64_t number) {
  return testing::RandomScenario(number, testing::RandomScenario::Schemes::any).text();
}

void check(std::uint64_t number) {
  const std::string text = text_of(number);
  SCOPED_TRACE(fmt::format("scenario {}:\n{}", number, text));
  const Scenario scenario = testing::scenario_of(text);
  const Outcome run = simulate(scenario);
  const Measurements& m = run.measurements;
  const PacketConfig config = packet_config(scenario, run.network->topology, *run.workload);
  ASSERT_NE(m.ending, Ending::deadlock) << m.ending_text;
  ASSERT_NE(m.ending, Ending::saturated) << m.ending_text;
  const Sums all = check_classes(m);
  check_hosts(m, all);
  const bool self = text.find("include_self") != std::string::npos;
  check_ports(m, run.network->topology, all, self, scenario.section("scheme").kind == "dcms");
  check_flows(run, config);
  check_buffers(m, config, run.network->topology);
}

TEST(NothingLost, InRandomScenarios) {
  const std::size_t count = scaled_count(100, 1000, 5000);
  std::size_t refused = 0;
  for (std::uint64_t number = 0; number < count && !HasFailure(); ++number) {
    try {
      check(number);
    } catch (const InputError& e) {  // a scheme may ask for what this scenario does not have
      ++refused;
      ASSERT_LE(refused, count / 3) << e.what() << "\n" << text_of(number);
    }
  }
}

}  // namespace
}  // namespace weir
