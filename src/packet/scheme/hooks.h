// What a scheme may do inside the packet engine. A scheme is a class derived from SchemeHooks that overrides the hooks
// it needs. The compiler finds out which ones those are (traits_of), and nobody calls the others: they cost nothing. A
// hook that is misspelt, or has other parameters, does not compile, since it is marked `override`. A hook is called at
// a node and is given a view of it (node_view.h): that is all it may see and change. What the scheme keeps for nodes,
// ports and connections it declares as tables (scheme_state.h). A scheme with a part for all nodes says so there.
//
// Order within one hop at a switch:
//   on_switch_arrival -> choose_step -> on_output -> (waits) -> on_departure
// and at the hosts: gate -> on_inject ... on_delivery -> (acknowledgement travels) -> on_ack.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>

#include "base/ids.h"
#include "base/units.h"
#include "measure/measurements.h"
#include "packet/packet.h"
#include "packet/scheme/scheme_state.h"

namespace weir {

class SchemeHooks : public SchemeState {
 public:
  // Acknowledge every data packet, echoing its marks.
  static constexpr bool kAcknowledges = false;
  // Give every packet a connection number (its flow, or its pair of hosts), so that per-connection state can be kept.
  static constexpr bool kConnections = false;
  // Packets may overtake each other within a connection (no order is promised).
  static constexpr bool kReorders = false;
  // It sends no packets of its own.
  static constexpr bool kSendsNothing = false;
  // At switches it reads control packets as they pass, and looks at nothing else: for others no hook is called there.
  static constexpr bool kReadsControlOnly = false;
  // At switches it marks packets, and does nothing else: no packet is held there, or sent. Of queues it looks only at
  // how full a buffer is; at outputs, only for packets of which SchemeState::looks_at_output() says so.
  static constexpr bool kOnlyMarks = false;

  virtual void on_start(const GlobalView&) {}

  // ---- at a host ----

  // A packet (or the token of a flow) joins its send queue in the adapter. It cannot be changed: perhaps it is drawn
  // again when its turn comes.
  virtual void on_queued(HostView, const Packet&, bool /*queue_was_empty*/) {}
  // May this connection inject a packet now? Returns a time <= now for yes, a later time for "ask again then", kNever
  // for "wait until I call wake()".
  virtual Time gate(HostView, ConnectionId, Packet&) { return {}; }
  // Serve the queues of a host that may send by rank, the lowest first, instead of in turn.
  virtual double rank(HostView, ConnectionId, Packet&) { return 0; }
  // May this host send data on this lane now? After a no, offer() makes it ask again. Cheaper than a gate for each
  // queue where a host has a clock.
  virtual bool lane_open(HostView, Lane) { return true; }
  // The packet starts onto the host's link.
  virtual void on_inject(HostView, Packet&) {}
  virtual void on_delivery(HostView, Packet&) {}      // a data packet, completely received
  virtual void on_ack(HostView, Packet&) {}           // at the source of the acknowledged packet
  virtual void on_notification(HostView, Packet&) {}  // at the host it was sent to
  virtual void on_control(HostView, Packet&) {}       // a control packet has reached its destination
  virtual void on_host_timer(HostView, std::uint32_t /*number*/) {}
  virtual void on_flow_start(HostView, FlowId) {}     // at its source
  virtual void on_flow_end(HostView, FlowId) {}       // at its destination: its last byte was received
  // At the source, with flow set-up only: the route of a connection stands and its packets may go; its last packet was
  // acknowledged, and the route is torn down at once, or, after a no, by tear_down_route().
  virtual void on_route(HostView, ConnectionId) {}
  virtual bool on_route_end(HostView, ConnectionId) { return true; }

  // ---- at a switch ----

  // A packet of any kind has landed; returns a time later than now to hold it until then, and kNever if it
  // was meant for this switch and ends here. A data packet that ends at a switch is lost.
  virtual Time on_switch_arrival(SwitchView, ChannelId /*in*/, Packet&) { return {}; }
  // The port it takes, and what becomes of its lane (network/route_step.h); `step` is the engine's choice.
  virtual RouteStep choose_step(SwitchView, Packet&, RouteStep step) { return step; }
  // It joins the queue (or output buffer) of this channel; the channel's queued bytes include it already.
  virtual void on_output(SwitchView, ChannelId /*out*/, Packet&) {}
  // It starts onto the link.
  virtual void on_departure(SwitchView, ChannelId /*out*/, Packet&) {}
  // The output has packets and an idle link but no credit; and the end of that.
  virtual void on_starved(SwitchView, ChannelId /*out*/) {}
  virtual void on_fed(SwitchView, ChannelId /*out*/) {}
  virtual void on_switch_timer(SwitchView, std::uint32_t /*number*/) {}

  // ---- for all nodes ----

  virtual void on_global_timer(const GlobalView&, std::uint32_t /*entity*/, std::uint32_t /*number*/) {}
  virtual void on_end(const GlobalView&) {}  // the run is over; queues are as it left them
  virtual void report(Measurements&) const {}
};

// Hooks that are called so often, or change so much, that the engine asks first whether a scheme has them.
enum class Hook : std::uint8_t {
  on_queued,
  gate,
  rank,
  lane_open,
  traffic_on,
  on_inject,
  on_switch_arrival,
  choose_step,
  on_output,
  on_departure,
  on_starved,
  on_fed,
  on_delivery,
  on_global_timer,
  before_arrival,
  before_switch_arrival,
  before_global_timer,
  before_timer,
  before_sending,
};

struct SchemeTraits {
  std::uint32_t hooks = 0;  // bits
  bool none = false;        // it is no scheme at all
  bool acknowledges = false, connections = false, reorders = false, sends_nothing = false, reads_control_only = false;
  bool only_marks = false;

  constexpr bool has(Hook hook) const { return (hooks >> static_cast<unsigned>(hook) & 1) != 0; }
  // Nobody looks at queues or at departures: they need not happen in their time.
  constexpr bool leaves_queues_alone() const {
    return !has(Hook::on_output) && !has(Hook::on_departure) && !has(Hook::on_starved) && !has(Hook::on_fed);
  }
  // Nobody can tell a packet that queued for no time from one that did not queue.
  constexpr bool passes_unseen() const { return leaves_queues_alone() || reads_control_only; }
  // Is a hook of switches called for this packet?
  constexpr bool reads(Hook hook, const Packet& p) const {
    return has(hook) && (!reads_control_only || p.is(PacketKind::control));
  }
};

// A hook that a scheme does not override is a member of SchemeHooks, and so says the type of its address.
template <class Scheme>
constexpr SchemeTraits traits_of() {
  SchemeTraits traits;
  const auto note = [&]<class Own, class Common>(Hook hook, Own, Common) {
    traits.hooks |= (std::is_same_v<Own, Common> ? 0u : 1u) << static_cast<unsigned>(hook);
  };
  note(Hook::on_queued, &Scheme::on_queued, &SchemeHooks::on_queued);
  note(Hook::gate, &Scheme::gate, &SchemeHooks::gate);
  note(Hook::rank, &Scheme::rank, &SchemeHooks::rank);
  note(Hook::lane_open, &Scheme::lane_open, &SchemeHooks::lane_open);
  note(Hook::traffic_on, &Scheme::traffic_on, &SchemeHooks::traffic_on);
  note(Hook::on_inject, &Scheme::on_inject, &SchemeHooks::on_inject);
  note(Hook::on_switch_arrival, &Scheme::on_switch_arrival, &SchemeHooks::on_switch_arrival);
  note(Hook::choose_step, &Scheme::choose_step, &SchemeHooks::choose_step);
  note(Hook::on_output, &Scheme::on_output, &SchemeHooks::on_output);
  note(Hook::on_departure, &Scheme::on_departure, &SchemeHooks::on_departure);
  note(Hook::on_starved, &Scheme::on_starved, &SchemeHooks::on_starved);
  note(Hook::on_fed, &Scheme::on_fed, &SchemeHooks::on_fed);
  note(Hook::on_delivery, &Scheme::on_delivery, &SchemeHooks::on_delivery);
  note(Hook::on_global_timer, &Scheme::on_global_timer, &SchemeHooks::on_global_timer);
  note(Hook::before_arrival, &Scheme::before_arrival, &SchemeHooks::before_arrival);
  note(Hook::before_switch_arrival, &Scheme::before_switch_arrival, &SchemeHooks::before_switch_arrival);
  note(Hook::before_global_timer, &Scheme::before_global_timer, &SchemeHooks::before_global_timer);
  note(Hook::before_sending, &Scheme::before_sending, &SchemeHooks::before_sending);
  note(Hook::before_timer, &Scheme::before_timer, &SchemeHooks::before_timer);
  traits.none = std::is_same_v<Scheme, SchemeHooks>;
  traits.acknowledges = Scheme::kAcknowledges;
  traits.connections = Scheme::kConnections;
  traits.reorders = Scheme::kReorders;
  traits.sends_nothing = Scheme::kSendsNothing;
  traits.reads_control_only = Scheme::kReadsControlOnly;
  traits.only_marks = Scheme::kOnlyMarks && !traits.has(Hook::on_starved) && !traits.has(Hook::on_fed) &&
                      !traits.has(Hook::choose_step);
  return traits;
}

// Why the nodes of a run with this scheme must be executed by one thread, behind "because"; empty: they need not.
inline std::string why_one_thread(const SchemeHooks& scheme, const SchemeTraits& traits) {
  if (scheme.central()) return scheme.why_central();
  return traits.has(Hook::on_global_timer) ? "this scheme has a timer that belongs to no node" : "";
}

}  // namespace weir
