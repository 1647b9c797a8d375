// Packets that start onto their host's link without having queued, at once or promised for the moment at which it comes
// free: where nothing that happens meanwhile could come before them.
#pragma once
#include <algorithm>

#include "packet/clock/clock.h"
#include "packet/hosts/adapter.h"
#include "packet/hosts/backlog.h"
#include "packet/links/wire.h"
#include "packet/scheme/hooks.h"

namespace weir {

// Without gates and other questions to the scheme, a packet that finds its adapter empty and its link idle starts
// without having queued: nothing that happens later in this instant could come before it.
template <class E> bool injects_at_once(E& e) {
  return e.switches.promises() && !e.scheme.has(Hook::gate) && !e.scheme.has(Hook::lane_open) &&
         !e.scheme.has(Hook::on_inject);
}
// Where there are several queues, what happens later in this instant could join the ring before this packet leaves.
template <class E> bool may_start_early(E& e) {
  const Adapters& adapters = e.send_queues.adapters();
  return adapters.unlimited() && (adapters.one_queue() || !e.clock().more_now());
}
// May a packet that finds the link busy be put onto it for the moment at which it comes free? Then waiting takes no
// event. Nothing else may want the link before, and all that hosts do is to count.
template <class E> bool may_promise(E& e, HostId host, std::int64_t starts) {
  return e.counts_ahead && e.sources.resting().may_rest() && e.send_queues.adapters().one_queue() &&
         starts <= e.stop_at() && e.send_queues.backlogs().promised(host).room(starts, e.clock().ps());
}

template <class E>
[[gnu::always_inline]] inline void start_from_host(E& e, ChannelId channel, Packet& p, std::int32_t cost,
                                                   std::int64_t at) {
  const Outlet out = outlet(e, channel);
  send(e, out, p, cost, passage(e, out, p, at));
}
// Of a fabric of one lane, a packet that finds its queue empty. False if it must queue.
template <class E>
[[gnu::always_inline]] inline bool inject_at_once(E& e, QueueId queue, Packet& p) {
  const LinkId l = e.topology().host_port(p.source);
  const Link& link = e.fabric().link(l);
  const ChannelId channel{l.index};
  Channel& c = e.fabric().channel(channel);
  Adapters& adapters = e.send_queues.adapters();
  const std::int64_t now = e.clock().ps(), starts = std::max(now, link.busy_until);
  if (link.is(Link::kDirty | Link::kWaiting) || !c.queue.empty() || c.is(Channel::kBlocked | Channel::kPaused) ||
      adapters.any_ready(adapters.ring_of(p.source, {0})) || !may_start_early(e) || !p.is(PacketKind::data) ||
      (starts > now && !may_promise(e, p.source, starts)))
    return false;
  const std::int32_t cost = e.fabric().cost(p);
  if (!e.fabric().space_by(channel, c, cost, starts)) return false;
  e.sources.catch_up(e, p.source);
  adapters.count_out(queue, p.size);
  Backlogs& backlogs = e.send_queues.backlogs();
  backlogs.count_out(p.source);
  if (starts > now) backlogs.promised(p.source).put(starts, now);
  else backlogs.note_early(p.source, now);
  e.delivery.stamp_injection(e, p, starts);
  start_from_host(e, channel, p, cost, starts);
  return true;
}

}  // namespace weir
