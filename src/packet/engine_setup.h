// PacketEngine's part in adaptive flow routing (routing choice "flow-setup"): a set-up packet there and back before the
// first data packet, an acknowledgement of the last one, a tear-down packet there and back. What the switches and
// adapters remember is in flow_setup.h.
//
// A flow of the workload is a flow. Random traffic has none, so a pair of hosts counts as one as an adapter would see
// it: once so many packets have come in a row (`setup_train`), none later than `setup_idle` after the one before, until
// nothing was queued or sent for that long. Fewer packets are sporadic and take default ports. Order holds across both
// changes of route, because the destination answers a set-up or finish packet only when everything sent before it has
// arrived.
#pragma once
#include "packet/engine.h"

namespace weir {

template <class Family>
void PacketEngine<Family>::prepare_setup() {
  if (config_.switches.choice != RouteChoice::flow_setup) return;
  if (!workload_.sources.empty() && !pairs_)
    throw InputError("flow set-up keeps state for every pair of hosts that random traffic may use; this fabric has "
                     "too many pairs");
  flow_routes_ = FlowRoutes(config_.switches.setup, topology_, routes_, connections_);
  flow_connections_ = FlowConnections(config_.switches.setup, workload_, topology_.hosts());
}

template <class Family>
double PacketEngine<Family>::weight_of(std::uint32_t connection) const {
  return connection < workload_.flows.size() ? workload_.flows[{connection}].weight : 1.0;
}

// The port of a packet under flow set-up; `usual` is the default port.
template <class Family>
std::uint32_t PacketEngine<Family>::route_of_flow(SwitchId s, PacketIndex p, std::uint32_t usual) {
  const Packet& packet = pool_[p];
  if (packet.came_by == kNoChannel || packet.connection == kNoConnection) return usual;
  const PortId in = topology_.to({fabric_.link_of(packet.came_by)});
  if (packet.kind() == PacketKind::data)
    return flow_routes_.follow(packet.connection, pool_.cold(p).sequence, in, {usual}).index;
  if (packet.kind() != PacketKind::setup) return usual;
  const auto step = static_cast<SetupStep>(packet.bits);
  if (step == SetupStep::tear_down)
    return flow_routes_.tear_down(packet.connection, in, {usual}, weight_of(packet.connection)).index;
  if (step != SetupStep::set_up) return usual;
  std::uint32_t& carried = pool_.cold(p).aux;
  HorizontalState state{static_cast<HorizontalState::Heading>(carried & 3), carried >> 2};
  const PortId out = flow_routes_.set_up(packet.connection, s, in, {packet.source}, {packet.destination},
                                         weight_of(packet.connection), pool_.cold(p).sequence, state);
  carried = static_cast<std::uint32_t>(state.heading) | (state.hops << 2);
  return out.index;
}

// A packet, or the token of a flow, is about to join its send queue. True if it is kept back until its route stands.
template <class Family>
bool PacketEngine<Family>::hold_for_route(std::uint32_t queue, PacketIndex p) {
  const std::uint32_t connection = pool_[p].connection;
  FlowConnections::Entry& entry = flow_connections_.entry(connection);
  const bool is_flow = connection < workload_.flows.size();
  using State = FlowConnections::State;
  const bool sporadic = !is_flow && entry.state == State::idle && !flow_connections_.starts_flow(entry, now_);
  if (entry.state == State::open || sporadic) {
    entry.last = now_;
    ++entry.submitted;
    return false;
  }
  entry.held.push_back({p, queue});
  if (entry.state != State::idle) return true;
  entry.state = State::waiting;
  if (flow_connections_.take({pool_[p].source}, {pool_[p].destination}, connection)) set_up_route(connection);
  return true;
}

template <class Family>
void PacketEngine<Family>::set_up_route(std::uint32_t connection) {
  FlowConnections::Entry& entry = flow_connections_.entry(connection);
  entry.state = FlowConnections::State::setting_up;
  const Packet first = pool_[entry.held.front().packet];
  send_step(SetupStep::set_up, {first.source}, {first.destination}, connection, entry.submitted);
}

template <class Family>
void PacketEngine<Family>::send_step(SetupStep step, HostId from, HostId to, std::uint32_t connection,
                                     std::uint32_t sequence) {
  const FlowSetupConfig& setup = config_.switches.setup;
  const PacketIndex p = send_from_host(from, to, PacketKind::setup, setup.bytes, setup.lane, connection,
                                       static_cast<std::uint8_t>(step), 0);
  pool_.cold(p).sequence = sequence;
  ++recorder_.results().totals.control_packets;
}

template <class Family>
void PacketEngine<Family>::on_setup_packet(PacketIndex p) {
  const Packet packet = pool_[p];
  const auto step = static_cast<SetupStep>(packet.bits);
  switch (step) {
    case SetupStep::set_up:
    case SetupStep::finish:
      flow_connections_.await(packet.connection, step, pool_.cold(p).sequence);
      return answer_if_arrived(packet.connection, {packet.destination}, {packet.source});
    case SetupStep::tear_down:
      return send_step(SetupStep::gone, {packet.destination}, {packet.source}, packet.connection, 0);
    case SetupStep::ready: return open_route(packet.connection);
    case SetupStep::received: return close_route(packet.connection, {packet.destination}, {packet.source});
    case SetupStep::gone: return on_route_gone(packet.connection, {packet.destination}, {packet.source});
  }
}

template <class Family>
void PacketEngine<Family>::answer_if_arrived(std::uint32_t connection, HostId here, HostId source) {
  SetupStep step;
  if (!flow_connections_.due(connection, order_.expected(connection), step)) return;
  send_step(step == SetupStep::set_up ? SetupStep::ready : SetupStep::received, here, source, connection, 0);
}

template <class Family>
void PacketEngine<Family>::open_route(std::uint32_t connection) {
  FlowConnections::Entry& entry = flow_connections_.entry(connection);
  entry.state = FlowConnections::State::open;
  flow_connections_.count_opened();
  family_.on_route(*this, connection);
  const std::vector<FlowConnections::Held> held = std::exchange(entry.held, {});
  for (const FlowConnections::Held& h : held) {
    ++entry.submitted;
    submit_now(pool_[h.packet].source, pool_[h.packet].lane(), h.queue, h.packet);
  }
  if (connection < workload_.flows.size()) return;
  entry.last = now_;
  entry.sent_at_timer = next_sequence_[connection];
  queue_.push(Time{now_} + config_.switches.setup.idle, EventKind::setup_timer, connection);
}

// Has an open connection of random traffic been idle since the timer was set?
template <class Family>
void PacketEngine<Family>::on_setup_timer(std::uint32_t connection) {
  FlowConnections::Entry& entry = flow_connections_.entry(connection);
  const std::uint32_t sent = next_sequence_[connection];
  const bool quiet = sent == entry.submitted && sent == entry.sent_at_timer;
  entry.sent_at_timer = sent;
  if (!quiet) return queue_.push(Time{now_} + config_.switches.setup.idle, EventKind::setup_timer, connection);
  entry.state = FlowConnections::State::finishing;
  const auto pair = static_cast<std::uint64_t>(connection - workload_.flows.size()) %
                    (static_cast<std::uint64_t>(topology_.hosts()) * topology_.hosts());
  send_step(SetupStep::finish, {static_cast<std::uint32_t>(pair / topology_.hosts())},
            {static_cast<std::uint32_t>(pair % topology_.hosts())}, connection, sent);
}

// The last packet has been acknowledged.
template <class Family>
void PacketEngine<Family>::close_route(std::uint32_t connection, HostId source, HostId destination) {
  flow_connections_.entry(connection).state = FlowConnections::State::tearing_down;
  if (family_.on_route_end(*this, connection)) tear_down_route(connection, source, destination);
}

template <class Family>
void PacketEngine<Family>::tear_down_route(std::uint32_t connection, HostId source, HostId destination) {
  send_step(SetupStep::tear_down, source, destination, connection, 0);
}

template <class Family>
void PacketEngine<Family>::on_route_gone(std::uint32_t connection, HostId source, HostId destination) {
  WEIR_CHECK(flow_routes_.links_of(connection).empty());
  FlowConnections::Entry& entry = flow_connections_.entry(connection);
  entry.state = FlowConnections::State::idle;
  entry.train = 0;
  const std::uint32_t next = flow_connections_.give(source, destination);
  if (next != kNoConnection) set_up_route(next);
  if (entry.held.empty()) return;
  // Packets came meanwhile: a new flow of the same connection.
  entry.state = FlowConnections::State::waiting;
  if (flow_connections_.take(source, destination, connection)) set_up_route(connection);
}

template <class Family>
void PacketEngine<Family>::report_setup(Measurements& m) const {
  if (config_.switches.choice != RouteChoice::flow_setup) return;
  m.scheme_numbers.emplace_back("routes set up", static_cast<double>(flow_connections_.opened()));
  m.scheme_numbers.emplace_back("entries of a route cache at most", flow_routes_.most_cached());
  m.scheme_numbers.emplace_back("choices lost to a full route cache", static_cast<double>(flow_routes_.found_full()));
}

}  // namespace weir
