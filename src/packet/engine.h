// The packet engine: a fabric simulated packet by packet, compiled once per scheme family. One event per hop on an idle
// path (the landing of the head at the next switch); a second one only where packets wait for a link or for buffer
// space.
//
// One instant has two halves. First all events of that time stamp are handled: packets land, links and buffers come
// free, sources generate; outputs that may now be able to send are put on a list. Then those outputs arbitrate, in the
// order of their numbers. So a result never depends on which of two simultaneous events was scheduled first, and an
// arbiter always sees everything that has arrived by now.
//
// The parts: fabric_state.h (links, buffers, credits), adapter.h (queues at the hosts), arbiter.h (requests at
// switches), recorder.h (measurements), hooks.h (what a scheme may do). engine_host.h and engine_switch.h continue this
// class.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "network/network.h"
#include "packet/adapter.h"
#include "packet/arbiter.h"
#include "packet/config.h"
#include "packet/event_queue.h"
#include "packet/fabric_state.h"
#include "packet/flow_setup.h"
#include "packet/held_packets.h"
#include "packet/hooks.h"
#include "packet/notification.h"
#include "packet/packet_pool.h"
#include "measure/live.h"
#include "packet/recorder.h"
#include "packet/resequencer.h"
#include "packet/snooping.h"
#include "packet/stall.h"
#include "packet/watch.h"
#include "traffic/workload.h"

namespace weir {

// Everything a packet run needs; all of it outlives the run.
struct PacketRun {
  const Topology& topology;
  const RouteTable& routes;
  const Workload& workload;
  PacketConfig config;
  std::uint64_t seed = 1;
  // Called now and then with the share done (negative if unknown) and the simulated time.
  std::function<void(double, Time)> progress = {};
  bool shortcuts = true;    // tests compare the fast path for plain switches with the general one
  Time event_spacing = {};  // expected mean time between events, for tests; 0 = from the size of the fabric
  const LiveView* live = nullptr;  // who looks at the run while it goes on, if anybody does
  bool routes_proven = false;      // no cycle of channels is possible: a deadlock need not be looked for
};

// Mean time between events, from the size of the fabric: sets the width of the event queue's buckets and nothing else.
Time expected_event_spacing(const PacketRun& run);
// How far ahead most events lie: two packet times.
Time expected_horizon(const PacketRun& run);
// Most pairs of hosts for which state per pair is kept.
inline constexpr std::size_t kMaxPairs = std::size_t{1} << 26;

struct AuditCount;

template <class Family>
class PacketEngine {
 public:
  PacketEngine(const PacketRun& run, Family family);

  Measurements run();

  // ---- for scheme families ----
  Time now() const { return {now_}; }
  PacketPool& packets() { return pool_; }
  FabricState& fabric() { return fabric_; }
  const Topology& topology() const { return topology_; }
  const RouteTable& routes() const { return routes_; }
  const Workload& workload() const { return workload_; }
  const PacketConfig& config() const { return config_; }
  std::uint64_t seed() const { return seed_; }
  std::size_t connections() const { return connections_; }
  Bytes unsent(FlowId flow) const { return unsent_[flow.index]; }
  // Of packets that sources draw at random. Packets of one pair on different lanes overtake each other: a connection
  // keeps to one lane.
  std::uint32_t connection_of(HostId source, HostId destination, std::uint32_t lane) const {
    const std::size_t pair = (lane * topology_.hosts() + source.index) * topology_.hosts() + destination.index;
    return pairs_ ? static_cast<std::uint32_t>(workload_.flows.size() + pair) : kNoConnection;
  }
  Recorder& recorder() { return recorder_; }
  // Occupancy of the input buffer behind a channel and of the output buffer in front of it (organisation fifo_in_out),
  // or of the queue for the link (others), in the unit of the buffers.
  std::int32_t input_occupancy(std::uint32_t channel) const;
  std::int32_t output_occupancy(std::uint32_t channel);
  std::int32_t output_capacity() const { return static_cast<std::int32_t>(config_.switches.output_buffer); }

  // Calls visit(packet) for every packet that stands in the input buffer behind a channel and has not been sent on yet.
  template <class Visit> void for_each_waiting(std::uint32_t in_channel, Visit visit);

  void set_timer(Time at, std::uint32_t entity, std::uint32_t aux = 0) {
    queue_.push(at, EventKind::timer, entity, aux);
  }
  // The gate of this connection may be open now.
  void wake(std::uint32_t connection);
  // This host's lanes may be open now.
  void offer_host(HostId host) { offer(topology_.host_port(host).index); }
  // Sends a packet of the scheme's own. From a host it goes before data of the same lane; from a switch it takes its
  // place in the output's queue.
  PacketIndex send_from_host(HostId from, HostId to, PacketKind kind, std::uint32_t bytes, std::uint32_t lane,
                             std::uint32_t connection, std::uint8_t bits, std::uint32_t aux);
  PacketIndex send_from_switch(SwitchId from, HostId to, PacketKind kind, std::uint32_t bytes, std::uint32_t lane,
                               std::uint32_t connection, std::uint8_t bits, std::uint32_t aux);
  // Sends a packet over one link, from the node that has the port to whoever is at the other end: a host gets it by
  // on_control(), a switch must absorb it (kAbsorbs).
  PacketIndex send_over(PortId out, PacketKind kind, std::uint32_t bytes, std::uint32_t lane, std::uint32_t aux);
  // Tells the source of a flow about congestion at n.origin, a port of `from`. Switches on the way may read it.
  PacketIndex notify(SwitchId from, HostId to, const Notification& n, std::uint32_t bytes, std::uint32_t lane,
                     std::uint32_t connection);
  // The links behind the host's own that flow set-up has chosen for a connection whose route stands.
  std::vector<std::uint32_t> route_links(std::uint32_t connection) const { return flow_routes_.links_of(connection); }
  bool is_routed(std::uint32_t connection) const { return !flow_routes_.links_of(connection).empty(); }
  void tear_down_route(std::uint32_t connection, HostId source, HostId destination);

  // ---- for tests ----
  Family& family() { return family_; }
  // Verifies conservation of packets, credits and buffer space; aborts with a message when something is wrong.
  void audit();

 private:
  // engine.h: set-up, loop, end
  void prepare_connections();
  void start();
  template <bool Simple> void loop();
  template <bool Simple> void handle(const QueuedEvent& event);
  template <bool Simple> void prefetch();
  struct Coming {
    std::uint32_t key = QueuedEvent::pack(EventKind::tick, 0), aux = 0;
  };
  template <bool Simple> void prefetch_way(const Coming& event) const;
  void prefetch_end(const Coming& event) const;
  template <bool Simple> void prefetch_output(std::uint32_t link, std::uint32_t lane) const;
  template <bool Simple> void arbitrate_all();
  void on_tick();
  void on_watch();
  void end_saturated();
  void check_stall(bool nothing_pending);
  static constexpr bool keeps_to_routes() {
    using E = PacketEngine;
    return std::is_same_v<decltype(&Family::template choose_port<E>), decltype(&SchemeHooks::choose_port<E>)>;
  }
  bool anybody_waits() const;
  bool search_deadlock();
  Standstill blocked_channels();
  void finish_run();
  void take_back_unstarted();
  std::int64_t start_of(const Link& link, const Packet& packet) const;
  bool started(const Link& link, const Packet& packet) const;
  std::vector<CostTime> still_waiting();
  template <class Visit> void for_each_queued(std::uint32_t link, Visit visit);
  void end_at(Time when, Ending ending, std::string text = {});
  std::string unfinished() const;

  // engine_audit.h
  void audit_channel(std::uint32_t link, std::uint32_t lane, AuditCount& count);

  // engine_host.h: generation, adapters, delivery
  void activate(std::uint32_t group, Time trigger);
  void activate_due();
  void on_generate(std::uint32_t source);
  void schedule_next(std::uint32_t source);
  void on_flow_start(FlowId flow);
  void submit(std::uint32_t host, std::uint32_t lane, std::uint32_t queue, PacketIndex p);
  void submit_now(std::uint32_t host, std::uint32_t lane, std::uint32_t queue, PacketIndex p);
  static constexpr bool injects_at_once() {
    using E = PacketEngine;
    return !Family::kGates && !Family::kPaces &&
           std::is_same_v<decltype(&Family::template on_inject<E>), decltype(&SchemeHooks::on_inject<E>)>;
  }
  bool inject_at_once(std::uint32_t host, std::uint32_t queue, PacketIndex p);
  bool inject_next(std::uint32_t link);
  void admit_overflow(std::uint32_t host);
  void on_queue_wake(std::uint32_t queue);
  void make_ready(std::uint32_t queue);
  PacketIndex pick_at_host(std::uint32_t host, std::uint32_t channel, std::uint32_t lane);
  bool allowed(std::uint32_t queue, std::uint32_t ring, std::uint32_t before);
  PacketIndex take_from(std::uint32_t host, std::uint32_t queue, std::uint32_t ring, std::uint32_t before);
  PacketIndex cut_from_flow(PacketIndex token);
  void stamp_injection(std::uint32_t host, PacketIndex p);
  void deliver(PacketIndex p);
  void deliver_data(PacketIndex p);
  void finish_delivery(PacketIndex p);
  void acknowledge(PacketIndex p);
  void send_before_data(HostId host, PacketIndex p);
  void count_flow(FlowId flow, const PacketCold& cold);
  void check_class_end(std::uint32_t traffic_class);
  PacketIndex make_packet(PacketKind kind, HostId from, HostId to, std::uint32_t bytes, std::uint32_t lane);
  PacketIndex make_own_packet(PacketKind kind, HostId from, HostId to, std::uint32_t bytes, std::uint32_t lane,
                              std::uint32_t connection, std::uint8_t bits, std::uint32_t aux);

  // engine_setup.h: routes of whole flows
  void prepare_setup();
  double weight_of(std::uint32_t connection) const;
  std::uint32_t route_of_flow(SwitchId s, PacketIndex p, std::uint32_t usual);
  bool hold_for_route(std::uint32_t queue, PacketIndex p);
  void set_up_route(std::uint32_t connection);
  void send_step(SetupStep step, HostId from, HostId to, std::uint32_t connection, std::uint32_t sequence);
  void on_setup_packet(PacketIndex p);
  void answer_if_arrived(std::uint32_t connection, HostId here, HostId source);
  void open_route(std::uint32_t connection);
  void on_setup_timer(std::uint32_t connection);
  void close_route(std::uint32_t connection, HostId source, HostId destination);
  void on_route_gone(std::uint32_t connection, HostId source, HostId destination);
  void report_setup(Measurements& m) const;

  // engine_switch.h: landing, routing, arbitration, transmission, flow control
  template <bool Simple> void on_arrival(std::uint32_t channel, PacketIndex p);
  template <bool Simple> void land(PacketIndex p, std::uint32_t channel);
  template <bool Simple> std::uint32_t route(SwitchId s, PacketIndex p);
  template <bool Simple> void join_output(PacketIndex p, std::uint32_t out_channel);
  void join(PacketIndex p, std::uint32_t out_channel);
  void absorb(PacketIndex p, std::uint32_t channel);
  void hold(PacketIndex p, std::uint32_t channel, std::uint32_t out_channel, std::int64_t until);
  void on_packet_ready(std::uint32_t channel);
  void on_link_free(std::uint32_t link, bool express);
  void offer(std::uint32_t link);
  template <bool Simple> void arbitrate(std::uint32_t link);
  bool arbitrate_lanes(std::uint32_t link, std::uint32_t from, std::uint32_t to, bool express);
  void arbitrate_preemptive(std::uint32_t link);
  template <bool Simple> bool waiting(std::uint32_t link, std::uint32_t lane) const;
  template <bool Simple> PacketIndex pick(std::uint32_t link, std::uint32_t channel, std::uint32_t lane);
  std::uint32_t choose_input(std::uint32_t channel);
  template <bool Simple> bool may_send(std::uint32_t channel, std::int32_t cost);
  void block(std::uint32_t channel);
  void notes_become_events(std::uint32_t channel);
  template <bool Simple>
  void transmit(std::uint32_t link, std::uint32_t channel, PacketIndex p, std::int32_t cost, std::int64_t start,
                bool express);
  // Families that look at queues or at departures need them to happen in their time.
  template <bool Simple>
  static constexpr bool commits_ahead() {
    using E = PacketEngine;
    return Simple &&
           std::is_same_v<decltype(&Family::template on_output<E>), decltype(&SchemeHooks::on_output<E>)> &&
           std::is_same_v<decltype(&Family::template on_departure<E>), decltype(&SchemeHooks::on_departure<E>)> &&
           std::is_same_v<decltype(&Family::template on_starved<E>), decltype(&SchemeHooks::on_starved<E>)> &&
           std::is_same_v<decltype(&Family::template on_fed<E>), decltype(&SchemeHooks::on_fed<E>)>;
  }
  void send_or_queue(PacketIndex p, std::uint32_t channel);
  bool space_by(Channel& c, std::int32_t cost, std::int64_t when);
  void drain(std::uint32_t channel);
  void transmit_express(std::uint32_t link, PacketIndex p, std::int64_t end);
  std::int64_t carry(std::uint32_t link, PacketIndex p, std::int64_t end);
  std::int64_t tail_lands(std::uint32_t link) const;
  void stretch(std::uint32_t link, std::int64_t extra);
  template <bool Simple>
  void leave_buffer(std::uint32_t channel, std::int32_t cost, std::int64_t start, std::int64_t end);
  void on_credit(std::uint32_t channel, std::int32_t cost);
  void occupy_under_pause(std::uint32_t channel, std::int32_t cost);
  void on_pause(std::uint32_t channel, bool stop);
  // buffered crossbar
  void land_in_fifo(PacketIndex p, std::uint32_t channel);
  void request_crossbar(std::uint32_t in_channel);
  void arbitrate_crossbar(std::uint32_t out_channel);
  void grant(std::uint32_t in_channel, std::uint32_t out_channel);
  void on_crossbar_free(std::uint32_t in_channel, std::uint32_t out_channel);
  void on_crossing(std::uint32_t out_channel);
  void mark_crossbar(std::uint32_t out_channel);

  const Topology& topology_;
  const RouteTable& routes_;
  const Workload& workload_;
  PacketConfig config_;
  std::uint64_t seed_;
  std::function<void(double, Time)> progress_;
  const LiveView* live_;
  Family family_;

  std::int64_t now_ = 0;
  EventQueue queue_;
  PacketPool pool_;
  FabricState fabric_;
  HeldPackets held_;
  Adapters adapters_;
  Recorder recorder_;
  Resequencer order_;
  PortWatch watch_;
  SnoopingTables snooping_;
  FlowRoutes flow_routes_;
  FlowConnections flow_connections_;
  RequestSets requests_;
  VirtualQueues virtual_queues_;
  std::vector<CrossbarInput> crossbar_in_;
  std::vector<CrossbarOutput> crossbar_out_;
  bool crossbar_ = false, voq_lists_ = false, pause_ = false, preemptive_ = false, tail_first_ = false;
  std::uint32_t express_from_ = kMaxLanes;  // with preemption: the lowest lane that interrupts others
  bool acks_ = false, pairs_ = false;
  bool mixed_rates_ = false;
  bool simple_ = false;  // one lane, virtual output queues first come first served, credits: most runs

  // Events that fetching ahead has seen last.
  static constexpr std::uint32_t kComing = 4;
  std::array<Coming, kComing> coming_ = {}, fetched_ = {};
  std::uint32_t looked_at_ = 0;

  std::vector<std::uint32_t> dirty_links_, arbitrating_, dirty_crossbars_;
  // Per link, with preemption only: the interruptible packet that it carries or carried last.
  struct Carried {
    PacketIndex packet = kNoPacket;
    std::uint32_t back = kNoChannel, onward = kNoChannel;  // links over which it came and on which its head went on
    std::int64_t own_end = 0;                              // when it would end had no earlier link been interrupted
  };
  BigVector<Carried> carried_;
  std::vector<PortId> scratch_;

  std::vector<SourceState> sources_;
  std::vector<std::vector<std::uint32_t>> group_sources_;  // per group: its sources, ascending
  std::vector<std::pair<std::uint64_t, std::uint32_t>> waiting_groups_;  // (threshold, group or trigger), descending
  FlowProgress progress_of_flows_;
  std::vector<Bytes> unsent_;                 // per flow
  std::vector<FlowProgress::Start> released_;
  std::vector<std::uint32_t> next_sequence_;  // per connection
  std::vector<std::uint32_t> gated_queue_;    // per connection: first of the queues that wait for it
  std::size_t connections_ = 0;
  std::vector<Backlog> backlog_;              // per host
  Backlog total_backlog_;
  std::uint64_t data_received_ = 0, data_injected_ = 0, data_generated_ = 0;
  std::vector<std::uint32_t> open_sources_;   // per class: sources that have not finished
  std::vector<std::uint32_t> open_flows_;     // per class
  std::uint32_t until_class_ = 0xffffffffu;
  std::int64_t stop_at_;
  std::int64_t last_tick_ = 0;
  bool routes_proven_;                        // and every packet keeps to them
  std::int64_t next_search_ = 0, search_gap_ = 0;  // for a deadlock
  std::uint64_t other_hops_ = 0;              // of packets that carry no data
  bool ending_set_ = false;
};

template <class Family>
PacketEngine<Family>::PacketEngine(const PacketRun& run, Family family)
    : topology_(run.topology),
      routes_(run.routes),
      workload_(run.workload),
      config_(run.config),
      seed_(run.seed),
      progress_(run.progress),
      live_(run.live),
      family_(std::move(family)),
      queue_(run.event_spacing.ps > 0 ? run.event_spacing : expected_event_spacing(run), expected_horizon(run)),
      fabric_(run.topology, run.config),
      held_(fabric_.channel_of(fabric_.links(), 0)),
      adapters_(run.config.adapter, static_cast<std::uint32_t>(run.topology.hosts()), run.config.switches.lanes,
                run.workload),
      recorder_(run.config, run.workload, run.topology),
      watch_(run.config.measure, run.topology),
      progress_of_flows_(run.workload),
      stop_at_(std::min(run.config.run.duration.ps, run.config.run.max_time.ps)),
      routes_proven_(run.routes_proven && keeps_to_routes()) {
  const SwitchConfig& s = config_.switches;
  const auto channels = fabric_.channel_of(fabric_.links(), 0);
  crossbar_ = s.organisation == Organisation::fifo_in_out;
  voq_lists_ = !crossbar_ && s.arbitration != Arbitration::fcfs;
  pause_ = s.flow_control == FlowControl::pause;
  preemptive_ = s.priority == LanePriority::preemptive;
  express_from_ = s.express_from;
  tail_first_ = s.switching == Switching::store_and_forward;
  acks_ = Family::kAcknowledges || config_.adapter.acks;
  bool instant = false;  // a packet may land at the very moment at which it starts
  for (std::uint32_t l = 0; l < fabric_.links(); ++l) {
    const Link& link = fabric_.link(l);
    if (!link.is(Link::kConnected)) continue;
    mixed_rates_ |= link.ps_per_byte_q16 != fabric_.link(0).ps_per_byte_q16;
    instant |= link.latency == 0 && !link.is(Link::kByTail);
  }
  // What happens at one instant in rounds keeps its order only if nothing is promised ahead; and whoever watches a port
  // wants to see which packets wait for it.
  simple_ = run.shortcuts && s.lanes == 1 && !crossbar_ && !voq_lists_ && !pause_ && !mixed_rates_ && !instant &&
            !watch_.active() && s.choice == RouteChoice::fixed;
  if (crossbar_ || voq_lists_) requests_ = RequestSets(channels, largest_radix(topology_) + 1);
  if (voq_lists_) virtual_queues_ = VirtualQueues(topology_, s.lanes);
  if (crossbar_) {
    crossbar_in_.resize(channels);
    crossbar_out_.resize(channels);
    for (CrossbarOutput& out : crossbar_out_) out.free = out.least_free = output_capacity();
  }
  if (preemptive_) carried_.resize(fabric_.links());
  if (s.choice == RouteChoice::snooping) snooping_ = SnoopingTables(s.snoop, topology_, seed_);
  prepare_connections();
  prepare_setup();
}

template <class Family>
void PacketEngine<Family>::prepare_connections() {
  const std::size_t hosts = topology_.hosts();
  std::size_t lanes = 0;
  for (const Source& source : workload_.sources)
    lanes = std::max<std::size_t>(lanes, workload_.groups[source.group].lane + 1u);
  const std::size_t pairs = lanes * hosts * hosts;
  const bool reorders = Family::kReorders || config_.switches.choice != RouteChoice::fixed;
  // Order is checked for free where the tables are small, and measured wherever packets may overtake each other.
  const bool wanted = Family::kConnections || reorders || (kChecks && pairs <= (1u << 20));
  if (Family::kConnections && pairs > kMaxPairs)
    throw InputError("this scheme keeps state for every pair of hosts; " + std::to_string(hosts) + " hosts make " +
                     std::to_string(pairs) + " pairs, at most " + std::to_string(kMaxPairs) + " are possible");
  pairs_ = wanted && pairs > 0 && pairs <= kMaxPairs;
  connections_ = workload_.flows.size() + (pairs_ ? pairs : 0);
  if (pairs_ || !workload_.flows.empty()) {
    next_sequence_.assign(connections_, 0);
    order_.prepare(connections_, hosts);
  }
  if (Family::kGates) gated_queue_.assign(connections_, kNoQueue);
}

template <class Family>
Measurements PacketEngine<Family>::run() {
  start();
  if (simple_) loop<true>();
  else loop<false>();
  finish_run();
  return std::move(recorder_.results());
}

template <class Family>
void PacketEngine<Family>::start() {
  backlog_.assign(topology_.hosts(), {});
  open_sources_.assign(workload_.classes.size(), 0);
  open_flows_.assign(workload_.classes.size(), 0);
  for (std::uint32_t i = 0; i < workload_.classes.size(); ++i)
    if (config_.run.until == Until::traffic_class && workload_.classes[i].name == config_.run.until_class)
      until_class_ = i;

  sources_.reserve(workload_.sources.size());
  group_sources_.resize(workload_.groups.size());
  for (const Source& source : workload_.sources) {
    group_sources_[source.group].push_back(static_cast<std::uint32_t>(sources_.size()));
    sources_.emplace_back(seed_, source.stream());
    ++open_sources_[workload_.groups[source.group].traffic_class.index];
  }
  for (std::uint32_t g = 0; g < workload_.groups.size(); ++g) {
    const std::uint64_t threshold = workload_.groups[g].activity.after_received;
    if (threshold > 0) waiting_groups_.push_back({threshold, g});
    else activate(g, {});
  }
  for (std::uint32_t t = 0; t < workload_.triggers.size(); ++t)
    waiting_groups_.push_back({workload_.triggers[t], static_cast<std::uint32_t>(workload_.groups.size()) + t});
  std::sort(waiting_groups_.rbegin(), waiting_groups_.rend());

  auto& flows = recorder_.results().flows;
  flows.resize(workload_.flows.size());
  unsent_.resize(workload_.flows.size());
  for (std::uint32_t f = 0; f < workload_.flows.size(); ++f) {
    const Flow& flow = workload_.flows[{f}];
    unsent_[f] = flow.bytes;
    flows[f] = {flow.source, flow.destination, flow.traffic_class, flow.app, flow.phase, flow.bytes, 0, 0,
                kNever,      kNever,           kNever,             0};
    if (flow.bytes != kEndless) ++open_flows_[flow.traffic_class.index];
  }
  for (const FlowProgress::Start& s : progress_of_flows_.initial())
    queue_.push(s.at, EventKind::flow_start, s.flow.index);
  queue_.push(recorder_.first_tick(), EventKind::tick, kMeasureTick);
  if (watch_.active()) queue_.push({}, EventKind::tick, kWatchTick);
  if (until_class_ < workload_.classes.size()) check_class_end(until_class_);
  family_.on_start(*this);
}

template <class Family>
template <bool Simple>
void PacketEngine<Family>::loop() {
  // Fetching ahead pays where the tables are larger than the second-level cache.
  const bool large = fabric_.bytes_of_state() > (std::size_t{1} << 19);
  std::uint64_t events = 0;
  while (!queue_.empty()) {
    const QueuedEvent event = queue_.pop();
    if (event.time > stop_at_) [[unlikely]] {
      queue_.put_back(event);
      break;
    }
    if (large) prefetch<Simple>();
    now_ = event.time;
    handle<Simple>(event);
    ++events;
    if (dirty_links_.empty() && (Simple || dirty_crossbars_.empty())) continue;
    if (queue_.more_at(now_)) continue;
    if (Simple && dirty_links_.size() == 1) {  // nearly always
      const std::uint32_t link = dirty_links_.back();
      dirty_links_.clear();
      fabric_.link(link).flags &= ~Link::kDirty;
      arbitrate<Simple>(link);
    }
    if (!dirty_links_.empty() || !dirty_crossbars_.empty()) arbitrate_all<Simple>();
  }
  recorder_.results().totals.events = events;
  if (stop_at_ != kNever.ps) now_ = std::max(now_, stop_at_);
}

template <class Family>
template <bool Simple>
WEIR_INLINE void PacketEngine<Family>::handle(const QueuedEvent& event) {
  const std::uint32_t entity = event.entity();
  if (event.kind() == EventKind::arrival) [[likely]] return on_arrival<Simple>(entity, event.aux);
  switch (event.kind()) {
    case EventKind::arrival: return;
    case EventKind::crossing: return on_crossing(entity);
    case EventKind::packet_ready: return on_packet_ready(entity);
    case EventKind::link_free: return on_link_free(entity, event.aux != 0);
    case EventKind::crossbar_free: return on_crossbar_free(entity, event.aux);
    case EventKind::credit: return on_credit(entity, static_cast<std::int32_t>(event.aux));
    case EventKind::pause: return on_pause(entity, event.aux == kStop);
    case EventKind::generate: return on_generate(entity);
    case EventKind::flow_start: return on_flow_start({entity});
    case EventKind::queue_wake: return on_queue_wake(entity);
    case EventKind::timer: return family_.on_timer(*this, entity, event.aux);
    case EventKind::setup_timer: return on_setup_timer(entity);
    case EventKind::tick: return entity == kWatchTick ? on_watch() : on_tick();
  }
}

template <class Family>
template <bool Simple>
WEIR_INLINE void PacketEngine<Family>::arbitrate_all() {
  if (!Simple && !dirty_crossbars_.empty()) {
    if (dirty_crossbars_.size() > 1) std::sort(dirty_crossbars_.begin(), dirty_crossbars_.end());
    for (std::size_t i = 0; i < dirty_crossbars_.size(); ++i) {
      crossbar_out_[dirty_crossbars_[i]].dirty = false;
      arbitrate_crossbar(dirty_crossbars_[i]);
    }
    dirty_crossbars_.clear();
  }
  // A hook may offer further links meanwhile; they have their turn in the next round.
  while (!dirty_links_.empty()) {
    if (dirty_links_.size() > 1) std::sort(dirty_links_.begin(), dirty_links_.end());
    std::swap(dirty_links_, arbitrating_);
    for (const std::uint32_t l : arbitrating_) {
      fabric_.link(l).flags &= ~Link::kDirty;
      arbitrate<Simple>(l);
    }
    arbitrating_.clear();
  }
}

template <class Family>
void PacketEngine<Family>::on_tick() {
  const Time next = recorder_.tick(fabric_, now_);
  if (progress_) {
    const RunConfig& run = config_.run;
    progress_(run.until == Until::duration ? static_cast<double>(now_) / static_cast<double>(run.duration.ps) : -1.0,
              {now_});
  }
  if (live_ != nullptr && live_->wanted()) live_->publish(recorder_.so_far(fabric_, now_, still_waiting()));
  const std::size_t ticks = watch_.active() ? 1 : 0;  // the other tick says nothing about the network
  const bool nothing_pending = queue_.size() <= ticks && dirty_links_.empty() && dirty_crossbars_.empty();
  check_stall(nothing_pending);
  if (!nothing_pending) queue_.push(next, EventKind::tick, kMeasureTick);
  last_tick_ = now_;
}

template <class Family>
void PacketEngine<Family>::on_watch() {
  const Time next = watch_.sample(fabric_, order_, now_);
  if (!queue_.empty() || !dirty_links_.empty() || !dirty_crossbars_.empty())
    queue_.push(next, EventKind::tick, kWatchTick);
}

template <class Family>
void PacketEngine<Family>::end_at(Time when, Ending ending, std::string text) {
  if (ending_set_ && when.ps >= stop_at_) return;
  ending_set_ = true;
  stop_at_ = when.ps;
  recorder_.results().ending = ending;
  recorder_.results().ending_text = std::move(text);
}

// Nothing is left to do, yet the end condition was not met.
template <class Family>
std::string PacketEngine<Family>::unfinished() const {
  if (config_.run.until == Until::flows)
    return "nothing moves any more, but " + std::to_string(progress_of_flows_.remaining()) + " flows are not complete";
  const char* why =
      waiting_groups_.empty() ? "" : ": some traffic waits for more packets to be received than there are";
  return "nothing is left to send, but class `" + config_.run.until_class + "` is not complete" + why;
}

// Has this packet, which is in flight on the link or promised to it, begun to leave?
template <class Family>
bool PacketEngine<Family>::started(const Link& link, const Packet& packet) const {
  return !simple_ || !commits_ahead<true>() || start_of(link, packet) <= now_;
}

template <class Family>
std::int64_t PacketEngine<Family>::start_of(const Link& link, const Packet& packet) const {
  return packet.time - link.landing(0, link.serialization(packet.size));
}

template <class Family>
template <class Visit>
void PacketEngine<Family>::for_each_queued(std::uint32_t l, Visit visit) {
  const std::uint32_t node = fabric_.link(l).sender, radix = topology_.port_count({node});
  const auto walk = [&](const PacketList& list) {
    for (PacketIndex p = list.head; p != kNoPacket; p = pool_[p].next) visit(p);
  };
  for (std::uint32_t v = 0; v < fabric_.lanes(); ++v) {
    walk(fabric_.channel(fabric_.channel_of(l, v)).queue);
    for (std::uint32_t i = 0; voq_lists_ && i <= radix; ++i)
      walk(virtual_queues_.at(node, radix, i, topology_.local({l}), v));
  }
}

// Per link: bytes x time, up to now, of the packets that wait for it still; less what was counted in advance for those
// that were promised a later start.
template <class Family>
std::vector<CostTime> PacketEngine<Family>::still_waiting() {
  std::vector<CostTime> area(fabric_.links(), 0);
  for (std::uint32_t l = 0; l < fabric_.links(); ++l)
    if (!fabric_.link(l).is(Link::kFromHost))
      for_each_queued(l, [&](PacketIndex p) { area[l] += CostTime{pool_[p].size} * (now_ - pool_[p].time); });
  queue_.for_each([&](const QueuedEvent& e) {
    if (e.kind() != EventKind::arrival) return;
    const std::uint32_t l = fabric_.link_of(e.entity());
    const Link& link = fabric_.link(l);
    const Packet& packet = pool_[e.aux];
    if (!link.is(Link::kFromHost) && !started(link, packet))
      area[l] -= CostTime{packet.size} * (start_of(link, packet) - now_);
  });
  return area;
}

// Packets that were put onto a link for a moment after the end have not been sent.
template <class Family>
void PacketEngine<Family>::take_back_unstarted() {
  queue_.for_each([&](const QueuedEvent& e) {
    if (e.kind() != EventKind::arrival) return;
    Link& link = fabric_.link(fabric_.link_of(e.entity()));
    if (started(link, pool_[e.aux])) return;
    link.sent_bytes -= pool_[e.aux].size;
    --link.sent_packets;
    const std::int64_t duration = link.serialization(pool_[e.aux].size);
    link.sent_time -= duration;
    link.busy_until -= duration;  // they were promised one after the other
    if (pool_[e.aux].kind() != PacketKind::data) --other_hops_;
  });
}

template <class Family>
void PacketEngine<Family>::finish_run() {
  if constexpr (kChecks) audit();
  if (!ending_set_ && !routes_proven_ && anybody_waits()) search_deadlock();
  Measurements& m = recorder_.results();
  if (!ending_set_) {
    if (config_.run.until == Until::duration && now_ >= config_.run.duration.ps) {
      m.ending = Ending::duration;
    } else {
      m.ending = Ending::saturated;
      m.ending_text = now_ >= config_.run.max_time.ps ? "max_time reached before the end condition" : unfinished();
    }
  }
  take_back_unstarted();
  recorder_.finish(fabric_, now_, still_waiting());
  for (std::uint32_t p = 0; p < m.ports.size(); ++p) {
    const PortId from = topology_.from({p});
    if (!from.valid()) continue;
    PortResult& port = m.ports[p];
    port.rcv_bytes = m.ports[from.index].xmit_bytes;
    port.rcv_packets = m.ports[from.index].xmit_packets;
    m.totals.hops += m.ports[from.index].xmit_packets;
  }
  queue_.for_each([&](const QueuedEvent& e) {  // on the wire: sent, not received
    if (e.kind() != EventKind::arrival) return;
    const std::uint32_t l = fabric_.link_of(e.entity());
    if (!started(fabric_.link(l), pool_[e.aux])) return;
    PortResult& port = m.ports[topology_.to({l}).index];
    port.rcv_bytes -= pool_[e.aux].size;
    --port.rcv_packets;
  });
  m.totals.data_hops = m.totals.hops - other_hops_;
  m.phase_ends = progress_of_flows_.phase_ends();
  if (order_.active()) m.resequencing = order_.result(now_);
  watch_.finish(fabric_, order_, now_, m);
  m.totals.peak_packets_alive = pool_.peak();
  m.totals.state_bytes = fabric_.bytes_of_state() + pool_.bytes_of_state() + queue_.bytes_of_state() +
                         adapters_.bytes_of_state() + requests_.bytes_of_state() + virtual_queues_.bytes_of_state() +
                         order_.bytes_of_state() + routes_.bytes_of_state() + snooping_.bytes_of_state() +
                         family_.bytes_of_state() + crossbar_in_.capacity() * sizeof(CrossbarInput) +
                         crossbar_out_.capacity() * sizeof(CrossbarOutput) + sources_.capacity() * sizeof(SourceState) +
                         next_sequence_.capacity() * 4 + gated_queue_.capacity() * 4 + flow_routes_.bytes_of_state() +
                         flow_connections_.bytes_of_state();
  report_setup(m);
  family_.report(m);
}

}  // namespace weir

#include "packet/engine_ahead.h"
#include "packet/engine_audit.h"
#include "packet/engine_host.h"
#include "packet/engine_setup.h"
#include "packet/engine_stall.h"
#include "packet/engine_switch.h"
