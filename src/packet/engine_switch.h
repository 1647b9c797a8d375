// The switches' half of PacketEngine: packets land, are routed and queued, outputs choose among them, links carry them,
// and buffer space is given back by credits or PAUSE.
#pragma once
#include "packet/engine.h"

namespace weir {

// ---- landing and routing ----

template <class Family>
template <bool Simple>
WEIR_INLINE void PacketEngine<Family>::on_arrival(std::uint32_t channel, PacketIndex p) {
  if (!Simple && pool_[p].time > now_)
    return queue_.push({pool_[p].time}, EventKind::arrival, channel, p);  // it was stretched meanwhile
  if (fabric_.channel(channel).is(Channel::kToHost)) return deliver(p);
  land<Simple>(p, channel);
}

template <class Family>
template <bool Simple>
WEIR_INLINE void PacketEngine<Family>::land(PacketIndex p, std::uint32_t channel) {
  const std::int32_t cost = fabric_.cost(pool_[p]);
  fabric_.inputs().land(channel, cost, now_);
  if (!Simple && pause_) occupy_under_pause(channel, cost);
  const SwitchId s = topology_.switch_of({fabric_.channel(channel).receiver});
  if (!Simple && config_.switches.choice == RouteChoice::snooping && pool_[p].kind() == PacketKind::notification)
    snooping_.update(topology_.to({fabric_.link_of(channel)}), Notification::read(pool_.cold(p)), false, now_);
  const Time held_until = family_.on_switch_arrival(*this, s, channel, p);
  if constexpr (Family::kAbsorbs)
    if (held_until == kNever) return absorb(p, channel);
  if (!Simple && crossbar_) {
    if (held_until.ps > now_) return hold(p, channel, kNoChannel, held_until.ps);
    return land_in_fifo(p, channel);
  }
  const std::uint32_t out_link = route<Simple>(s, p);
  const std::uint32_t out = Simple ? out_link : fabric_.channel_of(out_link, pool_[p].lane());
  std::int64_t ready = std::max(held_until.ps, now_);
  if (!Simple && mixed_rates_ && !tail_first_) {
    // Cutting through from a slow link to a faster one would run dry: start so that the tail is there in time.
    const std::uint32_t size = pool_[p].size;
    const Link& link = fabric_.link(fabric_.link_of(channel));
    ready = std::max(ready, now_ + link.serialization(size) - fabric_.link(out_link).serialization(size));
  }
  if (ready > now_) hold(p, channel, out, ready);
  else join_output<Simple>(p, out);
}

template <class Family>
void PacketEngine<Family>::absorb(PacketIndex p, std::uint32_t channel) {
  leave_buffer<false>(channel, fabric_.cost(pool_[p]), now_, now_);
  pool_.give_back(p);
}

template <class Family>
void PacketEngine<Family>::hold(PacketIndex p, std::uint32_t channel, std::uint32_t out_channel, std::int64_t until) {
  held_.hold(channel, {until, p, out_channel});
  queue_.push({until}, EventKind::packet_ready, channel);
}

template <class Family>
void PacketEngine<Family>::on_packet_ready(std::uint32_t channel) {
  const HeldPackets::Held held = held_.take(channel, now_);
  if (held.output == kNoChannel) land_in_fifo(held.packet, channel);
  else join(held.packet, held.output);
}

template <class Family>
void PacketEngine<Family>::join(PacketIndex p, std::uint32_t out_channel) {
  if (simple_) join_output<true>(p, out_channel);
  else join_output<false>(p, out_channel);
}

template <class Family>
template <bool Simple>
WEIR_INLINE std::uint32_t PacketEngine<Family>::route(SwitchId s, PacketIndex p) {
  const Packet& packet = pool_[p];
  const HostId source{packet.source}, destination{packet.destination};
  std::uint32_t port = routes_.default_port(s, source, destination).index;
  if (!Simple && config_.switches.choice == RouteChoice::snooping) {
    const auto candidates = routes_.candidates(s, source, destination, scratch_);
    const bool back = packet.kind() == PacketKind::notification;
    port = (back ? snooping_.choose_return(s, candidates) : snooping_.choose(candidates, destination, now_)).index;
  } else if (!Simple && config_.switches.choice == RouteChoice::flow_setup) {
    port = route_of_flow(s, p, port);
  } else if (!Simple && config_.switches.choice == RouteChoice::live_queue && packet.kind() == PacketKind::data) {
    const auto load = [&](std::uint32_t l) {
      const Link& link = fabric_.link(l);
      const std::int64_t rest = std::max<std::int64_t>(0, link.busy_until - now_);
      return rest + link.serialization(fabric_.channel(fabric_.channel_of(l, packet.lane())).queued);
    };
    std::int64_t best = load(port);
    for (const PortId candidate : routes_.candidates(s, source, destination, scratch_)) {
      const std::int64_t here = load(candidate.index);
      if (here < best) {
        best = here;
        port = candidate.index;
      }
    }
  }
  return family_.choose_port(*this, s, p, port);
}

template <class Family>
template <bool Simple>
WEIR_INLINE void PacketEngine<Family>::join_output(PacketIndex p, std::uint32_t out_channel) {
  Channel& c = fabric_.channel(out_channel);
  const std::uint32_t link = fabric_.link_of(out_channel);
  Packet& packet = pool_[p];
  packet.time = now_;
  if constexpr (commits_ahead<Simple>()) return send_or_queue(p, out_channel);
  if (!Simple && voq_lists_) {
    const std::uint32_t node = fabric_.link(link).sender;
    const std::uint32_t radix = topology_.port_count({node});
    const std::uint32_t input =
        packet.came_by == kNoChannel ? radix : fabric_.link(fabric_.link_of(packet.came_by)).input;
    virtual_queues_.at(node, radix, input, topology_.local({link}), packet.lane()).push_back(pool_, p);
    requests_.set(out_channel, input);
  } else {
    c.queue.push_back(pool_, p);
  }
  if (!Simple && packet.lane() >= express_from_) fabric_.link(link).flags |= Link::kExpressWaits;
  c.queued += packet.size;
  c.queued_time += fabric_.link(link).serialization(packet.size);
  fabric_.note_backlog(out_channel, packet.size, now_);
  family_.on_output(*this, out_channel, p);
  offer(link);
}

// First come, first served, and nobody looks into the queue: when a packet joins it, the moment at which it will leave
// is known, unless space is missing at the far end. So it is put onto the link for that moment at once, and waiting for
// a busy link takes no event and no list.
template <class Family>
WEIR_INLINE void PacketEngine<Family>::send_or_queue(PacketIndex p, std::uint32_t channel) {
  Channel& c = fabric_.channel(channel);
  Link& link = fabric_.link(channel);  // one lane: a channel is its link
  const std::int64_t start = std::max(now_, link.busy_until);
  const std::int32_t cost = fabric_.cost(pool_[p]);
  if (c.queue.empty() && space_by(c, cost, start)) {
    transmit<true>(channel, channel, p, cost, start, false);
    if (start > now_) fabric_.note_backlog(channel, 0, now_);  // it is on the link already
    return;
  }
  if (c.queue.empty()) {
    block(channel);
    link.flags |= Link::kWaiting;
    fabric_.wait(channel).since = start;
  }
  c.queue.push_back(pool_, p);
  c.queued += pool_[p].size;
  c.queued_time += link.serialization(pool_[p].size);
  fabric_.note_backlog(channel, pool_[p].size, now_);
}

template <class Family>
WEIR_INLINE bool PacketEngine<Family>::space_by(Channel& c, std::int32_t cost, std::int64_t when) {
  if (c.credits < cost) FabricState::fold(c, when);  // never the case on the way to a host, which takes all
  return c.credits >= cost;
}

// Space has come back to a channel whose packets wait for it.
template <class Family>
void PacketEngine<Family>::drain(std::uint32_t channel) {
  Channel& c = fabric_.channel(channel);
  Link& link = fabric_.link(channel);
  while (!c.queue.empty()) {
    const std::int64_t start = std::max(now_, link.busy_until);
    const PacketIndex p = c.queue.head;
    const std::int32_t cost = fabric_.cost(pool_[p]);
    if (!space_by(c, cost, start)) {
      if (!link.is(Link::kWaiting)) {
        link.flags |= Link::kWaiting;
        fabric_.wait(channel).since = start;
      }
      return;
    }
    c.queue.pop_front(pool_);
    c.queued -= pool_[p].size;
    c.queued_time -= link.serialization(pool_[p].size);
    transmit<true>(channel, channel, p, cost, start, false);
  }
  c.clear(Channel::kBlocked);
}

template <class Family>
PacketIndex PacketEngine<Family>::send_from_switch(SwitchId from, HostId to, PacketKind kind, std::uint32_t bytes,
                                                   std::uint32_t lane, std::uint32_t connection, std::uint8_t bits,
                                                   std::uint32_t aux) {
  const PacketIndex p = make_own_packet(kind, to, to, bytes, lane, connection, bits, aux);
  if (!routes_.is_computed()) routes_proven_ = false;  // stored routes were proven for packets of hosts only
  join(p, fabric_.channel_of(route<false>(from, p), lane));
  return p;
}

template <class Family>
PacketIndex PacketEngine<Family>::send_over(PortId out, PacketKind kind, std::uint32_t bytes, std::uint32_t lane,
                                            std::uint32_t aux) {
  const NodeId from = topology_.node_of(out), to = topology_.node_of(topology_.to(out));
  const HostId host = topology_.host(topology_.is_host(to) ? to : NodeId{0});  // who it is for, where that is a host
  const PacketIndex p = make_own_packet(kind, host, host, bytes, lane, kNoConnection, 0, aux);
  if (topology_.is_host(from)) send_before_data(topology_.host(from), p);
  else join(p, fabric_.channel_of(out.index, lane));
  return p;
}

template <class Family>
PacketIndex PacketEngine<Family>::notify(SwitchId from, HostId to, const Notification& n, std::uint32_t bytes,
                                         std::uint32_t lane, std::uint32_t connection) {
  if (config_.switches.choice == RouteChoice::snooping) snooping_.update(n.origin, n, true, now_);
  const PacketIndex p = send_from_switch(from, to, PacketKind::notification, bytes, lane, connection, 0, 0);
  n.write(pool_.cold(p));
  return p;
}

// ---- links ----

// Something may be ready for this link: let it arbitrate at the end of this instant, or when it comes free.
template <class Family>
WEIR_INLINE void PacketEngine<Family>::offer(std::uint32_t l) {
  Link& link = fabric_.link(l);
  if (link.is(Link::kDirty)) return;
  if (link.busy_until <= now_ || preemptive_) {
    link.flags |= Link::kDirty;
    dirty_links_.push_back(l);
  } else if (!link.is(Link::kFreePending)) {
    link.flags |= Link::kFreePending;
    queue_.push({link.busy_until}, EventKind::link_free, l);
  }
}

template <class Family>
WEIR_INLINE void PacketEngine<Family>::on_link_free(std::uint32_t l, bool express) {
  Link& link = fabric_.link(l);
  if (express) {
    link.flags &= ~Link::kExpressPending;
  } else {
    link.flags &= ~Link::kFreePending;
    if (link.busy_until > now_) {  // it was stretched meanwhile
      link.flags |= Link::kFreePending;
      return queue_.push({link.busy_until}, EventKind::link_free, l);
    }
  }
  if constexpr (injects_at_once())
    if (simple_ && link.is(Link::kFromHost) && inject_next(l)) return;
  for (std::uint32_t v = 0; crossbar_ && v < fabric_.lanes(); ++v) {
    const std::uint32_t c = fabric_.channel_of(l, v);
    if (crossbar_out_[c].wants_space) mark_crossbar(c);
  }
  offer(l);
}

template <class Family>
template <bool Simple>
WEIR_INLINE bool PacketEngine<Family>::waiting(std::uint32_t l, std::uint32_t lane) const {
  const std::uint32_t channel = fabric_.channel_of(l, lane);
  const Channel& c = fabric_.channel(channel);
  // Its credit or go-ahead will offer the link again. If another lane has the link until then, its wait begins
  // afterwards.
  if (c.is(Channel::kBlocked | Channel::kPaused)) return !Simple && fabric_.lanes() > 1;
  if (!c.queue.empty()) return true;
  const Link& link = fabric_.link(l);
  if (link.is(Link::kFromHost)) return adapters_.any_ready(adapters_.ring_of(link.sender, lane));
  return !Simple && voq_lists_ && requests_.any(channel);
}

template <class Family>
template <bool Simple>
WEIR_INLINE void PacketEngine<Family>::arbitrate(std::uint32_t l) {
  if (!Simple && preemptive_) return arbitrate_preemptive(l);
  Link& link = fabric_.link(l);
  if (link.busy_until <= now_) {
    if constexpr (Simple) {
      const PacketIndex p = pick<Simple>(l, l, 0);
      if (p != kNoPacket) transmit<Simple>(l, l, p, fabric_.cost(pool_[p]), now_, false);
    } else {
      arbitrate_lanes(l, fabric_.lanes(), 0, false);
    }
  }
  if (link.is(Link::kFreePending) || link.busy_until <= now_) return;
  bool more = false;
  const std::uint32_t lanes = Simple ? 1 : fabric_.lanes();
  for (std::uint32_t v = 0; v < lanes && !more; ++v)
    more = waiting<Simple>(l, v) || (!Simple && crossbar_ && crossbar_out_[fabric_.channel_of(l, v)].wants_space);
  if (more) {
    link.flags |= Link::kFreePending;
    queue_.push({link.busy_until}, EventKind::link_free, l);
  }
}

// Highest lane first, from lane `from` - 1 down to `to`. True if a packet was sent.
template <class Family>
bool PacketEngine<Family>::arbitrate_lanes(std::uint32_t l, std::uint32_t from, std::uint32_t to, bool express) {
  for (std::uint32_t lane = from; lane-- > to;) {
    const std::uint32_t channel = fabric_.channel_of(l, lane);
    const PacketIndex p = pick<false>(l, channel, lane);
    if (p != kNoPacket) {
      transmit<false>(l, channel, p, fabric_.cost(pool_[p]), now_, express);
      return true;
    }
  }
  return false;
}

// Express lanes interrupt the others: they have a time line of their own, and what they use is added to the packet of
// another lane that is on the wire.
template <class Family>
void PacketEngine<Family>::arbitrate_preemptive(std::uint32_t l) {
  Link& link = fabric_.link(l);
  // Express lanes are mostly empty, and then their records are not looked at.
  const bool always = link.is(Link::kFromHost) || crossbar_;
  if (link.express_until <= now_ && (always || link.is(Link::kExpressWaits)))
    arbitrate_lanes(l, fabric_.lanes(), express_from_, true);
  if (link.express_until > now_ && !link.is(Link::kExpressPending)) {
    // Also without a waiting express packet: the others must be offered the link when the express packet has passed.
    link.flags |= Link::kExpressPending;
    queue_.push({link.express_until}, EventKind::link_free, l, 1);
  }
  if (link.busy_until <= now_ && link.express_until <= now_) arbitrate_lanes(l, express_from_, 0, false);
  bool express_waits = false;
  for (std::uint32_t v = express_from_;
       (always || link.is(Link::kExpressWaits)) && v < fabric_.lanes() && !express_waits; ++v)
    express_waits = waiting<false>(l, v);
  if (!express_waits) link.flags &= ~Link::kExpressWaits;
  if (link.busy_until <= now_ || link.is(Link::kFreePending)) return;
  bool waits = express_waits;
  for (std::uint32_t v = 0; v < express_from_ && !waits; ++v)
    waits = waiting<false>(l, v) || (crossbar_ && crossbar_out_[fabric_.channel_of(l, v)].wants_space);
  if (waits) {
    link.flags |= Link::kFreePending;
    queue_.push({link.busy_until}, EventKind::link_free, l);
  }
}

// The packet to send next on this channel, taken out of its queue; kNoPacket if nothing waits or nothing may go.
template <class Family>
template <bool Simple>
WEIR_INLINE PacketIndex PacketEngine<Family>::pick(std::uint32_t l, std::uint32_t channel, std::uint32_t lane) {
  Channel& c = fabric_.channel(channel);
  if (!c.queue.empty()) {
    if (!may_send<Simple>(channel, fabric_.cost(pool_[c.queue.head]))) return kNoPacket;
    return c.queue.pop_front(pool_);
  }
  const Link& link = fabric_.link(l);
  if (link.is(Link::kFromHost)) return pick_at_host(link.sender, channel, lane);
  if (Simple || !voq_lists_) return kNoPacket;
  const std::uint32_t input = choose_input(channel);
  if (input == kNoInput) return kNoPacket;
  const std::uint32_t radix = topology_.port_count({link.sender});
  PacketList& list = virtual_queues_.at(link.sender, radix, input, topology_.local({l}), lane);
  if (!may_send<Simple>(channel, fabric_.cost(pool_[list.head]))) return kNoPacket;
  const PacketIndex p = list.pop_front(pool_);
  if (list.empty()) requests_.clear(channel, input);
  c.turn = static_cast<std::uint16_t>(input);
  return p;
}

// Which input an output (or the crossbar in front of it) serves next.
template <class Family>
std::uint32_t PacketEngine<Family>::choose_input(std::uint32_t channel) {
  const Channel& c = fabric_.channel(channel);
  if (config_.switches.arbitration == Arbitration::round_robin) return requests_.after(channel, c.turn);
  const Link& link = fabric_.link(fabric_.link_of(channel));
  const std::uint32_t lane = fabric_.lane_of(channel);
  const std::uint32_t radix = topology_.port_count({link.sender});
  const bool by_birth = config_.switches.arbitration == Arbitration::oldest_first;
  const std::uint32_t local = topology_.local({fabric_.link_of(channel)});
  std::uint32_t best = kNoInput;
  std::int64_t best_time = 0;
  for (std::uint32_t i = requests_.next(channel, 0); i != kNoInput; i = requests_.next(channel, i + 1)) {
    PacketIndex head;
    if (crossbar_) {
      const PortId from = topology_.from(topology_.port({link.sender}, i));
      head = crossbar_in_[fabric_.channel_of(from.index, lane)].fifo.head;
    } else {
      head = virtual_queues_.at(link.sender, radix, i, local, lane).head;
    }
    const std::int64_t time = by_birth ? pool_.cold(head).generated : pool_[head].time;
    if (best == kNoInput || time < best_time) {
      best = i;
      best_time = time;
    }
  }
  return best;
}

template <class Family>
template <bool Simple>
WEIR_INLINE void PacketEngine<Family>::transmit(std::uint32_t l, std::uint32_t channel, PacketIndex p,
                                                std::int32_t cost, std::int64_t start, bool express) {
  Link& link = fabric_.link(l);
  Channel& c = fabric_.channel(channel);
  if (!link.is(Link::kFromHost)) {
    if constexpr (!commits_ahead<Simple>()) {
      c.queued -= pool_[p].size;
      c.queued_time -= link.serialization(pool_[p].size);
    }
    if (!Simple && config_.switches.choice == RouteChoice::snooping) snooping_.drained({l}, c.queued);
    family_.on_departure(*this, channel, p);  // may make packets: records may lie elsewhere afterwards
  }
  Packet& packet = pool_[p];
  const std::int64_t duration = link.serialization(packet.size);
  std::int64_t end = start + duration;
  if (!Simple && preemptive_ && !express) end = carry(l, p, end);
  if (Simple || !pause_) c.credits -= cost & -static_cast<std::int32_t>(!link.is(Link::kToHost));
  if (!link.is(Link::kFromHost)) {
    if (start > packet.time) fabric_.output(channel).waited += CostTime{packet.size} * (start - packet.time);
    if (!Simple && crossbar_ && packet.came_by != kNoChannel) {
      CrossbarOutput& out = crossbar_out_[channel];
      out.fold(now_);
      out.leaving = cost;
      out.leaving_until = end;
    } else if (packet.came_by != kNoChannel) {
      leave_buffer<Simple>(packet.came_by, cost, start, end);
    }
  }
  if (!Simple && express) transmit_express(l, p, end);
  else link.busy_until = end;
  if (packet.kind() != PacketKind::data) ++other_hops_;
  if (link.is(Link::kWaiting)) {
    LinkWait& wait = fabric_.wait(l);
    wait.total += start - wait.since;
    wait.since = -1;
    link.flags &= ~Link::kWaiting;
  }
  link.sent_bytes += packet.size;
  ++link.sent_packets;
  link.sent_time += duration;
  packet.time = link.landing(start, end);
  packet.came_by = channel;
  queue_.push({packet.time}, EventKind::arrival, channel, p);
}

// When the tail of the interruptible packet on this link will be where its head already is: before the next output.
template <class Family>
std::int64_t PacketEngine<Family>::tail_lands(std::uint32_t l) const {
  const Link& link = fabric_.link(l);
  return link.busy_until + link.latency + (crossbar_ ? config_.switches.switch_delay.ps : 0);
}

// With preemption: an interruptible packet starts onto this link. Returns when it will end, which is later than `end`
// if it was interrupted on the link before while its head went ahead.
template <class Family>
std::int64_t PacketEngine<Family>::carry(std::uint32_t l, PacketIndex p, std::int64_t end) {
  const std::uint32_t came_by = pool_[p].came_by;
  Carried& here = carried_[l];
  here = {p, kNoChannel, kNoChannel, end};
  if (came_by == kNoChannel) return end;
  const std::uint32_t before = fabric_.link_of(came_by);
  if (carried_[before].packet != p) return end;  // its tail has left that link long ago
  here.back = before;
  carried_[before].onward = l;
  return std::max(end, tail_lands(before));
}

// An express packet takes the link, and the other one that is on the wire resumes afterwards. An express
// packet that has interrupted the same packet on the link before arrives in the very gap that it has torn there, and
// fills it.
template <class Family>
void PacketEngine<Family>::transmit_express(std::uint32_t l, PacketIndex p, std::int64_t end) {
  Link& link = fabric_.link(l);
  link.express_until = end;
  if (link.busy_until <= now_) return;
  Carried& under = carried_[l];
  under.own_end += end - now_;
  const bool in_its_gap = under.back != kNoChannel && carried_[under.back].packet == under.packet &&
                          pool_[p].came_by != kNoChannel && fabric_.link_of(pool_[p].came_by) == under.back &&
                          tail_lands(under.back) > pool_[p].time;
  const std::int64_t extra = in_its_gap ? under.own_end - link.busy_until : end - now_;
  if (extra > 0) stretch(l, extra);
}

// The packet on link `l` is interrupted for `extra`: its tail comes later, here and on every link that it
// already leads on to.
template <class Family>
void PacketEngine<Family>::stretch(std::uint32_t l, std::int64_t extra) {
  Link& link = fabric_.link(l);
  link.busy_until += extra;
  const Carried& under = carried_[l];
  if (under.onward == kNoChannel) {
    if (link.is(Link::kByTail)) pool_[under.packet].time += extra;
    return;
  }
  const std::int64_t missing = tail_lands(l) - fabric_.link(under.onward).busy_until;
  if (missing > 0) stretch(under.onward, missing);
}

// ---- buffer space ----

// May a packet of this cost go? If not, the channel waits: it will be offered again when space is reported.
template <class Family>
template <bool Simple>
WEIR_INLINE bool PacketEngine<Family>::may_send(std::uint32_t channel, std::int32_t cost) {
  Channel& c = fabric_.channel(channel);
  if (c.is(Channel::kToHost)) return true;
  if (!Simple && pause_) {
    if (!c.is(Channel::kPaused)) return true;
  } else {
    if (c.credits < cost) FabricState::fold(c, now_);  // what is noted is counted when it matters
    if (c.credits >= cost) {
      if (c.is(Channel::kBlocked)) {
        c.clear(Channel::kBlocked);
        family_.on_fed(*this, channel);
      }
      return true;
    }
    block(channel);
  }
  const std::uint32_t l = fabric_.link_of(channel);
  Link& link = fabric_.link(l);
  if (!link.is(Link::kWaiting) &&
      (Simple || link.busy_until <= now_)) {  // an interruptible link may be asked while busy
    link.flags |= Link::kWaiting;
    fabric_.wait(l).since = now_;
  }
  return false;
}

// Releases that were only noted will be told when they are due.
template <class Family>
void PacketEngine<Family>::notes_become_events(std::uint32_t channel) {
  Channel& c = fabric_.channel(channel);
  for (int i = 0; i < 2; ++i) {
    if (c.release_cost[i] == 0) continue;
    queue_.push({c.release_at[i]}, EventKind::credit, channel, static_cast<std::uint32_t>(c.release_cost[i]));
    c.release_cost[i] = 0;
  }
}

// From now on every release must wake this channel.
template <class Family>
void PacketEngine<Family>::block(std::uint32_t channel) {
  Channel& c = fabric_.channel(channel);
  if (c.is(Channel::kBlocked)) return;
  c.set(Channel::kBlocked);
  recorder_.results().totals.lacked_space = true;
  notes_become_events(channel);
  family_.on_starved(*this, channel);
}

// A packet leaves the buffer behind `channel` between start and end.
template <class Family>
template <bool Simple>
WEIR_INLINE void PacketEngine<Family>::leave_buffer(std::uint32_t channel, std::int32_t cost, std::int64_t start,
                                                    std::int64_t end) {
  Channel& c = fabric_.channel(channel);
  std::int64_t at = config_.switches.release_at_head ? start : end;
  fabric_.inputs().leave(channel, cost, at, now_);
  const bool pause = !Simple && pause_;
  if (!pause) at += c.return_delay;
  const bool sender_waits = c.is(pause ? Channel::kStopSent : Channel::kBlocked);
  if (sender_waits || !FabricState::note(c, cost, at, now_))
    queue_.push({at}, EventKind::credit, channel, static_cast<std::uint32_t>(cost));
}

template <class Family>
void PacketEngine<Family>::on_credit(std::uint32_t channel, std::int32_t cost) {
  Channel& c = fabric_.channel(channel);
  c.credits += cost;
  if (pause_) {
    const std::int32_t occupied = fabric_.inputs().occupied_after(channel, now_);
    if (c.is(Channel::kStopSent) && occupied <= config_.switches.pause_go) {
      c.clear(Channel::kStopSent);
      queue_.push({now_ + c.return_delay}, EventKind::pause, channel, kGo);
    }
  } else if (c.is(Channel::kBlocked)) {
    if constexpr (commits_ahead<true>())
      if (simple_ && !fabric_.link(channel).is(Link::kFromHost)) return drain(channel);
    offer(fabric_.link_of(channel));
  }
}

template <class Family>
void PacketEngine<Family>::occupy_under_pause(std::uint32_t channel, std::int32_t cost) {
  Channel& c = fabric_.channel(channel);
  FabricState::fold(c, now_);
  c.credits -= cost;
  if (c.credits < 0) fail(__FILE__, __LINE__, "a buffer overflowed under PAUSE");
  const std::int32_t occupied = fabric_.inputs().occupied_after(channel, now_);
  if (occupied <= config_.switches.pause_stop || c.is(Channel::kStopSent)) return;
  c.set(Channel::kStopSent);
  notes_become_events(channel);
  queue_.push({now_ + c.return_delay}, EventKind::pause, channel, kStop);
}

template <class Family>
void PacketEngine<Family>::on_pause(std::uint32_t channel, bool stop) {
  Channel& c = fabric_.channel(channel);
  if (stop) {
    c.set(Channel::kPaused);
    recorder_.results().totals.lacked_space = true;
    family_.on_starved(*this, channel);
  } else {
    c.clear(Channel::kPaused);
    family_.on_fed(*this, channel);
    offer(fabric_.link_of(channel));
  }
}

template <class Family>
std::int32_t PacketEngine<Family>::input_occupancy(std::uint32_t channel) const {
  return fabric_.inputs().occupied(channel, now_);
}

template <class Family>
std::int32_t PacketEngine<Family>::output_occupancy(std::uint32_t channel) {
  if (!crossbar_) return static_cast<std::int32_t>(fabric_.channel(channel).queued);
  CrossbarOutput& out = crossbar_out_[channel];
  out.fold(now_);
  return output_capacity() - out.free;
}

template <class Family>
template <class Visit>
void PacketEngine<Family>::for_each_waiting(std::uint32_t in_channel, Visit visit) {
  const auto walk = [&](const PacketList& list) {
    for (PacketIndex p = list.head; p != kNoPacket; p = pool_[p].next)
      if (pool_[p].came_by == in_channel) visit(p);
  };
  if (crossbar_) return walk(crossbar_in_[in_channel].fifo);
  const std::uint32_t node = fabric_.channel(in_channel).receiver;
  const std::uint32_t lane = fabric_.lane_of(in_channel), radix = topology_.port_count({node});
  const std::uint32_t input = fabric_.link(fabric_.link_of(in_channel)).input;
  for (std::uint32_t output = 0; output < radix; ++output) {
    const std::uint32_t link = topology_.port({node}, output).index;
    walk(voq_lists_ ? virtual_queues_.at(node, radix, input, output, lane)
                    : fabric_.channel(fabric_.channel_of(link, lane)).queue);
  }
}

}  // namespace weir

#include "packet/engine_crossbar.h"
