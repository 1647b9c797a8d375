// What a scheme may do inside the packet engine. A scheme is a class derived from SchemeHooks that overrides the hooks
// it needs. The compiler finds out which ones those are (traits_of), and nobody calls the others: they cost nothing. A
// hook that is misspelt, or has other parameters, does not compile, since it is marked `override`. What a scheme may
// see and ask for is in engine_view.h; it never touches the clock.
//
// Order within one hop at a switch:
//   on_switch_arrival -> choose_step -> on_output -> (waits) -> on_departure
// and at the hosts: gate -> on_inject ... on_delivery -> (acknowledgement travels) -> on_ack.
#pragma once
#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "base/units.h"
#include "measure/measurements.h"
#include "packet/packet.h"

namespace weir {

class EngineView;

class SchemeHooks {
 public:
  // Acknowledge every data packet, echoing its marks.
  static constexpr bool kAcknowledges = false;
  // Give every packet a connection number (its flow, or its pair of hosts), so that per-connection state can be kept.
  static constexpr bool kConnections = false;
  // Packets may overtake each other within a connection (no order is promised).
  static constexpr bool kReorders = false;

  virtual ~SchemeHooks() = default;

  virtual void on_start(EngineView&) {}

  // A packet (or the token of a flow) joins its send queue in the adapter. It cannot be changed: perhaps it is drawn
  // again when its turn comes.
  virtual void on_queued(EngineView&, HostId, const Packet&, bool /*queue_was_empty*/) {}
  // May this connection inject a packet now? Returns a time <= now for yes, a later time for "ask again then", kNever
  // for "wait until I call wake()".
  virtual Time gate(EngineView&, ConnectionId, Packet&) { return {}; }
  // Serve the queues of a host that may send by rank, the lowest first, instead of in turn.
  virtual double rank(EngineView&, ConnectionId, Packet&) { return 0; }
  // May this host send data on this lane now? After a no, offer_host() makes it ask again. Cheaper than a gate for each
  // queue where a host has a clock.
  virtual bool lane_open(EngineView&, HostId, Lane) { return true; }
  // The packet starts onto the host's link.
  virtual void on_inject(EngineView&, HostId, Packet&) {}

  // A packet of any kind has landed at a switch; returns a time later than now to hold it until then, and kNever if it
  // was meant for this switch and ends here.
  virtual Time on_switch_arrival(EngineView&, SwitchId, ChannelId /*in*/, Packet&) { return {}; }
  // The port it takes, and what becomes of its lane (network/route_step.h); `step` is the engine's choice.
  virtual RouteStep choose_step(EngineView&, SwitchId, Packet&, RouteStep step) { return step; }
  // It joins the queue (or output buffer) of this channel; the channel's queued bytes include it already.
  virtual void on_output(EngineView&, ChannelId /*out*/, Packet&) {}
  // It starts onto the link.
  virtual void on_departure(EngineView&, ChannelId /*out*/, Packet&) {}
  // The output has packets and an idle link but no credit; and the end of that.
  virtual void on_starved(EngineView&, ChannelId /*out*/) {}
  virtual void on_fed(EngineView&, ChannelId /*out*/) {}

  virtual void on_delivery(EngineView&, HostId, Packet&) {}      // a data packet, completely received
  virtual void on_ack(EngineView&, HostId, Packet&) {}           // at the source of the acknowledged packet
  virtual void on_notification(EngineView&, HostId, Packet&) {}  // at the host it was sent to
  virtual void on_control(EngineView&, HostId, Packet&) {}       // a control packet has reached its destination
  virtual void on_timer(EngineView&, std::uint32_t /*entity*/, std::uint32_t /*aux*/) {}
  virtual void on_flow_start(EngineView&, FlowId) {}
  virtual void on_flow_end(EngineView&, FlowId) {}               // its last byte was received
  // With flow set-up only: the route of a connection stands (route_links()) and its packets may go; its last packet was
  // acknowledged, and the route is torn down at once, or, after a no, by tear_down_route().
  virtual void on_route(EngineView&, ConnectionId) {}
  virtual bool on_route_end(EngineView&, ConnectionId) { return true; }

  virtual void on_end(EngineView&) {}  // the run is over; what stands is still there
  virtual void report(Measurements&) const {}
  virtual std::size_t bytes_of_state() const { return 0; }
};

// Hooks that are called so often, or change so much, that the engine asks first whether a scheme has them.
enum class Hook : std::uint8_t {
  on_queued,
  gate,
  rank,
  lane_open,
  on_inject,
  on_switch_arrival,
  choose_step,
  on_output,
  on_departure,
  on_starved,
  on_fed,
  on_delivery,
};

struct SchemeTraits {
  std::uint32_t hooks = 0;  // bits
  bool none = false;        // it is no scheme at all
  bool acknowledges = false, connections = false, reorders = false;

  constexpr bool has(Hook hook) const { return (hooks >> static_cast<unsigned>(hook) & 1) != 0; }
  // Nobody looks at queues or at departures: they need not happen in their time.
  constexpr bool leaves_queues_alone() const {
    return !has(Hook::on_output) && !has(Hook::on_departure) && !has(Hook::on_starved) && !has(Hook::on_fed);
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
  note(Hook::on_inject, &Scheme::on_inject, &SchemeHooks::on_inject);
  note(Hook::on_switch_arrival, &Scheme::on_switch_arrival, &SchemeHooks::on_switch_arrival);
  note(Hook::choose_step, &Scheme::choose_step, &SchemeHooks::choose_step);
  note(Hook::on_output, &Scheme::on_output, &SchemeHooks::on_output);
  note(Hook::on_departure, &Scheme::on_departure, &SchemeHooks::on_departure);
  note(Hook::on_starved, &Scheme::on_starved, &SchemeHooks::on_starved);
  note(Hook::on_fed, &Scheme::on_fed, &SchemeHooks::on_fed);
  note(Hook::on_delivery, &Scheme::on_delivery, &SchemeHooks::on_delivery);
  traits.none = std::is_same_v<Scheme, SchemeHooks>;
  traits.acknowledges = Scheme::kAcknowledges;
  traits.connections = Scheme::kConnections;
  traits.reorders = Scheme::kReorders;
  return traits;
}

}  // namespace weir
