// What all switch organisations share. An organisation is a type in a file of its own, which ends with its record
// (organisation_kind.h). The type has
//   land(e, packet)                                    a packet lands; land_at_switch() does what all have in common
//   accept(e, switch, packet, in, held_until)          then the organisation takes it
//   on_ready(e, came_by)                               a packet that was held may go on
//   send_own(e, packet, out)                           a packet born in the switch joins an output
//   serve(e, link, channel, lane)                      the link is idle: send a packet of this lane; false if none may
//   any_waits(e, channel), wants_link(channel)         is there anything for this output; should its link be watched
//   space_came(e, channel)                             a channel that was blocked has got space
//   on_link_free(e, link), handle(e, event)            events
//   express_unnoticed()                                express packets join outputs without kExpressWaits in the link
//   unsettled(), settle(e)                             work at the end of an instant, before the links arbitrate
//   kOneLane                                           it has but one, and nothing interrupts it
//   promises()                                         are packets put onto their link before they start
//   calm()                                             from now on nothing but data moves (links/calm.h)
//   waits_ahead(packet, until_start)                   of such a packet: how much of its wait for the link lies ahead
//   output_occupancy(e, channel)                       of the output buffer, or of the queue for the link
//   each_waiting(e, visit(slot, buffer, output))       every packet: the input buffer it stands in, if it does, and the
//                                                      output it waits for, if it is its turn to
//   each_queued(e, visit(slot, channel))               those in the queue of a channel, a host's included
//   each_behind(e, in, visit(packet)), held(), audit(e, count)
//   fetch(packet), fetch(event), fetch_more(event, waiting)  it will be handled soon: what it touches is fetched, and,
//                                                      when that is there, what is found by it
#pragma once
#include "packet/clock/clock.h"
#include "packet/flow_control/flow_control.h"
#include "packet/links/fabric_state.h"
#include "packet/links/wire.h"
#include "packet/routing/routing_choice.h"
#include "packet/scheme/hooks.h"
#include "packet/switches/held.h"

namespace weir {

// What organisations without a crossbar share: packets queue for their link, and nothing happens in between.
class SwitchWithoutCrossbar {
 public:
  template <class E> void on_link_free(E&, LinkId) {}
  template <class E> void handle(E&, const TimedEvent&) {}
  void fetch(const Packet&) const {}
  void fetch(const TimedEvent&) const {}
  void fetch_more(const TimedEvent&, const WaitingPackets&) const {}
  static constexpr bool wants_link(ChannelId) { return false; }
  static constexpr bool express_unnoticed() { return false; }
  static constexpr bool unsettled() { return false; }
  template <class E> void settle(E&) {}
  static constexpr void calm() {}
  template <class E> std::int32_t output_occupancy(E& e, ChannelId c) const {
    return static_cast<std::int32_t>(e.fabric().channel(c).queued);
  }
};

template <class E>
[[gnu::always_inline]] inline void land_at_switch(E& e, Packet& p) {
  const ChannelId in = p.came_by;
  const LinkId l = e.fabric().link_of(in);
  const SwitchId s = e.fabric().switch_of(e.fabric().receiver(l));
  const std::int32_t cost = e.fabric().cost(p);
  e.space.lands(e, in, cost);
  e.routing.relayed(l, p, e.clock().ps());
  const Time held_until = e.scheme.on_switch_arrival(e, s, in, p);
  if (e.scheme.has(Hook::on_switch_arrival) && held_until == kNever) {  // it has reached its end
    if (p.is(PacketKind::data)) e.delivery.lost(e, p);
    return e.space.leaves(e, in, cost, e.clock().ps(), e.clock().ps());
  }
  e.switches.accept(e, s, p, in, held_until);
}

// A packet is seen to wait for its link; `queued` counts it from now on.
template <class E>
[[gnu::always_inline]] inline void show_in_queue(E& e, Packet& p, const Outlet& out) {
  out.lane.queued += p.size;
  out.lane.queued_time += out.kind.serialization(p.size);
  e.fabric().note_backlog(out, p.size, e.clock().ps());
  e.scheme.on_output(e, out.channel, p);
}

// A packet takes its place in the queue of an output.
template <class E>
[[gnu::always_inline]] inline void count_in_queue(E& e, Packet& p, const Outlet& out) {
  if (e.preemption.is_express(p.lane())) out.link.set(Link::kExpressWaits);
  show_in_queue(e, p, out);
  e.outputs.offer(e, out.l);
}

// It leaves the queue now.
template <class E>
[[gnu::always_inline]] inline void count_out_of_queue(E& e, Packet& p, const Outlet& out) {
  out.lane.queued -= p.size;
  out.lane.queued_time -= out.kind.serialization(p.size);
  const std::int64_t waited = e.clock().ps() - p.time;
  if (waited > 0) e.fabric().output(out.channel).waited += CostTime{p.size} * waited;
  e.routing.drained(out.l, out.lane.queued);
  e.scheme.on_departure(e, out.channel, p);
}

// The lanes on which packets of this input buffer may go on.
template <class E, class Visit>
void each_lane_from(E& e, ChannelId in, const Visit& visit) {
  if (!e.routing.changes_lanes()) return visit(e.fabric().lane_of(in));
  for (Lane lane{0}; lane.index < e.fabric().lanes(); ++lane.index) visit(lane);
}

// Visits the packets of one input buffer in the queues of its switch.
template <class E, class Visit>
void each_at_node(E& e, ChannelId in, const Visit& visit) {
  const NodeId node = e.fabric().receiver(e.fabric().link_of(in));
  for (std::uint32_t output = 0; output < e.topology().port_count(node); ++output) {
    each_lane_from(e, in, [&](Lane lane) {
      const ChannelId out = e.fabric().channel_of(e.topology().port(node, output), lane);
      for (PacketSlot p = e.fabric().channel(out).queue.head; p.valid(); p = e.waiting.next(p))
        if (e.waiting[p].came_by == in) visit(e.waiting[p]);
    });
  }
}

// Visits the packets in the queues of channels: visit(slot, buffer that it stands in, output that it waits for).
template <class E, class Visit>
void each_in_queues(E& e, const Visit& visit) {
  e.fabric().each_used_channel([&](ChannelId c) {
    for (PacketSlot p = e.fabric().channel(c).queue.head; p.valid(); p = e.waiting.next(p))
      visit(p, e.waiting[p].came_by, c);
  });
}

}  // namespace weir
