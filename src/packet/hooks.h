// What a scheme may do inside the packet engine. A scheme family is a struct derived from SchemeHooks that hides the
// hooks it needs; the rest are empty and cost nothing. (A hook written with a wrong signature hides the right one and
// does not compile.) `E` is the engine; what it offers to schemes is listed in engine.h, and a family never touches the
// clock.
//
// Order within one hop at a switch:
//   on_switch_arrival -> choose_port -> on_output -> (waits) -> on_departure
// and at the hosts: gate -> on_inject ... on_delivery -> (acknowledgement travels) -> on_ack.
#pragma once
#include <cstdint>
#include <type_traits>

#include "base/ids.h"
#include "base/units.h"
#include "measure/measurements.h"
#include "packet/packet.h"

namespace weir {

struct SchemeHooks {
  // Acknowledge every data packet, echoing its marks.
  static constexpr bool kAcknowledges = false;
  // Give every packet a connection number (its flow, or its pair of hosts), so that per-connection state can be kept.
  static constexpr bool kConnections = false;
  // on_switch_arrival() may return kNever: the packet was meant for this switch and ends there.
  static constexpr bool kAbsorbs = false;
  // Packets may overtake each other within a connection (no order is promised).
  static constexpr bool kReorders = false;

  template <class E> void on_start(E&) {}

  // A packet (or the token of a flow) joins its send queue in the adapter.
  template <class E> void on_queued(E&, HostId, Packet&, bool /*queue_was_empty*/) {}
  // May this connection inject a packet now? Returns a time <= now for yes, a later time for "ask again then", kNever
  // for "wait until I call engine.wake()".
  template <class E> Time gate(E&, ConnectionId, Packet&) { return {}; }
  // Serve the queues of a host that may send by rank, the lowest first, instead of in turn.
  template <class E> double rank(E&, ConnectionId, Packet&) { return 0; }
  // May this host send data on this lane now? After a no, engine.offer_host() makes it ask again. Cheaper than a gate
  // for each queue where a host has a clock.
  template <class E> bool lane_open(E&, HostId, Lane) { return true; }
  // The packet starts onto the host's link.
  template <class E> void on_inject(E&, HostId, Packet&) {}

  // A packet of any kind has landed at a switch; returns a time later than now to hold it until then.
  template <class E> Time on_switch_arrival(E&, SwitchId, ChannelId /*in*/, Packet&) { return {}; }
  // The port it takes; `port` is the engine's choice.
  template <class E> PortId choose_port(E&, SwitchId, Packet&, PortId port) { return port; }
  // It joins the queue (or output buffer) of this channel; the channel's queued bytes include it already.
  template <class E> void on_output(E&, ChannelId /*out*/, Packet&) {}
  // It starts onto the link.
  template <class E> void on_departure(E&, ChannelId /*out*/, Packet&) {}
  // The output has packets and an idle link but no credit; and the end of that.
  template <class E> void on_starved(E&, ChannelId /*out*/) {}
  template <class E> void on_fed(E&, ChannelId /*out*/) {}

  template <class E> void on_delivery(E&, HostId, Packet&) {}      // a data packet, completely received
  template <class E> void on_ack(E&, HostId, Packet&) {}           // at the source of the acknowledged packet
  template <class E> void on_notification(E&, HostId, Packet&) {}  // at the host it was sent to
  template <class E> void on_control(E&, HostId, Packet&) {}       // a control packet has reached its destination
  template <class E> void on_timer(E&, std::uint32_t /*entity*/, std::uint32_t /*aux*/) {}
  template <class E> void on_flow_start(E&, FlowId) {}
  template <class E> void on_flow_end(E&, FlowId) {}               // its last byte was received
  // With flow set-up only: the route of a connection stands (engine.route_links()) and its packets may go; its last
  // packet was acknowledged, and the route is torn down at once, or, after a no, by engine.tear_down_route().
  template <class E> void on_route(E&, ConnectionId) {}
  template <class E> bool on_route_end(E&, ConnectionId) { return true; }

  template <class E> void on_end(E&) {}  // the run is over; what stands is still there
  void report(Measurements&) const {}
  std::size_t bytes_of_state() const { return 0; }
};

// What a family has of its own. Asked of a type that no engine has: only the signatures are looked at.
namespace hooks {

struct Probe;
#define WEIR_HAS_HOOK(name)                                                                                 \
  template <class Family>                                                                                   \
  inline constexpr bool has_##name = !std::is_same_v<decltype(&Family::template name<Probe>),               \
                                                     decltype(&SchemeHooks::template name<Probe>)>;
WEIR_HAS_HOOK(gate)
WEIR_HAS_HOOK(rank)
WEIR_HAS_HOOK(lane_open)
WEIR_HAS_HOOK(on_inject)
WEIR_HAS_HOOK(choose_port)
WEIR_HAS_HOOK(on_output)
WEIR_HAS_HOOK(on_departure)
WEIR_HAS_HOOK(on_starved)
WEIR_HAS_HOOK(on_fed)
#undef WEIR_HAS_HOOK

// Nobody looks at queues or at departures: they need not happen in their time.
template <class Family>
inline constexpr bool leaves_queues_alone =
    !has_on_output<Family> && !has_on_departure<Family> && !has_on_starved<Family> && !has_on_fed<Family>;

}  // namespace hooks
}  // namespace weir
