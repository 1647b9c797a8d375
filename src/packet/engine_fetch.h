// What a packet that lands soon, or an event, will touch is fetched ahead of time: first what its record names, and,
// when that is there, what can only be found with its help. Nothing here changes a result.
#pragma once
#include "packet/engine.h"

namespace weir {

// What the landing of this packet will touch is fetched.
template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::prepare(const Packet& p) {
  if (p.takes == Packet::kItsHost) {
    fetch(*recorder.host_record(p.destination, p.traffic_class));
    return scheme.before_ack(*this, p.destination, p);
  }
  __builtin_prefetch(&fabric_.inputs()[p.came_by], 1);
  routing.fetch(p);
  setup.fetch(p);
  switches.fetch(p);
  if (p.takes.valid()) [[likely]] return fetch_output(p.takes);
  fetch_output(routing.usual(fabric_, fabric_.switch_of(fabric_.receiver(fabric_.link_of(p.came_by))), p));
}

template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::prepare(const TimedEvent& event) const {
  switches.fetch(event);
  switch (event.kind()) {
    case EventKind::crossing: return fetch_output({event.entity()});
    case EventKind::link_free: {
      fetch_output(fabric_.channel_of({event.entity()}, {0}));
      if (from_host({event.entity()})) {
        const HostId host = topology().host_at({event.entity()});
        send_queues.fetch(host);
        fetch(*recorder.host_record(host, 0));
      }
      break;
    }
    case EventKind::credit: {
      fetch_output({event.entity()});
      __builtin_prefetch(&fabric_.inputs()[{event.entity()}], 1);
      break;
    }
    case EventKind::generate: {
      __builtin_prefetch(sources.state(event.entity()), 1);
      const HostId host{event.aux};
      fetch_output(fabric_.channel_of(topology().host_port(host), {0}));
      send_queues.fetch(host);
      send_queues.fetch_drawn_again(event.entity());
      fetch(*recorder.host_record(host, 0));
      fetch(workload().sources[event.entity()]);
      break;
    }
    default: break;
  }
}

// The second time: what can only be found with the help of what was fetched the first time.
template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::prepare_more(const TimedEvent& event) const {
  switches.fetch_more(event, waiting);
  if (event.kind() != EventKind::link_free && event.kind() != EventKind::credit) return;
  const bool is_free = event.kind() == EventKind::link_free;
  const LinkId l = is_free ? LinkId{event.entity()} : fabric_.link_of({event.entity()});
  if (from_host(l)) send_queues.fetch_next(topology().host_at(l), waiting);
  fabric_.each_channel(l, [&](ChannelId c) __attribute__((always_inline)) {
    if (const PacketSlot next = fabric_.channel(c).queue.head; next.valid()) __builtin_prefetch(&waiting[next], 1);
  });
}
template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::prepare_more(const Packet& p) const {
  setup.fetch_more(p);
  if (p.takes == Packet::kItsHost || !p.takes.valid()) return;
  // Where space has run out, the sender looks for what was released.
  if (fabric_.channel(p.takes).credits < fabric_.cost(p)) __builtin_prefetch(&fabric_.inputs()[p.takes], 1);
}

}  // namespace weir
