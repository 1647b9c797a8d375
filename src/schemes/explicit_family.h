// The family of explicit-rate schemes: flows under control send at rates that a `Control` sets (rate_calculation.h, or
// a protocol), realised by one of the disciplines of injection.h. The family finds out which flows there are and along
// which links they run; a Control only ever sees begin() and end().
//
// What is a flow: a flow of the workload, from its start to its last byte. Under random traffic a pair of hosts becomes
// one as its adapter sees it: with `train` packets in a row, none later than `idle` after the one before, until nothing
// was queued or sent for `idle`; what comes more rarely is sporadic and not controlled. With flow set-up (routing) the
// set-up and tear-down of the route decide instead, since they ask the same question. Traffic of the sporadic lane is
// never controlled.
#pragma once
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "network/routings.h"
#include "packet/engine_view.h"
#include "packet/hooks.h"
#include "schemes/idle.h"
#include "schemes/injection.h"
#include "schemes/rate_calculation.h"

namespace weir {

struct ExplicitParams {
  InjectionParams injection;
  std::uint32_t sporadic_lane = kMaxLanes;  // kMaxLanes: none
  std::uint32_t train = 1;
  Time idle;
  bool send_unrated = false;  // before the first rate: at an equal share of the source's link, instead of waiting
  double share = 1;           // of the source's link that is there to be shared
  std::vector<double> priority;  // of each application; empty: all alike
};

// The weight by which a flow of the workload is rated.
inline double controlled_weight(const Flow& flow, bool by_size, const std::vector<double>& priority) {
  const double size = by_size ? static_cast<double>(std::max<Bytes>(1, flow.bytes)) : 1.0;
  return flow.weight * size * (priority.empty() ? 1.0 : priority[flow.app.index]);
}

template <class Control>
struct ExplicitFamily : SchemeHooks {
  static constexpr bool kConnections = true;
  static constexpr std::uint32_t kClockTimer = 0xfffffffe, kIdleTimer = 0xffffffff;  // all other timers: the control's

  // What a flow delivered after the warm-up, and its rate.
  struct Observed {
    std::int64_t first = -1, last = -1;  // arrivals
    std::uint64_t packets = 0;
    double times = 0, weighted_times = 0;  // sums over packets i = 0, 1, ... of t_i and i t_i, from the first one
    double calculated = 0;                 // bytes per second, the latest rate

    void arrived(std::int64_t now) {
      if (packets == 0) first = now;
      last = now;
      times += static_cast<double>(now - first);
      weighted_times += static_cast<double>(now - first) * static_cast<double>(packets);
      ++packets;
    }
    // Bytes per second between `from` and `to`, with packets of `packet` bytes. Counting packets in a window would be
    // one packet out, and single arrivals jitter by what they wait on their way: so the slope of the line through all
    // arrivals. A flow that was silent at either end for longer than three packets should take is counted instead.
    double measured(Time from, Time to, std::uint32_t packet) const {
      const auto n = static_cast<double>(packets);
      const double counted = n * packet / (static_cast<double>((to - from).ps) * 1e-12);
      if (packets < 3) return counted;
      const double slope = (weighted_times - (n - 1) / 2 * times) / (n * (n * n - 1) / 12);
      const double silence = static_cast<double>(std::max(first - from.ps, to.ps - last));
      return silence > 3 * slope ? counted : packet / (slope * 1e-12);
    }
  };

  ExplicitFamily(const ExplicitParams& parameters, Control ctl) : params(parameters), control(std::move(ctl)) {}

  // ---- the one place where a flow's rate is set ----
  void set_rate(EngineView& engine, ConnectionId connection, double bytes_per_second) {
    if (!injector.controls(connection)) return;
    ++rates_set;
    injector.set_rate(connection, bytes_per_second, engine.now());
    if (connection.index < observed.size()) observed[connection.index].calculated = bytes_per_second;
    engine.wake(connection);
    const std::uint32_t host = injector.host_of(connection);
    if (!changed[host]) changed_hosts.push_back(host);
    changed[host] = true;
  }
  // To be called after the last of several: every period ends at another time, and is calculated once.
  void rates_are_set(EngineView& engine) {
    for (const std::uint32_t host : changed_hosts) {
      changed[host] = false;
      arm(engine, host);
    }
    changed_hosts.clear();
  }

  // ---- which flows there are ----
  void on_start(EngineView& engine) override {
    const Workload& workload = engine.workload();
    set_up = engine.config().switches.choice == RouteChoice::flow_setup;
    injector.prepare(params.injection, engine.topology().hosts(), engine.connections().count());
    observed.assign(workload.flows.size(), {});
    paced.assign(kMaxLanes, params.injection.discipline == Injection::ps);
    for (const SourceGroup& group : workload.groups) paced[group.lane] = false;  // sporadic packets may go at any time
    if (params.sporadic_lane < kMaxLanes) paced[params.sporadic_lane] = false;
    armed.assign(engine.topology().hosts(), kNever.ps);
    changed.assign(engine.topology().hosts(), false);
    bool endless = !workload.sources.empty();
    for (const Flow& flow : workload.flows) endless = endless || flow.bytes == kEndless;
    weigh_by_size = weigh_by_size && !endless;
    if (!workload.sources.empty()) {
      waiting.assign(engine.connections().count() - workload.flows.size(), 0);
      if (!set_up) trains.resize(waiting.size());
    }
    control.start(engine, *this);
  }
  void on_flow_start(EngineView& engine, FlowId id) override {
    if (!set_up) begin(engine, {id.index});
  }
  void on_flow_end(EngineView& engine, FlowId id) override {
    if (!set_up) end(engine, {id.index});
  }
  void on_route(EngineView& engine, ConnectionId connection) override {
    begin(engine, connection);
  }
  bool on_route_end(EngineView& engine, ConnectionId connection) override {
    return end(engine, connection);
  }
  void on_queued(EngineView& engine, HostId, const Packet& p, bool) override {
    const ConnectionId connection = p.connection;
    if (!p.is(PacketKind::data)) return;
    const std::size_t pair = engine.connections().pair_index(connection);
    ++waiting[pair];
    if (injector.controls(connection)) {
      injector.queued(connection, engine.now());
      arm(engine, injector.host_of(connection));  // with one flow more, the host's period may end earlier
    }
    if (set_up) return;
    Train& train = trains[pair];
    const std::int64_t now = engine.now().ps;
    train.length = train.length > 0 && now - train.last <= params.idle.ps ? train.length + 1 : 1;
    train.last = now;
    if (injector.controls(connection) || train.length < params.train) return;
    begin(engine, connection);
    train.busy = injector.controls(connection);  // this packet waits
  }

  // ---- sending ----
  Time gate(EngineView&, ConnectionId connection, Packet& p) override {
    return injector.controls(connection) ? injector.gate(connection, p.size) : Time{};
  }
  double rank(EngineView&, ConnectionId connection, Packet& p) override {
    return injector.controls(connection) ? injector.rank(connection, p.size) : -1.0;
  }
  bool lane_open(EngineView& engine, HostId host, Lane lane) override {
    return !paced[lane.index] || injector.next_period(host.index) <= engine.now();
  }
  void on_inject(EngineView& engine, HostId host, Packet& p) override {
    if (p.destination == host) return;  // it never was in a queue
    if (!engine.connections().is_flow(p.connection)) {
      --waiting[engine.connections().pair_index(p.connection)];
      if (!set_up) sent_of_train(engine, p.connection);
    }
    if (!injector.controls(p.connection)) return;
    injector.sent(p.connection, p.size, has_packets(engine, p.connection), engine.now());
    arm(engine, host.index);
  }
  void on_timer(EngineView& engine, std::uint32_t entity, std::uint32_t aux) override {
    if (aux == kIdleTimer) return end_if_idle(engine, {entity});
    if (aux != kClockTimer) return control.on_timer(engine, *this, entity, aux);
    if (armed[entity] == engine.now().ps) armed[entity] = kNever.ps;
    if (injector.next_period(entity) <= engine.now()) engine.offer_host({entity});
    else arm(engine, entity);
  }
  void on_control(EngineView& engine, HostId host, Packet& p) override {
    control.on_control(engine, *this, host, p);
  }
  Time on_switch_arrival(EngineView& engine, SwitchId s, ChannelId channel, Packet& p) override {
    return control.on_switch_arrival(engine, *this, s, channel, p);
  }

  void on_delivery(EngineView& engine, HostId, Packet& p) override {
    if (p.connection.index >= observed.size() || engine.now() < engine.config().run.warmup) return;
    observed[p.connection.index].arrived(engine.now().ps);
  }

  void on_end(EngineView& engine) override {
    if (!set_up) return;
    routes_at_end.resize(observed.size());
    for (std::uint32_t f = 0; f < observed.size(); ++f)
      for (const LinkId link : engine.route_links({f})) routes_at_end[f].push_back(link.index);
  }
  void report(Measurements& m) const override {
    m.scheme_numbers.emplace_back("flows under rate control", static_cast<double>(begun));
    m.scheme_numbers.emplace_back("rates set", static_cast<double>(rates_set));
    control.report(m);
    if (rates_set == 0) m.scheme_idle = idle::explicit_rates(begun, trains.empty() ? 0 : params.train, params.idle);
    for (std::size_t f = 0; f < observed.size(); ++f) m.flows[f].offered_rate = observed[f].calculated * 8;
  }
  std::size_t bytes_of_state() const override {
    return injector.bytes_of_state() + trains.capacity() * sizeof(Train) + waiting.capacity() * 4 +
           observed.capacity() * sizeof(Observed) + armed.capacity() * 8;
  }

 private:
  struct Train {
    std::int64_t last = 0;     // when a packet last came or went
    std::uint32_t length = 0;  // packets in a row
    bool busy = false;         // controlled, and looked at again only when nothing waits any more
  };

  bool has_packets(EngineView& engine, ConnectionId connection) const {
    return engine.connections().is_flow(connection) ? engine.unsent({connection.index}) > 0
                                                    : waiting[engine.connections().pair_index(connection)] > 0;
  }

  void begin(EngineView& engine, ConnectionId connection) {
    const Workload& workload = engine.workload();
    const Topology& topology = engine.topology();
    ControlledFlow flow;
    flow.connection = connection;
    if (engine.connections().is_flow(connection)) {
      const Flow& f = workload.flows[FlowId{connection.index}];
      flow.source = f.source;
      flow.destination = f.destination;
      flow.weight = controlled_weight(f, weigh_by_size, params.priority);
      flow.app = f.app.index;
    } else {
      std::tie(flow.source, flow.destination) = engine.connections().pair(connection);
      flow.app = ControlledFlow::kOwnApplication;
    }
    const std::uint32_t lane = engine.connections().lane(connection).index;
    if (lane == params.sporadic_lane || flow.source == flow.destination) return;
    if (set_up) {
      flow.links = engine.route_links(connection);
      flow.links.insert(flow.links.begin(), topology.host_port(flow.source));
    } else {
      flow.links = path(topology, engine.routes(), flow.source, flow.destination);
    }
    ++begun;
    injector.add(connection, flow.source.index, has_packets(engine, connection), engine.now());
    if (params.send_unrated) {
      const double line = topology.link(topology.host_port(flow.source)).rate.bytes_per_second();
      injector.set_rate(connection, line * params.share / injector.flows_of(flow.source.index), engine.now());
    }
    control.begin(engine, *this, flow);
  }
  // True if its route is not needed any more.
  bool end(EngineView& engine, ConnectionId connection) {
    if (!injector.controls(connection)) return true;
    const std::uint32_t host = injector.host_of(connection);
    injector.remove(connection);
    const bool over = control.end(engine, *this, connection);
    engine.wake(connection);
    arm(engine, host);
    return over;
  }
  void end_if_idle(EngineView& engine, ConnectionId connection) {
    if (!injector.controls(connection)) return;
    const std::size_t pair = engine.connections().pair_index(connection);
    const std::int64_t last = trains[pair].last;
    trains[pair].busy = waiting[pair] > 0;
    if (trains[pair].busy) return;
    if (engine.now().ps - last >= params.idle.ps) end(engine, connection);
    else engine.set_timer(Time{last} + params.idle, connection.index, kIdleTimer);
  }
  void sent_of_train(EngineView& engine, ConnectionId connection) {
    const std::size_t pair = engine.connections().pair_index(connection);
    Train& train = trains[pair];
    train.last = engine.now().ps;
    if (!train.busy || waiting[pair] > 0) return;
    train.busy = false;
    engine.set_timer(engine.now() + params.idle, connection.index, kIdleTimer);
  }
  // Makes sure that the host is asked again when its next period begins.
  void arm(EngineView& engine, std::uint32_t host) {
    if (params.injection.discipline != Injection::ps) return;
    const std::int64_t at = std::max(injector.next_period(host).ps, engine.now().ps);
    if (at >= armed[host]) return;
    armed[host] = at;
    engine.set_timer({at}, host, kClockTimer);
  }

 public:
  ExplicitParams params;
  Control control;
  Injector injector;
  std::vector<Observed> observed;  // per flow of the workload
  std::vector<std::vector<std::uint32_t>> routes_at_end;  // per flow of the workload, with flow set-up: links
  bool set_up = false;             // routes of flows are set up by the routing
  bool weigh_by_size = false;
  std::uint64_t begun = 0, rates_set = 0;

 private:
  std::vector<Train> trains;  // per pair of hosts, without flow set-up
  std::vector<std::uint32_t> waiting;  // per pair of hosts: packets in the adapter
  std::vector<bool> paced;    // per lane: all that is sent on it obeys the hosts' clocks
  std::vector<std::int64_t> armed;  // per host: when its clock timer is due
  std::vector<bool> changed;        // per host: a flow of it has got another rate ...
  std::vector<std::uint32_t> changed_hosts;  // ... those
};

}  // namespace weir
