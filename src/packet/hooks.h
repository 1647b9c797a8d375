// What a scheme may do inside the packet engine. A scheme family is a struct derived from SchemeHooks that hides the
// hooks it needs; the rest are empty and cost nothing. (A hook written with a wrong signature hides the right one and
// does not compile.) `E` is the PacketEngine of that family: e.now(), e.packets(), e.fabric() and its actions
// (send_ack, notify, set_timer, wake) are the whole interface; a family never touches the event queue.
//
// Order within one hop at a switch:
//   on_switch_arrival -> choose_port -> on_output -> (waits) -> on_departure
// and at the hosts: gate -> on_inject ... on_delivery -> (acknowledgement travels) -> on_ack.
#pragma once
#include <cstdint>

#include "base/ids.h"
#include "base/units.h"
#include "measure/measurements.h"
#include "packet/packet_pool.h"

namespace weir {

struct SchemeHooks {
  // Acknowledge every data packet, echoing its header bits.
  static constexpr bool kAcknowledges = false;
  // Give every packet a connection number (its flow, or its pair of hosts), so that per-connection state can be kept.
  static constexpr bool kConnections = false;
  // Ask gate() before a data packet is injected.
  static constexpr bool kGates = false;
  // Serve the queues of a host that may send by rank(), the lowest first, instead of in turn.
  static constexpr bool kRanks = false;
  // Ask lane_open() before the queues of a host are looked at: cheaper than a gate for each where a host has a clock.
  static constexpr bool kPaces = false;
  // on_switch_arrival() may return kNever: the packet was meant for this switch and ends there.
  static constexpr bool kAbsorbs = false;
  // Packets may overtake each other within a connection (no order is promised).
  static constexpr bool kReorders = false;

  template <class E> void on_start(E&) {}

  // A packet (or the token of a flow) joins its send queue in the adapter.
  template <class E> void on_queued(E&, HostId, PacketIndex, bool /*queue_was_empty*/) {}
  // May this connection inject a packet now? Returns a time <= now for yes, a later time for "ask again then", kNever
  // for "wait until I call engine.wake()".
  template <class E> Time gate(E&, std::uint32_t /*connection*/, PacketIndex) { return {}; }
  template <class E> double rank(E&, std::uint32_t /*connection*/, PacketIndex) { return 0; }
  // May this host send data on this lane now? After a no, engine.offer_host() makes it ask again.
  template <class E> bool lane_open(E&, HostId, std::uint32_t /*lane*/) { return true; }
  // The packet starts onto the host's link.
  template <class E> void on_inject(E&, HostId, PacketIndex) {}

  // A packet of any kind has landed at a switch; returns a time later than now to hold it until then.
  template <class E> Time on_switch_arrival(E&, SwitchId, std::uint32_t /*in_channel*/, PacketIndex) { return {}; }
  // The port it takes; `port` is the engine's choice.
  template <class E> std::uint32_t choose_port(E&, SwitchId, PacketIndex, std::uint32_t port) { return port; }
  // It joins the queue (or output buffer) of this channel; the channel's queued bytes include it already.
  template <class E> void on_output(E&, std::uint32_t /*out_channel*/, PacketIndex) {}
  // It starts onto the link.
  template <class E> void on_departure(E&, std::uint32_t /*out_channel*/, PacketIndex) {}
  // The output has packets and an idle link but no credit; and the end of that.
  template <class E> void on_starved(E&, std::uint32_t /*out_channel*/) {}
  template <class E> void on_fed(E&, std::uint32_t /*out_channel*/) {}

  template <class E> void on_delivery(E&, HostId, PacketIndex) {}      // a data packet, completely received
  template <class E> void on_ack(E&, HostId, PacketIndex) {}           // at the source of the acknowledged packet
  template <class E> void on_notification(E&, HostId, PacketIndex) {}  // at the host it was sent to
  template <class E> void on_control(E&, HostId, PacketIndex) {}       // a control packet has reached its destination
  template <class E> void on_timer(E&, std::uint32_t /*entity*/, std::uint32_t /*aux*/) {}
  template <class E> void on_flow_start(E&, FlowId) {}
  template <class E> void on_flow_end(E&, FlowId) {}                   // its last byte was received
  // With flow set-up only: the route of a connection stands (engine.route_links()) and its packets may go; its last
  // packet was acknowledged, and the route is torn down at once, or, after a no, by engine.tear_down_route().
  template <class E> void on_route(E&, std::uint32_t /*connection*/) {}
  template <class E> bool on_route_end(E&, std::uint32_t /*connection*/) { return true; }

  void report(Measurements&) const {}
  std::size_t bytes_of_state() const { return 0; }
};

}  // namespace weir
