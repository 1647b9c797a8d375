// The family of explicit-rate schemes: flows under control send at rates that a `Control` sets (rate_calculation.h, or
// a protocol), realised by one of the disciplines of injection.h. The family finds out which flows there are and along
// which links they run; a Control only ever sees begin() and end().
//
// What is a flow: a flow of the workload, from its start to its last byte. Under random traffic a pair of hosts becomes
// one as its adapter sees it: with `train` packets in a row, none later than `idle` after the one before, until nothing
// was queued or sent for `idle`; what comes more rarely is sporadic and not controlled. With flow set-up (routing) the
// set-up and tear-down of the route decide instead, since they ask the same question. Traffic of the sporadic lane is
// never controlled.
//
// Flows begin and end, and rates are set, for all hosts at once: that is the family's central part. Sending is a matter
// of each host.
#pragma once
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "network/routings/routings.h"
#include "packet/hosts/packet_train.h"
#include "packet/scheme/hooks.h"
#include "schemes/explicit_rates/injection.h"
#include "schemes/explicit_rates/rate_calculation.h"
#include "schemes/idle.h"

namespace weir {

struct ExplicitParams {
  InjectionParams injection;
  std::uint32_t sporadic_lane = kMaxLanes;  // kMaxLanes: none
  std::uint32_t train = 1;
  Time idle;
  bool send_unrated = false;  // before the first rate: at an equal share of the source's link, instead of waiting
  double share = 1;           // of the source's link that is there to be shared
  std::vector<double> priority;  // of each application; empty: all alike
  bool set_up = false;           // routes of flows are set up by the routing
  bool pairs = false;            // there is random traffic, in which pairs of hosts may become flows
};

// The weight by which a flow of the workload is rated.
inline double controlled_weight(const Flow& flow, bool by_size, const std::vector<double>& priority) {
  const double size = by_size ? static_cast<double>(std::max<Bytes>(1, flow.bytes)) : 1.0;
  return flow.weight * size * (priority.empty() ? 1.0 : priority[flow.app.index]);
}

template <class Control>
struct ExplicitFamily : SchemeHooks {
  static constexpr bool kConnections = true, kSendsNothing = Control::kSendsNothing;
  static constexpr std::uint32_t kIdleTimer = 0xffffffff;  // all other global timers: the control's

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

  template <class ControlParams>
  ExplicitFamily(const ExplicitParams& parameters, const ControlParams& of_control)
      : params(parameters), control(*this, of_control) {}

  // ---- the one place where a flow's rate is set ----
  void set_rate(ConnectionId connection, double bytes_per_second) {
    if (!injector.controls(connection)) return;
    ++rates_set;
    const bool was_rated = injector.rated(connection);
    injector.set_rate(connection, bytes_per_second, all.now());
    if (injector.rated(connection) != was_rated) note_rank(connection);
    if (connection.index < observed.size()) observed[{connection.index}].calculated = bytes_per_second;
    const HostId host{injector.host_of(connection)};
    all.at(host).wake(connection);
    if (!clocks[host].changed) changed_hosts.push_back(host);
    clocks[host].changed = true;
  }
  // To be called after the last of several: every period ends at another time, and is calculated once.
  void rates_are_set() {
    for (const HostId host : changed_hosts) {
      clocks[host].changed = false;
      arm(all.at(host));
    }
    changed_hosts.clear();
  }

  // ---- which flows there are ----
  void on_start(const GlobalView&) override {
    const Workload& workload = all.workload();
    injector.prepare(params.injection, all.topology().hosts(), all.connections().count());
    paced.assign(kMaxLanes, params.injection.discipline == Discipline::ps);
    for (const SourceGroup& group : workload.groups) paced[group.lane] = false;  // sporadic packets may go at any time
    if (params.sporadic_lane < kMaxLanes) paced[params.sporadic_lane] = false;
    bool endless = !workload.sources.empty();
    for (const Flow& flow : workload.flows) endless = endless || flow.bytes == kEndless;
    weigh_by_size = weigh_by_size && !endless;
    control.start(all, *this);
  }
  void on_flow_start(HostView, FlowId id) override {
    if (!params.set_up) begin({id.index});
  }
  void on_flow_end(HostView, FlowId id) override {
    if (!params.set_up) end({id.index});
  }
  void on_route(HostView, ConnectionId connection) override { begin(connection); }
  bool on_route_end(HostView, ConnectionId connection) override { return end(connection); }
  void on_queued(HostView here, const Packet& p, bool) override {
    const ConnectionId connection = p.connection;
    if (!p.is(PacketKind::data)) return;
    ++waiting[connection];
    if (injector.controls(connection)) {
      injector.queued(connection, here.now());
      arm(here);  // with one flow more, the host's period may end earlier
    }
    if (params.set_up) return;
    Train& train = trains[connection];
    const std::uint32_t length = train.add(here.now().ps, params.idle);
    if (injector.controls(connection) || length < params.train) return;
    begin(connection);
    train.busy = injector.controls(connection);  // this packet waits
  }

  // ---- sending ----
  Time gate(HostView, ConnectionId connection, Packet& p) override {
    return injector.controls(connection) ? injector.gate(connection, p.size) : Time{};
  }
  double rank(HostView, ConnectionId connection, Packet& p) override {
    return injector.controls(connection) ? injector.rank(connection, p.size) : -1.0;
  }
  bool lane_open(HostView here, Lane lane) override {
    return !paced[lane.index] || injector.next_period(here.here().index) <= here.now();
  }
  void on_inject(HostView here, Packet& p) override {
    if (p.destination == here.here()) return;  // it never was in a queue
    if (!here.connections().is_flow(p.connection)) {
      --waiting[p.connection];
      if (!params.set_up) sent_of_train(p.connection);
    }
    if (!injector.controls(p.connection)) return;
    injector.sent(p.connection, p.size, has_packets(here, p.connection), here.now());
    note_rank(p.connection);
    arm(here);
  }
  void on_host_timer(HostView here, std::uint32_t) override {
    std::int64_t& armed = clocks[here.here()].armed;
    if (armed == here.now().ps) armed = kNever.ps;
    if (injector.next_period(here.here().index) <= here.now()) here.offer();
    else arm(here);
  }
  void on_global_timer(const GlobalView&, std::uint32_t entity, std::uint32_t number) override {
    if (number == kIdleTimer) end_if_idle({entity});
    else control.on_timer(all, *this, entity, number);
  }

  void on_delivery(HostView here, Packet& p) override {
    if (p.connection.index >= observed.size() || here.now() < here.config().run.warmup) return;
    observed[{p.connection.index}].arrived(here.now().ps);
  }

  void before_arrival(HostView, const Packet& p) const override {
    if (p.connection.index < observed.size()) observed.fetch({p.connection.index});
  }
  void before_timer(HostView here, bool again) const override {
    if (again) return injector.fetch_flows(here.here().index);
    clocks.fetch(here.here());
    injector.fetch(here.here().index);
  }

  void on_end(const GlobalView&) override {
    if (!params.set_up) return;
    routes_at_end.resize(observed.size());
    for (std::uint32_t f = 0; f < observed.size(); ++f)
      for (const LinkId link : all.route_links({f})) routes_at_end[f].push_back(link.index);
  }
  void report(Measurements& m) const override {
    m.scheme_numbers.emplace_back("flows under rate control", static_cast<double>(begun));
    m.scheme_numbers.emplace_back("rates set", static_cast<double>(rates_set));
    control.report(m);
    if (rates_set == 0) m.scheme_idle = idle::explicit_rates(begun, trains.empty() ? 0 : params.train, params.idle);
    for (std::uint32_t f = 0; f < observed.size(); ++f) m.flows[f].offered_rate = observed[{f}].calculated * 8;
  }
  std::size_t bytes_beside_tables() const override {
    return injector.bytes_of_state() + control.bytes_beside_tables();
  }

 private:
  struct Train : PacketTrain {
    bool busy = false;  // controlled, and looked at again only when nothing waits any more
  };

  bool has_packets(HostView source, ConnectionId connection) const {
    return source.connections().is_flow(connection) ? source.unsent({connection.index}) > 0 : waiting[connection] > 0;
  }

  void begin(ConnectionId connection) {
    const Workload& workload = all.workload();
    const Topology& topology = all.topology();
    ControlledFlow flow;
    flow.connection = connection;
    if (all.connections().is_flow(connection)) {
      const Flow& f = workload.flows[FlowId{connection.index}];
      flow.source = f.source;
      flow.destination = f.destination;
      flow.weight = controlled_weight(f, weigh_by_size, params.priority);
      flow.app = f.app.index;
    } else {
      std::tie(flow.source, flow.destination) = all.connections().pair(connection);
      flow.app = ControlledFlow::kOwnApplication;
    }
    const std::uint32_t lane = all.connections().lane(connection).index;
    if (lane == params.sporadic_lane || flow.source == flow.destination) return;
    if (params.set_up) {
      flow.links = all.route_links(connection);
      flow.links.insert(flow.links.begin(), topology.host_port(flow.source));
    } else {
      flow.links = default_path(topology, all.routes(), flow.source, flow.destination);
    }
    ++begun;
    injector.add(connection, flow.source.index, has_packets(all.at(flow.source), connection), all.now());
    if (params.send_unrated) {
      const double line = topology.link(topology.host_port(flow.source)).rate.bytes_per_second();
      injector.set_rate(connection, line * params.share / injector.flows_of(flow.source.index), all.now());
    }
    note_rank(connection);
    control.begin(all, *this, flow);
  }
  // A host whose packets all keep to its clock compares its flows by this number.
  void note_rank(ConnectionId connection) {
    if (!all.connections().is_flow(connection) || !paced[all.connections().lane(connection).index]) return;
    const double rank = injector.rated(connection) ? injector.rank(connection, 0) : kUnranked;
    all.at(HostId{injector.host_of(connection)}).set_rank({connection.index}, rank);
  }
  // True if its route is not needed any more.
  bool end(ConnectionId connection) {
    if (!injector.controls(connection)) return true;
    HostView source = all.at(HostId{injector.host_of(connection)});
    if (all.connections().is_flow(connection)) source.set_rank({connection.index}, kUnranked);
    injector.remove(connection);
    const bool over = control.end(all, *this, connection);
    source.wake(connection);
    arm(source);
    return over;
  }
  void end_if_idle(ConnectionId connection) {
    if (!injector.controls(connection)) return;
    Train& train = trains[connection];
    train.busy = waiting[connection] > 0;
    if (train.busy) return;
    if (all.now().ps - train.last >= params.idle.ps) end(connection);
    else all.set_timer(Time{train.last} + params.idle, connection.index, kIdleTimer);
  }
  void sent_of_train(ConnectionId connection) {
    Train& train = trains[connection];
    train.last = all.now().ps;
    if (!train.busy || waiting[connection] > 0) return;
    train.busy = false;
    all.set_timer(all.now() + params.idle, connection.index, kIdleTimer);
  }
  // Makes sure that the host is asked again when its next period begins.
  void arm(HostView host) {
    if (params.injection.discipline != Discipline::ps) return;
    const std::int64_t at = std::max(injector.next_period(host.here().index).ps, host.now().ps);
    std::int64_t& armed = clocks[host.here()].armed;
    if (at >= armed) return;
    armed = at;
    host.set_timer({at});
  }

 public:
  ExplicitParams params;
  CentralPart all{*this, Control::kWhyCentral};
  Control control;
  Injector injector;
  FlowTable<Observed> observed{*this};
  std::vector<std::vector<std::uint32_t>> routes_at_end;  // per flow of the workload, with flow set-up: links
  bool weigh_by_size = false;
  std::uint64_t begun = 0, rates_set = 0;

 private:
  struct HostClock {
    std::int64_t armed = kNever.ps;  // when its timer is due
    bool changed = false;            // a flow of the host has got another rate
  };

  ConnectionTable<Train> trains{*this, {}, params.pairs && !params.set_up};
  ConnectionTable<std::uint32_t> waiting{*this, 0, params.pairs};  // packets in the adapter
  HostTable<HostClock> clocks{*this};
  std::vector<HostId> changed_hosts;  // those whose clock says `changed`
  std::vector<bool> paced;            // per lane: all that is sent on it obeys the hosts' clocks
};

}  // namespace weir
