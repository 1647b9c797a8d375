// The wire: a packet that has been chosen starts onto its link, and lands at the other end by value.
#pragma once
#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"
#include "packet/links/preemption.h"

namespace weir {

// When a packet starts onto its link and ends, and whether its lane interrupts others.
struct Passage {
  std::int64_t start, end;
  std::int64_t duration;  // without interruptions
  bool express;
};

// May a lane interrupt others?
template <class E>
bool interrupts(const E& e) {
  return !E::kOneLane && e.preemption.active();
}
template <class E>
[[gnu::always_inline]] inline Outlet outlet(E& e, ChannelId c) {
  return E::kOneLane ? e.fabric().only_outlet(c) : e.fabric().outlet(c);
}

// The time that the link will be taken.
template <class E>
[[gnu::always_inline]] inline Passage passage(E& e, const Outlet& out, const Packet& p, std::int64_t start) {
  const std::int64_t duration = out.kind.serialization(p.size), end = start + duration;
  if (!interrupts(e)) [[likely]] return {start, end, duration, false};
  const bool express = e.preemption.is_express(p.lane());
  const std::uint32_t number = out.link.sent_packets + 1;
  return {start, express ? end : e.preemption.carry(e.fabric(), out.l, p, number, end), duration, express};
}

// The rarer half: a wait has ended, or the packet goes to another part of the fabric. True if it does.
template <class E>
[[gnu::noinline]] bool end_wait(E& e, LinkId l, Link& link, std::int64_t start) {
  if (link.is(Link::kWaiting)) {
    LinkWait& wait = e.fabric().wait(l);
    wait.total += start - wait.since;
    wait.since = -1;
    link.clear(Link::kWaiting);
  }
  return link.is(Link::kCrosses);
}

// `takes`: where it will go on (RoutingChoice::ahead).
template <class E>
[[gnu::always_inline]] inline void send(E& e, const Outlet& out, const Packet& p, std::int32_t cost,
                                        const Passage& pass, ChannelId takes) {
  Link& link = out.link;
  out.lane.credits -= link.is(Link::kTakesCredits) ? cost : 0;
  if (pass.express) e.preemption.interrupt(e.fabric(), out.l, p, pass.end, e.clock().ps());
  else link.busy_until = pass.end;
  e.other_hops += p.is(PacketKind::data) ? 0 : 1;
  const std::uint32_t number = e.fabric().count_sent(out.l, link, p.size, pass.duration);
  const std::int64_t lands = out.kind.landing(pass.start, pass.end);
  const bool crosses = link.is(Link::kWaiting | Link::kCrosses) && end_wait(e, out.l, link, pass.start);
  if (takes == Packet::kItsHost && e.counts_ahead && lands <= e.stop_at() && !crosses)
    return e.delivery.count_ahead(e, p, lands);
  Packet& sent = crosses ? e.part.post(p, lands, out.channel, e.fabric().receiver(out.l))
                         : e.clock().send(p, lands, out.channel);
  sent.takes = takes;
  if (interrupts(e)) sent.number = number;
}
template <class E>
[[gnu::always_inline]] inline void send(E& e, const Outlet& out, const Packet& p, std::int32_t cost,
                                        const Passage& pass) {
  send(e, out, p, cost, pass, e.routing.ahead(e, out, p));
}

}  // namespace weir
