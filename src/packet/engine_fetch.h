// What a packet that lands soon, or an event, will touch is fetched ahead of time: first what its record names, and,
// when that is there, what can only be found with its help. Nothing here changes a result.
#pragma once
#include "packet/engine.h"

namespace weir {

template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::fetch_first(const Packet& p) {
  if (p.takes == Packet::kItsHost) {
    fetch(*recorder.host_record(p.destination, p.traffic_class));
    delivery.fetch(*this, p);
    return scheme.before_arrival(*this, p.destination, p);
  }
  fabric().inputs().fetch(p.came_by);
  routing.fetch(p);
  if (p.connection.valid()) setup.fetch(p);
  else scheme.before_switch_arrival(p, false);
  switches.fetch(p);
  if (p.takes.valid()) [[likely]] return fetch_output(p.takes);
  fetch_output(routing.usual(fabric(), fabric().switch_of(fabric().receiver(fabric().link_of(p.came_by))), p));
}

template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::fetch_first(const TimedEvent& event) {
  switches.fetch(event);
  switch (event.kind()) {
    case EventKind::crossing: return fetch_output({event.entity()});
    case EventKind::link_free: {
      fetch_outputs({event.entity()});
      if (from_host({event.entity()})) fetch_host(topology().host_at({event.entity()}));
      break;
    }
    case EventKind::credit: {
      fetch_output({event.entity()});
      fabric().inputs().fetch({event.entity()});
      const LinkId l = fabric().link_of({event.entity()});
      __builtin_prefetch(&fabric().wait(l), 1);
      if (from_host(l)) fetch_host(topology().host_at(l));
      break;
    }
    case EventKind::generate: {
      sources.fetch(event.entity());
      const HostId host{event.aux};
      fetch_output(fabric().channel_of(topology().host_port(host), {0}));
      send_queues.fetch_drawn_again(event.entity());
      fetch_host(host);
      break;
    }
    case EventKind::packet_ready: return switches.held().fetch({event.entity()});
    case EventKind::global_timer: return scheme.before_global_timer(event.aux);
    case EventKind::timer: return fetch_for_timer({event.entity()}, false);
    default: break;
  }
}

// A scheme may send from a host when a timer of it is due.
template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::fetch_for_timer(NodeId node, bool again) {
  if (!scheme.has(Hook::before_timer) || !topology().is_host(node)) return;
  const HostId host = topology().host(node);
  const Adapters& adapters = send_queues.adapters();
  if (again) {
    bool ranked = false;
    for (Lane lane{0}; lane.index < fabric_.lanes(); ++lane.index) {
      QueueId before;
      const QueueId queue = send_queues.lowest_ranked(ranks, adapters.ring_of(host, lane), before);
      if (!queue.valid()) continue;
      ranked = true;
      fetch_head(queue);
    }
    if (!ranked) adapters.of_flows().each(host, [&](QueueId queue) {
      const PacketSlot head = adapters.queue(queue).packets.head;
      if (head.valid()) __builtin_prefetch(&waiting[head], 1);
    });
  } else {
    send_queues.fetch_flows(ranks, host);
    fetch_output(fabric().channel_of(topology().host_port(host), {0}));
    fetch_host(host);
  }
  scheme.before_timer(*this, host, again);
}

// The packet that a host may send next from this queue, and the flow that it belongs to.
template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::fetch_head(QueueId queue) const {
  const Adapters& adapters = send_queues.adapters();
  if (const FlowId flow = adapters.of_flows().flow(queue); flow.valid()) {
    fetch(workload().flows[flow]);
    __builtin_prefetch(&sources.unsent(flow), 1);
  }
  if (const PacketSlot head = adapters.queue(queue).packets.head; head.valid()) waiting.fetch(head);
}
// Where a host has many queues, the next packet of a source is drawn in advance: which queue it will join.
template <class Calls, class Switches>
void Engine<Calls, Switches>::fetch_for_next(std::uint32_t source, HostId host) {
  const Adapters& adapters = send_queues.adapters();
  if (adapters.one_queue()) return;
  const SourceGroup& group = workload().groups[workload().sources[source].group];
  const HostId to = SourceState(*sources.state(source)).draw(host, group, topology().hosts()).destination;
  const auto slot = static_cast<std::uint32_t>(workload().flows.size()) + source;
  __builtin_prefetch(&adapters.queue(adapters.queue_of(host, {group.lane}, to, slot)), 1);
  delivery.fetch_sender(*this, host, connections_.of_pair(host, to, {group.lane}));
}

// The packets that this link can send next, and what will join the one that does.
template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::fetch_heads(LinkId l) const {
  if (from_host(l)) {
    sources.resting().fetch_more(topology().host_at(l), [&](std::uint32_t source) {
      sources.fetch(source);
      send_queues.fetch_replayed(source);
    });
  }
  for (Lane lane{0}; lane.index < known(fabric_).lanes(); ++lane.index) {
    PacketSlot next = known(fabric_).channel(known(fabric_).channel_of(l, lane)).queue.head;
    if (!next.valid() && from_host(l)) {
      const Adapters& adapters = send_queues.adapters();
      const QueueId queue = adapters.first(adapters.ring_of(topology().host_at(l), lane));
      if (queue.valid()) fetch_head(queue);
    }
    if (next.valid()) waiting.fetch(next);
  }
}

template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::fetch_held(ChannelId came_by) {
  const HeldPackets::Held* const next = switches.held().first(came_by);
  if (next == nullptr) return;
  __builtin_prefetch(&waiting[next->packet], 1);
  if (next->out.valid()) fetch_output(next->out);
}

template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::fetch_then(const TimedEvent& event) {
  switches.fetch_more(event, waiting);
  if (event.kind() == EventKind::timer) fetch_for_timer({event.entity()}, true);
  else if (event.kind() == EventKind::generate) fetch_for_next(event.entity(), HostId{event.aux});
  else if (event.kind() == EventKind::link_free) fetch_heads({event.entity()});
  else if (event.kind() == EventKind::credit) fetch_heads(fabric().link_of({event.entity()}));
  else if (event.kind() == EventKind::packet_ready) fetch_held({event.entity()});
}
template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::fetch_then(const Packet& p) const {
  if (p.connection.valid()) setup.fetch_more(p);
  else if (p.takes != Packet::kItsHost) scheme.before_switch_arrival(p, true);
  if (p.takes == Packet::kItsHost || !p.takes.valid()) return;
  known(fabric_).inputs().fetch_more(p.came_by);
  const Channel& out = known(fabric_).channel(p.takes);
  routing.fetch(out.leads_to);
  if (counts_ahead) {  // a branch on what can hardly be predicted would cost more than fetching something twice
    const HostResult* const received = recorder.host_record(p.destination, p.traffic_class);
    __builtin_prefetch(out.leads_to.valid() ? static_cast<const void*>(&out) : received, 1);
  }
  // Where space has run out, the sender looks for what was released. Again without a branch.
  const void* const released = &known(fabric_).inputs()[p.takes];
  __builtin_prefetch(out.credits < known(fabric_).cost(p) ? released : static_cast<const void*>(&out), 1);
}

}  // namespace weir
