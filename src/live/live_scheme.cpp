#include "live/live_scheme.h"

#include <algorithm>
#include <bit>

#include "live/lane_tables.h"
#include "mad/smp_fields.h"
#include "packet/packet_engine.h"

namespace weir::live {

namespace {

constexpr std::uint32_t kServiceLevels = 16;
// Marks below, hops above: in the byte that travels with every packet.
constexpr unsigned kHopShift = 2;
constexpr std::uint32_t kMostHopsOfPacket = 62;

bool same(const SourceSettings& a, const SourceSettings& b) {
  return a.increase == b.increase && a.limit == b.limit && a.minimum == b.minimum && a.timer == b.timer &&
         a.jitter == b.jitter && a.table == b.table;
}

std::vector<std::uint32_t> without_doubles(std::vector<std::uint32_t> nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

LiveScheme::LiveScheme(CcaSettings cca, Subnet& subnet)
    : CcaFamily(std::move(cca)), subnet_(subnet), lane_maps_(subnet, subnet.lanes()) {
  const Topology& t = subnet.topology();
  received_.resize(t.ports());
  sources_.push_back(settings.source);
  source_of_.assign(t.hosts() * kServiceLevels, 0);
}

void LiveScheme::on_start(const GlobalView& all) {
  CcaFamily::on_start(all);
  take_over_routes();
  all.set_timer({}, 0);
}

void LiveScheme::on_global_timer(const GlobalView& all, std::uint32_t, std::uint32_t) {
  const Time next = session_->turn(all.now());
  take_over_routes();
  take_over_congestion();
  take_over_arbitration();
  take_over_lane_maps();
  if (next == kNever) all.end_run();
  else if (next < session_->end()) all.set_timer(next, 0);
}

// The end of the run: everything stands, and can be looked at until somebody says stop.
void LiveScheme::on_end(const GlobalView& all) {
  if (!session_->ended()) session_->stand(all.now());
}

// ---- routes ----

void LiveScheme::take_over_routes() {
  if (routes_version_ == subnet_.routes_version) return;
  routes_version_ = subnet_.routes_version;
  const Topology& t = subnet_.topology();
  ready_.assign(t.hosts(), false);
  table_.assign(t.switches() * t.hosts(), PortId{});
  std::vector<std::uint32_t> lids(t.hosts());
  for (std::uint32_t h = 0; h < t.hosts(); ++h) {
    const NodePort at = subnet_.of(HostId{h});
    lids[h] = subnet_.lid(at);
    ready_[h] = lids[h] != 0 && subnet_.is_active(at);
  }
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    const NodePort at = subnet_.of(SwitchId{s});
    const SubnetNode& node = subnet_.node(at);
    for (std::uint32_t h = 0; h < t.hosts(); ++h) {
      const std::uint32_t out = lids[h] == 0 ? SubnetNode::kNoPort : node.out_port(lids[h]);
      if (out == 0 || out >= node.ports.size() || !subnet_.is_active({at.node, out})) continue;
      const PortId link = node.ports[out].link;
      const NodeId next = t.node_of(t.to(link));
      if (t.is_host(next) && t.host(next) != HostId{h}) continue;  // an adapter drops what is for another one
      table_[s * t.hosts() + h] = link;
    }
  }
  for (auto c = closed_.begin(); c != closed_.end();) {
    const auto [from, to] = c->second;
    if (!may_send(from, to)) {
      ++c;
      continue;
    }
    central_.at(from).wake(c->first);
    c = closed_.erase(c);
  }
}

Time LiveScheme::gate(HostView here, ConnectionId connection, Packet& p) {
  if (!may_send(p.source, p.destination)) {
    closed_.emplace(connection, std::pair(p.source, p.destination));
    return kNever;
  }
  return CcaFamily::gate(here, connection, p);
}

Time LiveScheme::on_switch_arrival(SwitchView here, ChannelId in, Packet& p) {
  count(here, p);
  const auto hops = static_cast<std::uint32_t>(p.marks >> kHopShift);
  const bool round = hops >= kMostHopsOfPacket;
  const PortId out = table_[here.here().index * subnet_.topology().hosts() + p.destination.index];
  if (!round && out.valid() &&
      lane_maps_.at_switch(here.here(), input_of(here, in), out, level_of(here, p)).valid()) {
    // A host must not take the number of hops for marks.
    const bool last = here.topology().is_host(here.topology().node_of(here.topology().to(out)));
    const unsigned marks = p.marks & ((1u << kHopShift) - 1);
    p.marks = static_cast<std::uint8_t>(last ? marks : p.marks + (1u << kHopShift));
    return {};
  }
  ++(round ? went_round_ : without_way_);
  ++received_[input_of(here, in).index].no_way;
  return kNever;
}

RouteStep LiveScheme::choose_step(SwitchView here, Packet& p, RouteStep) {
  const PortId out = table_[here.here().index * subnet_.topology().hosts() + p.destination.index];
  p.set_lane(lane_maps_.at_switch(here.here(), input_of(here, p.came_by), out, level_of(here, p)));
  return out;
}

// ---- lanes ----

// Data has the service level that its traffic names as a lane, and answers to marks have theirs.
Lane LiveScheme::level_of(const View& here, const Packet& p) const {
  return p.is(PacketKind::data) ? here.connections().lane(p.connection) : Lane{settings.cnp_lane};
}

// An answer to a mark that has no lane goes by that of its number: the receiver does not wait for a table.
Lane LiveScheme::first_lane(HostId host, Lane level) const {
  const Lane lane = lane_maps_.at_host(host, level);
  return lane.valid() ? lane : level;
}

void LiveScheme::on_inject(HostView here, Packet& p) {
  lane_maps_.sent(here.here(), p.lane());
  CcaFamily::on_inject(here, p);
}

void LiveScheme::take_over_lane_maps() {
  for (const std::uint32_t n : without_doubles(std::exchange(subnet_.lane_maps_changed, {}))) {
    lane_maps_.take_over(n);
    for (const SubnetPort& port : subnet_.nodes()[n].ports)  // what waits at a host may have a lane now
      if (!subnet_.nodes()[n].is_switch && port.link.valid())
        central_.at(subnet_.topology().host(subnet_.topology().node_of(port.link))).offer();
  }
}

// ---- counters ----

void LiveScheme::count(const View& here, const Packet& p) {
  if (!p.came_by.valid()) return;
  Received& r = received_[here.topology().to(here.link_of(p.came_by)).index];
  r.bytes += p.size;
  ++r.packets;
}

void LiveScheme::on_delivery(HostView here, Packet& p) {
  count(here, p);
  CcaFamily::on_delivery(here, p);
}
void LiveScheme::on_ack(HostView here, Packet& p) {
  count(here, p);
  if (settings.becn_on_ack && (p.marks & kFecn) != 0)
    note(here.node(), {here.here(), p.source, here.connections().lane(p.connection), now()});
  CcaFamily::on_ack(here, p);
}
void LiveScheme::on_notification(HostView here, Packet& p) {
  count(here, p);
  note(here.node(), {here.here(), p.source, p.cargo<Lane>(), now()});
  CcaFamily::on_notification(here, p);
}

// ---- the congestion log ----

void LiveScheme::on_departure(SwitchView here, ChannelId channel, Packet& p) {
  const bool before = (p.marks & kFecn) != 0;
  CcaFamily::on_departure(here, channel, p);
  if (!before && (p.marks & kFecn) != 0) note(here.node(), {p.source, p.destination, level_of(here, p), now()});
}

void LiveScheme::note(NodeId node, const MarkEvent& event) {
  std::deque<MarkEvent>& events = mark_events_[node];
  events.push_front(event);
  if (events.size() > kMarkEvents) events.pop_back();
}

std::vector<MarkEvent> LiveScheme::mark_events(NodeId node) const {
  const auto found = mark_events_.find(node);
  if (found == mark_events_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

PortSample LiveScheme::sample(PortId port) const {
  const Link& link = central_.fabric().link(port);
  const LinkWait& wait = central_.fabric().wait(port);
  const Received& r = received_[port.index];
  PortSample s;
  s.sent_bytes = link.sent_bytes;
  s.sent_packets = central_.fabric().sent_packets(port);
  s.rcv_bytes = r.bytes;
  s.rcv_packets = r.packets;
  s.relay_errors = r.no_way;
  s.waited = {wait.total + (wait.since >= 0 ? now().ps - wait.since : 0)};
  const NodeId node = subnet_.topology().node_of(port);
  if (subnet_.topology().is_host(node)) {
    const AtHost& host = hosts[subnet_.topology().host(node)];
    s.fecn = host.fecn_received;
    s.becn = host.becn_received;
    return s;
  }
  for (std::uint32_t lane = 0; lane < lanes(); ++lane) {
    s.congested += lane_congested(port, lane);
    s.marked += ports[central_.channel_of(port, {lane})].marked();
  }
  return s;
}

Time LiveScheme::lane_congested(PortId port, std::uint32_t lane) const {
  if (subnet_.topology().is_host(subnet_.topology().node_of(port))) return {};
  return ports[central_.channel_of(port, {lane})].congested(now());
}

// ---- arbitration ----

const char* LiveScheme::without_arbitration() const {
  if (lanes() == 1) return "links have one lane here";
  if (central_.config().switches.priority == LanePriority::preemptive) return "lanes interrupt each other here";
  return nullptr;
}

void LiveScheme::take_over_arbitration() {
  const std::vector<NodePort> changed = std::exchange(subnet_.arbitration_changed, {});
  if (without_arbitration() != nullptr) return;
  for (const NodePort at : changed) {
    const PortId link = subnet_.port(at).link;
    LaneOrder order = order_by_tables(lane_tables(subnet_, at), lanes());
    if (!link.valid() || (order.empty() && !subnet_.arbitration_written)) continue;
    central_.set_lane_order(link, std::move(order));
  }
}

// ---- congestion control ----

const SourceSettings& LiveScheme::source_settings(HostId host, Lane lane) const {
  return sources_[source_of_[host.index * kServiceLevels + lane.index]];
}

void LiveScheme::take_over_congestion() {
  for (const std::uint32_t n : without_doubles(std::exchange(subnet_.congestion_changed, {}))) {
    const SubnetNode& node = subnet_.nodes()[n];
    if (node.is_switch) configure_switch(node);
    for (const auto& [port, adapter] : node.congestion.adapters) configure_adapter({n, port}, adapter);
  }
}

// A port with a valid setting of its own has that one, the others have the switch's, as far as its map turns it on.
void LiveScheme::configure_switch(const SubnetNode& node) {
  using Switch = mad::SwitchCongestion;
  const Switch& all = node.congestion.of_switch;
  const auto on = [&](std::uint32_t bit) { return (all.control_map & bit) != 0; };
  for (std::uint32_t n = 1; n < node.ports.size(); ++n) {
    if (!node.ports[n].link.valid()) continue;
    const mad::SwitchPortCongestion& own = node.congestion.ports[n];
    MarkingSettings s;
    s.threshold = own.valid ? own.threshold : on(Switch::kUseThreshold) ? all.threshold : 0;
    s.packet_size = 64u * (own.valid ? own.packet_size : on(Switch::kUseThreshold) ? all.packet_size : 0);
    s.marking_rate = own.valid ? own.marking_rate : on(Switch::kUseMarkingRate) ? all.marking_rate : 0;
    s.victim_mask = on(Switch::kUseVictimMask) && n < all.victim_mask.size() && all.victim_mask[n];
    for (std::uint32_t lane = 0; lane < lanes(); ++lane)
      ports[central_.channel_of(node.ports[n].link, {lane})].configure(s, buffer_bytes(central_.config()));
  }
}

void LiveScheme::configure_adapter(NodePort at, const NodeCongestion::Adapter& adapter) {
  const PortId link = subnet_.port(at).link;
  if (!link.valid()) return;
  const HostId host = subnet_.topology().host(subnet_.topology().node_of(link));
  for (std::uint32_t level = 0; level < kServiceLevels; ++level) {
    SourceSettings s = settings.source;
    if (!adapter.table.empty()) {
      s.table.clear();
      for (const std::uint16_t bits : adapter.table)
        s.table.push_back({static_cast<std::uint8_t>(bits >> 14), static_cast<std::uint16_t>(bits & 0x3fff)});
      s.limit = std::min<std::uint32_t>(adapter.limit, static_cast<std::uint32_t>(s.table.size() - 1));
    }
    const mad::AdapterCongestionEntry& entry = adapter.setting.entries[level];
    const bool takes_part = (adapter.setting.control_map >> level & 1) != 0;
    s.increase = takes_part ? entry.increase : 0;
    s.minimum = takes_part ? std::min<std::uint32_t>(entry.minimum, s.limit) : 0;
    s.timer = kCctiTimerUnit * std::max<std::int64_t>(1, entry.timer);
    source_of_[host.index * kServiceLevels + level] = kept(std::move(s));
  }
}

std::uint32_t LiveScheme::kept(SourceSettings s) {
  for (std::uint32_t i = 0; i < sources_.size(); ++i)
    if (same(sources_[i], s)) return i;
  sources_.push_back(std::move(s));
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

void LiveScheme::report(Measurements& m) const {
  CcaFamily::report(m);
  m.scheme_numbers.emplace_back("datagrams served", static_cast<double>(session_->server().served()));
  if (without_way_ > 0) m.scheme_numbers.emplace_back("packets lost without a "
                                                      "route", static_cast<double>(without_way_));
  if (went_round_ > 0) m.scheme_numbers.emplace_back("packets lost in a routing "
                                                     "loop", static_cast<double>(went_round_));
}

void show_settings(Subnet& subnet, const CcaSettings& cca, std::uint32_t lanes) {
  const std::uint32_t stride = std::bit_ceil(lanes);
  for (SubnetNode& node : subnet.nodes()) {
    mad::SwitchCongestion& all = node.congestion.of_switch;
    for (std::uint32_t n = 1; n < node.ports.size() && node.is_switch; ++n) {
      if (!node.ports[n].link.valid()) continue;
      const MarkingSettings& s = cca.ports[node.ports[n].link.index * stride];
      const auto threshold = static_cast<std::uint8_t>(s.threshold);
      const auto size = static_cast<std::uint8_t>(std::min(s.packet_size / 64, 255u));
      const auto rate = static_cast<std::uint16_t>(s.marking_rate);
      if (all.control_map == 0) {
        all.control_map = mad::SwitchCongestion::kUseVictimMask | mad::SwitchCongestion::kUseThreshold |
                          mad::SwitchCongestion::kUseMarkingRate;
        all.threshold = threshold;
        all.packet_size = size;
        all.marking_rate = rate;
      }
      if (n < all.victim_mask.size()) all.victim_mask[n] = s.victim_mask;
      if (threshold != all.threshold || size != all.packet_size || rate != all.marking_rate)
        node.congestion.ports[n] = {true, false, threshold, size, rate};
    }
  }
  const SourceSettings& s = cca.source;
  for (std::uint32_t h = 0; h < subnet.topology().hosts(); ++h) {
    const NodePort at = subnet.of(HostId{h});
    NodeCongestion::Adapter& adapter = subnet.node(at).congestion.adapters[at.port];
    adapter.setting.port_control = cca.per_service_level ? mad::AdapterCongestion::kPerServiceLevel : 0;
    adapter.setting.control_map = 0xffff;
    const auto timer = static_cast<std::uint16_t>(std::clamp<std::int64_t>(s.timer / kCctiTimerUnit, 1, 0xffff));
    adapter.setting.entries.fill(
        {timer, static_cast<std::uint8_t>(s.increase), 0, static_cast<std::uint8_t>(s.minimum)});
    adapter.limit = static_cast<std::uint16_t>(s.limit);
    for (const CctEntry& entry : s.table) adapter.table.push_back(entry.bits());
  }
}

}  // namespace weir::live
