// Adaptive flow routing (routing choice "flow-setup"): a set-up packet there and back before the first data packet, an
// acknowledgement of the last one, a tear-down packet there and back. What the switches and adapters remember is in
// flow_setup.h.
//
// A flow of the workload is a flow. Random traffic has none, so a pair of hosts counts as one as an adapter would see
// it: once so many packets have come in a row (`setup_train`), none later than `setup_idle` after the one before, until
// nothing was queued or sent for that long. Fewer packets are sporadic and take default ports. Order holds across both
// changes of route, because the destination answers a set-up or finish packet only when everything sent before it has
// arrived.
#pragma once
#include <utility>
#include <vector>

#include "base/error.h"
#include "measure/measurements.h"
#include "packet/clock/clock.h"
#include "packet/hosts/connections.h"
#include "packet/links/calm.h"
#include "packet/links/fabric_state.h"
#include "packet/routing/flow_setup.h"

namespace weir {

class RouteSetup {
 public:
  // In the place of a connection, in a timer: from now on nothing but data moves.
  static constexpr std::uint32_t kCalm = (1u << TimedEvent::kEntityBits) - 1;

  RouteSetup(const SwitchConfig& config, const Topology& topology, const RouteTable& routes, const Workload& workload,
             const Connections& connections, std::uint64_t seed)
      : active_(config.choice->sets_up), topology_(topology) {
    if (!active_) return;
    config_ = config.choice.values<FlowSetupConfig>();
    if (!workload.sources.empty() && !connections.has_pairs())
      throw InputError("flow set-up keeps state for every pair of hosts that random traffic may use; this fabric has "
                       "too many pairs");
    routes_ = FlowRoutes(config_, topology, routes, connections.count(), seed);
    adapters_ = FlowConnections(config_, workload, topology.hosts());
  }
  bool active() const { return active_; }

  // ---- at a switch ----

  // The step of a packet; `usual` is the default one.
  template <class E>
  RouteStep route(E& e, SwitchId s, Packet& p, RouteStep usual) {
    if (!p.came_by.valid() || !p.connection.valid()) return usual;
    const PortId in = topology_.to(e.fabric().link_of(p.came_by));
    if (p.is(PacketKind::data)) return routes_.follow(p.connection, p.sequence, in, usual);
    if (!p.is(PacketKind::setup)) return usual;
    Cargo cargo = p.cargo<Cargo>();
    if (cargo.step == SetupStep::tear_down)
      return routes_.tear_down(p.connection, in, usual, e.connections().weight(p.connection));
    if (cargo.step != SetupStep::set_up) return usual;
    HorizontalState state{cargo.heading, cargo.hops};
    const RouteStep out = routes_.set_up(p.connection, s, in, p.source, p.destination,
                                      e.connections().weight(p.connection), p.sequence, state);
    cargo.heading = state.heading;
    cargo.hops = state.hops;
    p.load(cargo);
    return out;
  }
  // A packet will come soon; and once more, when what was fetched is there.
  [[gnu::always_inline]] void fetch(const Packet& p) const {
    if (active_ && p.connection.valid()) routes_.fetch(p.connection);
  }
  [[gnu::always_inline]] void fetch_more(const Packet& p) const {
    if (active_ && p.connection.valid()) routes_.fetch_more(p.connection);
  }
  // The step that a packet will take behind this link, if its route says so and it is not the default one; else null.
  // For data that is known before it lands: packets of a flow come after its route stands, and until it is torn down.
  const RouteStep* ahead(const Packet& p, LinkId by) const {
    if (!p.is(PacketKind::data) || !p.connection.valid()) return nullptr;
    return routes_.cached(p.connection, p.sequence, topology_.to(by));
  }

  // ---- at a host ----

  // A packet, or the token of a flow, is about to join its send queue. True if it is kept back until its route stands.
  template <class E>
  bool hold(E& e, QueueId queue, PacketSlot slot) {
    if (!active_) return false;
    const Packet& p = e.waiting[slot];
    FlowConnections::Entry& entry = adapters_.entry(p.connection);
    using State = FlowConnections::State;
    const bool is_flow = e.connections().is_flow(p.connection);
    const bool sporadic = !is_flow && entry.state == State::idle && !adapters_.starts_flow(entry, e.clock().ps());
    if (entry.state == State::open || sporadic) {
      entry.train.last = e.clock().ps();
      ++entry.submitted;
      return false;
    }
    entry.held.push_back({slot, queue});
    if (entry.state != State::idle) return true;
    entry.state = State::waiting;
    if (adapters_.take(p.source, p.destination, p.connection)) set_up(e, p.connection);
    return true;
  }
  // A packet of kind `setup` has reached its destination.
  template <class E>
  void on_packet(E& e, const Packet& p) {
    const SetupStep step = p.cargo<Cargo>().step;
    switch (step) {
      case SetupStep::set_up:
      case SetupStep::finish:
        adapters_.await(p.connection, step, p.sequence);
        return answer_if_arrived(e, p.connection, p.destination, p.source);
      case SetupStep::tear_down: return send(e, SetupStep::gone, p.destination, p.source, p.connection, 0);
      case SetupStep::ready: return open(e, p.connection, p.destination);
      case SetupStep::received: return close(e, p.connection, p.destination, p.source);
      case SetupStep::gone: return on_gone(e, p.connection, p.destination, p.source);
    }
  }
  // Has an open connection of random traffic been idle since the timer was set?
  template <class E>
  void on_timer(E& e, ConnectionId connection) {
    FlowConnections::Entry& entry = adapters_.entry(connection);
    const std::uint32_t sent = e.connections().sent(connection);
    const bool quiet = sent == entry.submitted && sent == entry.sent_at_timer;
    entry.sent_at_timer = sent;
    if (!quiet) return e.clock().at(e.clock().now() + config_.idle, EventKind::setup_timer, connection.index);
    entry.state = FlowConnections::State::finishing;
    const auto [source, destination] = e.connections().pair(connection);
    send(e, SetupStep::finish, source, destination, connection, sent);
  }
  // Data of this connection has arrived, or the last byte of a flow has.
  template <class E>
  void on_delivery(E& e, const Packet& p) {
    if (adapters_.awaits()) answer_if_arrived(e, p.connection, p.destination, p.source);
  }
  template <class E>
  void on_flow_end(E& e, ConnectionId flow, HostId source, HostId destination) {
    if (active_) send(e, SetupStep::received, destination, source, flow, 0);
  }

  // In links, the source's own included.
  template <class E>
  std::size_t longest_route(E& e) const {
    std::size_t longest = 0;
    for (ConnectionId c{0}; c.index < e.connections().count(); ++c.index)
      longest = std::max(longest, 1 + routes_.links_of(c).size());
    return longest;
  }

  // ---- for schemes ----
  std::vector<LinkId> links_of(ConnectionId connection) const { return routes_.links_of(connection); }
  template <class E>
  void tear_down(E& e, ConnectionId connection, HostId source, HostId destination) {
    send(e, SetupStep::tear_down, source, destination, connection, 0);
  }

  template <class Visit> void each_held(const Visit& visit) const { adapters_.for_each_held(visit); }
  void report(Measurements& m) const {
    if (!active_) return;
    m.scheme_numbers.emplace_back("routes set up", static_cast<double>(adapters_.opened()));
    m.scheme_numbers.emplace_back("entries of a route cache at most", routes_.most_cached());
    m.scheme_numbers.emplace_back("choices lost to a full route cache",
                                  static_cast<double>(routes_.found_full()));
  }
  std::size_t bytes_of_state() const { return routes_.bytes_of_state() + adapters_.bytes_of_state(); }

 private:
  struct Cargo {
    SetupStep step = SetupStep::set_up;
    HorizontalState::Heading heading = {};  // of the route so far
    std::uint32_t hops = 0;
  };

  template <class E>
  void send(E& e, SetupStep step, HostId from, HostId to, ConnectionId connection, std::uint32_t sequence) {
    Packet p = e.new_packet({.kind = PacketKind::setup,
                             .from = from,
                             .to = to,
                             .bytes = config_.bytes,
                             .lane = {config_.lane},
                             .connection = connection});
    p.sequence = sequence;
    p.load(Cargo{step});
    ++e.recorder.results().totals.control_packets;
    e.send_queues.send_before_data(e, from, p);
  }
  template <class E>
  void set_up(E& e, ConnectionId connection) {
    FlowConnections::Entry& entry = adapters_.entry(connection);
    entry.state = FlowConnections::State::setting_up;
    const Packet& first = e.waiting[entry.held.front().packet];
    send(e, SetupStep::set_up, first.source, first.destination, connection, entry.submitted);
  }
  template <class E>
  void answer_if_arrived(E& e, ConnectionId connection, HostId here, HostId source) {
    SetupStep step;
    if (!adapters_.due(connection, e.delivery.arrived_in_order(connection), step)) return;
    send(e, step == SetupStep::set_up ? SetupStep::ready : SetupStep::received, here, source, connection, 0);
  }
  template <class E>
  void open(E& e, ConnectionId connection, HostId source) {
    FlowConnections::Entry& entry = adapters_.entry(connection);
    entry.state = FlowConnections::State::open;
    adapters_.count_opened();
    if (e.calms_down && adapters_.opened() == e.connections().count())
      e.clock().at(calm_from(e, longest_route(e)), EventKind::setup_timer, kCalm);
    e.scheme.hooks().on_route({e, source}, connection);
    const std::vector<FlowConnections::Held> held = std::exchange(entry.held, {});
    for (const FlowConnections::Held& h : held) {
      ++entry.submitted;
      e.send_queues.submit_now(e, h.queue, h.packet);
    }
    if (e.connections().is_flow(connection)) return;
    entry.train.last = e.clock().ps();
    entry.sent_at_timer = e.connections().sent(connection);
    e.clock().at(e.clock().now() + config_.idle, EventKind::setup_timer, connection.index);
  }
  // The last packet has been acknowledged.
  template <class E>
  void close(E& e, ConnectionId connection, HostId source, HostId destination) {
    adapters_.entry(connection).state = FlowConnections::State::tearing_down;
    if (e.scheme.hooks().on_route_end({e, source}, connection)) tear_down(e, connection, source, destination);
  }
  template <class E>
  void on_gone(E& e, ConnectionId connection, HostId source, HostId destination) {
    WEIR_CHECK(routes_.links_of(connection).empty());
    FlowConnections::Entry& entry = adapters_.entry(connection);
    entry.state = FlowConnections::State::idle;
    entry.train.length = 0;
    const ConnectionId next = adapters_.give(source, destination);
    if (next.valid()) set_up(e, next);
    if (entry.held.empty()) return;
    // Packets came meanwhile: a new flow of the same connection.
    entry.state = FlowConnections::State::waiting;
    if (adapters_.take(source, destination, connection)) set_up(e, connection);
  }

  bool active_;
  FlowSetupConfig config_;
  const Topology& topology_;
  FlowRoutes routes_;
  FlowConnections adapters_;
};

}  // namespace weir
