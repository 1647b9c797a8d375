#include "schemes/infiniband_dcms.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "packet/packet_engine.h"

#include "control/request_pacer.h"
#include "network/proven_paths.h"
#include "schemes/own_packets.h"
#include "schemes/packet_scheme.h"

namespace weir {
namespace {

// A request on its way, or its answer on the way back. Packets carry its number.
struct Mad {
  ManagementRequest request;
  bool answered = false;
  PortReading reading = {};
};

// What a management packet carries.
struct MadNumber {
  std::uint32_t index = 0;
};

struct DcmsFamily : CcaFamily {

  DcmsFamily(CcaSettings cca, ManagerSettings m, ProvenPaths p)
      : CcaFamily(std::move(cca)), manager(m), paths(std::move(p)), pacer(m.outstanding) {}

  void on_start(EngineView& engine) override {
    CcaFamily::on_start(engine);
    controller = std::make_unique<DcmsController>(engine.topology(), manager.controller, paths.in_reach);
    wait_base.assign(engine.fabric().links(), Time{});
    congestion_base.assign(engine.fabric().links(), Time{});
    engine.set_timer({}, kWake);
  }
  void on_timer(EngineView& engine, std::uint32_t entity, std::uint32_t mad) override {
    if (entity == kSample) return sample_counters(engine);
    if (entity == kAnswer) return answer(engine, mad);
    if (engine.now() >= wake_at) wake_at = kNever;
    run_controller(engine, {});
  }
  // A request ends at the switch that is asked. Its answer is a packet of the switch's own: it holds no buffer on which
  // the request came.
  Time on_switch_arrival(EngineView& engine, SwitchId at, ChannelId, Packet& p) override {
    if (!p.is(PacketKind::control)) return {};
    const std::uint32_t index = p.template cargo<MadNumber>().index;
    Mad& mad = mads[index];
    if (mad.answered || at != switch_of(engine, mad)) return {};
    mad.answered = true;
    const bool read = mad.request.kind == ManagementRequest::Kind::read;
    if (read) mad.reading = reading_of(engine, mad.request.port);
    engine.set_timer(engine.now() + (read ? manager.agent_delay : manager.set_delay), kAnswer, index);
    return kNever;
  }
  // The channel by which it came tells how far it is; a way may pass a switch twice, but no channel.
  RouteStep choose_step(EngineView& engine, SwitchId, Packet& p, RouteStep step) override {
    if (!p.is(PacketKind::control)) return step;
    const Mad& mad = mads[p.template cargo<MadNumber>().index];
    const std::vector<RouteStep>& way = (mad.answered ? paths.back : paths.there)[switch_of(engine, mad).index];
    if (p.came_by == kNoChannel) return way.front();
    const LaneBlocks& lanes_of_routes = engine.routes().lanes();
    for (std::size_t i = 0; i + 1 < way.size(); ++i)
      if (engine.fabric().channel_of(way[i].port(), lanes_of_routes.after(p.lane(), way[i])) == p.came_by)
        return way[i + 1];
    return way.front();
  }
  void on_control(EngineView& engine, HostId, Packet& p) override {
    const std::uint32_t index = p.template cargo<MadNumber>().index;
    const Mad mad = mads[index];
    free_mads.push_back(index);
    pacer.done();
    if (mad.request.kind == ManagementRequest::Kind::read) run_controller(engine, {{mad.reading}});
    else send_requests(engine);
  }
  void report(Measurements& m) const override;

  void run_controller(EngineView& engine, const Telemetry& telemetry) {
    const Actions actions = controller->step(engine.now(), telemetry);
    pacer.add(actions);
    send_requests(engine);
    if (actions.wake_at == kNever || actions.wake_at >= wake_at) return;
    wake_at = std::max(actions.wake_at, engine.now() + Time{1});
    engine.set_timer(wake_at, kWake);
  }
  void send_requests(EngineView& engine) {
    while (const auto request = pacer.next()) {
      std::uint32_t index = static_cast<std::uint32_t>(mads.size());
      if (free_mads.empty()) {
        mads.emplace_back();
      } else {
        index = free_mads.back();
        free_mads.pop_back();
      }
      mads[index] = {*request};
      engine.send_from_host(manager.host, packet_for(engine, index));
    }
  }
  void answer(EngineView& engine, std::uint32_t index) {
    apply(engine, mads[index].request);
    Packet p = packet_for(engine, index);
    engine.send_from_switch(switch_of(engine, mads[index]), p);
  }
  Packet packet_for(EngineView& engine, std::uint32_t index) const {
    Packet p = engine.new_packet(
        {PacketKind::control, manager.host, manager.host, manager.mad_bytes, Lane{manager.lane}});
    p.load(MadNumber{index});
    return p;
  }
  static SwitchId switch_of(EngineView& engine, const Mad& mad) {
    return engine.topology().switch_of(engine.topology().node_of(mad.request.port));
  }
  PortReading reading_of(EngineView& engine, PortId port) const {
    const Link& link = engine.fabric().link(port);
    const auto ticks = [](Time t, std::int64_t tick) {
      return static_cast<std::uint32_t>(std::min<std::int64_t>(t.ps / std::max<std::int64_t>(tick, 1), kCounterMax));
    };
    return {port, ticks(waited(engine, port) - wait_base[port.index], link.serialization(128)),
            ticks(congested(engine, port) - congestion_base[port.index], settings.congestion_tick.ps),
            link.sent_bytes / 4};
  }
  Time congested(EngineView& engine, PortId port) const {
    Time sum;
    for (std::uint32_t v = 0; v < lanes; ++v)
      if (engine.routes().lanes().first({v}).index != manager.lane || lanes == engine.routes().lanes().size())
        sum += ports[engine.fabric().channel_of(port, {v}).index].congested(engine.now());
    return sum;
  }
  void apply(EngineView& engine, const ManagementRequest& request) {
    const std::uint32_t port = request.port.index;
    if (request.kind == ManagementRequest::Kind::set) {
      for (std::uint32_t v = 0; v < lanes; ++v) {
        const std::uint32_t channel = engine.fabric().channel_of(request.port, {v}).index;
        // A port with a value of its own (`ports`) gets that one back.
        const bool back = request.rate == manager.controller.marking_default;
        ports[channel].set_marking_rate(back ? settings.ports[channel].marking_rate : request.rate);
      }
    } else if (request.kind == ManagementRequest::Kind::clear) {
      if (request.counter == Counter::xmit_wait) wait_base[port] = waited(engine, request.port);
      else congestion_base[port] = congested(engine, request.port);
    }
  }

  static constexpr std::uint32_t kWake = 0, kAnswer = 1;
  ManagerSettings manager;
  std::unique_ptr<DcmsController> controller;
  ProvenPaths paths;
  RequestPacer pacer;
  std::vector<Mad> mads;
  std::vector<std::uint32_t> free_mads;
  std::vector<Time> wait_base, congestion_base;  // by link: what the counters had when they were cleared
  Time wake_at = kNever;
};

void DcmsFamily::report(Measurements& m) const {
  CcaFamily::report(m);
  m.scheme_numbers.emplace_back("sweeps", static_cast<double>(controller->sweeps()));
  const auto out_of_reach = std::count(paths.in_reach.begin(), paths.in_reach.end(), false);
  if (out_of_reach > 0)
    m.scheme_numbers.emplace_back("switches that the manager cannot ask", static_cast<double>(out_of_reach));
  m.scheme_idle = controller->decisions().empty() ? idle::manager(controller->sweeps(), m.scheme_idle) : "";
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
  s.lane = scheme.has("manager_lane") ? static_cast<std::uint32_t>(scheme.integer("manager_lane"))
                                      : run.config.switches.highest_start();
  if (s.lane >= run.config.switches.lanes)
    scheme.refuse("manager_lane",
                  fmt::format("management packets need lane {}: set switch.lanes = {}", s.lane, s.lane + 1));
  check_lane(scheme, "manager_lane", s.lane, run.config.switches);
  s.mad_bytes = static_cast<std::uint32_t>(scheme.bytes("mad"));
  check_own_packet(run, scheme, "mad");
  s.outstanding = static_cast<std::uint32_t>(scheme.integer("outstanding"));
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

// Management packets should have a lane of their own.
std::string advice_on_lane(const PacketRun& run, std::uint32_t lane) {
  bool shared = false;
  for (const Flow& flow : run.workload.flows) shared = shared || flow.lane == lane;
  for (const SourceGroup& group : run.workload.groups) shared = shared || group.lane == lane;
  if (!shared) return {};
  const SwitchConfig& switches = run.config.switches;
  return fmt::format("management packets share lane {} with data: they wait in the congestion that they are to report. "
                     "Give them a lane of their own: switch.lanes = {}",
                     lane, switches.lanes + switches.blocks.size());
}

ConfiguredScheme configure_dcms(const Section& scheme, const PacketRun& run) {
  constexpr std::uint32_t kDefaultRate = 128;
  const CcaSettings cca = cca_settings(run, scheme, kDefaultRate);
  ManagerSettings manager = manager_settings(run, scheme);
  manager.controller.marking_default = cca.default_marking_rate;
  const bool adaptive = run.config.switches.choice != RouteChoice::fixed;
  const ProvenPaths paths =
      proven_paths(run.topology, run.routes, adaptive ? Dependencies::all_candidates : Dependencies::default_ports,
                   manager.host);
  ConfiguredScheme configured =
      with_becn(packet_scheme(run, [cca, manager, paths] { return DcmsFamily(cca, manager, paths); }), cca);
  configured.warning = advice_on_lane(run, manager.lane);
  return configured;
}

}  // namespace

extern const SchemeInfo dcms_scheme{
    "dcms", SchemeTag::research,
    "InfiniBand congestion control whose marking rates a manager outside the fabric lowers for victims' sake",
    kDcmsParams, "[scheme]\nname = \"dcms\"\nmarking_rate = 128", configure_dcms};

}  // namespace weir
