// InfiniBand congestion control as a scheme family: ports mark (infiniband_port.h), destinations return BECN, sources
// wait (infiniband_source.h). `cca` runs it alone; `dcms` adds a manager that changes the marking rates while it runs.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "packet/engine_view.h"
#include "packet/hooks.h"
#include "schemes/idle.h"
#include "schemes/infiniband_port.h"
#include "schemes/infiniband_source.h"

namespace weir {

inline constexpr std::uint8_t kFecn = 1;

// All settings of a fabric, resolved.
struct CcaSettings {
  std::vector<MarkingSettings> ports;  // by channel
  std::uint32_t default_marking_rate = 0;  // of ports without a row of their own
  bool becn_on_ack = false;            // otherwise in a notification packet
  std::uint32_t cnp_bytes = 42;
  std::uint32_t cnp_lane = 0;
  bool per_service_level = false;
  SourceSettings source;
  Time congestion_tick;                // unit of PortXmitCongTime
};

struct CcaFamily : SchemeHooks {
  static constexpr bool kConnections = true;

  explicit CcaFamily(CcaSettings s) : settings(std::move(s)) {}

  void on_start(EngineView& engine) override {
    const FabricState& fabric = engine.fabric();
    const PacketConfig& config = engine.config();
    by_credits = config.switches.flow_control == FlowControl::credits;
    ports.resize(fabric.channels());
    for (std::uint32_t l = 0; l < fabric.links(); ++l)
      fabric.each_channel({l}, [&](ChannelId c) {
        if (fabric.link({l}).is(Link::kFromHost)) return;
        const MarkingSettings& given = settings.ports[c.index];
        ports[c.index] = MarkingPort(given, buffer_bytes(config), engine.seed(), c.index);
        lowest_threshold = std::min(lowest_threshold, threshold_bytes(given.threshold, buffer_bytes(config)));
      });
    lanes = fabric.lanes();
    const std::size_t states =
        settings.per_service_level ? engine.topology().hosts() * lanes : engine.connections().count();
    sources.assign(states, InjectionState(settings.source.minimum));
    for (std::uint32_t h = 0; h < engine.topology().hosts(); ++h) {
      const auto period = static_cast<std::uint64_t>(settings.source.timer.ps);
      random.emplace_back(engine.seed(), Purpose::jitter, h);
      phases.push_back({static_cast<std::int64_t>(random[h].below(period))});
      host_ports.push_back(engine.topology().host_port(HostId{h}).index);
    }
    becn_received.assign(engine.topology().hosts(), 0);
    fecn_received.assign(engine.topology().hosts(), 0);
    const MeasureConfig& measure = config.measure;
    counter_bin = measure.watch_bin;
    for (const PortId port : measure.watch)
      counter_series.push_back({port, engine.topology().port_name(port), {}, {}, {}, {}});
    if (!counter_series.empty()) engine.set_timer(counter_bin, kSample);
  }
  void on_timer(EngineView& engine, std::uint32_t entity, std::uint32_t) override {
    if (entity == kSample) sample_counters(engine);
  }

  // ---- source ----
  Time gate(EngineView&, ConnectionId connection, Packet& p) override {
    return source(connection, p).next();
  }
  void on_inject(EngineView& engine, HostId host, Packet& p) override {
    if (p.destination == host) return;
    const Link& link = engine.fabric().link(engine.topology().host_port(host));
    source(p.connection, p).injected(settings.source, engine.now(), phases[host.index], {link.serialization(p.size)},
                                     random[host.index]);
  }
  void on_notification(EngineView& engine, HostId host, Packet& p) override {
    becn(engine, host, p);
  }
  void on_ack(EngineView& engine, HostId host, Packet& p) override {
    if (settings.becn_on_ack && (p.marks & kFecn) != 0) becn(engine, host, p);
  }

  // ---- switch ----
  void on_output(EngineView& engine, ChannelId channel, Packet& p) override {
    const FabricState& fabric = engine.fabric();
    std::uint64_t slower = fabric.link(fabric.link_of(channel)).ps_per_byte_q16;
    if (p.came_by.valid()) slower = std::max(slower, fabric.link(fabric.link_of(p.came_by)).ps_per_byte_q16);
    ports[channel.index].joined(engine.now(), fabric.channel(channel).queued, p.size, slower);
  }
  void on_departure(EngineView& engine, ChannelId channel, Packet& p) override {
    const Channel& c = engine.fabric().channel(channel);
    MarkingPort& port = ports[channel.index];
    const bool starved = by_credits ? !c.is(Channel::kToHost) && c.credits < engine.fabric().cost(p) : port.starved();
    if (p.is(PacketKind::data) && port.marks(engine.now(), p.size)) p.marks |= kFecn;
    port.changed(engine.now(), c.queued, starved);
  }
  void on_starved(EngineView& engine, ChannelId channel) override {
    ports[channel.index].changed(engine.now(), engine.fabric().channel(channel).queued, true);
  }
  void on_fed(EngineView& engine, ChannelId channel) override {
    ports[channel.index].changed(engine.now(), engine.fabric().channel(channel).queued, false);
  }

  // ---- destination ----
  void on_delivery(EngineView& engine, HostId host, Packet& p) override {
    if ((p.marks & kFecn) == 0) return;
    ++fecn_received[host.index];
    if (settings.becn_on_ack || p.source == host) return;
    // The lane on which the marked packet set out travels along: it is the service level that its source has to slow.
    Packet cnp = engine.new_packet({PacketKind::notification, host, p.source, settings.cnp_bytes,
                                    Lane{settings.cnp_lane}, p.connection});
    cnp.marks = kFecn;
    cnp.load(engine.routes().lanes().first(p.lane()));
    engine.send_from_host(host, cnp);
  }

  void report(Measurements& m) const override {
    for (std::uint32_t c = 0; c < ports.size(); ++c) {
      PortResult& port = m.ports[c / (ports.size() / m.ports.size())];
      port.congested += ports[c].congested(m.end);
      port.marked += ports[c].marked();
    }
    std::uint64_t becn = 0, fecn = 0;
    for (const std::uint64_t n : becn_received) becn += n;
    for (const std::uint64_t n : fecn_received) fecn += n;
    std::uint32_t peak = 0;
    for (const InjectionState& s : sources) peak = std::max(peak, s.peak());
    m.scheme_numbers.emplace_back("FECN received", static_cast<double>(fecn));
    m.scheme_numbers.emplace_back("BECN received", static_cast<double>(becn));
    m.scheme_numbers.emplace_back("largest CCTI", peak);
    if (becn == 0 && settings.source.minimum == 0) m.scheme_idle = idle::infiniband(counts(m));
    for (const CounterSeries& s : counter_series) {
      m.scheme_series.push_back({"PortXmitWait [s] " + s.name, counter_bin, s.wait});
      m.scheme_series.push_back({"PortXmitCongTime [s] " + s.name, counter_bin, s.congested});
      const auto host = std::find(host_ports.begin(), host_ports.end(), s.port.index) - host_ports.begin();
      if (static_cast<std::size_t>(host) == host_ports.size()) continue;  // only adapters count these
      const auto at_end = [&](std::vector<double> values, const std::vector<std::uint64_t>& received) {
        values.push_back(static_cast<double>(received[static_cast<std::size_t>(host)]));
        return values;
      };
      m.scheme_series.push_back({"PortRcvFECN " + s.name, counter_bin, at_end(s.fecn, fecn_received)});
      m.scheme_series.push_back({"PortRcvBECN " + s.name, counter_bin, at_end(s.becn, becn_received)});
    }
  }
  std::size_t bytes_of_state() const override {
    return ports.capacity() * sizeof(MarkingPort) + sources.capacity() * sizeof(InjectionState) +
           (phases.capacity() + becn_received.capacity()) * 8;
  }

  // What the switches have seen; ports' own numbers are in `m` already.
  idle::FecnCounts counts(const Measurements& m) const {
    idle::FecnCounts c;
    c.threshold = lowest_threshold == threshold_bytes(0, 0) ? -1 : lowest_threshold;
    c.marking_rate = settings.default_marking_rate;
    std::vector<bool> of_host(m.ports.size(), false);
    for (const std::uint32_t port : host_ports) of_host[port] = true;
    for (std::size_t p = 0; p < m.ports.size(); ++p) {
      if (of_host[p]) continue;
      c.longest = std::max(c.longest, static_cast<Bytes>(m.ports[p].peak_output_bytes));
      c.congested += m.ports[p].congested;
      c.marked += m.ports[p].marked;
    }
    return c;
  }

  void becn(EngineView& engine, HostId host, Packet& p) {
    ++becn_received[host.index];
    // An acknowledgement has a lane of its own; the lane of what it acknowledges follows from the connection.
    const Lane lane = p.is(PacketKind::ack) ? engine.connections().lane(p.connection) : p.template cargo<Lane>();
    const std::size_t index = settings.per_service_level ? host.index * lanes + lane.index : p.connection.index;
    sources[index].notified(settings.source, engine.now(), phases[host.index]);
  }
  InjectionState& source(ConnectionId connection, const Packet& packet) {
    return sources[settings.per_service_level ? packet.source.index * lanes + packet.lane().index : connection.index];
  }
  // What the counters of the watched ports show at the end of each bin: times in seconds, and at adapters the packets
  // received with a mark and the answers to marks.
  void sample_counters(EngineView& engine) {
    for (CounterSeries& s : counter_series) {
      s.wait.push_back(waited(engine, s.port).seconds());
      Time congested;
      for (std::uint32_t v = 0; v < lanes; ++v)
        congested += ports[engine.fabric().channel_of(s.port, {v}).index].congested(engine.now());
      s.congested.push_back(congested.seconds());
      const NodeId node = engine.topology().node_of(s.port);
      if (!engine.topology().is_host(node)) continue;
      s.fecn.push_back(static_cast<double>(fecn_received[node.index]));
      s.becn.push_back(static_cast<double>(becn_received[node.index]));
    }
    engine.set_timer(engine.now() + counter_bin, kSample);
  }
  static Time waited(EngineView& engine, PortId port) {
    const LinkWait& wait = engine.fabric().wait(port);
    return {wait.total + (wait.since >= 0 ? engine.now().ps - wait.since : 0)};
  }
  static std::int64_t buffer_bytes(const PacketConfig& config) {
    if (config.switches.unit != BufferUnit::packets) return config.switches.buffer;
    return config.switches.buffer * (config.format.max_payload() + config.format.header);
  }

  struct CounterSeries {
    PortId port;
    std::string name;
    std::vector<double> wait, congested, fecn, becn;
  };
  static constexpr std::uint32_t kSample = 2;  // of timers; a manager has its own below

  CcaSettings settings;
  std::vector<MarkingPort> ports;         // by channel
  std::vector<InjectionState> sources;    // by connection, or by host and service level
  std::vector<Time> phases;               // of the hosts' CCTI timers
  std::vector<RandomStream> random;       // by host
  std::vector<std::uint64_t> becn_received, fecn_received;  // by host
  std::vector<std::uint32_t> host_ports;     // by host
  std::vector<CounterSeries> counter_series;  // of the ports that the scenario watches
  Time counter_bin;
  std::int64_t lowest_threshold = threshold_bytes(0, 0);  // bytes, of all ports
  std::uint32_t lanes = 1;
  bool by_credits = true;
};

}  // namespace weir
