// Where packets wait at their source host, and how they get onto its link: in the queues of adapter.h, as the scheme
// allows. A queue whose head the scheme holds back leaves the ring of those that may send, until it is woken.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "packet/clock/clock.h"
#include "packet/hosts/adapter.h"
#include "packet/hosts/at_once.h"
#include "packet/hosts/backlog.h"
#include "packet/hosts/before_data.h"
#include "packet/hosts/connections.h"
#include "packet/hosts/send_lists.h"
#include "packet/links/wire.h"
#include "packet/scheme/hooks.h"

namespace weir {

class SendQueues {
 public:
  SendQueues(const PacketConfig& config, const Topology& topology, const Workload& workload, std::size_t gated,
             std::uint32_t whole_records)
      : topology_(topology),
        adapters_(config.adapter, static_cast<std::uint32_t>(topology.hosts()), config.switches.lanes, workload),
        lists_(config, workload, topology.hosts(), whole_records),
        one_lane_(config.switches.lanes == 1 && config.switches.priority != LanePriority::preemptive),
        first_gated_(gated, kNoQueue),
        backlogs_(topology.hosts()) {}

  Adapters& adapters() { return adapters_; }
  const Adapters& adapters() const { return adapters_; }
  [[gnu::always_inline]] void fetch(HostId host) const {  // something will happen there soon
    __builtin_prefetch(&backlogs_[host], 1);
    adapters_.fetch(host);
  }
  [[gnu::always_inline]] void fetch_drawn_again(std::uint32_t source) const { lists_.fetch(source); }
  [[gnu::always_inline]] void fetch_replayed(std::uint32_t source) const { lists_.fetch_all(source); }
  [[gnu::always_inline]] void fetch_gated(ConnectionId c) const {  // it may be woken soon
    if (!first_gated_.empty()) __builtin_prefetch(&first_gated_[c.index], 1);
  }
  Backlogs& backlogs() { return backlogs_; }

  // A packet, or the token of a flow, joins its queue. `birth`: of a packet that a source has just made.
  template <class E>
  void submit(E& e, QueueId queue, Packet& p, const Birth* birth = nullptr) {
    if (e.setup.active()) {
      const PacketSlot slot = e.waiting.keep(p);
      if (!e.setup.hold(e, queue, slot)) submit_now(e, queue, slot);
      return;
    }
    const bool alone = adapters_.queue(queue).packets.empty();
    e.scheme.on_queued(e, p.source, p, alone);
    if (injects_at_once(e) && alone && one_lane_ && inject_at_once(e, queue, p)) return;
    PacketList& list = adapters_.queue(queue).packets;
    if (birth == nullptr || !lists_.append_small(e, queue, list, *birth, backlogs_[p.source].packets))
      append(e, queue, e.waiting.keep(p));
  }
  // The packet of a source at rest: others wait before it.
  template <class E>
  [[gnu::always_inline]] void join_unkept(E& e, QueueId queue, const Birth& birth) {
    lists_.append_unkept(e, queue, adapters_.queue(queue).packets, birth);
  }
  bool ends_unkept(QueueId queue) const { return lists_.ends_unkept(adapters_.queue(queue).packets); }
  template <class E>
  void submit_now(E& e, QueueId queue, PacketSlot slot) {
    Packet& p = e.waiting[slot];
    e.scheme.on_queued(e, p.source, p, adapters_.queue(queue).packets.empty());
    append(e, queue, slot);
  }
  // The memory of the adapter is full: the packet waits in the host, in order.
  template <class E>
  void overflow(E& e, Packet& p, SourceSlot from) {
    p.load(from);
    adapters_.overflow(p.source).push_back(e.waiting, e.waiting.keep(p));
  }
  // Packets that are no data have a queue of their own at a host's link, which goes before the adapter's.
  template <class E>
  void send_before_data(E& e, HostId host, const Packet& p) {
    const LinkId link = topology_.host_port(host);
    if (one_lane_ && promise_before_data(e, link, p)) return;
    e.fabric().channel(e.fabric().channel_of(link, p.lane())).queue.push_back(e.waiting, e.waiting.keep(p));
    e.offer(link);
  }

  // The gate of this connection may be open now.
  template <class E>
  void wake(E& e, ConnectionId connection) {
    QueueId queue = std::exchange(first_gated_[connection.index], kNoQueue);
    while (queue.valid()) {
      const QueueId next = adapters_.queue(queue).next;
      make_ready(e, queue);
      queue = next;
    }
  }
  template <class E>
  void on_wake(E& e, QueueId queue) {
    Adapters::Queue& q = adapters_.queue(queue);
    if (q.wake_at <= e.clock().ps()) q.wake_at = kNever.ps;
    if (q.state != Adapters::State::gated) return;
    QueueId* link = &first_gated_[e.waiting[q.packets.head].connection.index];
    while (*link != queue) link = &adapters_.queue(*link).next;
    *link = q.next;
    make_ready(e, queue);
  }

  // The queue of the lowest rank and the one before it, where the ranks of all are known; else none.
  QueueId lowest_ranked(const FlowRanks& ranks, RingId ring, QueueId& its_before) const {
    QueueId lowest, before;
    double rank_of_lowest = kUnranked;
    for (QueueId q = adapters_.first(ring); q.valid();) {
      const double rank = ranks.of(q);
      if (rank == kUnranked) return kNoQueue;
      const bool lower = rank < rank_of_lowest;
      rank_of_lowest = lower ? rank : rank_of_lowest;
      its_before = {lower ? before.index : its_before.index};
      lowest = {lower ? q.index : lowest.index};
      before = q;
      q = adapters_.queue(q).next;
    }
    return lowest;
  }
  // The queues of flows at this host will be compared soon.
  [[gnu::always_inline]] void fetch_flows(const FlowRanks& ranks, HostId host) const {
    adapters_.of_flows().each(host, [&](QueueId queue) {
      __builtin_prefetch(&adapters_.queue(queue), 1);
      ranks.fetch(queue);
    });
  }

  // ---- the host's link is idle ----

  template <class E> bool any_ready(E& e, LinkId l, Lane lane) const {
    const HostId host = topology_.host_at(l);
    return e.scheme.any_traffic_on(e, host, lane, [&](Lane own) { return may_pick(e, host, own); });
  }
  // Sends one packet of this lane; false if there is none, or none may go.
  template <class E>
  bool serve(E& e, LinkId l, ChannelId channel, Lane lane) {
    Channel& c = e.fabric().channel(channel);
    if (!c.queue.empty()) {
      const PacketSlot slot = c.queue.head;
      Packet& p = e.waiting[slot];
      const std::int32_t cost = e.fabric().cost(p);
      if (!e.space.may_send(e, channel, cost)) return false;
      c.queue.pop_front(e.waiting);
      start_from_host(e, channel, p, cost, e.clock().ps());
      e.waiting.give_back(slot);
      return true;
    }
    Packet p;
    const HostId host = topology_.host_at(l);
    if (!e.scheme.any_traffic_on(e, host, lane, [&](Lane own) { return pick(e, host, channel, own, p); })) return false;
    if (e.scheme.has(Hook::traffic_on)) p.set_lane(lane);
    start_from_host(e, channel, p, e.fabric().cost(p), e.clock().ps());
    return true;
  }
  // The host's link has come free, and what waits for it in the adapter may go: the next packet starts without an
  // arbitration, which would choose the same one.
  template <class E>
  bool inject_next(E& e, LinkId l) {
    if (!injects_at_once(e) || !one_lane_ || !may_start_early(e) || adapters_.service() == AdapterService::oldest_first)
      return false;
    Link& link = e.fabric().link(l);
    const ChannelId channel{l.index};  // one lane: the link is its channel
    Channel& c = e.fabric().channel(channel);
    const HostId host = topology_.host_at(l);
    const RingId ring = adapters_.ring_of(host, {0});
    const QueueId queue = adapters_.first(ring);
    if (!queue.valid() || link.is(Link::kDirty) || !c.queue.empty() || c.is(Channel::kBlocked | Channel::kPaused))
      return false;
    Packet& p = e.waiting[adapters_.queue(queue).packets.head];
    const std::int32_t cost = e.fabric().cost(p);
    if (!p.is(PacketKind::data) || !e.fabric().space_by(channel, c, cost, e.clock().ps())) return false;
    e.sources.catch_up(e, host);
    backlogs_.note_early(host, e.clock().ps());
    e.delivery.stamp_injection(e, p);
    start_from_host(e, channel, p, cost, e.clock().ps());
    leave_queue(e, host, queue, p.size);
    leave_ring(queue, ring, kNoQueue);
    if (adapters_.any_ready(ring)) {
      link.set(Link::kFreePending);
      e.clock().at({link.busy_until}, EventKind::link_free, l.index);
    }
    return true;
  }

  // Visits the records; returns how many packets wait of which there is none.
  template <class E, class Visit>
  std::uint64_t each_waiting(E& e, const Visit& visit) {
    std::uint64_t unkept = 0;
    const auto walk = [&](const PacketList& list) { unkept += lists_.each(e.waiting, list, visit); };
    for (std::uint32_t q = 0; q < adapters_.queues(); ++q) walk(adapters_.queue({q}).packets);
    for (std::uint32_t h = 0; adapters_.limited() && h < topology_.hosts(); ++h) walk(adapters_.overflow({h}));
    return unkept;
  }
  // Packets that wait at hosts take memory: where there are too many, the source that finds it makes no more, even at
  // an instant at which it would make a billion, and the run ends.
  template <class E>
  [[gnu::always_inline]] bool ends_run(E& e) const {
    const std::uint64_t most = e.config().run.max_backlog;
    if (backlogs_.seen(e.clock().ps()) <= most) [[likely]] return false;
    e.end_at(e.clock().now(), Ending::saturated, "more than " + std::to_string(most) + " packets wait at the hosts");
    return true;
  }
  std::size_t bytes_of_state() const {
    return adapters_.bytes_of_state() + lists_.bytes_of_state() + first_gated_.capacity() * sizeof(QueueId) +
           backlogs_.bytes_of_state();
  }

 private:
  template <class E>
  [[gnu::always_inline]] void append(E& e, QueueId queue, PacketSlot slot) {
    const Packet& p = e.waiting[slot];
    lists_.append(e.waiting, adapters_.queue(queue).packets, slot);
    if (adapters_.queue(queue).state != Adapters::State::idle) return;
    adapters_.make_ready(adapters_.ring_of(p.source, p.lane()), queue);
    e.offer(topology_.host_port(p.source));
  }
  template <class E> void make_ready(E& e, QueueId queue) {
    const Packet& head = e.waiting[adapters_.queue(queue).packets.head];
    adapters_.make_ready(adapters_.ring_of(head.source, head.lane()), queue);
    e.offer(topology_.host_port(head.source));
  }
  // Asks the scheme whether the head of this queue may go; if not, the queue leaves the ring for the list of those that
  // wait for the same connection, behind them.
  template <class E>
  bool allowed(E& e, QueueId queue, RingId ring, QueueId before) {
    if (!e.scheme.has(Hook::gate)) return true;
    Adapters::Queue& q = adapters_.queue(queue);
    Packet& head = e.waiting[q.packets.head];
    const ConnectionId connection = head.connection;
    const Time when = e.scheme.gate(e, connection, head);
    if (when <= e.clock().now()) return true;
    adapters_.remove(ring, queue, before, Adapters::State::gated);
    QueueId* link = &first_gated_[connection.index];
    while (link->valid()) link = &adapters_.queue(*link).next;
    *link = queue;
    if (when.ps < q.wake_at) {
      q.wake_at = when.ps;
      e.clock().at(when, EventKind::queue_wake, queue.index);
    }
    return false;
  }
  // Is there a queue that may send? A scheme that keeps the lane closed offers the link when it opens.
  template <class E>
  [[gnu::always_inline]] bool may_pick(E& e, HostId host, Lane lane) const {
    return adapters_.any_ready(adapters_.ring_of(host, lane)) &&
           (!e.scheme.has(Hook::lane_open) || e.scheme.lane_open(e, host, lane));
  }
  // The packet that this host sends next on this lane, taken out of its queue; false if there is none or no space for
  // it.
  template <class E>
  bool pick(E& e, HostId host, ChannelId channel, Lane lane, Packet& picked) {
    if (!may_pick(e, host, lane)) return false;
    const RingId ring = adapters_.ring_of(host, lane);
    QueueId chosen, chosen_before, before;
    const bool ranked = e.scheme.has(Hook::rank);
    const bool oldest = ranked || adapters_.service() == AdapterService::oldest_first;
    const auto head_of = [&](QueueId queue) -> Packet& { return e.waiting[adapters_.queue(queue).packets.head]; };
    double lowest = 0;  // rank of the chosen one
    if (ranked) chosen = lowest_ranked(e.ranks, ring, chosen_before);
    for (QueueId q = chosen.valid() ? kNoQueue : adapters_.first(ring); q.valid();) {
      const QueueId next = adapters_.queue(q).next;
      if (!allowed(e, q, ring, before)) {
        q = next;
        continue;
      }
      const double rank = ranked ? e.scheme.rank(e, head_of(q).connection, head_of(q)) : 0;
      if (!chosen.valid() || (ranked ? rank < lowest : head_of(q).generated < head_of(chosen).generated)) {
        chosen = q;
        chosen_before = before;
        lowest = rank;
      }
      if (!oldest) break;
      before = q;
      q = next;
    }
    if (!chosen.valid()) return false;
    if (!e.space.may_send(e, channel, e.fabric().cost(e.waiting[adapters_.queue(chosen).packets.head])))
      return false;
    picked = take(e, host, chosen, ring, chosen_before);
    return true;
  }
  template <class E>
  Packet take(E& e, HostId host, QueueId queue, RingId ring, QueueId before) {
    Adapters::Queue& q = adapters_.queue(queue);
    const PacketSlot slot = q.packets.head;
    Packet p;
    if (e.waiting[slot].is(PacketKind::flow_token)) {
      e.setup.fetch_more(e.waiting[slot]);
      p = e.sources.cut_from_flow(e, e.waiting[slot]);
      if (e.sources.unsent({p.connection.index}) == 0) drop_first(e, host, queue);
    } else {
      p = e.waiting[slot];
      leave_queue(e, host, queue, p.size);
    }
    leave_ring(queue, ring, before);
    e.delivery.stamp_injection(e, p);
    if (adapters_.limited()) admit_overflow(e, host);
    return p;
  }
  // The first packet of a queue is gone.
  template <class E>
  [[gnu::always_inline]] void drop_first(E& e, HostId host, QueueId queue) {
    e.sources.catch_up(e, host);
    lists_.drop_first(e, queue, adapters_.queue(queue).packets);
    if (!ends_unkept(queue)) e.sources.wake(e, host, queue);
  }
  // And it was data.
  template <class E>
  void leave_queue(E& e, HostId host, QueueId queue, std::uint32_t size) {
    drop_first(e, host, queue);
    adapters_.count_out(queue, size);
    backlogs_.count_out(host);
    if (adapters_.limited()) adapters_.leave(host, size);
  }
  // The turn of the next queue has come.
  void leave_ring(QueueId queue, RingId ring, QueueId before) {
    if (adapters_.queue(queue).packets.empty()) adapters_.remove(ring, queue, before, Adapters::State::idle);
    else if (!before.valid()) adapters_.rotate(ring);
  }
  template <class E>
  void admit_overflow(E& e, HostId host) {
    PacketList& waiting = adapters_.overflow(host);
    while (!waiting.empty() && adapters_.take(host, e.waiting[waiting.head].size)) {
      const PacketSlot slot = waiting.pop_front(e.waiting);
      Packet p = e.waiting[slot];
      e.waiting.give_back(slot);
      const SourceSlot from = p.cargo<SourceSlot>();
      p.load(SourceSlot{});
      submit(e, adapters_.queue_of(host, p.lane(), p.destination, from.number), p);
    }
  }

  const Topology& topology_;
  Adapters adapters_;
  SendLists lists_;
  bool one_lane_;
  std::vector<QueueId> first_gated_;    // per connection: first of the queues that wait for it
  Backlogs backlogs_;
};

}  // namespace weir
