// Fetching ahead: the part of PacketEngine that brings what the next events will touch into the caches.
#pragma once
#include "packet/engine.h"

namespace weir {

// The tables of a large fabric do not fit into the fast caches, but the next events are known: fetch what they will
// touch in three steps, each of which needs what the one before has brought. Reads only; what is fetched in vain costs
// little, and an event may have passed before its later steps.
template <class Family>
template <bool Simple>
WEIR_INLINE void PacketEngine<Family>::prefetch() {
  const QueuedEvent* event = queue_.look_ahead();
  if (event == nullptr) return;
  Coming& seen = coming_[++looked_at_ % kComing];
  if constexpr (!Simple) {
    Coming& long_seen = fetched_[looked_at_ % kComing];
    prefetch_end(long_seen);
    long_seen = seen;
  }
  prefetch_way<Simple>(seen);  // seen kComing events ago
  seen = {event->key, event->aux};
  const std::uint32_t entity = event->entity();
  switch (event->kind()) {
    case EventKind::arrival:
      __builtin_prefetch(&fabric_.channel(entity), 1);
      __builtin_prefetch(fabric_.inputs().record_of(entity), 1);
      __builtin_prefetch(&pool_[event->aux], 1);
      if (!Simple && preemptive_) {  // whose tail comes after its head
        __builtin_prefetch(&fabric_.link(fabric_.link_of(entity)));
        __builtin_prefetch(&carried_[fabric_.link_of(entity)], 1);
      }
      break;
    case EventKind::link_free: prefetch_output<Simple>(entity, 0); break;
    case EventKind::generate:
      __builtin_prefetch(&sources_[entity], 1);
      __builtin_prefetch(&workload_.sources[entity]);
      break;
    default: break;
  }
}

// The second step: what the records fetched in the first one point to.
template <class Family>
template <bool Simple>
WEIR_INLINE void PacketEngine<Family>::prefetch_way(const Coming& event) const {
  const std::uint32_t entity = QueuedEvent::entity_of(event.key);
  switch (QueuedEvent::kind_of(event.key)) {
    case EventKind::arrival: {
      if (fabric_.channel(entity).is(Channel::kToHost)) {
        __builtin_prefetch(&pool_.cold(event.aux), 1);
        return;
      }
      const Packet& packet = pool_[event.aux];
      if (!Simple && config_.switches.choice == RouteChoice::flow_setup && packet.connection != kNoConnection) {
        __builtin_prefetch(flow_routes_.record_of(packet.connection));
        return;
      }
      const SwitchId s = topology_.switch_of({fabric_.channel(entity).receiver});
      prefetch_output<Simple>(routes_.default_port(s, {packet.source}, {packet.destination}).index, packet.lane());
      break;
    }
    case EventKind::link_free: {
      const PacketIndex p = fabric_.channel(fabric_.channel_of(entity, 0)).queue.head;
      if (p != kNoPacket) __builtin_prefetch(&pool_[p], 1);
      break;
    }
    case EventKind::generate:
      prefetch_output<Simple>(topology_.host_port(workload_.sources[entity].host).index, 0);
      break;
    default: break;
  }
}

// The third step, for what takes longer to find: the output of a packet that follows the route of its flow, and the
// buffer that the head of a queue will leave.
template <class Family>
WEIR_INLINE void PacketEngine<Family>::prefetch_end(const Coming& event) const {
  const std::uint32_t entity = QueuedEvent::entity_of(event.key);
  if (QueuedEvent::kind_of(event.key) == EventKind::arrival) {
    if (config_.switches.choice != RouteChoice::flow_setup || fabric_.channel(entity).is(Channel::kToHost)) return;
    const Packet& packet = pool_[event.aux];
    if (packet.connection == kNoConnection) return;
    const PortId in = topology_.to({fabric_.link_of(entity)});
    const SwitchId s = topology_.switch_of({fabric_.channel(entity).receiver});
    const PortId usual = routes_.default_port(s, {packet.source}, {packet.destination});
    prefetch_output<false>(flow_routes_.follow(packet.connection, pool_.cold(event.aux).sequence, in, usual).index,
                           packet.lane());
  } else if (QueuedEvent::kind_of(event.key) == EventKind::link_free) {
    const PacketIndex p = fabric_.channel(fabric_.channel_of(entity, 0)).queue.head;
    if (p == kNoPacket || pool_[p].came_by == kNoChannel) return;
    __builtin_prefetch(&fabric_.channel(pool_[p].came_by), 1);
    if (!preemptive_) return;
    __builtin_prefetch(&fabric_.link(fabric_.link_of(pool_[p].came_by)));
    __builtin_prefetch(&carried_[fabric_.link_of(pool_[p].came_by)], 1);
  }
}

template <class Family>
template <bool Simple>
WEIR_INLINE void PacketEngine<Family>::prefetch_output(std::uint32_t link, std::uint32_t lane) const {
  __builtin_prefetch(&fabric_.link(link), 1);
  __builtin_prefetch(&fabric_.channel(fabric_.channel_of(link, lane)), 1);
  if (!Simple && preemptive_) __builtin_prefetch(&carried_[link], 1);
}

}  // namespace weir
