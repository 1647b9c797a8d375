// The wire: a packet that has been chosen starts onto its link, and lands at the other end by value.
#pragma once
#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"
#include "packet/links/preemption.h"

namespace weir {

// When a packet starts onto its link and ends, and whether its lane interrupts others.
struct Passage {
  std::int64_t start, end;
  bool express;
};

// The time that the link will be taken.
[[gnu::always_inline]] inline Passage passage(FabricState& fabric, Preemption& preemption, LinkId l, const Packet& p,
                                              std::int64_t start) {
  const Link& link = fabric.link(l);
  const std::int64_t end = start + fabric.kind(link).serialization(p.size);
  const bool express = preemption.is_express(p.lane());
  return {start, express ? end : preemption.carry(fabric, l, p, link.sent_packets + 1, end), express};
}

template <class E>
[[gnu::always_inline]] inline void send(E& e, LinkId l, ChannelId channel, const Packet& p, std::int32_t cost,
                                        const Passage& pass) {
  Link& link = e.fabric().link(l);
  e.fabric().channel(channel).credits -= link.is(Link::kTakesCredits) ? cost : 0;
  if (pass.express) e.preemption.interrupt(e.fabric(), l, p, pass.end, e.clock().ps());
  else link.busy_until = pass.end;
  e.other_hops += !p.is(PacketKind::data);
  if (link.is(Link::kWaiting)) {
    LinkWait& wait = e.fabric().wait(l);
    wait.total += pass.start - wait.since;
    wait.since = -1;
    link.clear(Link::kWaiting);
  }
  const LinkKind& kind = e.fabric().kind(link);
  const std::uint32_t number = e.fabric().count_sent(l, link, p.size, kind.serialization(p.size));
  const std::int64_t lands = kind.landing(pass.start, pass.end);
  if (link.is(Link::kCrosses)) [[unlikely]] return e.part.post(p, lands, channel, number, e.fabric().receiver(l));
  e.clock().send(p, lands, channel, number);
}

}  // namespace weir
