// Fetching ahead: the part of PacketEngine that brings what the next events will touch into the caches.
#pragma once
#include "packet/engine.h"

namespace weir {

// The tables of a large fabric do not fit into the fast caches, but the next events are known: fetch what they will
// touch in two steps, the second of which needs what the first has brought. Reads only; what is fetched in vain costs
// little, and an event may have passed before its second step.
template <class Family>
WEIR_INLINE void PacketEngine<Family>::prefetch() {
  const QueuedEvent* event = queue_.look_ahead();
  if (event == nullptr) return;
  Coming& seen = coming_[++looked_at_ % kComing];
  prefetch_way(seen);  // seen kComing events ago
  seen = {event->key, event->aux};
  const std::uint32_t entity = event->entity();
  switch (event->kind()) {
    case EventKind::arrival:
      __builtin_prefetch(&fabric_.channel(entity), 1);
      __builtin_prefetch(&pool_[event->aux], 1);
      break;
    case EventKind::link_free:
      __builtin_prefetch(&fabric_.link(entity), 1);
      __builtin_prefetch(&fabric_.channel(fabric_.channel_of(entity, 0)), 1);
      break;
    case EventKind::generate:
      __builtin_prefetch(&sources_[entity], 1);
      __builtin_prefetch(&workload_.sources[entity]);
      break;
    default: break;
  }
}

// The second step: what the records fetched in the first one point to.
template <class Family>
WEIR_INLINE void PacketEngine<Family>::prefetch_way(const Coming& event) const {
  const std::uint32_t entity = QueuedEvent::entity_of(event.key);
  switch (QueuedEvent::kind_of(event.key)) {
    case EventKind::arrival: {
      if (fabric_.channel(entity).is(Channel::kToHost)) {
        __builtin_prefetch(&pool_.cold(event.aux), 1);
        return;
      }
      const Packet& packet = pool_[event.aux];
      const SwitchId s = topology_.switch_of({fabric_.channel(entity).receiver});
      const std::uint32_t out = routes_.default_port(s, {packet.source}, {packet.destination}).index;
      __builtin_prefetch(&fabric_.link(out), 1);
      __builtin_prefetch(&fabric_.channel(fabric_.channel_of(out, packet.lane())), 1);
      break;
    }
    case EventKind::link_free: {
      const PacketIndex p = fabric_.channel(fabric_.channel_of(entity, 0)).queue.head;
      if (p != kNoPacket) __builtin_prefetch(&pool_[p], 1);
      break;
    }
    case EventKind::generate: {
      const std::uint32_t link = topology_.host_port(workload_.sources[entity].host).index;
      __builtin_prefetch(&fabric_.link(link), 1);
      __builtin_prefetch(&fabric_.channel(fabric_.channel_of(link, 0)), 1);
      break;
    }
    default: break;
  }
}

}  // namespace weir
