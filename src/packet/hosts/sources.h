// What the hosts make: packets of sources that draw at random, and packets cut from flows.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/big_vector.h"
#include "packet/clock/clock.h"
#include "packet/config/config.h"
#include "packet/hosts/replay.h"
#include "packet/hosts/resting.h"
#include "packet/packet.h"
#include "traffic/flow_progress.h"
#include "traffic/packet_format.h"
#include "traffic/source_state.h"
#include "traffic/workload.h"

namespace weir {

class Sources {
 public:
  Sources(const Workload& workload, const PacketConfig& config, std::uint64_t seed, std::size_t hosts, bool may_rest)
      : workload_(workload),
        format_(config.format),
        resting_(workload, hosts, may_rest),
        progress_(workload),
        open_sources_(workload.classes.size(), 0),
        open_flows_(workload.classes.size(), 0) {
    states_.reserve(workload.sources.size());
    of_group_.resize(workload.groups.size());
    for (const Source& source : workload.sources) {
      of_group_[source.group].push_back(static_cast<std::uint32_t>(states_.size()));
      groups_.push_back(source.group);
      states_.emplace_back(seed, source.stream());
      ++open_sources_[workload.groups[source.group].traffic_class.index];
    }
    unsent_.resize(workload.flows.size());
    for (std::uint32_t f = 0; f < workload.flows.size(); ++f) {
      const Flow& flow = workload.flows[{f}];
      unsent_[f] = flow.bytes;
      if (flow.bytes != kEndless) ++open_flows_[flow.traffic_class.index];
    }
  }

  template <class E>
  void start(E& e) {
    for (std::uint32_t g = 0; g < workload_.groups.size(); ++g) {
      const std::uint64_t threshold = workload_.groups[g].activity.after_received;
      if (threshold > 0) waiting_.push_back({threshold, g});
      else activate(e, g, {});
    }
    for (std::uint32_t t = 0; t < workload_.triggers.size(); ++t)
      waiting_.push_back({workload_.triggers[t], static_cast<std::uint32_t>(workload_.groups.size()) + t});
    std::sort(waiting_.rbegin(), waiting_.rend());
    for (const FlowProgress::Start& s : progress_.initial())
      if (e.part.owns(e.topology().node(workload_.flows[s.flow].source)))
        e.clock().at(s.at, EventKind::flow_start, s.flow.index);
    if (!e.part.is_whole()) leave_out_others(e);
  }

  template <class E>
  void on_generate(E& e, std::uint32_t source_index, HostId host) {
    if (e.send_queues.ends_run(e)) [[unlikely]] return;
    catch_up(e, host);
    const SourceGroup& group = group_of(source_index);
    const Time next = states_[source_index].next(workload_.sources[source_index], group, e.clock().now());
    e.clock().fetch(next);
    Birth birth{source_index, host, e.clock().now(),
                states_[source_index].draw(host, group, e.topology().hosts())};
    const SourceState::Draw& draw = birth.draw;
    const auto bytes = static_cast<std::uint32_t>(draw.payload + format_.header);
    const SourceSlot slot{static_cast<std::uint32_t>(workload_.flows.size()) + source_index};
    Adapters& adapters = e.send_queues.adapters();
    const QueueId queue = adapters.queue_of(host, {group.lane}, draw.destination, slot.number);
    if (!adapters.room(queue, bytes)) {
      ++e.recorder.results().classes[group.traffic_class.index].refused;
      schedule(e, source_index, host, next);
      return e.delivery.check_class_end(e, group.traffic_class);
    }
    Packet p = made(e, birth);
    e.recorder.generated(p.traffic_class, p.payload, e.clock().ps());
    ++generated_;
    e.recorder.backlog(host, p.traffic_class, e.send_queues.backlogs().count_in(host, e.clock().ps()));

    birth.next = next;
    if (draw.destination == host) {  // a uniform source may draw itself: no network needed
      schedule(e, source_index, host, next);
      e.send_queues.backlogs().count_out(host);
      e.delivery.stamp_injection(e, p);
      return e.delivery.deliver(e, p);
    }
    adapters.count_in(queue, bytes);
    if (!adapters.admit(host, bytes)) e.send_queues.overflow(e, p, slot);
    else e.send_queues.submit(e, queue, p, &birth);
    if (resting_.may_rest() && next != kNever && e.send_queues.ends_unkept(queue) && !may_draw_itself(group, host))
      resting_.rest(source_index, host, next);
    else schedule(e, source_index, host, next);
  }

  // ---- sources at rest (resting.h) ----

  // What they would have made by now at this host, before anything changes there.
  template <class E>
  [[gnu::always_inline]] void catch_up(E& e, HostId host) {
    if (resting_.any(host)) [[unlikely]]
      make_all(e, host, [&](Time at, std::uint32_t s) { return e.clock().past(at, EventKind::generate, s); });
  }
  // At all hosts, this instant included.
  template <class E>
  void catch_up_all(E& e) {
    for (std::uint32_t h = 0; resting_.any() && h < resting_.hosts(); ++h)
      if (resting_.any({h})) make_all(e, {h}, [&](Time at, std::uint32_t) { return at <= e.clock().now(); });
  }
  // A packet has left this queue of the host, and somebody may look at the next one that joins it.
  template <class E>
  void wake(E& e, HostId host, QueueId queue) {
    if (!resting_.any(host)) [[likely]] return;
    resting_.each_of(host, [&](std::uint32_t s) {
      if (queue_of(e, s, host) == queue) e.clock().at(resting_.wake(s, host), EventKind::generate, s, host.index);
    });
  }
  const RestingSources& resting() const { return resting_; }
  // The packet of a source as it was when it was made.
  template <class E>
  [[gnu::always_inline]] Packet made(E& e, const Birth& birth) const {
    const SourceGroup& group = group_of(birth.source);
    const HostId to = birth.draw.destination;
    Packet p = e.new_packet({.from = birth.host,
                             .to = to,
                             .bytes = static_cast<std::uint32_t>(birth.draw.payload + format_.header),
                             .lane = {group.lane},
                             .connection = e.connections().of_pair(birth.host, to, {group.lane})});
    p.time = p.generated = p.injected = birth.at.ps;
    p.payload = static_cast<std::uint16_t>(birth.draw.payload);
    p.traffic_class = static_cast<std::uint16_t>(group.traffic_class.index);
    return p;
  }

  template <class E>
  void on_flow_start(E& e, FlowId id) {
    const Flow& flow = workload_.flows[id];
    catch_up(e, flow.source);  // its packets join behind them
    e.recorder.results().flows[id.index].start = e.clock().now();
    e.scheme.hooks().on_flow_start({e, flow.source}, id);
    Packet token = e.new_packet(
        {.kind = PacketKind::flow_token, .from = flow.source, .to = flow.destination, .lane = {flow.lane}});
    token.connection = {id.index};
    token.size = next_size(id);
    e.send_queues.submit(
        e, e.send_queues.adapters().queue_of(flow.source, {flow.lane}, flow.destination, id.index), token);
  }
  template <class E>
  Packet cut_from_flow(E& e, Packet& token) {
    const FlowId id{token.connection.index};
    const Flow& flow = workload_.flows[id];
    const Bytes payload = std::min(unsent_[id.index], format_.payloads[0].payload);
    Packet p = e.new_packet({.from = flow.source,
                             .to = flow.destination,
                             .bytes = static_cast<std::uint32_t>(payload + format_.header),
                             .lane = {flow.lane},
                             .connection = token.connection});
    p.payload = static_cast<std::uint16_t>(payload);
    p.traffic_class = static_cast<std::uint16_t>(flow.traffic_class.index);
    if (flow.message) p.generated = e.recorder.results().flows[id.index].start.ps;
    if (flow.bytes != kEndless) {
      unsent_[id.index] -= payload;
      token.size = next_size(id);
    }
    e.recorder.generated(p.traffic_class, p.payload, e.clock().ps());
    ++generated_;
    return p;
  }
  const Bytes& unsent(FlowId flow) const { return unsent_[flow.index]; }

  // Groups, and behind them triggers of flows, that wait for a number of received packets.
  bool any_wait() const { return !waiting_.empty(); }
  template <class E>
  void activate_due(E& e, std::uint64_t received) {
    while (!waiting_.empty() && received >= waiting_.back().first) {
      const std::uint32_t group = waiting_.back().second;
      waiting_.pop_back();
      if (group >= workload_.groups.size()) {
        released_.clear();
        progress_.triggered(group - static_cast<std::uint32_t>(workload_.groups.size()), e.clock().now(), released_);
        start_released(e);
        continue;
      }
      activate(e, group, e.clock().now());
      e.delivery.check_class_end(e, workload_.groups[group].traffic_class);
    }
  }
  template <class E>
  void on_flow_complete(E& e, FlowId id) {
    --open_flows_[workload_.flows[id].traffic_class.index];
    ++completed_;
    const Flow& flow = workload_.flows[id];
    e.scheme.hooks().on_flow_end({e, flow.destination}, id);
    e.setup.on_flow_end(e, ConnectionId{id.index}, flow.source, flow.destination);
    if (!e.part.is_whole()) return;  // what this releases was foreseen
    released_.clear();
    progress_.completed(id, e.clock().now(), released_);
    start_released(e);
  }
  // Of a part, before a window of time: flows that will complete in any part, and, where traffic waits for a number of
  // packets, when they will be received after those `received` so far; both in the order of time.
  template <class E>
  void on_foreseen(E& e, const std::vector<FlowProgress::Start>& completed, const std::vector<std::int64_t>& arrivals,
                   std::uint64_t received) {
    released_.clear();
    std::size_t next = 0;
    const auto complete_by = [&](Time at) {
      for (; next < completed.size() && completed[next].at <= at; ++next)
        progress_.completed(completed[next].flow, completed[next].at, released_);
    };
    while (!waiting_.empty() && !arrivals.empty() && waiting_.back().first <= received + arrivals.size()) {
      const auto [threshold, waits] = waiting_.back();
      waiting_.pop_back();
      const Time at{arrivals[threshold > received ? threshold - received - 1 : 0]};
      complete_by(at);
      const auto groups = static_cast<std::uint32_t>(workload_.groups.size());
      if (waits < groups) activate(e, waits, at);
      else progress_.triggered(waits - groups, at, released_);
    }
    complete_by(kNever);
    start_released(e);
  }
  std::uint64_t next_threshold() const { return waiting_.empty() ? 0 : waiting_.back().first; }
  std::uint64_t completed() const { return completed_; }  // flows
  std::uint32_t open_sources(ClassId c) const { return open_sources_[c.index]; }
  std::uint32_t open_flows(ClassId c) const { return open_flows_[c.index]; }
  const FlowProgress& progress() const { return progress_; }
  // Flows were completed in several parts of the fabric: counts them anew.
  void recount(const std::vector<FlowResult>& flows) {
    std::vector<std::pair<Time, FlowId>> completed;
    for (std::uint32_t f = 0; f < flows.size(); ++f)
      if (flows[f].completion != kNever) completed.push_back({flows[f].completion, {f}});
    std::sort(completed.begin(), completed.end());
    progress_ = FlowProgress(workload_);
    for (const auto& [at, flow] : completed) progress_.completed(flow, at, released_);
  }
  std::uint64_t generated() const { return generated_; }
  const SourceState* state(std::uint32_t source) const { return &states_[source]; }
  [[gnu::always_inline]] void fetch(std::uint32_t source) const {
    __builtin_prefetch(&states_[source], 1);
    __builtin_prefetch(&groups_[source]);
  }
  std::size_t bytes_of_state() const { return states_.capacity() * sizeof(SourceState) + resting_.bytes_of_state(); }

 private:
  // The queue of a source whose packets all wait in one.
  template <class E>
  QueueId queue_of(E& e, std::uint32_t source, HostId host) const {
    return e.send_queues.adapters().queue_of(host, {group_of(source).lane}, {},
                                             static_cast<std::uint32_t>(workload_.flows.size()) + source);
  }
  // Packets of the sources that rest at this host, in the order of time, as long as they are due(time, source).
  template <class E, class Due>
  [[gnu::noinline]] void make_all(E& e, HostId host, const Due& due) {
    for (;;) {
      std::uint32_t first = 0;
      Time at = kNever;
      resting_.each_of(host, [&](std::uint32_t s) {
        if (resting_.next(s) >= at) return;
        at = resting_.next(s);
        first = s;
      });
      if (at == kNever || !due(at, first)) return;
      const SourceGroup& group = group_of(first);
      const Time next = states_[first].next(workload_.sources[first], group, at);
      const Birth birth{first, host, at, states_[first].draw(host, group, e.topology().hosts()), next};
      e.recorder.generated(group.traffic_class.index, static_cast<std::uint32_t>(birth.draw.payload), at.ps);
      ++generated_;
      e.recorder.backlog(host, group.traffic_class.index, e.send_queues.backlogs().count_in(host, at.ps));
      e.send_queues.join_unkept(e, queue_of(e, first, host), birth);
      if (next != kNever) {
        resting_.set_next(first, next);
      } else {
        resting_.wake(first, host);
        --open_sources_[group.traffic_class.index];
      }
    }
  }
  const SourceGroup& group_of(std::uint32_t source) const { return workload_.groups[groups_[source]]; }
  template <class E>
  void activate(E& e, std::uint32_t group, Time trigger) {
    const SourceGroup& g = workload_.groups[group];
    for (const std::uint32_t i : of_group_[group]) {
      if (!e.part.owns(e.topology().node(workload_.sources[i].host))) continue;
      const Time at = states_[i].first(workload_.sources[i], g, trigger + g.activity.start);
      if (at == kNever) --open_sources_[g.traffic_class.index];
      else e.clock().at(at, EventKind::generate, i, workload_.sources[i].host.index);
    }
  }
  // The source makes another packet then.
  template <class E>
  [[gnu::always_inline]] void schedule(E& e, std::uint32_t index, HostId host, Time next) {
    if (next == kNever) --open_sources_[group_of(index).traffic_class.index];
    else e.clock().at(next, EventKind::generate, index, host.index);
  }
  template <class E>
  void start_released(E& e) {
    for (const FlowProgress::Start& s : released_)
      if (e.part.owns(e.topology().node(workload_.flows[s.flow].source)))
        e.clock().at(s.at, EventKind::flow_start, s.flow.index);
  }
  // A part has the sources of its hosts, and the flows that end there.
  template <class E>
  void leave_out_others(E& e) {
    for (const Source& source : workload_.sources)
      if (!e.part.owns(e.topology().node(source.host)))
        --open_sources_[workload_.groups[source.group].traffic_class.index];
    for (const Flow& flow : workload_.flows)
      if (flow.bytes != kEndless && !e.part.owns(e.topology().node(flow.destination)))
        --open_flows_[flow.traffic_class.index];
  }
  std::uint16_t next_size(FlowId id) const {
    return static_cast<std::uint16_t>(std::min<Bytes>(unsent_[id.index], format_.payloads[0].payload) +
                                      format_.header);
  }

  const Workload& workload_;
  const PacketFormat& format_;
  RestingSources resting_;
  BigVector<SourceState> states_;
  std::vector<std::uint32_t> groups_;                             // per source: close together, for every packet
  std::vector<std::vector<std::uint32_t>> of_group_;              // per group: its sources, ascending
  std::vector<std::pair<std::uint64_t, std::uint32_t>> waiting_;  // (threshold, group or trigger), descending
  FlowProgress progress_;
  std::vector<Bytes> unsent_;  // per flow
  std::vector<FlowProgress::Start> released_;
  std::vector<std::uint32_t> open_sources_;  // per class: sources that have not finished
  std::vector<std::uint32_t> open_flows_;    // per class
  std::uint64_t generated_ = 0;              // data packets
  std::uint64_t completed_ = 0;              // flows
};

}  // namespace weir
