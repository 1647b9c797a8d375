#include "schemes/infiniband/dcms.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "control/request_pacer.h"
#include "network/deadlock/proven_paths.h"
#include "packet/packet_engine.h"
#include "scenario/quantity.h"
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

  void on_start(const GlobalView& all) override {
    CcaFamily::on_start(all);
    controller = std::make_unique<DcmsController>(all.topology(), manager.controller, paths.in_reach);
    if (manager.in_band) all.at(manager.host).set_timer({}, kWake);
    else all.set_timer({}, 0);
  }
  // Out of band everything happens at once: what the controller asks for is read and set while the fabric stands still.
  void on_global_timer(const GlobalView& all, std::uint32_t, std::uint32_t) override {
    Telemetry telemetry;
    Actions actions;
    do {
      actions = controller->step(all.now(), telemetry);
      const auto at = [&](PortId port) {
        return all.at(all.topology().switch_of(all.topology().node_of(port)));
      };
      using Kind = ManagementRequest::Kind;
      for (const Actions::Clear& c : actions.clear) apply(at(c.port), {Kind::clear, c.port, c.counter, 0});
      for (const Actions::SetMarkingRate& s : actions.set) apply(at(s.port), {Kind::set, s.port, {}, s.rate});
      telemetry.readings.clear();
      for (const PortId port : actions.read) telemetry.readings.push_back(reading_of(at(port), port));
    } while (!telemetry.readings.empty());
    if (actions.wake_at != kNever) all.set_timer(std::max(actions.wake_at, all.now() + Time{1}), 0);
  }
  void on_host_timer(HostView here, std::uint32_t number) override {
    if (number != kWake) return CcaFamily::on_host_timer(here, number);
    if (here.now() >= wake_at) wake_at = kNever;
    run_controller(here, {});
  }
  void on_switch_timer(SwitchView here, std::uint32_t number) override {
    if (number >= kSample) return CcaFamily::on_switch_timer(here, number);
    answer(here, number);
  }
  // A request ends at the switch that is asked. Its answer is a packet of the switch's own: it holds no buffer on which
  // the request came.
  Time on_switch_arrival(SwitchView here, ChannelId, Packet& p) override {
    if (!p.is(PacketKind::control)) return {};
    const std::uint32_t index = p.template cargo<MadNumber>().index;
    Mad& mad = mads[index];
    if (mad.answered || here.here() != switch_of(here, mad)) return {};
    mad.answered = true;
    const bool read = mad.request.kind == ManagementRequest::Kind::read;
    if (read) mad.reading = reading_of(here, mad.request.port);
    here.set_timer(here.now() + (read ? manager.agent_delay : manager.set_delay), index);
    return kNever;
  }
  // The channel by which it came tells how far it is; a way may pass a switch twice, but no channel.
  RouteStep choose_step(SwitchView here, Packet& p, RouteStep step) override {
    if (!p.is(PacketKind::control)) return step;
    const Mad& mad = mads[p.template cargo<MadNumber>().index];
    const std::vector<RouteStep>& way = (mad.answered ? paths.back : paths.there)[switch_of(here, mad).index];
    if (p.came_by == kNoChannel) return way.front();
    const LaneBlocks& lanes_of_routes = here.routes().lanes();
    for (std::size_t i = 0; i + 1 < way.size(); ++i)
      if (here.channel_of(way[i].port(), lanes_of_routes.after(p.lane(), way[i])) == p.came_by) return way[i + 1];
    return way.front();
  }
  void on_control(HostView here, Packet& p) override {
    const std::uint32_t index = p.template cargo<MadNumber>().index;
    const Mad mad = mads[index];
    free_mads.push_back(index);
    pacer.done();
    if (mad.request.kind == ManagementRequest::Kind::read) run_controller(here, {{mad.reading}});
    else send_requests(here);
  }
  void report(Measurements& m) const override;

  void run_controller(HostView here, const Telemetry& telemetry) {
    const Actions actions = controller->step(here.now(), telemetry);
    pacer.add(actions);
    send_requests(here);
    if (actions.wake_at == kNever || actions.wake_at >= wake_at) return;
    wake_at = std::max(actions.wake_at, here.now() + Time{1});
    here.set_timer(wake_at, kWake);
  }
  void send_requests(HostView here) {
    while (const auto request = pacer.next()) {
      std::uint32_t index = static_cast<std::uint32_t>(mads.size());
      if (free_mads.empty()) {
        mads.emplace_back();
      } else {
        index = free_mads.back();
        free_mads.pop_back();
      }
      mads[index] = {*request};
      here.send(packet_for(here, index));
    }
  }
  void answer(SwitchView here, std::uint32_t index) {
    apply(here, mads[index].request);
    Packet p = packet_for(here, index);
    here.send(p);
  }
  Packet packet_for(const View& here, std::uint32_t index) const {
    Packet p = here.new_packet(
        {PacketKind::control, manager.host, manager.host, manager.mad_bytes, Lane{manager.lane}});
    p.load(MadNumber{index});
    return p;
  }
  static SwitchId switch_of(SwitchView here, const Mad& mad) {
    return here.topology().switch_of(here.topology().node_of(mad.request.port));
  }
  PortReading reading_of(SwitchView here, PortId port) const {
    const auto ticks = [](Time t, std::int64_t tick) {
      return static_cast<std::uint32_t>(std::min<std::int64_t>(t.ps / std::max<std::int64_t>(tick, 1), kCounterMax));
    };
    const Cleared& base = cleared[port];
    return {port, ticks(here.waited(port) - base.wait, here.serialization(port, 128).ps),
            ticks(congested(here, port) - base.congestion, settings.congestion_tick.ps), here.sent_bytes(port) / 4};
  }
  Time congested(SwitchView here, PortId port) const {
    const LaneBlocks& blocks = here.routes().lanes();
    Time sum;
    for (std::uint32_t v = 0; v < here.lanes(); ++v)
      if (!manager.in_band || blocks.first({v}).index != manager.lane || here.lanes() == blocks.size())
        sum += ports[here.channel_of(port, {v})].congested(here.now());
    return sum;
  }
  void apply(SwitchView here, const ManagementRequest& request) {
    if (request.kind == ManagementRequest::Kind::set) {
      for (std::uint32_t v = 0; v < here.lanes(); ++v) {
        const ChannelId channel = here.channel_of(request.port, {v});
        // A port with a value of its own (`ports`) gets that one back.
        const bool back = request.rate == manager.controller.marking_default;
        ports[channel].set_marking_rate(back ? settings.ports[channel.index].marking_rate : request.rate);
      }
    } else if (request.kind == ManagementRequest::Kind::clear) {
      Cleared& base = cleared[request.port];
      if (request.counter == Counter::xmit_wait) base.wait = here.waited(request.port);
      else base.congestion = congested(here, request.port);
    }
  }

  // What the counters of a port had when they were cleared.
  struct Cleared {
    Time wait, congestion;
  };
  static constexpr std::uint32_t kWake = 0;  // timer of the manager; those of switches have the number of a request

  CentralPart central{*this, "the manager of this scheme keeps requests and answers in one list"};
  ManagerSettings manager;
  std::unique_ptr<DcmsController> controller;
  ProvenPaths paths;
  RequestPacer pacer;
  std::vector<Mad> mads;
  std::vector<std::uint32_t> free_mads;
  PortTable<Cleared> cleared{*this};
  Time wake_at = kNever;
};

void DcmsFamily::report(Measurements& m) const {
  CcaFamily::report(m);
  m.scheme_numbers.emplace_back("sweeps", static_cast<double>(controller->sweeps()));
  const auto out_of_reach = std::count(paths.in_reach.begin(), paths.in_reach.end(), false);
  if (out_of_reach > 0)
    m.scheme_numbers.emplace_back("switches that the manager cannot ask", static_cast<double>(out_of_reach));
  m.scheme_idle = controller->decisions().empty()
                      ? idle::manager({controller->sweeps(), manager.controller.calm_period, m.end}, m.scheme_idle)
                      : "";
  for (const DcmsController::Decision& d : controller->decisions()) {
    using Why = DcmsController::Decision::Why;
    const std::string name = d.low ? fmt::format("port {} set low for victim {} at [s]", d.root.index, d.victim.index)
                                   : fmt::format("port {} back to the default ({}) at [s]", d.root.index,
                                                 d.why == Why::limit ? "limit" : "no victim left");
    m.scheme_numbers.emplace_back(name, d.at.seconds());
  }
}

DcmsRules rules_of(const Section& scheme) {
  DcmsRules rules = scheme.chooses("rules", "printed") ? DcmsRules::printed() : DcmsRules{};
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

ManagerSettings manager_settings(const RunInput& run, const Section& scheme) {
  ManagerSettings s;
  s.in_band = scheme.chooses("management", "in-band");
  if (scheme.has("manager")) {
    const std::int64_t number = scheme.integer("manager");
    if (number >= static_cast<std::int64_t>(run.topology.hosts()))
      scheme.refuse("manager", fmt::format("manager: there is no host {}; this network has hosts 0 to {}", number,
                                           run.topology.hosts() - 1));
    s.host = {static_cast<std::uint32_t>(number)};
  }
  s.lane = scheme.has("manager_lane") ? static_cast<std::uint32_t>(scheme.integer("manager_lane"))
                                      : run.config.switches.highest_start();
  if (s.in_band && s.lane >= run.config.switches.lanes)
    scheme.refuse("manager_lane",
                  fmt::format("management packets need lane {}: set switch.lanes = {}", s.lane, s.lane + 1));
  if (s.in_band) check_lane(scheme, "manager_lane", s.lane, run.config.switches);
  s.mad_bytes = static_cast<std::uint32_t>(scheme.bytes("mad"));
  if (s.in_band) check_own_packet(run, scheme, "mad");
  s.outstanding = static_cast<std::uint32_t>(scheme.integer("outstanding"));
  s.agent_delay = scheme.time("agent_delay");
  s.set_delay = scheme.time("set_delay");
  DcmsSettings& c = s.controller;
  c.calm_period = scheme.time_longer_than("answer_timeout", "calm_period");
  c.period = scheme.time_longer_than("answer_timeout", "period");
  c.answer_timeout = scheme.time("answer_timeout");
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
std::string advice_on_lane(const RunInput& run, std::uint32_t lane) {
  bool shared = false;
  for (const Flow& flow : run.workload.flows) shared = shared || flow.lane == lane;
  for (const SourceGroup& group : run.workload.groups) shared = shared || group.lane == lane;
  if (!shared) return {};
  const SwitchConfig& switches = run.config.switches;
  return fmt::format("management packets share lane {} with data, so the congestion that they should report delays "
                     "them, too. Give them a lane of their own: switch.lanes = {}",
                     lane, switches.lanes + switches.blocks.size());
}

ConfiguredScheme configure_dcms(const Section& scheme, const RunInput& run) {
  const CcaSettings cca = cca_settings(run, scheme, kDcmsMarkingRate);
  ManagerSettings manager = manager_settings(run, scheme);
  manager.controller.marking_default = cca.default_marking_rate;
  const bool adaptive = !run.config.switches.choice->fixed();
  const Dependencies which = adaptive ? Dependencies::all_candidates : Dependencies::default_ports;
  const ProvenPaths paths =
      manager.in_band ? proven_paths(run.topology, run.routes, which, manager.host) : ProvenPaths{};
  ConfiguredScheme configured =
      with_becn(packet_scheme(run, [cca, manager, paths] { return DcmsFamily(cca, manager, paths); }), cca);
  if (manager.in_band) configured.warning = advice_on_lane(run, manager.lane);
  return configured;
}

}  // namespace

extern const SchemeInfo dcms_scheme{
    "dcms", SchemeTag::research,
    "InfiniBand congestion control with a manager outside the fabric. To protect victim flows, it makes single ports "
    "mark more packets: it lowers their Marking_Rate (packets between two marks)",
    kDcmsParams, "[scheme]\nname = \"dcms\"\nmarking_rate = 128", configure_dcms};

}  // namespace weir
