// How the engine calls a scheme: only the hooks that it has. Without a scheme nothing is left of the calls. The engine
// is compiled for these two, so that runs without a scheme pay nothing and no scheme is compiled into the engine.
#pragma once
#include "packet/scheme/hooks.h"

namespace weir {

inline void on_node_timer(SchemeHooks& hooks, EngineView& e, NodeId node, std::uint32_t number) {
  if (e.topology().is_host(node)) hooks.on_host_timer({e, e.topology().host(node)}, number);
  else hooks.on_switch_timer({e, node}, number);
}

class CalledScheme {
 public:
  CalledScheme(SchemeHooks& hooks, const SchemeTraits& traits) : hooks_(hooks), traits_(traits) {}

  const SchemeTraits& traits() const { return traits_; }
  bool has(Hook hook) const { return traits_.has(hook); }
  SchemeHooks& hooks() { return hooks_; }

  void on_queued(EngineView& e, HostId host, const Packet& p, bool alone) {
    if (has(Hook::on_queued)) hooks_.on_queued({e, host}, p, alone);
  }
  Time gate(EngineView& e, ConnectionId c, Packet& p) { return hooks_.gate({e, p.source}, c, p); }
  double rank(EngineView& e, ConnectionId c, Packet& p) { return hooks_.rank({e, p.source}, c, p); }
  bool lane_open(EngineView& e, HostId host, Lane lane) { return hooks_.lane_open({e, host}, lane); }
  // Asks for the traffic that leaves this host by this lane, until one of its lanes says yes.
  template <class Ask>
  bool any_traffic_on(EngineView& e, HostId host, Lane lane, const Ask& ask) {
    if (!has(Hook::traffic_on)) return ask(lane);
    for (const Lane own : hooks_.traffic_on({e, host}, lane))
      if (ask(own)) return true;
    return false;
  }
  void on_inject(EngineView& e, HostId host, Packet& p) {
    if (has(Hook::on_inject)) hooks_.on_inject({e, host}, p);
  }
  Time on_switch_arrival(EngineView& e, SwitchId s, ChannelId in, Packet& p) {
    return traits_.reads(Hook::on_switch_arrival, p) ? hooks_.on_switch_arrival({e, s}, in, p) : Time{};
  }
  RouteStep choose_step(EngineView& e, SwitchId s, Packet& p, RouteStep step) {
    return traits_.reads(Hook::choose_step, p) ? hooks_.choose_step({e, s}, p, step) : step;
  }
  bool looks_at_output(const Packet& p) const { return traits_.only_marks && hooks_.looks_at_output(p); }
  [[gnu::always_inline]] void on_output(EngineView& e, ChannelId out, Packet& p) {
    if (traits_.reads(Hook::on_output, p)) hooks_.on_output(sender(e, out), out, p);
  }
  [[gnu::always_inline]] void on_departure(EngineView& e, ChannelId out, Packet& p) {
    if (traits_.reads(Hook::on_departure, p)) hooks_.on_departure(sender(e, out), out, p);
  }
  void on_starved(EngineView& e, ChannelId out) {
    if (has(Hook::on_starved) && at_switch(e, out)) hooks_.on_starved(sender(e, out), out);
  }
  void on_fed(EngineView& e, ChannelId out) {
    if (has(Hook::on_fed) && at_switch(e, out)) hooks_.on_fed(sender(e, out), out);
  }
  void on_delivery(EngineView& e, HostId host, Packet& p) {
    if (has(Hook::on_delivery)) hooks_.on_delivery({e, host}, p);
  }

  void before_arrival(EngineView& e, HostId host, const Packet& p) const {
    if (has(Hook::before_arrival)) hooks_.before_arrival({e, host}, p);
  }
  void before_switch_arrival(const Packet& p, bool again) const {
    if (has(Hook::before_switch_arrival)) hooks_.before_switch_arrival(p, again);
  }
  void before_global_timer(std::uint32_t number) const {
    if (has(Hook::before_global_timer)) hooks_.before_global_timer(number);
  }
  void before_sending(EngineView& e, HostId host, ConnectionId connection) const {
    if (has(Hook::before_sending)) hooks_.before_sending({e, host}, connection);
  }
  void before_timer(EngineView& e, HostId host, bool again) const {
    if (has(Hook::before_timer)) hooks_.before_timer({e, host}, again);
  }

 private:
  static const Link& link(EngineView& e, ChannelId out) { return e.fabric().link(e.fabric().link_of(out)); }
  static SwitchView sender(EngineView& e, ChannelId out) { return {e, e.fabric().sender(e.fabric().link_of(out))}; }
  static bool at_switch(EngineView& e, ChannelId out) { return !link(e, out).is(Link::kFromHost); }

  SchemeHooks& hooks_;
  SchemeTraits traits_;
};

class NoScheme {
 public:
  NoScheme(SchemeHooks& hooks, const SchemeTraits&) : hooks_(hooks) {}

  static constexpr SchemeTraits traits() { return {}; }
  static constexpr bool has(Hook) { return false; }
  SchemeHooks& hooks() { return hooks_; }  // for what is called rarely

  void on_queued(EngineView&, HostId, const Packet&, bool) {}
  Time gate(EngineView&, ConnectionId, Packet&) { return {}; }
  double rank(EngineView&, ConnectionId, Packet&) { return 0; }
  bool lane_open(EngineView&, HostId, Lane) { return true; }
  template <class Ask>
  [[gnu::always_inline]] bool any_traffic_on(EngineView&, HostId, Lane lane, const Ask& ask) {
    return ask(lane);
  }
  void on_inject(EngineView&, HostId, Packet&) {}
  Time on_switch_arrival(EngineView&, SwitchId, ChannelId, Packet&) { return {}; }
  RouteStep choose_step(EngineView&, SwitchId, Packet&, RouteStep step) { return step; }
  static constexpr bool looks_at_output(const Packet&) { return false; }
  void on_output(EngineView&, ChannelId, Packet&) {}
  void on_departure(EngineView&, ChannelId, Packet&) {}
  void on_starved(EngineView&, ChannelId) {}
  void on_fed(EngineView&, ChannelId) {}
  void on_delivery(EngineView&, HostId, Packet&) {}
  void before_arrival(EngineView&, HostId, const Packet&) const {}
  void before_switch_arrival(const Packet&, bool) const {}
  void before_global_timer(std::uint32_t) const {}
  void before_sending(EngineView&, HostId, ConnectionId) const {}
  void before_timer(EngineView&, HostId, bool) const {}

 private:
  SchemeHooks& hooks_;
};

}  // namespace weir
