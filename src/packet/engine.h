// The packet engine: a fabric simulated packet by packet. It only ties the parts together; each part is a class in a
// file of its own and reaches the others through the engine, which every one of its functions is given as `e`:
//
//   clock.h            what happens when                 fabric_state.h       links, queues in front of them, buffers
//   outputs.h          links and lanes take turns        preemption.h         lanes that interrupt others
//   wire.h             a packet starts onto its link     flow_control.h       who may send into which buffer
//   switches/          switch organisations              arbitration.h        which input has its turn
//   routing_choice.h   which way a packet takes          route_setup.h        routes of whole flows
//   sources.h          what hosts make                   send_queues.h        where it waits for the host's link
//   replay.h           drawn again, instead of kept      send_lists.h         how much of it is kept
//   slow_receivers.h   hosts slower than their link      lane_turns.h         lanes that share a link
//   delivery.h         what hosts receive                connections.h        what keeps its packets in order
//   recorder.h, watch.h  measurements                    standstill.h, audit.h  deadlocks; conservation
//   hooks.h, scheme_calls.h  what schemes are asked      scheme_state.h       what they keep
//   node_view.h        what they see and ask for         engine_view.h        what the views stand on
//
// Compiled for each switch organisation, with and without a scheme; organisations.cpp lists them. All else is data.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "packet/audit.h"
#include "packet/clock/clock.h"
#include "packet/flow_control/flow_control.h"
#include "packet/flow_control/standstill.h"
#include "packet/hosts/connections.h"
#include "packet/hosts/count_ahead.h"
#include "packet/hosts/delivery.h"
#include "packet/hosts/send_queues.h"
#include "packet/hosts/slow_receivers.h"
#include "packet/hosts/sources.h"
#include "packet/links/fabric_state.h"
#include "packet/links/outputs.h"
#include "packet/links/preemption.h"
#include "packet/parts/cut.h"
#include "packet/parts/windows.h"
#include "packet/recorder/recorder.h"
#include "packet/recorder/watch.h"
#include "packet/routing/notification.h"
#include "packet/routing/route_setup.h"
#include "packet/routing/routing_choice.h"
#include "packet/run_input.h"
#include "packet/scheme/engine_view.h"
#include "packet/scheme/scheme_calls.h"
#include "packet/switches/common.h"

namespace weir {

template <class SchemeCalls, class Switches>
class Engine final : public EngineView {
 public:
  Engine(const RunInput& run, SchemeHooks& hooks, const SchemeTraits& traits, const Part& part = {});
  Measurements run();

  // ---- what schemes ask for ----
  Bytes unsent(FlowId flow) const override { return sources.unsent(flow); }
  std::int32_t output_occupancy(ChannelId c) override { return switches.output_occupancy(*this, c); }
  void for_each_waiting(ChannelId in, const std::function<void(const Packet&)>& visit) override {
    switches.each_behind(*this, in, visit);
  }
  void wake(ConnectionId connection) override { send_queues.wake(*this, connection); }
  void offer(LinkId l) override { outputs.offer(*this, l); }
  void set_lane_order(LinkId l, LaneOrder order) override {
    outputs.turns().set(l, std::move(order));
    offer(l);
  }
  void send_from_host(HostId from, const Packet& p) override {
    count_own(p);
    send_queues.send_before_data(*this, from, p);
  }
  void send_from_switch(SwitchId from, Packet& p) override {
    count_own(p);
    if (routes().rules().empty()) routes_proven_ = false;  // other routes were proven for packets of hosts only
    switches.send_own(*this, p, routing.choose(*this, from, p));
  }
  void send_over(PortId out, Packet& p) override {
    const NodeId from = topology().node_of(out), to = topology().node_of(topology().to(out));
    p.source = p.destination = topology().host(topology().is_host(to) ? to : NodeId{0});
    count_own(p);
    if (topology().is_host(from)) send_queues.send_before_data(*this, topology().host(from), p);
    else switches.send_own(*this, p, fabric_.channel_of(out, p.lane()));
  }
  void notify(SwitchId from, HostId to, const Notification& n, std::uint32_t bytes, Lane lane,
              ConnectionId connection) override {
    routing.made(n, clock_.ps());
    Packet p = new_packet({PacketKind::notification, to, to, bytes, lane, connection});
    p.load(n);
    send_from_switch(from, p);
  }
  std::vector<LinkId> route_links(ConnectionId connection) const override { return setup.links_of(connection); }
  void tear_down_route(ConnectionId connection, HostId source, HostId destination) override {
    setup.tear_down(*this, connection, source, destination);
  }

  // ---- for the parts ----
  static constexpr bool kOneLane = Switches::kOneLane;
  using EngineView::leaves_later;
  FabricState& fabric() { return known(fabric_); }
  Clock& clock() { return clock_; }
  void end_at(Time when, Ending ending, std::string text = {}) override;

  // ---- the machine that the clock drives ----
  std::int64_t stop_at() const { return stop_at_; }
  bool fetches() const { return fetches_; }
  template <class Record> [[gnu::always_inline]] void prepare(const Record& packet_or_event, bool again) {
    again ? fetch_then(packet_or_event) : fetch_first(packet_or_event);
  }
  void land(Packet& p);
  void handle(const TimedEvent& event);
  bool unsettled() const { return outputs.unsettled() || switches.unsettled(); }
  void settle() {
    switches.settle(*this);
    outputs.settle(*this);
  }

  void audit() override { audit_everything(*this); }

  // ---- the parts, for each other ----
  SchemeCalls scheme;
  WaitingPackets waiting;
  BufferSpace space;
  Preemption preemption;
  Outputs outputs;
  RoutingChoice routing;
  RouteSetup setup;
  Switches switches;
  Sources sources;
  SendQueues send_queues;
  SlowReceivers receivers;
  Recorder recorder;
  Delivery delivery;
  std::uint64_t other_hops = 0;  // of packets that carry no data
  const bool calms_down;         // when all routes stand (calm.h)
  const bool counts_ahead;       // what hosts receive, and when they send (count_ahead.h)

 private:
  template <class> friend class EnginePart;  // one of several engines that execute a run
  void count_own(const Packet& p) {
    EngineTotals& totals = recorder.results().totals;
    totals.notifications += p.is(PacketKind::notification);
    totals.control_packets += p.is(PacketKind::control);
  }
  void start();
  void on_calm();
  void on_tick();
  void on_watch();
  void check_stall(bool nothing_pending);
  bool anybody_waits() const;
  bool search_deadlock();
  template <class Fabric> [[gnu::always_inline]] static Fabric& known(Fabric& fabric) {
    if constexpr (kOneLane) fabric.assume_one_lane();
    return fabric;
  }
  // Of a function that only fetches GCC leaves nothing, unless it is inlined.
  template <class Record> [[gnu::always_inline]] static void fetch(const Record& record) {
    const char* const first = reinterpret_cast<const char*>(&record);
    __builtin_prefetch(first, 1);
    __builtin_prefetch(first + sizeof(Record) - 1, 1);
  }
  void fetch_first(const Packet& p);
  void fetch_first(const TimedEvent& event);
  void fetch_then(const Packet& p) const;
  void fetch_then(const TimedEvent& event);
  [[gnu::always_inline]] void fetch_host(HostId host) {
    send_queues.fetch(host);
    sources.resting().fetch(host);
    fetch(*recorder.host_record(host, 0));
  }
  void fetch_for_timer(NodeId node, bool again);
  void fetch_head(QueueId queue) const;
  void fetch_for_next(std::uint32_t source, HostId host);
  void fetch_heads(LinkId l) const;
  void fetch_held(ChannelId came_by);
  bool from_host(LinkId l) const { return l.index < topology().hosts(); }
  [[gnu::always_inline]] void fetch_output(ChannelId c) const {
    __builtin_prefetch(&known(fabric_).channel(c), 1);  // and its link: with one lane, they share a cache line
    if (known(fabric_).lanes() > 1) {
      __builtin_prefetch(&known(fabric_).link(known(fabric_).link_of(c)), 1);
      preemption.fetch(known(fabric_).link_of(c));
    }
    __builtin_prefetch(&known(fabric_).output(c), 1);
  }
  [[gnu::always_inline]] void fetch_outputs(LinkId l) const {
    fetch_output(known(fabric_).channel_of(l, {0}));
    for (Lane lane{1}; lane.index < known(fabric_).lanes(); ++lane.index)
      __builtin_prefetch(&known(fabric_).channel(known(fabric_).channel_of(l, lane)), 1);
  }
  // Has this packet, which is in flight on its link or promised to it, begun to leave?
  std::int64_t start_of(const Packet& p) const {
    const LinkKind& kind = fabric_.kind(fabric_.link_of(p.came_by));
    return p.time - kind.landing(0, kind.serialization(p.size));
  }
  bool has_started(const Packet& p) const { return !switches.promises() || start_of(p) <= clock_.ps(); }
  void finish();
  void take_back_unstarted();
  template <class Visit> void each_on_own_wires(const Visit& visit) const;
  std::vector<CostTime> still_waiting();
  void count_received(Measurements& m);
  std::string unfinished() const;
  std::size_t bytes_of_state();

  PortWatch watch_;
  std::int64_t stop_at_;
  std::int64_t last_tick_ = 0;
  Time next_tick_ = kNever;       // of a part: not an event before all parts have had their tick
  bool busy_at_tick_ = false;
  std::vector<Packet> on_own_wires_;  // of a part, at the end of a run: packets on their way to other parts
  bool routes_proven_;            // and every packet keeps to them
  bool fetches_;                  // records ahead of time: a small fabric lies in the cache anyway
  std::int64_t next_search_ = 0, search_gap_ = 0;  // for a deadlock
  bool ending_set_ = false;
};

// A run with this switch organisation: what each of their files compiles.
template <class E> class EnginePart;
template <class Switches>
Measurements run_with(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits) {
  std::string why;
  if (run.threads != 1 || run.ranks != nullptr) {
    auto measured = traits.none ? run_in_parts<EnginePart<Engine<NoScheme, Switches>>>(run, scheme, traits, why)
                                : run_in_parts<EnginePart<Engine<CalledScheme, Switches>>>(run, scheme, traits, why);
    if (measured) return *std::move(measured);
  }
  if (run.ranks != nullptr) {  // it cannot be divided among processes: rank 0 executes it alone
    if (run.ranks->rank() != 0) return {};
    RunInput alone = run;
    alone.ranks = nullptr;
    Measurements measured = run_with<Switches>(alone, scheme, traits);
    measured.totals.one_rank = why;
    return measured;
  }
  Measurements measured = traits.none ? Engine<NoScheme, Switches>(run, scheme, traits).run()
                                      : Engine<CalledScheme, Switches>(run, scheme, traits).run();
  measured.totals.one_thread = why;
  return measured;
}

}  // namespace weir

#include "packet/engine_fetch.h"
#include "packet/engine_run.h"
#include "packet/parts/engine_part.h"
