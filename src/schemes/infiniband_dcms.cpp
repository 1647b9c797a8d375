#include "schemes/infiniband_dcms.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace weir {
namespace {

// A request on its way, or its answer on the way back. Packets carry its number.
struct Mad {
  enum class Kind : std::uint8_t { read, clear, set } kind = Kind::read;
  PortId port;
  Counter counter = Counter::xmit_wait;
  std::uint32_t rate = 0;
  bool answered = false;
  PortReading reading = {};
};

// For every switch, the ports that lead to it from the manager's own switch: fewest hops, lowest ports first.
std::vector<std::vector<std::uint32_t>> paths_from(const Topology& topology, HostId host) {
  std::vector<std::vector<std::uint32_t>> paths(topology.switches());
  std::vector<bool> seen(topology.switches(), false);
  const PortId first = topology.to(topology.host_port(host));
  std::vector<SwitchId> order{topology.switch_of(topology.node_of(first))};
  seen[order[0].index] = true;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const NodeId node = topology.node(order[i]);
    for (std::uint32_t k = 0; k < topology.port_count(node); ++k) {
      const PortId port = topology.port(node, k), to = topology.to(port);
      if (!to.valid() || topology.is_host(topology.node_of(to))) continue;
      const SwitchId next = topology.switch_of(topology.node_of(to));
      if (seen[next.index]) continue;
      seen[next.index] = true;
      paths[next.index] = paths[order[i].index];
      paths[next.index].push_back(port.index);
      order.push_back(next);
    }
  }
  return paths;
}

struct DcmsFamily : CcaFamily {
  DcmsFamily(CcaSettings cca, ManagerSettings m) : CcaFamily(std::move(cca)), manager(m) {}

  template <class E>
  void on_start(E& engine) {
    CcaFamily::on_start(engine);
    controller = std::make_unique<DcmsController>(engine.topology(), manager.controller);
    paths = paths_from(engine.topology(), manager.host);
    wait_base.assign(engine.fabric().links(), Time{});
    congestion_base.assign(engine.fabric().links(), Time{});
    engine.set_timer({}, kWake);
  }
  template <class E>
  void on_timer(E& engine, std::uint32_t entity, std::uint32_t mad) {
    if (entity == kSample) return sample_counters(engine);
    if (entity == kApply) return apply(engine, mads[mad]);
    if (engine.now() >= wake_at) wake_at = kNever;
    run_controller(engine, {});
  }
  template <class E>
  Time on_switch_arrival(E& engine, SwitchId at, std::uint32_t, PacketIndex p) {
    if (engine.packets()[p].kind() != PacketKind::control) return {};
    const std::uint32_t index = engine.packets().cold(p).aux;
    Mad& mad = mads[index];
    if (mad.answered || engine.topology().node(at) != engine.topology().node_of(mad.port)) return {};
    mad.answered = true;
    if (mad.kind == Mad::Kind::read) {
      mad.reading = read(engine, mad.port);
      return engine.now() + manager.agent_delay;
    }
    engine.set_timer(engine.now() + manager.set_delay, kApply, index);
    return engine.now() + manager.set_delay;
  }
  // A request follows its path to the switch that is asked; an answer takes the way that any packet for the manager
  // takes.
  template <class E>
  std::uint32_t choose_port(E& engine, SwitchId at, PacketIndex p, std::uint32_t port) {
    if (engine.packets()[p].kind() != PacketKind::control) return port;
    const Mad& mad = mads[engine.packets().cold(p).aux];
    if (mad.answered) return port;
    const Topology& topology = engine.topology();
    for (const std::uint32_t step : paths[topology.switch_of(topology.node_of(mad.port)).index])
      if (topology.node_of({step}) == topology.node(at)) return step;
    return port;
  }
  template <class E>
  void on_control(E& engine, HostId, PacketIndex p) {
    const std::uint32_t index = engine.packets().cold(p).aux;
    const Mad mad = mads[index];
    free_mads.push_back(index);
    if (mad.kind == Mad::Kind::read) run_controller(engine, {{mad.reading}});
  }
  void report(Measurements& m) const;

  template <class E>
  void run_controller(E& engine, const Telemetry& telemetry) {
    const Actions actions = controller->step(engine.now(), telemetry);
    for (const PortId port : actions.read) send(engine, {Mad::Kind::read, port});
    for (const Actions::Clear& c : actions.clear) send(engine, {Mad::Kind::clear, c.port, c.counter});
    for (const Actions::SetMarkingRate& s : actions.set) send(engine, {Mad::Kind::set, s.port, {}, s.rate});
    if (actions.wake_at == kNever || actions.wake_at >= wake_at) return;
    wake_at = std::max(actions.wake_at, engine.now() + Time{1});
    engine.set_timer(wake_at, kWake);
  }
  template <class E>
  void send(E& engine, const Mad& mad) {
    std::uint32_t index = static_cast<std::uint32_t>(mads.size());
    if (free_mads.empty()) {
      mads.push_back(mad);
    } else {
      index = free_mads.back();
      free_mads.pop_back();
      mads[index] = mad;
    }
    engine.send_from_host(manager.host, manager.host, PacketKind::control, manager.mad_bytes, manager.lane,
                          kNoConnection, 0, index);
  }
  template <class E>
  PortReading read(E& engine, PortId port) const {
    const Link& link = engine.fabric().link(port.index);
    const auto ticks = [](Time t, std::int64_t tick) {
      return static_cast<std::uint32_t>(std::min<std::int64_t>(t.ps / std::max<std::int64_t>(tick, 1), kCounterMax));
    };
    return {port, ticks(waited(engine, port) - wait_base[port.index], link.serialization(128)),
            ticks(congested(engine, port) - congestion_base[port.index], settings.congestion_tick.ps),
            link.sent_bytes / 4};
  }
  template <class E>
  Time congested(E& engine, PortId port) const {
    Time sum;
    for (std::uint32_t v = 0; v < lanes; ++v)
      if (v != manager.lane || lanes == 1)
        sum += ports[engine.fabric().channel_of(port.index, v)].congested(engine.now());
    return sum;
  }
  template <class E>
  void apply(E& engine, const Mad& mad) {
    if (mad.kind == Mad::Kind::set) {
      for (std::uint32_t v = 0; v < lanes; ++v)
        ports[engine.fabric().channel_of(mad.port.index, v)].set_marking_rate(mad.rate);
    } else if (mad.counter == Counter::xmit_wait) {
      wait_base[mad.port.index] = waited(engine, mad.port);
    } else {
      congestion_base[mad.port.index] = congested(engine, mad.port);
    }
  }

  static constexpr std::uint32_t kWake = 0, kApply = 1;
  ManagerSettings manager;
  std::unique_ptr<DcmsController> controller;
  std::vector<std::vector<std::uint32_t>> paths;  // by switch
  std::vector<Mad> mads;
  std::vector<std::uint32_t> free_mads;
  std::vector<Time> wait_base, congestion_base;  // by link: what the counters had when they were cleared
  Time wake_at = kNever;
};

void DcmsFamily::report(Measurements& m) const {
  CcaFamily::report(m);
  m.scheme_numbers.emplace_back("sweeps", static_cast<double>(controller->sweeps()));
  for (const DcmsController::Decision& d : controller->decisions()) {
    using Why = DcmsController::Decision::Why;
    const std::string name = d.low ? fmt::format("port {} set low for victim {} at [s]", d.root.index, d.victim.index)
                                   : fmt::format("port {} back to the default ({}) at [s]", d.root.index,
                                                 d.why == Why::limit ? "limit" : "no victim left");
    m.scheme_numbers.emplace_back(name, d.at.seconds());
  }
}

DcmsRules rules_of(const Section& scheme) {
  DcmsRules rules = scheme.text("rules") == "printed" ? DcmsRules::printed() : DcmsRules{};
  const auto set = [&](const char* key, bool& rule) {
    if (scheme.has(key)) rule = scheme.flag(key);
  };
  set("rule_guard", rules.guard_by_sweep);
  set("rule_empty", rules.empty_victims);
  set("rule_exclude", rules.exclude_dropped);
  set("rule_limit", rules.limit_exceeded);
  set("rule_per_time", rules.per_time);
  return rules;
}

ManagerSettings manager_settings(const PacketRun& run, const Section& scheme) {
  ManagerSettings s;
  if (scheme.has("manager")) {
    const std::string& name = scheme.text("manager");
    bool found = false;
    for (std::uint32_t h = 0; h < run.topology.hosts() && !found; ++h) {
      found = run.topology.name(NodeId{h}) == name;
      if (found) s.host = {h};
    }
    if (!found) scheme.refuse("manager", "there is no host called `" + name + "`");
  }
  const std::uint32_t highest = run.config.switches.lanes - 1;
  s.lane = scheme.has("manager_lane") ? static_cast<std::uint32_t>(scheme.integer("manager_lane")) : highest;
  if (s.lane > highest)
    scheme.refuse("manager_lane",
                  fmt::format("management packets need lane {}: set switch.lanes = {}", s.lane, s.lane + 1));
  s.mad_bytes = static_cast<std::uint32_t>(scheme.bytes("mad"));
  s.agent_delay = scheme.time("agent_delay");
  s.set_delay = scheme.time("set_delay");
  DcmsSettings& c = s.controller;
  c.calm_period = scheme.time("calm_period");
  c.period = scheme.time("period");
  c.answer_timeout = scheme.time("answer_timeout");
  for (const auto* key : {"calm_period", "period"})
    if (scheme.time(key) <= c.answer_timeout) scheme.refuse(key, "must be longer than answer_timeout");
  c.wait_threshold = scheme.number("wait_threshold");
  c.congestion_threshold = scheme.number("congestion_threshold");
  c.data_threshold = scheme.number("data_threshold");
  c.low_limit = static_cast<std::uint32_t>(scheme.integer("low_limit"));
  c.marking_low = static_cast<std::uint32_t>(scheme.integer("low_rate"));
  c.watch_every = static_cast<std::uint32_t>(scheme.integer("watch_every"));
  c.rules = rules_of(scheme);
  return s;
}

}  // namespace

Measurements run_dcms(const PacketRun& run, const Section& scheme) {
  CcaSettings cca = cca_settings(run, scheme);
  ManagerSettings manager = manager_settings(run, scheme);
  constexpr std::uint32_t kDefaultRate = 128;
  if (!scheme.has("marking_rate") && !scheme.has("settings"))
    for (MarkingSettings& port : cca.ports) port.marking_rate = kDefaultRate;
  manager.controller.marking_default = scheme.has("marking_rate") || scheme.has("settings")
                                           ? cca.default_marking_rate : kDefaultRate;
  const PacketRun changed = with_becn(run, cca);
  return PacketEngine<DcmsFamily>(changed, DcmsFamily(std::move(cca), manager)).run();
}

}  // namespace weir
