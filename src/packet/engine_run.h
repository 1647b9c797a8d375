// How a run of the engine goes: start, events, end.
#pragma once
#include <algorithm>

#include "packet/engine.h"
#include "packet/links/promises.h"
#include "packet/parts/borders.h"

namespace weir {

// Order is checked for free where the tables are small, and measured wherever packets may overtake each other.
inline Connections::Need numbers_needed(const RunInput& run, const SchemeTraits& scheme) {
  if (scheme.connections) return Connections::Need::required;
  const RouteChoiceKind& choice = *run.config.switches.choice;
  if (scheme.reorders || !choice.keeps_order || choice.sets_up) return Connections::Need::wanted;
  return kChecks ? Connections::Need::if_small : Connections::Need::none;
}

inline constexpr std::size_t kSmallFabric = std::size_t{3} << 18;  // bytes: most of a usual second-level cache

template <class Calls, class Switches>
Engine<Calls, Switches>::Engine(const RunInput& run, SchemeHooks& hooks, const SchemeTraits& traits, const Part& own)
    : EngineView(run, own, numbers_needed(run, traits)),
      scheme(hooks, traits),
      space(run.config.switches, run.topology),
      preemption(run.config.switches, fabric_.links()),
      outputs(run.config.switches, fabric_.links()),
      routing(run.config.switches, run.topology, run.routes, run.seed, traits.has(Hook::choose_step)),
      setup(run.config.switches, run.topology, run.routes, run.workload, connections_, run.seed),
      switches(run.config, run.topology, fabric_, crossbar_may_promise(run, traits)),
      sources(run.workload, run.config, run.seed, run.topology.hosts(), sources_may_rest(run, traits)),
      send_queues(run.config, run.topology, run.workload,
                   traits.has(Hook::gate) ? connections_.count() : std::size_t{0}, run.whole_records),
      receivers(run.config.adapter, run.topology.hosts()),
      recorder(run.config, run.workload, run.topology, fabric_.used().size()),
      delivery(run.config, run.workload, connections_, traits.acknowledges || run.config.adapter.acks),
      calms_down(may_calm_down(run, traits) && own.is_whole()),
      counts_ahead(hosts_count_ahead(run, traits)),
      watch_(run.config.measure, run.topology),
      stop_at_(std::min(run.config.run.duration.ps, run.config.run.max_time.ps)),
      routes_proven_(run.routes_proven && !traits.has(Hook::choose_step)),
      fetches_(fabric_.bytes_of_state() + switches.bytes_of_state() + setup.bytes_of_state() > kSmallFabric) {
  WEIR_CHECK(run.routes.lanes().size() == run.config.switches.blocks.size());
  mark_borders(fabric_, part);
  ranks.prepare(send_queues.adapters().of_flows());
}

template <class Calls, class Switches>
Measurements Engine<Calls, Switches>::run() {
  start();
  clock_.run(*this);
  recorder.results().totals.events = clock_.executed();
  if (stop_at_ != kNever.ps) clock_.set(std::max(clock_.now(), Time{stop_at_}));
  sources.catch_up_all(*this);
  finish();
  return std::move(recorder.results());
}

template <class Calls, class Switches>
void Engine<Calls, Switches>::start() {
  auto& flows = recorder.results().flows;
  flows.resize(workload().flows.size());
  for (std::uint32_t f = 0; f < flows.size(); ++f) {
    const Flow& flow = workload().flows[{f}];
    flows[f] = {flow.source, flow.destination, flow.traffic_class, flow.app, flow.phase, {}, flow.bytes, 0, 0,
                kNever,      kNever,           kNever,             0};
  }
  sources.start(*this);
  clock_.at(recorder.first_tick(), EventKind::tick, kMeasureTick);
  if (watch_.active()) clock_.at({}, EventKind::tick, kWatchTick);
  delivery.start(*this);
  if (!part.leads()) return;  // what a scheme keeps for nodes exists once in a process, and is set up once
  scheme.hooks().prepare(*this);
  scheme.hooks().on_start(GlobalView(*this));
}

// ---- events ----

template <class Calls, class Switches>
[[gnu::always_inline]] inline void Engine<Calls, Switches>::land(Packet& p) {
  if (interrupts(*this)) [[unlikely]] {
    if (const std::int64_t later = preemption.stretched(fabric(), fabric().link_of(p.came_by), p); later > 0) {
      clock_.send(p, p.time + later, p.came_by);
      return;
    }
  }
  if (p.takes != Packet::kItsHost) return switches.land(*this, p);
  if (receivers.active()) [[unlikely]] receivers.take(*this, p);
  delivery.deliver(*this, p);
}

template <class Calls, class Switches>
void Engine<Calls, Switches>::handle(const TimedEvent& event) {
  const std::uint32_t entity = event.entity();
  switch (event.kind()) {
    case EventKind::arrival: return;
    case EventKind::crossing:
    case EventKind::crossbar_free: return switches.handle(*this, event);
    case EventKind::packet_ready: return switches.on_ready(*this, {entity});
    case EventKind::pause_frame: return space.on_frame(*this, {entity});
    case EventKind::link_free: return outputs.on_link_free(*this, {entity}, event.aux != 0);
    case EventKind::credit: return space.on_release(*this, {entity}, static_cast<std::int32_t>(event.aux));
    case EventKind::pause: return space.on_pause(*this, {entity}, event.aux == kStop);
    case EventKind::generate: return sources.on_generate(*this, entity, HostId{event.aux});
    case EventKind::flow_start: return sources.on_flow_start(*this, {entity});
    case EventKind::queue_wake: return send_queues.on_wake(*this, {entity});
    case EventKind::global_timer: return scheme.hooks().on_global_timer(GlobalView(*this), entity, event.aux);
    case EventKind::timer: return on_node_timer(scheme.hooks(), *this, NodeId{entity}, event.aux);
    case EventKind::setup_timer: return entity == RouteSetup::kCalm ? on_calm() : setup.on_timer(*this, {entity});
    case EventKind::tick: return entity == kWatchTick ? on_watch() : on_tick();
  }
}

template <class Calls, class Switches>
void Engine<Calls, Switches>::on_calm() {
  if (preemption.active()) preemption.end();
  switches.calm();
}

template <class Calls, class Switches>
void Engine<Calls, Switches>::on_tick() {
  const Time next = recorder.tick(fabric_, clock_.ps());
  if (run_.progress && part.number() == 0) {
    const RunConfig& run = config().run;
    run_.progress(run.until == Until::duration
                      ? static_cast<double>(clock_.ps()) / static_cast<double>(run.duration.ps)
                      : -1.0,
                  clock_.now());
  }
  if (run_.live != nullptr && run_.live->wanted()) {
    sources.catch_up_all(*this);
    run_.live->publish(recorder.so_far(fabric_, clock_.ps(), still_waiting()));
  }
  if (!part.is_whole()) {
    busy_at_tick_ =
        clock_.pending() + part.posted() + waiting.count() > 0 || unsettled() || delivery.lands_later(*this);
    next_tick_ = next;
    return;
  }
  const std::size_t ticks = watch_.active() ? 1 : 0;  // the other tick says nothing about the network
  if (clock_.pending() <= ticks) sources.catch_up_all(*this);  // perhaps they have made their last packets
  const bool nothing_pending =
      clock_.pending() <= ticks && !unsettled() && !sources.resting().any() && !delivery.lands_later(*this);
  check_stall(nothing_pending);
  if (!nothing_pending) clock_.at(next, EventKind::tick, kMeasureTick);
  last_tick_ = clock_.ps();
}

template <class Calls, class Switches>
void Engine<Calls, Switches>::on_watch() {
  const Time next = watch_.sample(fabric_, delivery.order(), clock_.ps());
  if (clock_.pending() > 0 || unsettled()) clock_.at(next, EventKind::tick, kWatchTick);
}

// Looks for a deadlock where there is a reason to: nothing is pending any more although packets are on their way; or
// the routes were not proven free of cycles, and some link has waited since before the last tick (with several lanes:
// some channel waits). A search looks at all packets, so after one in vain the next waits twice as long: a deadlock is
// noticed when the run has become about twice as long as when it arose, at the latest, or at the end of the run.
template <class Calls, class Switches>
void Engine<Calls, Switches>::check_stall(bool nothing_pending) {
  if (send_queues.ends_run(*this)) return;
  if (nothing_pending) {
    if (sources.generated() > delivery.received() + delivery.lost() && !search_deadlock())
      end_at(clock_.now(), Ending::saturated, "nothing moves any more, though no cycle of links was found");
    return;
  }
  if (routes_proven_ || clock_.ps() < next_search_ || !anybody_waits() || search_deadlock()) return;
  search_gap_ = 2 * std::max(search_gap_, clock_.ps() - last_tick_);
  next_search_ = clock_.ps() + search_gap_;
}

template <class Calls, class Switches>
bool Engine<Calls, Switches>::anybody_waits() const {
  bool found = false;
  fabric_.used().each([&](std::uint32_t l, std::size_t) {
    found |= fabric_.wait({l}).since >= 0 && fabric_.wait({l}).since < last_tick_;
    if (fabric_.lanes() == 1) return;
    fabric_.each_channel({l}, [&](ChannelId c) {
      found |= fabric_.channel(c).is(Channel::kBlocked | Channel::kPaused);
    });
  });
  return found;
}

// True if there is one; the run ends with it.
template <class Calls, class Switches>
bool Engine<Calls, Switches>::search_deadlock() {
  const std::vector<std::uint32_t> cycle = find_deadlock(standstill(*this));
  if (cycle.empty()) return false;
  std::string text = "each of these ports waits for the next: ";
  const auto name = [&](std::uint32_t c) {
    const std::string lane = routing.changes_lanes() ? " lane " + std::to_string(fabric_.lane_of({c}).index) : "";
    return topology().port_name(fabric_.link_of({c})) + lane;
  };
  for (const std::uint32_t c : cycle) text += name(c) + ", ";
  end_at(clock_.now(), Ending::deadlock, text + name(cycle.front()));
  return true;
}

// ---- the end ----

template <class Calls, class Switches>
void Engine<Calls, Switches>::end_at(Time when, Ending ending, std::string text) {
  if (ending_set_ && when.ps >= stop_at_) return;
  ending_set_ = true;
  stop_at_ = when.ps;
  recorder.results().ending = ending;
  recorder.results().ending_text = std::move(text);
}

// Nothing is left to do, yet the end condition was not met.
template <class Calls, class Switches>
std::string Engine<Calls, Switches>::unfinished() const {
  if (config().run.until == Until::flows)
    return "nothing moves any more, but " + std::to_string(sources.progress().remaining()) + " flows are not complete";
  const char* why = sources.any_wait() ? ": some traffic waits for more packets to be received than there are" : "";
  return "nothing is left to send, but class `" + config().run.until_class + "` is not complete" + why;
}

// Packets on the wires of links that begin here, or promised to them.
template <class Calls, class Switches>
template <class Visit>
void Engine<Calls, Switches>::each_on_own_wires(const Visit& visit) const {
  clock_.for_each_packet([&](const Packet& p) {
    if (part.owns(fabric_.sender(fabric_.link_of(p.came_by)))) visit(p);
  });
  for (const Packet& p : on_own_wires_) visit(p);
}

// Per link: bytes x time, up to now, of the packets that wait for it still; less what was counted in advance for those
// that were promised a later start.
template <class Calls, class Switches>
std::vector<CostTime> Engine<Calls, Switches>::still_waiting() {
  std::vector<CostTime> area(fabric_.links(), 0);
  switches.each_queued(*this, [&](PacketSlot slot, ChannelId channel) {
    const LinkId l = fabric_.link_of(channel);
    const Packet& p = waiting[slot];
    if (!fabric_.link(l).is(Link::kFromHost)) area[l.index] += CostTime{p.size} * (clock_.ps() - p.time);
  });
  each_on_own_wires([&](const Packet& p) {
    const LinkId l = fabric_.link_of(p.came_by);
    if (!fabric_.link(l).is(Link::kFromHost) && !has_started(p))
      area[l.index] -= CostTime{p.size} * switches.waits_ahead(p, start_of(p) - clock_.ps());
  });
  return area;
}

// Packets that were put onto a link for a moment after the end have not been sent.
template <class Calls, class Switches>
void Engine<Calls, Switches>::take_back_unstarted() {
  each_on_own_wires([&](const Packet& p) {
    if (has_started(p)) return;
    fabric_.take_back(fabric_.link_of(p.came_by), p.size);
    if (!p.is(PacketKind::data)) --other_hops;
  });
}

// What was sent was received, but for packets on the wire.
template <class Calls, class Switches>
void Engine<Calls, Switches>::count_received(Measurements& m) {
  EngineTotals& totals = recorder.results().totals;
  for (std::uint32_t p = 0; p < m.ports.size(); ++p) {
    const PortId from = topology().from({p});
    if (!from.valid() || !part.owns(topology().node_of(PortId{p}))) continue;
    m.ports[p].rcv_bytes = m.ports[from.index].xmit_bytes;
    m.ports[p].rcv_packets = m.ports[from.index].xmit_packets;
    totals.hops += m.ports[from.index].xmit_packets;
  }
  clock_.for_each_packet([&](const Packet& p) {
    if (!has_started(p)) return;
    PortResult& port = m.ports[topology().to(fabric_.link_of(p.came_by)).index];
    port.rcv_bytes -= p.size;
    --port.rcv_packets;
  });
}

template <class Calls, class Switches>
void Engine<Calls, Switches>::finish() {
  if constexpr (kChecks)
    if (part.is_whole()) audit();
  if (!ending_set_ && !routes_proven_ && anybody_waits()) search_deadlock();
  Measurements& m = recorder.results();
  const RunConfig& run = config().run;
  if (!ending_set_) {
    if (run.until == Until::duration && clock_.now() >= run.duration) {
      m.ending = Ending::duration;
    } else {
      m.ending = Ending::saturated;
      m.ending_text = clock_.now() >= run.max_time ? "max_time reached before the end condition" : unfinished();
    }
  }
  if (part.is_whole()) {  // parts have done this side by side
    take_back_unstarted();
    recorder.finish(fabric_, clock_.ps(), still_waiting());
    count_received(m);
  }
  m.totals.data_hops = m.totals.hops - other_hops;
  m.phase_ends = sources.progress().phase_ends();
  Resequencer& order = delivery.order();
  if (order.active()) m.resequencing = order.result(clock_.ps());
  watch_.finish(fabric_, order, clock_.ps(), m);
  m.totals.peak_packets_alive = waiting.peak();
  m.totals.lacked_space |= space.lacked();
  m.totals.state_bytes = bytes_of_state();
  setup.report(m);
  scheme.hooks().on_end(GlobalView(*this));
  scheme.hooks().report(m);
  m.one_thread = why_one_thread(scheme.hooks(), scheme.traits());
}

template <class Calls, class Switches>
std::size_t Engine<Calls, Switches>::bytes_of_state() {
  return fabric_.bytes_of_state() + space.bytes_of_state() + waiting.bytes_of_state() + clock_.bytes_of_state() +
         switches.bytes_of_state() + send_queues.bytes_of_state() + sources.bytes_of_state() +
         connections_.bytes_of_state() + run_.routes.bytes_of_state() + routing.bytes_of_state() +
         setup.bytes_of_state() + ranks.bytes_of_state() + (part.leads() ? scheme.hooks().bytes_of_state() : 0);
}

}  // namespace weir
