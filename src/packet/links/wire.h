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

// The time that the link will be taken.
[[gnu::always_inline]] inline Passage passage(FabricState& fabric, Preemption& preemption, const Outlet& out,
                                              const Packet& p, std::int64_t start) {
  const std::int64_t duration = out.kind.serialization(p.size), end = start + duration;
  if (!preemption.active()) [[likely]] return {start, end, duration, false};
  const bool express = preemption.is_express(p.lane());
  return {start, express ? end : preemption.carry(fabric, out.l, p, out.link.sent_packets + 1, end), duration, express};
}

template <class E>
[[gnu::always_inline]] inline void send(E& e, const Outlet& out, const Packet& p, std::int32_t cost,
                                        const Passage& pass) {
  Link& link = out.link;
  out.lane.credits -= link.is(Link::kTakesCredits) ? cost : 0;
  if (pass.express) e.preemption.interrupt(e.fabric(), out.l, p, pass.end, e.clock().ps());
  else link.busy_until = pass.end;
  e.other_hops += !p.is(PacketKind::data);
  if (link.is(Link::kWaiting)) {
    LinkWait& wait = e.fabric().wait(out.l);
    wait.total += pass.start - wait.since;
    wait.since = -1;
    link.clear(Link::kWaiting);
  }
  const std::uint32_t number = e.fabric().count_sent(out.l, link, p.size, pass.duration);
  const std::int64_t lands = out.kind.landing(pass.start, pass.end);
  if (link.is(Link::kCrosses)) [[unlikely]]
    return e.part.post(p, lands, out.channel, number, e.fabric().receiver(out.l));
  e.clock().send(p, lands, out.channel, number);
}

}  // namespace weir
