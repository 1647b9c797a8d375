// The hosts' half of PacketEngine: sources and flows make packets, adapters queue and inject them, receivers count and
// acknowledge them.
#pragma once
#include "packet/engine.h"

namespace weir {

template <class Family>
void PacketEngine<Family>::activate(std::uint32_t group, Time trigger) {
  const SourceGroup& g = workload_.groups[group];
  for (const std::uint32_t i : group_sources_[group]) {
    const Time at = sources_[i].first(workload_.sources[i], g, trigger + g.activity.start);
    if (at == kNever) {
      --open_sources_[g.traffic_class.index];
    } else {
      queue_.push(at, EventKind::generate, i);
    }
  }
}

// Groups, and behind them triggers of flows, that wait for a number of received packets.
template <class Family>
void PacketEngine<Family>::activate_due() {
  while (!waiting_groups_.empty() && data_received_ >= waiting_groups_.back().first) {
    const std::uint32_t group = waiting_groups_.back().second;
    waiting_groups_.pop_back();
    if (group >= workload_.groups.size()) {
      released_.clear();
      progress_of_flows_.triggered(group - static_cast<std::uint32_t>(workload_.groups.size()), {now_}, released_);
      for (const FlowProgress::Start& s : released_) queue_.push(s.at, EventKind::flow_start, s.flow.index);
      continue;
    }
    activate(group, {now_});
    if (workload_.groups[group].traffic_class.index == until_class_) check_class_end(until_class_);
  }
}

template <class Family>
WEIR_INLINE PacketIndex PacketEngine<Family>::make_packet(PacketKind kind, HostId from, HostId to, std::uint32_t bytes,
                                                          std::uint32_t lane) {
  const PacketIndex p = pool_.take();
  Packet& packet = pool_[p];
  packet.time = now_;
  packet.source = from.index;
  packet.destination = to.index;
  packet.came_by = kNoChannel;
  packet.connection = kNoConnection;
  packet.size = static_cast<std::uint16_t>(bytes);
  packet.bits = 0;
  packet.set(kind, lane);
  pool_.cold(p) = {now_, now_, 0, 0, 0, 0};
  return p;
}

template <class Family>
void PacketEngine<Family>::on_generate(std::uint32_t source_index) {
  if (total_backlog_.seen(now_) > config_.run.max_backlog) [[unlikely]] return end_saturated();
  const Source& source = workload_.sources[source_index];
  const SourceGroup& group = workload_.groups[source.group];
  SourceState& state = sources_[source_index];
  const SourceState::Draw draw = state.draw(source, group, topology_.hosts());
  const auto bytes = static_cast<std::uint32_t>(draw.payload + config_.format.header);
  const auto slot = static_cast<std::uint32_t>(workload_.flows.size()) + source_index;
  const std::uint32_t queue = adapters_.queue_of(source.host.index, group.lane, draw.destination.index, slot);
  if (!adapters_.room(queue, bytes)) {
    ++recorder_.results().classes[group.traffic_class.index].refused;
    schedule_next(source_index);
    if (group.traffic_class.index == until_class_) check_class_end(until_class_);
    return;
  }
  const PacketIndex p = make_packet(PacketKind::data, source.host, draw.destination, bytes, group.lane);
  pool_[p].connection = connection_of(source.host, draw.destination, group.lane);
  PacketCold& cold = pool_.cold(p);
  cold.payload = static_cast<std::uint32_t>(draw.payload);
  cold.traffic_class = group.traffic_class.index;
  recorder_.generated(cold.traffic_class, cold.payload, now_);
  ++data_generated_;
  ++total_backlog_.packets;
  Backlog& backlog = backlog_[source.host.index];
  ++backlog.packets;
  recorder_.backlog(source.host.index, cold.traffic_class, backlog.seen(now_));

  schedule_next(source_index);
  if (draw.destination == source.host) {  // a uniform source may draw itself: no network needed
    --backlog.packets;
    --total_backlog_.packets;
    stamp_injection(source.host.index, p);
    return deliver(p);
  }
  adapters_.count_in(queue, bytes);
  if (!adapters_.admit(source.host.index, bytes)) {
    adapters_.overflow(source.host.index).push_back(pool_, p);
    pool_.cold(p).aux = source_index;
    return;
  }
  submit(source.host.index, group.lane, queue, p);
}

template <class Family>
WEIR_INLINE void PacketEngine<Family>::schedule_next(std::uint32_t source_index) {
  const Source& source = workload_.sources[source_index];
  const SourceGroup& group = workload_.groups[source.group];
  const Time next = sources_[source_index].next(source, group, {now_});
  if (next == kNever) --open_sources_[group.traffic_class.index];
  else queue_.push(next, EventKind::generate, source_index);
}

template <class Family>
void PacketEngine<Family>::on_flow_start(FlowId id) {
  const Flow& flow = workload_.flows[id];
  FlowResult& result = recorder_.results().flows[id.index];
  result.start = {now_};
  family_.on_flow_start(*this, id);
  const PacketIndex token = make_packet(PacketKind::flow_token, flow.source, flow.destination, 0, flow.lane);
  pool_[token].connection = id.index;
  pool_[token].size = static_cast<std::uint16_t>(
      std::min<Bytes>(unsent_[id.index], config_.format.payloads[0].payload) + config_.format.header);
  submit(flow.source.index, flow.lane,
         adapters_.queue_of(flow.source.index, flow.lane, flow.destination.index, id.index), token);
}

template <class Family>
void PacketEngine<Family>::submit(std::uint32_t host, std::uint32_t lane, std::uint32_t queue, PacketIndex p) {
  if (config_.switches.choice == RouteChoice::flow_setup && hold_for_route(queue, p)) return;
  submit_now(host, lane, queue, p);
}

template <class Family>
void PacketEngine<Family>::submit_now(std::uint32_t host, std::uint32_t lane, std::uint32_t queue, PacketIndex p) {
  const bool alone = adapters_.queue(queue).packets.empty();
  family_.on_queued(*this, HostId{host}, p, alone);
  if constexpr (injects_at_once())
    if (simple_ && alone && inject_at_once(host, queue, p)) return;
  if (adapters_.append(pool_, adapters_.ring_of(host, lane), queue, p)) offer(topology_.host_port({host}).index);
}

// Most packets of a plain run find their adapter empty and their link idle: they start without having queued. Nothing
// that happens later in this instant could come before them; but where there are several queues, it could join the ring
// before they leave it.
template <class Family>
WEIR_INLINE bool PacketEngine<Family>::inject_at_once(std::uint32_t host, std::uint32_t queue, PacketIndex p) {
  const std::uint32_t l = topology_.host_port({host}).index;  // one lane: the link is its channel
  const Link& link = fabric_.link(l);
  Channel& c = fabric_.channel(l);
  if (link.busy_until > now_ || link.is(Link::kDirty | Link::kWaiting) || !c.queue.empty() ||
      c.is(Channel::kBlocked) || adapters_.any_ready(adapters_.ring_of(host, 0)) || !adapters_.unlimited() ||
      (!adapters_.one_queue() && queue_.more_at(now_)) || pool_[p].kind() != PacketKind::data)
    return false;
  const std::int32_t cost = fabric_.cost(pool_[p]);
  if (!space_by(c, cost, now_)) return false;
  adapters_.count_out(queue, pool_[p].size);
  for (Backlog* backlog : {&backlog_[host], &total_backlog_}) {
    --backlog->packets;
    backlog->note_early(now_);
  }
  stamp_injection(host, p);
  transmit<true>(l, l, p, cost, now_, false);
  return true;
}

// The host's link has come free, and what waits for it in the adapter may go: the next packet starts without an
// arbitration, which would choose the same one.
template <class Family>
WEIR_INLINE bool PacketEngine<Family>::inject_next(std::uint32_t l) {
  Link& link = fabric_.link(l);
  Channel& c = fabric_.channel(l);
  const std::uint32_t host = link.sender, ring = adapters_.ring_of(host, 0), queue = adapters_.first(ring);
  if (queue == kNoQueue || link.is(Link::kDirty) || !c.queue.empty() || c.is(Channel::kBlocked) ||
      !adapters_.unlimited() || (!adapters_.one_queue() && queue_.more_at(now_)) ||
      adapters_.service() == AdapterService::oldest_first)
    return false;
  const PacketIndex p = adapters_.queue(queue).packets.head;
  const std::int32_t cost = fabric_.cost(pool_[p]);
  if (pool_[p].kind() != PacketKind::data || !space_by(c, cost, now_)) return false;
  take_from(host, queue, ring, kNoQueue);
  for (Backlog* backlog : {&backlog_[host], &total_backlog_}) backlog->note_early(now_);
  transmit<true>(l, l, p, cost, now_, false);
  if (adapters_.any_ready(ring)) {
    link.flags |= Link::kFreePending;
    queue_.push({link.busy_until}, EventKind::link_free, l);
  }
  return true;
}

template <class Family>
void PacketEngine<Family>::admit_overflow(std::uint32_t host) {
  PacketList& waiting = adapters_.overflow(host);
  while (!waiting.empty() && adapters_.fits(host, pool_[waiting.head].size)) {
    const PacketIndex p = waiting.pop_front(pool_);
    const Packet& packet = pool_[p];
    adapters_.take(host, packet.size);
    const auto slot = static_cast<std::uint32_t>(workload_.flows.size()) + std::exchange(pool_.cold(p).aux, 0);
    submit(host, packet.lane(), adapters_.queue_of(host, packet.lane(), packet.destination, slot), p);
  }
}

template <class Family>
void PacketEngine<Family>::wake(std::uint32_t connection) {
  std::uint32_t queue = gated_queue_[connection];
  gated_queue_[connection] = kNoQueue;
  while (queue != kNoQueue) {
    const std::uint32_t next = adapters_.queue(queue).next;
    make_ready(queue);
    queue = next;
  }
}

template <class Family>
void PacketEngine<Family>::on_queue_wake(std::uint32_t queue) {
  Adapters::Queue& q = adapters_.queue(queue);
  if (q.wake_at <= now_) q.wake_at = kNever.ps;
  if (q.state != Adapters::State::gated) return;
  std::uint32_t* link = &gated_queue_[pool_[q.packets.head].connection];
  while (*link != queue) link = &adapters_.queue(*link).next;
  *link = q.next;
  make_ready(queue);
}

template <class Family>
void PacketEngine<Family>::make_ready(std::uint32_t queue) {
  const Packet& head = pool_[adapters_.queue(queue).packets.head];
  adapters_.make_ready(adapters_.ring_of(head.source, head.lane()), queue);
  offer(topology_.host_port({head.source}).index);
}

// Asks the scheme whether the head of this queue may go; if not, the queue leaves the ring for the list of those that
// wait for the same connection, behind them.
template <class Family>
bool PacketEngine<Family>::allowed(std::uint32_t queue, std::uint32_t ring, std::uint32_t before) {
  if constexpr (Family::kGates) {
    Adapters::Queue& q = adapters_.queue(queue);
    const PacketIndex head = q.packets.head;
    const std::uint32_t connection = pool_[head].connection;
    const Time when = family_.gate(*this, connection, head);
    if (when.ps <= now_) return true;
    adapters_.remove(ring, queue, before, Adapters::State::gated);
    std::uint32_t* link = &gated_queue_[connection];
    while (*link != kNoQueue) link = &adapters_.queue(*link).next;
    *link = queue;
    if (when.ps < q.wake_at) {
      q.wake_at = when.ps;
      queue_.push(when, EventKind::queue_wake, queue);
    }
    return false;
  } else {
    return true;
  }
}

// The packet that host sends next on this lane, taken out of its queue; kNoPacket if there is none or no credit for it.
template <class Family>
PacketIndex PacketEngine<Family>::pick_at_host(std::uint32_t host, std::uint32_t channel, std::uint32_t lane) {
  if constexpr (Family::kPaces)
    if (!family_.lane_open(*this, HostId{host}, lane)) return kNoPacket;
  const std::uint32_t ring = adapters_.ring_of(host, lane);
  std::uint32_t chosen = kNoQueue, chosen_before = kNoQueue, before = kNoQueue;
  const bool oldest = Family::kRanks || adapters_.service() == AdapterService::oldest_first;
  for (std::uint32_t q = adapters_.first(ring); q != kNoQueue;) {
    const std::uint32_t next = adapters_.queue(q).next;
    if (!allowed(q, ring, before)) {
      q = next;
      continue;
    }
    const auto age = [&](std::uint32_t queue) {
      const PacketIndex head = adapters_.queue(queue).packets.head;
      if constexpr (Family::kRanks) return family_.rank(*this, pool_[head].connection, head);
      else return pool_.cold(head).generated;
    };
    if (chosen == kNoQueue || age(q) < age(chosen)) {
      chosen = q;
      chosen_before = before;
    }
    if (!oldest) break;
    before = q;
    q = next;
  }
  if (chosen == kNoQueue) return kNoPacket;
  if (!may_send<false>(channel, fabric_.cost(pool_[adapters_.queue(chosen).packets.head]))) return kNoPacket;
  return take_from(host, chosen, ring, chosen_before);
}

template <class Family>
PacketIndex PacketEngine<Family>::take_from(std::uint32_t host, std::uint32_t queue, std::uint32_t ring,
                                            std::uint32_t before) {
  Adapters::Queue& q = adapters_.queue(queue);
  PacketIndex p = q.packets.head;
  if (pool_[p].kind() == PacketKind::flow_token) {
    const PacketIndex token = p;
    const auto flow = pool_[token].connection;
    p = cut_from_flow(token);
    if (unsent_[flow] == 0) {
      q.packets.pop_front(pool_);
      pool_.give_back(token);
    }
  } else {
    q.packets.pop_front(pool_);
    adapters_.count_out(queue, pool_[p].size);
    --backlog_[host].packets;
    --total_backlog_.packets;
    if (adapters_.limited()) adapters_.leave(host, pool_[p].size);
  }
  if (q.packets.empty()) adapters_.remove(ring, queue, before, Adapters::State::idle);
  else if (before == kNoQueue) adapters_.rotate(ring);
  stamp_injection(host, p);
  if (adapters_.limited()) admit_overflow(host);
  return p;
}

template <class Family>
PacketIndex PacketEngine<Family>::cut_from_flow(PacketIndex token) {
  const std::uint32_t id = pool_[token].connection;
  const Flow& flow = workload_.flows[{id}];
  const Bytes limit = config_.format.payloads[0].payload;
  const Bytes payload = std::min(unsent_[id], limit);
  const PacketIndex p = make_packet(PacketKind::data, flow.source, flow.destination,
                                    static_cast<std::uint32_t>(payload + config_.format.header), flow.lane);
  pool_[p].connection = id;
  PacketCold& cold = pool_.cold(p);
  cold.payload = static_cast<std::uint32_t>(payload);
  cold.traffic_class = flow.traffic_class.index;
  if (flow.message) cold.generated = recorder_.results().flows[id].start.ps;
  if (flow.bytes != kEndless) {
    unsent_[id] -= payload;
    pool_[token].size = static_cast<std::uint16_t>(std::min(unsent_[id], limit) + config_.format.header);
  }
  recorder_.generated(cold.traffic_class, cold.payload, now_);
  ++data_generated_;
  return p;
}

template <class Family>
WEIR_INLINE void PacketEngine<Family>::stamp_injection(std::uint32_t host, PacketIndex p) {
  PacketCold& cold = pool_.cold(p);
  cold.injected = now_;
  ++data_injected_;
  recorder_.injected(cold.traffic_class, host, cold.payload, now_);
  const std::uint32_t connection = pool_[p].connection;
  if (connection != kNoConnection && !next_sequence_.empty()) cold.sequence = next_sequence_[connection]++;
  family_.on_inject(*this, HostId{host}, p);
}

template <class Family>
void PacketEngine<Family>::deliver(PacketIndex p) {
  const Packet& packet = pool_[p];
  const HostId host{packet.destination};
  switch (packet.kind()) {
    case PacketKind::data: return deliver_data(p);
    case PacketKind::ack: family_.on_ack(*this, host, p); break;
    case PacketKind::notification: family_.on_notification(*this, host, p); break;
    case PacketKind::control: family_.on_control(*this, host, p); break;
    case PacketKind::setup: on_setup_packet(p); break;
    case PacketKind::flow_token: WEIR_CHECK(false); break;
  }
  pool_.give_back(p);
}

template <class Family>
void PacketEngine<Family>::deliver_data(PacketIndex p) {
  const Packet& packet = pool_[p];
  const PacketCold& cold = pool_.cold(p);
  recorder_.received(packet, cold, now_);
  ++data_received_;
  if (packet.connection != kNoConnection && order_.active()) {
    const bool in_order = order_.receive(packet.connection, cold.sequence, packet.destination, now_);
    if (!in_order) {
      ++recorder_.results().classes[cold.traffic_class].out_of_order;
      if (!Family::kReorders && config_.switches.choice == RouteChoice::flow_setup)
        fail(__FILE__, __LINE__, "adaptive flow routing has delivered a packet out of order");
      WEIR_CHECK(Family::kReorders || config_.switches.choice != RouteChoice::fixed);
    }
  }
  const std::uint32_t traffic_class = cold.traffic_class;
  family_.on_delivery(*this, HostId{packet.destination}, p);
  const Packet delivered = pool_[p];
  finish_delivery(p);
  if (flow_connections_.awaits()) answer_if_arrived(delivered.connection, {delivered.destination}, {delivered.source});
  if (!waiting_groups_.empty()) activate_due();
  if (traffic_class == until_class_) check_class_end(traffic_class);
}

// After the scheme's hook, which may have made packets: records may lie elsewhere now.
template <class Family>
void PacketEngine<Family>::finish_delivery(PacketIndex p) {
  const Packet packet = pool_[p];
  if (packet.connection < workload_.flows.size()) count_flow({packet.connection}, pool_.cold(p));
  if (acks_ && packet.source != packet.destination) acknowledge(p);
  else pool_.give_back(p);
}

// The data packet's record becomes its acknowledgement: source and destination change places, the marks travel back.
template <class Family>
void PacketEngine<Family>::acknowledge(PacketIndex p) {
  Packet& packet = pool_[p];
  std::swap(packet.source, packet.destination);
  packet.size = static_cast<std::uint16_t>(config_.format.ack);
  packet.set(PacketKind::ack, config_.adapter.ack_lane);
  packet.came_by = kNoChannel;
  ++recorder_.results().totals.acks;
  send_before_data({packet.source}, p);
}

// Packets that are no data have a queue of their own at a host's link, which goes before the adapter's.
template <class Family>
WEIR_INLINE void PacketEngine<Family>::send_before_data(HostId host, PacketIndex p) {
  const std::uint32_t link = topology_.host_port(host).index;
  fabric_.channel(fabric_.channel_of(link, pool_[p].lane())).queue.push_back(pool_, p);
  offer(link);
}

template <class Family>
void PacketEngine<Family>::count_flow(FlowId id, const PacketCold& cold) {
  FlowResult& flow = recorder_.results().flows[id.index];
  flow.delivered += cold.payload;
  if (now_ >= config_.run.warmup.ps) flow.delivered_in_window += cold.payload;
  if (flow.first_delivery == kNever) flow.first_delivery = {now_};
  if (flow.delivered != flow.bytes) return;
  flow.completion = {now_};
  --open_flows_[flow.traffic_class.index];
  family_.on_flow_end(*this, id);
  if (config_.switches.choice == RouteChoice::flow_setup)
    send_step(SetupStep::received, flow.destination, flow.source, id.index, 0);
  released_.clear();
  progress_of_flows_.completed(id, {now_}, released_);
  for (const FlowProgress::Start& s : released_) queue_.push(s.at, EventKind::flow_start, s.flow.index);
  if (config_.run.until == Until::flows && progress_of_flows_.remaining() == 0)
    end_at(Time{now_} + config_.run.settle, Ending::finished);
}

template <class Family>
void PacketEngine<Family>::check_class_end(std::uint32_t traffic_class) {
  const ClassResult& result = recorder_.results().classes[traffic_class];
  if (open_sources_[traffic_class] == 0 && open_flows_[traffic_class] == 0 && result.received == result.generated)
    end_at(Time{now_} + config_.run.settle, Ending::finished);
}

// A packet of the scheme's own, counted.
template <class Family>
PacketIndex PacketEngine<Family>::make_own_packet(PacketKind kind, HostId from, HostId to, std::uint32_t bytes,
                                                  std::uint32_t lane, std::uint32_t connection, std::uint8_t bits,
                                                  std::uint32_t aux) {
  const PacketIndex p = make_packet(kind, from, to, bytes, lane);
  pool_[p].connection = connection;
  pool_[p].bits = bits;
  pool_.cold(p).aux = aux;
  if (kind == PacketKind::notification) ++recorder_.results().totals.notifications;
  if (kind == PacketKind::control) ++recorder_.results().totals.control_packets;
  return p;
}

template <class Family>
PacketIndex PacketEngine<Family>::send_from_host(HostId from, HostId to, PacketKind kind, std::uint32_t bytes,
                                                 std::uint32_t lane, std::uint32_t connection, std::uint8_t bits,
                                                 std::uint32_t aux) {
  const PacketIndex p = make_own_packet(kind, from, to, bytes, lane, connection, bits, aux);
  send_before_data(from, p);
  return p;
}

}  // namespace weir
