// An engine that executes one of several parts of a fabric: what it does between windows, and at the end.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "packet/engine.h"
#include "packet/parts/borders.h"
#include "packet/parts/node_rows.h"

namespace weir {

template <class E>
class EnginePart {
 public:
  EnginePart(const RunInput& run, SchemeHooks& hooks, const SchemeTraits& traits, const Part& part)
      : engine_(run, hooks, traits, part) {
    engine_.start();
  }

  std::int64_t first_tick() const { return engine_.recorder.first_tick().ps; }

  // After everything before `executed`.
  PartState state(std::int64_t executed) {
    PartState state;
    state.next = std::min(engine_.clock_.next_start(), engine_.part.first());
    state.tick = engine_.next_tick_.ps;
    state.busy_at_tick = engine_.busy_at_tick_;
    state.most_backlog = std::exchange(most_backlog_, 0);
    state.completed = engine_.sources.completed();
    state.earliest_end = earliest_end(executed);
    state.received = engine_.delivery.received();
    if (const ClassId c = engine_.delivery.waits_for(); c.valid()) {
      const ClassResult& result = engine_.recorder.results().classes[c.index];
      state.class_sources = engine_.sources.open_sources(c);
      state.class_flows = engine_.sources.open_flows(c);
      state.class_under_way = static_cast<std::int64_t>(result.generated - result.received);
    }
    return state;
  }
  // What will happen before `end` at the hosts of this part.
  Forecast foresee(std::int64_t end, bool with_arrivals) {
    Forecast forecast;
    const ClassId ends_run = engine_.delivery.waits_for();
    struct OfFlow {
      std::uint32_t flow;
      Bytes payload;
      std::int64_t at;
    };
    std::vector<OfFlow> of_flows;
    engine_.clock_.for_each_packet_before(end, [&](const Packet& p) {
      if (!p.is(PacketKind::data)) return;
      if (!engine_.topology().is_host(engine_.fabric_.receiver(engine_.fabric_.link_of(p.came_by)))) return;
      if (with_arrivals) forecast.arrivals.push_back(p.time);
      if (ends_run.valid() && p.traffic_class == ends_run.index) {
        ++forecast.class_packets;
        forecast.class_last = std::max(forecast.class_last, p.time);
      }
      if (p.connection.valid() && engine_.connections_.is_flow(p.connection))
        of_flows.push_back({p.connection.index, p.payload, p.time});
    });
    std::sort(of_flows.begin(), of_flows.end(), [](const OfFlow& a, const OfFlow& b) { return a.flow < b.flow; });
    for (std::size_t i = 0; i < of_flows.size();) {
      const std::uint32_t flow = of_flows[i].flow;
      Bytes bytes = engine_.recorder.results().flows[flow].delivered;
      std::int64_t last = 0;
      for (; i < of_flows.size() && of_flows[i].flow == flow; ++i) {
        bytes += of_flows[i].payload;
        last = std::max(last, of_flows[i].at);
      }
      if (bytes != engine_.workload().flows[FlowId{flow}].bytes) continue;
      forecast.completed.push_back({FlowId{flow}, Time{last}});
      forecast.class_flows += engine_.workload().flows[FlowId{flow}].traffic_class == ends_run;
    }
    return forecast;
  }
  // What all parts have foreseen takes effect here.
  void apply(const Forecast& all, std::uint64_t received) {
    engine_.sources.on_foreseen(engine_, all.completed, all.arrivals, received);
  }
  std::uint64_t next_threshold() const { return engine_.sources.next_threshold(); }
  void end_at(std::int64_t end) { engine_.end_at({end}, Ending::finished); }
  // Takes what the other parts have sent. Ticks go on as long as anything goes on anywhere.
  void open_window(bool ticks_go_on) {
    receive_mail();
    const Time tick = std::exchange(engine_.next_tick_, kNever);
    if (tick != kNever && ticks_go_on) engine_.clock_.at(tick, EventKind::tick, kMeasureTick);
  }
  std::int64_t bin_width() const { return engine_.clock_.bin_width(); }
  void execute_before(std::int64_t end) {
    engine_.clock_.run_before(engine_, end);
    if (engine_.sources.resting().may_rest()) return;  // too many cannot be made
    // More cannot have waited at any moment of this window.
    const std::uint64_t generated = engine_.sources.generated();
    const std::uint64_t before = std::exchange(generated_before_, generated);
    const std::uint64_t waiting = engine_.send_queues.backlogs().seen(engine_.clock_.ps());
    most_backlog_ = std::max(most_backlog_, waiting + generated - before);
  }

  // ---- after the last window: every step is taken by all parts, before one of them takes the next ----

  // What is still on its way to this part is counted among what it has.
  void close() {
    engine_.clock_.set({engine_.stop_at_});
    engine_.sources.catch_up_all(engine_);
    receive_mail();
  }
  // Room for what all parts have measured at their nodes.
  Measurements room_for_all() const { return engine_.recorder.room_for_all(engine_.fabric_); }
  // Other parts learn what has come from them and has not landed.
  void show_senders() {
    engine_.clock_.for_each_packet([&](const Packet& p) {
      const NodeId sender = engine_.fabric_.sender(engine_.fabric_.link_of(p.came_by));
      if (!engine_.part.owns(sender)) engine_.part.post(p, p.time, p.came_by, sender);
    });
  }
  void put(Measurements& all) {
    engine_.part.next_window();
    engine_.part.each_box([&](Mail::Box& box) {
      engine_.on_own_wires_.insert(engine_.on_own_wires_.end(), box.packets.begin(), box.packets.end());
    });
    engine_.take_back_unstarted();
    engine_.recorder.finish_ports(all, engine_.fabric_, engine_.part, engine_.clock_.ps(),
                                  engine_.still_waiting());
    engine_.recorder.put(all, engine_.workload(), engine_.part);
  }
  // Reads only what no longer changes after close(): also other threads may call it.
  void put_frame(FabricFrame& all, std::size_t number) const {
    engine_.recorder.put(all, number, engine_.fabric_, engine_.part);
  }
  void count_received(Measurements& all) { engine_.count_received(all); }

  // ---- one part after the other ----

  void add_to(Audit& audit) { audit.add(engine_); }
  std::size_t channels() const { return engine_.fabric_.channels(); }
  // What this part has measured beside its nodes goes into `whole`.
  void hand_over(EnginePart& whole) {
    E& to = whole.engine_;
    to.other_hops += engine_.other_hops;
    count_own();
    to.recorder.absorb(engine_.recorder);
    to.delivery.order().absorb(engine_.delivery.order().seen(engine_.stop_at_), engine_.stop_at_);
  }
  // To another process, after the other parts of this one have handed over: all that it has measured.
  void pack(BytesOut& out, const Measurements& all) {
    count_own();
    out.put(engine_.other_hops);
    engine_.recorder.pack(out);
    out.put(engine_.delivery.order().seen(engine_.stop_at_));
    pack_rows(out, all);
    engine_.scheme.hooks().pack(out, [&](NodeId node) { return engine_.part.is_in_process(node); });
  }
  void absorb(BytesIn& in, Measurements& all) {
    engine_.other_hops += in.get<std::uint64_t>();
    engine_.recorder.absorb(in);
    engine_.delivery.order().absorb(in.get<Resequencer::Seen>(), engine_.stop_at_);
    add_rows(in, all);
    engine_.scheme.hooks().unpack(in);
  }
  // What came over cables between processes: only here is it known how much was sent.
  void count_received_from_ranks(Measurements& all) {
    const Topology& topology = engine_.topology();
    const Cut& cut = *engine_.part.cut();
    for (PortId p{0}; p.index < all.ports.size(); ++p.index) {
      const PortId from = topology.from(p);
      if (!from.valid() || cut.rank_of(topology.node_of(p)) == cut.rank_of(topology.node_of(from))) continue;
      all.ports[p.index].rcv_bytes += all.ports[from.index].xmit_bytes;
      all.ports[p.index].rcv_packets += all.ports[from.index].xmit_packets;
      engine_.recorder.results().totals.hops += all.ports[from.index].xmit_packets;
    }
  }
  // After all others have handed over. `followed`: every part has seen the flows of all complete.
  Measurements conclude(Measurements&& all, bool followed) {
    engine_.recorder.take(std::move(all));
    if (!followed) engine_.sources.recount(engine_.recorder.results().flows);
    Measurements& m = engine_.recorder.results();
    m.end = engine_.clock_.now();
    m.bin = engine_.recorder.bin_width();
    const EngineTotals others = m.totals;
    engine_.finish();
    m.totals.events = others.events + engine_.clock_.executed();
    m.totals.peak_packets_alive += others.peak_packets_alive;
    m.totals.state_bytes += others.state_bytes;
    m.totals.threads = engine_.part.cut()->parts;
    m.totals.ranks = engine_.part.cut()->ranks;
    m.totals.threads_because = engine_.part.cut()->because;
    return std::move(m);
  }

 private:
  void receive_mail() {
    engine_.part.next_window();
    Clock& clock = engine_.clock_;
    engine_.part.each_box([&](Mail::Box& box) {
      for (const Packet& p : box.packets) clock.send(p, p.time, p.came_by);
      const InputBuffers& inputs = engine_.fabric_.inputs();
      for (std::size_t i = 0; i < box.events.size(); ++i) {
        if (i + kSoon < box.events.size()) inputs.fetch({box.events[i + kSoon].entity()});
        const TimedEvent& event = box.events[i];
        if (event.kind() != EventKind::credit) clock.at({event.time}, event.kind(), event.entity(), event.aux);
        else engine_.space.comes_back(engine_, {event.entity()}, static_cast<std::int32_t>(event.aux), event.time);
      }
      box.packets.clear();
      box.events.clear();
    });
  }

  void count_own() {
    EngineTotals& totals = engine_.recorder.results().totals;
    totals.events += engine_.clock_.executed();
    totals.peak_packets_alive += engine_.waiting.peak();
    totals.state_bytes += engine_.bytes_of_state() - (engine_.part.leads() ? 0 : engine_.run_.routes.bytes_of_state());
    totals.lacked_space |= engine_.space.lacked();
  }

  // Flows to hosts of this part are looked at in turn, since what a flow lacks never grows: the first one that lacks
  // more than can arrive within a window says how long it takes at least.
  std::int64_t earliest_end(std::int64_t executed) {
    const auto& flows = engine_.workload().flows;
    for (; witness_ < flows.size(); ++witness_) {
      const Flow& flow = flows[FlowId{witness_}];
      if (flow.bytes == kEndless || !engine_.part.owns(engine_.topology().node(flow.destination))) continue;
      const Rate rate = engine_.topology().link(engine_.topology().host_port(flow.destination)).rate;
      const Bytes lacks = flow.bytes - engine_.recorder.results().flows[witness_].delivered;
      const Bytes margin = 3 * engine_.config().format.max_payload();
      if (lacks <= margin) continue;
      const std::int64_t least = rate.time_for(std::min(lacks - margin, kLongEnough)).ps;
      if (least > 2 * engine_.part.cut()->lookahead) return executed + least;
    }
    return 0;
  }

  static constexpr Bytes kLongEnough = Bytes{1} << 30;
  static constexpr std::size_t kSoon = 16;  // events: what they touch is fetched meanwhile

  E engine_;
  std::uint64_t generated_before_ = 0;  // this window
  std::uint64_t most_backlog_ = 0;      // since the last state
  std::uint32_t witness_ = 0;           // flow that may be far from its end
};

}  // namespace weir
