// InfiniBand congestion control as a scheme family: ports mark (infiniband/port.h), destinations return BECN, sources
// wait (infiniband/source.h). `cca` runs it alone; `dcms` adds a manager that changes the marking rates while it runs.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "packet/scheme/hooks.h"
#include "schemes/idle.h"
#include "schemes/infiniband/port.h"
#include "schemes/infiniband/source.h"

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
  Time congestion_tick;                // unit of PortXmitTimeCong
};

struct CcaFamily : SchemeHooks {
  static constexpr bool kConnections = true;

  explicit CcaFamily(CcaSettings s) : settings(std::move(s)) {}

  void on_start(const GlobalView& all) override {
    const FabricState& fabric = all.fabric();
    const PacketConfig& config = all.config();
    by_credits = config.switches.flow_control->by_credits;
    for (std::uint32_t l = 0; l < fabric.links(); ++l)
      fabric.each_channel({l}, [&](ChannelId c) {
        if (all.topology().is_host(fabric.sender({l}))) return;
        const MarkingSettings& given = settings.ports[c.index];
        ports[c] = MarkingPort(given, buffer_bytes(config), all.seed(), c.index);
        lowest_threshold = std::min(lowest_threshold, threshold_bytes(given.threshold, buffer_bytes(config)));
      });
    for (HostId h{0}; h.index < hosts.size(); ++h.index) {
      AtHost& host = hosts[h];
      host.random = RandomStream(all.seed(), Purpose::jitter, h.index);
      host.phase = {static_cast<std::int64_t>(host.random.below(static_cast<std::uint64_t>(settings.source.timer.ps)))};
      host_ports.push_back(all.topology().host_port(h).index);
    }
    const MeasureConfig& measure = config.measure;
    counter_bin = measure.watch_bin;
    for (const PortId port : measure.watch) {
      const NodeId node = all.topology().node_of(port);
      const bool at_host = all.topology().is_host(node);
      const auto timer = kSample + static_cast<std::uint32_t>(counter_series.size());
      if (at_host) all.at(all.topology().host(node)).set_timer(counter_bin, timer);
      else all.at(all.topology().switch_of(node)).set_timer(counter_bin, timer);
      counter_series.push_back({port, at_host ? all.topology().host(node) : HostId{}, all.topology().port_name(port)});
    }
  }
  void on_host_timer(HostView here, std::uint32_t number) override {
    CounterSeries& s = counter_series[number - kSample];
    s.fecn.push_back(static_cast<double>(hosts[here.here()].fecn_received));
    s.becn.push_back(static_cast<double>(hosts[here.here()].becn_received));
    sample(here, number);
  }
  void on_switch_timer(SwitchView here, std::uint32_t number) override { sample(here, number); }

  // ---- source ----
  void before_sending(HostView, ConnectionId connection) const override {
    if (!settings.per_service_level) by_connection.fetch(connection);
  }
  Time gate(HostView here, ConnectionId connection, Packet& p) override {
    return source(here.here(), connection, p.lane()).next();
  }
  void on_inject(HostView here, Packet& p) override {
    if (p.destination == here.here()) return;
    AtHost& host = hosts[here.here()];
    source(here.here(), p.connection, p.lane())
        .injected(source_settings(here.here(), p.lane()), here.now(), host.phase,
                  here.serialization(here.link(), p.size), host.random);
  }
  void on_notification(HostView here, Packet& p) override { becn(here, p); }
  void on_ack(HostView here, Packet& p) override {
    if (settings.becn_on_ack && (p.marks & kFecn) != 0) becn(here, p);
  }

  // ---- switch ----
  void on_output(SwitchView here, ChannelId channel, Packet& p) override {
    std::uint64_t slower = here.ps_per_byte_q16(here.link_of(channel));
    if (p.came_by.valid()) slower = std::max(slower, here.ps_per_byte_q16(here.link_of(p.came_by)));
    ports[channel].joined(here.now(), here.queued(channel), p.size, slower);
  }
  void on_departure(SwitchView here, ChannelId channel, Packet& p) override {
    MarkingPort& port = ports[channel];
    const bool starved = by_credits ? here.lacks_credit(channel, p) : port.starved();
    if (p.is(PacketKind::data) && port.marks(here.now(), p.size)) p.marks |= kFecn;
    port.changed(here.now(), here.queued(channel), starved);
  }
  void on_starved(SwitchView here, ChannelId channel) override {
    ports[channel].changed(here.now(), here.queued(channel), true);
  }
  void on_fed(SwitchView here, ChannelId channel) override {
    ports[channel].changed(here.now(), here.queued(channel), false);
  }

  // ---- destination ----
  void on_delivery(HostView here, Packet& p) override {
    if ((p.marks & kFecn) == 0) return;
    ++hosts[here.here()].fecn_received;
    if (settings.becn_on_ack || p.source == here.here()) return;
    // The lane that the traffic of the marked packet names travels along: it is the service level that its source has
    // to slow.
    Packet cnp = here.new_packet({PacketKind::notification, here.here(), p.source, settings.cnp_bytes,
                                  first_lane(here.here(), Lane{settings.cnp_lane}), p.connection});
    cnp.marks = kFecn;
    cnp.load(here.connections().lane(p.connection));
    here.send(cnp);
  }

  void report(Measurements& m) const override {
    for (std::uint32_t c = 0; c < ports.size(); ++c) {
      PortResult& port = m.ports[c / (ports.size() / m.ports.size())];
      port.congested += ports[{c}].congested(m.end);
      port.marked += ports[{c}].marked();
    }
    std::uint64_t becn = 0, fecn = 0;
    for (const AtHost& host : hosts) {
      becn += host.becn_received;
      fecn += host.fecn_received;
    }
    std::uint32_t peak = 0;
    for (const CctiState& s : by_connection) peak = std::max(peak, s.peak());
    for (const ServiceLevels& levels : by_level)
      for (const CctiState& s : levels) peak = std::max(peak, s.peak());
    m.scheme_numbers.emplace_back("FECN received", static_cast<double>(fecn));
    m.scheme_numbers.emplace_back("BECN received", static_cast<double>(becn));
    m.scheme_numbers.emplace_back("largest CCTI", peak);
    if (becn == 0 && settings.source.minimum == 0) m.scheme_idle = idle::infiniband(counts(m));
    for (const CounterSeries& s : counter_series) {
      m.scheme_series.push_back({"PortXmitWait [s] " + s.name, counter_bin, s.wait});
      m.scheme_series.push_back({"PortXmitTimeCong [s] " + s.name, counter_bin, s.congested});
      if (!s.host.valid()) continue;  // only adapters count these
      const auto at_end = [](std::vector<double> values, std::uint64_t received) {
        values.push_back(static_cast<double>(received));
        return values;
      };
      m.scheme_series.push_back({"PortRcvFECN " + s.name, counter_bin, at_end(s.fecn, hosts[s.host].fecn_received)});
      m.scheme_series.push_back({"PortRcvBECN " + s.name, counter_bin, at_end(s.becn, hosts[s.host].becn_received)});
    }
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

  // By which lane of its link a host sends what is for this one.
  virtual Lane first_lane(HostId, Lane lane) const { return lane; }
  // Of an adapter, for one lane; all alike, unless somebody sets them one by one.
  virtual const SourceSettings& source_settings(HostId, Lane) const { return settings.source; }

  void becn(HostView here, Packet& p) {
    AtHost& host = hosts[here.here()];
    ++host.becn_received;
    // An acknowledgement has a lane of its own; the lane of what it acknowledges follows from the connection.
    const Lane lane = p.is(PacketKind::ack) ? here.connections().lane(p.connection) : p.template cargo<Lane>();
    source(here.here(), p.connection, lane).notified(source_settings(here.here(), lane), here.now(), host.phase);
  }
  CctiState& source(HostId host, ConnectionId connection, Lane lane) {
    return settings.per_service_level ? by_level[host][lane.index] : by_connection[connection];
  }
  // What the counters of a watched port show at the end of each bin: times in seconds, and at adapters the packets
  // received with a mark and the answers to marks.
  void sample(NodeView here, std::uint32_t number) {
    CounterSeries& s = counter_series[number - kSample];
    s.wait.push_back(here.waited(s.port).seconds());
    Time congested;
    for (std::uint32_t v = 0; v < here.lanes(); ++v)
      congested += ports[here.channel_of(s.port, {v})].congested(here.now());
    s.congested.push_back(congested.seconds());
    here.set_timer(here.now() + counter_bin, number);
  }
  static std::int64_t buffer_bytes(const PacketConfig& config) {
    if (config.switches.unit != BufferUnit::packets) return config.switches.buffer;
    return config.switches.buffer * (config.format.max_payload() + config.format.header);
  }

  struct CounterSeries {
    PortId port;
    HostId host;  // that has it, if one does
    std::string name;
    std::vector<double> wait = {}, congested = {}, fecn = {}, becn = {};
  };
  struct AtHost {
    RandomStream random;
    Time phase;  // of its CCTI timers
    std::uint64_t becn_received = 0, fecn_received = 0;
  };
  using ServiceLevels = std::array<CctiState, kMaxLanes>;
  static constexpr std::uint32_t kSample = 0x80000000u;  // timers of watched ports; a manager has its own below

  ServiceLevels at_minimum() const {
    ServiceLevels levels;
    levels.fill(CctiState(settings.source.minimum));
    return levels;
  }

  CcaSettings settings;
  ChannelTable<MarkingPort> ports{*this};
  ConnectionTable<CctiState> by_connection{*this, CctiState(settings.source.minimum),
                                                !settings.per_service_level};
  HostTable<ServiceLevels> by_level{*this, at_minimum(), settings.per_service_level};
  HostTable<AtHost> hosts{*this};
  // What follows never changes in a run, but for the series, each of which belongs to the node of its port.
  std::vector<std::uint32_t> host_ports;      // by host
  std::vector<CounterSeries> counter_series;  // of the ports that the scenario watches
  Time counter_bin;
  std::int64_t lowest_threshold = threshold_bytes(0, 0);  // bytes, of all ports
  bool by_credits = true;
};

}  // namespace weir
