// Links and the lanes in front of them: when a link may have something to send, and which lane has its turn. Lanes have
// strict priority, the highest first, unless they have another order (lane_turns.h). What waits in a lane is known to
// its owner: the adapter on a host's link, the switch organisation on the others.
//
// At one instant all events are handled first; outputs that may now be able to send are put on a list. Then they
// arbitrate in the order of their numbers. So a result never depends on which of two simultaneous events was scheduled
// first, and an arbiter always sees everything that has arrived by now.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"
#include "packet/links/lane_turns.h"
#include "packet/links/wire.h"

namespace weir {

class Outputs {
 public:
  Outputs(const SwitchConfig& config, std::size_t links) : turns_(config.lane_order, config.lanes, links) {}
  bool unsettled() const { return !dirty_.empty(); }
  LaneTurns& turns() { return turns_; }

  // Something may be ready for this link: let it arbitrate at the end of this instant, or when it comes free.
  template <class E>
  [[gnu::always_inline]] void offer(E& e, LinkId l) {
    Link& link = e.fabric().link(l);
    if (link.is(Link::kDirty)) return;
    if (link.busy_until <= e.clock().ps() || may_interrupt(e, l, link)) {
      link.set(Link::kDirty);
      dirty_.push_back(l);
    } else {
      ask_when_free(e, l, link);
    }
  }
  // A packet is ready for this output, and nothing else happens at this instant: would it be sent at once? Then it need
  // not queue, but started() must be called afterwards.
  template <class E>
  [[gnu::always_inline]] bool sends_at_once(E& e, const Outlet& out, Lane lane) const {
    const std::int64_t now = e.clock().ps();
    if (interrupts(e)) {
      if (out.link.is(Link::kExpressWaits) || e.preemption.express_until(out.l) > now) return false;
      if (e.preemption.is_express(lane)) return true;
    }
    return out.link.busy_until <= now && !turns_.active() && nobody_waits(e, out.l);
  }
  template <class E>
  [[gnu::always_inline]] void started(E& e, const Outlet& out, Lane lane) {
    if (interrupts(e) && e.preemption.is_express(lane) && !nobody_waits(e, out.l))
      ask_again_preemptive(e, out.l, out.link, e.clock().ps());
  }

  template <class E>
  void on_link_free(E& e, LinkId l, bool express) {
    Link& link = e.fabric().link(l);
    if (express) {
      link.clear(Link::kExpressPending);
    } else {
      link.clear(Link::kFreePending);
      if (link.busy_until > e.clock().ps()) {  // it was stretched meanwhile, or promised to others
        if (!e.switches.promises() || waits(e, l, link, {0})) ask_when_free(e, l, link);
        return;
      }
    }
    if (link.is(Link::kFromHost)) {
      if (e.send_queues.inject_next(e, l)) return;
    } else {
      e.switches.on_link_free(e, l);
    }
    offer(e, l);
  }

  template <class E>
  void settle(E& e) {
    if (dirty_.size() == 1) [[likely]] {
      const LinkId link = dirty_.back();
      dirty_.clear();
      e.fabric().link(link).clear(Link::kDirty);
      arbitrate(e, link);
    }
    // A hook may offer further links meanwhile; they have their turn in the next round.
    while (!dirty_.empty()) {
      if (dirty_.size() > 1) std::sort(dirty_.begin(), dirty_.end());
      std::swap(dirty_, arbitrating_);
      for (const LinkId l : arbitrating_) {
        e.fabric().link(l).clear(Link::kDirty);
        arbitrate(e, l);
      }
      arbitrating_.clear();
    }
  }

 private:
  template <class E>
  [[gnu::always_inline]] void ask_when_free(E& e, LinkId l, Link& link) {
    if (link.is(Link::kFreePending)) return;
    link.set(Link::kFreePending);
    e.clock().at({link.busy_until}, EventKind::link_free, l.index);
  }

  template <class E>
  [[gnu::always_inline]] void arbitrate(E& e, LinkId l) {
    if (interrupts(e)) return arbitrate_preemptive(e, l);
    Link& link = e.fabric().link(l);
    if (link.busy_until <= e.clock().ps()) serve(e, l, {e.fabric().lanes()}, {0});
    if (link.busy_until > e.clock().ps() && !link.is(Link::kFreePending) && waits(e, l, link, {0}))
      ask_when_free(e, l, link);
  }

  // Is there more to do for a link that is busy than to wait for its end?
  template <class E>
  [[gnu::always_inline]] static bool may_interrupt(E& e, LinkId l, const Link& link) {
    return interrupts(e) && (link.is(Link::kFromHost | Link::kExpressWaits) || e.switches.express_unnoticed() ||
                             e.preemption.express_until(l) > e.clock().ps());
  }
  // No packet is in the queues of this link, which begins at a switch.
  template <class E>
  [[gnu::always_inline]] static bool nobody_waits(E& e, LinkId l) {
    bool nobody = true;
    e.fabric().each_channel(l, [&](ChannelId channel) {
      const Channel& c = e.fabric().channel(channel);
      nobody &= c.queue.empty() && !c.is(Channel::kBlocked | Channel::kPaused);
    });
    return nobody;
  }

  // Express lanes have a time line of their own, and what they use is added to the packet of another lane that is on
  // the wire.
  template <class E>
  [[gnu::noinline]] void arbitrate_preemptive(E& e, LinkId l) {
    Link& link = e.fabric().link(l);
    const std::int64_t now = e.clock().ps();
    const Lane express{e.preemption.express_from()}, all{e.fabric().lanes()};
    if (e.preemption.express_until(l) <= now && express_may_wait(e, link)) serve(e, l, all, express);
    if (link.busy_until <= now && e.preemption.express_until(l) <= now) serve(e, l, express, {0});
    ask_again_preemptive(e, l, link, now);
  }
  // Express lanes are mostly empty, and then their records are not looked at.
  template <class E>
  [[gnu::always_inline]] static bool express_may_wait(E& e, const Link& link) {
    return link.is(Link::kFromHost | Link::kExpressWaits) || e.switches.express_unnoticed();
  }
  // Whoever waits is offered the link when the express packet has passed, and when the link comes free.
  template <class E>
  [[gnu::always_inline]] void ask_again_preemptive(E& e, LinkId l, Link& link, std::int64_t now) {
    const Lane express{e.preemption.express_from()}, all{e.fabric().lanes()};
    bool waiting = false;
    if (express_may_wait(e, link))
      for (Lane v = express; v < all && !waiting; ++v.index) waiting = lane_waits(e, l, link, v);
    if (!waiting) link.clear(Link::kExpressWaits);
    const std::int64_t express_until = e.preemption.express_until(l);
    const bool ask_express = express_until > now && !link.is(Link::kExpressPending);
    const bool ask = link.busy_until > now && !link.is(Link::kFreePending);
    if (!ask_express && !ask) return;
    for (Lane v{0}; v < express && !waiting; ++v.index)
      waiting = lane_waits(e, l, link, v) || e.switches.wants_link(e.fabric().channel_of(l, v));
    if (waiting && ask) ask_when_free(e, l, link);
    if (!ask_express || !(waiting || e.switches.express_unnoticed())) return;
    link.set(Link::kExpressPending);
    e.clock().at({express_until}, EventKind::link_free, l.index, 1);
  }

  // One packet of the highest lane below `from` that may send, down to lane `to`.
  template <class E>
  [[gnu::always_inline]] void serve(E& e, LinkId l, Lane from, Lane to) {
    const bool host = e.fabric().link(l).is(Link::kFromHost);
    if (turns_.active()) [[unlikely]] return serve_in_order(e, l, host);
    for (Lane lane = from; lane > to;) {
      --lane.index;
      const ChannelId channel = e.fabric().channel_of(l, lane);
      if (host ? e.send_queues.serve(e, l, channel, lane) : e.switches.serve(e, l, channel, lane)) return;
    }
  }
  template <class E>
  [[gnu::noinline]] void serve_in_order(E& e, LinkId l, bool host) {
    const Link& link = e.fabric().link(l);
    turns_.serve(l, [&](Lane lane) {
      const std::uint64_t before = link.sent_bytes;
      const ChannelId channel = e.fabric().channel_of(l, lane);
      if (host) e.send_queues.serve(e, l, channel, lane);
      else e.switches.serve(e, l, channel, lane);
      return static_cast<std::int64_t>(link.sent_bytes - before);
    });
  }
  // Is there anything that should be asked again when the link comes free?
  template <class E>
  [[gnu::always_inline]] bool waits(E& e, LinkId l, const Link& link, Lane from) const {
    for (Lane v = from; v.index < e.fabric().lanes(); ++v.index)
      if (lane_waits(e, l, link, v) || e.switches.wants_link(e.fabric().channel_of(l, v))) return true;
    return false;
  }
  template <class E>
  [[gnu::always_inline]] bool lane_waits(E& e, LinkId l, const Link& link, Lane lane) const {
    const ChannelId channel = e.fabric().channel_of(l, lane);
    const Channel& c = e.fabric().channel(channel);
    // Its credit or go-ahead will offer the link again. If another lane has the link until then, its wait begins
    // afterwards.
    if (c.is(Channel::kBlocked | Channel::kPaused)) return e.fabric().lanes() > 1;
    if (!c.queue.empty()) return true;
    return link.is(Link::kFromHost) ? e.send_queues.any_ready(e, l, lane) : e.switches.any_waits(e, channel);
  }

  LaneTurns turns_;
  std::vector<LinkId> dirty_, arbitrating_;
};

}  // namespace weir
