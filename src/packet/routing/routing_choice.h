// Which way a packet takes at a switch: the channel (port and lane) that it goes on. Default steps, the least loaded of
// the allowed ones, the first that notifications have not called congested, the route that was set up for its flow, one
// that spreads flows or packets, or the next step of a detour.
// A scheme has the last word. From then on the packet has the lane of that channel; how the lanes of routes and of
// traffic combine, network/route_step.h says.
#pragma once
#include <vector>

#include "network/network.h"
#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"
#include "packet/routing/flow_setup.h"
#include "packet/routing/snooping.h"
#include "packet/routing/spreading.h"

namespace weir {

class RoutingChoice {
 public:
  RoutingChoice(const SwitchConfig& config, const Topology& topology, const RouteTable& routes, std::uint64_t seed)
      : choice_(config.choice),
        known_ahead_(choice_ == RouteChoice::fixed && !routes.changes_lanes()),
        topology_(topology),
        routes_(routes),
        spreading_(choice_, config.flowlets, topology.switches(), seed) {
    if (choice_ == RouteChoice::snooping) snooping_ = SnoopingTables(config.snoop, topology, seed);
  }
  // Does the way depend on nothing but source and destination, so that it can be looked up before a packet lands? A
  // change of lane is made when the way is chosen.
  bool known_ahead() const { return known_ahead_; }
  bool changes_lanes() const { return routes_.changes_lanes(); }
  bool may_reorder() const { return choice_ != RouteChoice::fixed && choice_ != RouteChoice::ecmp; }

  // The channel of the default step.
  [[gnu::always_inline]] ChannelId usual(const FabricState& fabric, SwitchId s, const Packet& p) const {
    return channel_of(fabric, routes_.default_step(s, p.source, p.destination), p);
  }

  template <class E>
  [[gnu::always_inline]] ChannelId choose(E& e, SwitchId s, Packet& p) {
    RouteStep step = routes_.default_step(s, p.source, p.destination);
    if (choice_ != RouteChoice::fixed) [[unlikely]] step = adapt(e, s, p, step);
    step = e.scheme.choose_step(e, s, p, step);
    const ChannelId out = channel_of(e.fabric(), step, p);
    if (!step.keeps_lane()) [[unlikely]] p.set_lane(e.fabric().lane_of(out));
    return out;
  }

  // A notification passes a switch, or is made there; the queue of a port has shrunk.
  void relayed(LinkId by, const Packet& p, std::int64_t now) {
    if (choice_ == RouteChoice::snooping && p.is(PacketKind::notification))
      snooping_.update(topology_.to(by), p.cargo<Notification>(), false, now);
  }
  void made(const Notification& n, std::int64_t now) {
    if (choice_ == RouteChoice::snooping) snooping_.update(n.origin, n, true, now);
  }
  void drained(PortId port, std::uint32_t queued) {
    if (choice_ == RouteChoice::snooping) snooping_.drained(port, queued);
  }
  std::size_t bytes_of_state() const { return snooping_.bytes_of_state() + spreading_.bytes_of_state(); }

 private:
  [[gnu::always_inline]] ChannelId channel_of(const FabricState& fabric, RouteStep step, const Packet& p) const {
    if (step.keeps_lane()) [[likely]] return fabric.channel_of(step.port(), p.lane());
    return changed(fabric, step, p);
  }
  [[gnu::noinline]] ChannelId changed(const FabricState& fabric, RouteStep step, const Packet& p) const {
    return fabric.channel_of(step.port(), routes_.lanes().after(p.lane(), step));
  }
  template <class E>
  [[gnu::noinline]] RouteStep adapt(E& e, SwitchId s, Packet& p, RouteStep usual) {
    switch (choice_) {
      case RouteChoice::fixed: break;
      case RouteChoice::flow_setup: return e.setup.route(e, s, p, usual);
      case RouteChoice::live_queue: return p.is(PacketKind::data) ? least_loaded(e, s, p, usual) : usual;
      case RouteChoice::snooping: {
        const auto candidates = routes_.candidates(s, p.source, p.destination, scratch_);
        return p.is(PacketKind::notification) ? snooping_.choose_return(s, candidates)
                                              : snooping_.choose(candidates, p.destination, e.clock().ps());
      }
      case RouteChoice::valiant: return p.is(PacketKind::data) ? detour(s, p, usual) : usual;
      case RouteChoice::ugal:
        if (!p.is(PacketKind::data)) return usual;
        if (p.way() == Way::undecided) decide_way(e, s, p, usual);
        return p.way() == Way::detour ? detour(s, p, usual) : usual;
      case RouteChoice::ecmp:
      case RouteChoice::spray:
      case RouteChoice::round_robin:
      case RouteChoice::flowlet: return p.is(PacketKind::data) ? spread(e, s, p) : usual;
    }
    return usual;
  }
  template <class E>
  RouteStep spread(E& e, SwitchId s, const Packet& p) {
    const auto steps = routes_.candidates(s, p.source, p.destination, scratch_);
    if (choice_ == RouteChoice::round_robin) return spreading_.in_turn(steps, s);
    if (choice_ == RouteChoice::spray) return Spreading::pick(steps, s, spreading_.of_packet(p));
    const bool is_flow = p.connection.valid() && e.connections().is_flow(p.connection);
    const std::uint64_t flow = spreading_.of_flow(p, is_flow ? p.connection : kNoConnection);
    return choice_ == RouteChoice::ecmp ? Spreading::pick(steps, s, flow)
                                        : spreading_.by_flowlet(steps, s, flow, e.clock().ps());
  }

  // The midpoint is drawn anew at every switch, each time the same: it is a hash of the packet.
  RouteStep detour(SwitchId s, const Packet& p, RouteStep usual) const {
    const StructuredRoutes& ways = *routes_.structure();
    const auto midpoint = ways.midpoint(first_switch(p), p.destination, spreading_.of_packet(p));
    return midpoint ? ways.detour_step(s, routes_.lanes().within(p.lane()), p.destination, *midpoint) : usual;
  }
  SwitchId first_switch(const Packet& p) const {
    return topology_.switch_of(topology_.node_of(topology_.to(topology_.host_port(p.source))));
  }
  // UGAL: the queue in front of each way's first link, times its hops.
  template <class E>
  void decide_way(E& e, SwitchId s, Packet& p, RouteStep usual) {
    const StructuredRoutes& ways = *routes_.structure();
    const auto midpoint = ways.midpoint(s, p.destination, spreading_.of_packet(p));
    p.set_way(Way::shortest);
    if (!midpoint) return;
    const RouteStep away = ways.detour_step(s, routes_.lanes().within(p.lane()), p.destination, *midpoint);
    const std::int64_t straight = queue_at(e, usual, p) * ways.hops(s, p.destination);
    const std::int64_t round = queue_at(e, away, p) * ways.detour_hops(s, p.destination, *midpoint);
    if (round < straight) p.set_way(Way::detour);
  }
  // How long what waits for a link on all lanes of the packet's block will keep it busy.
  template <class E>
  std::int64_t queue_at(E& e, RouteStep step, const Packet& p) const {
    const Link& link = e.fabric().link(step.port());
    std::int64_t time = std::max<std::int64_t>(0, link.busy_until - e.clock().ps());
    const Lane first = routes_.lanes().first(p.lane());
    for (std::uint32_t i = 0; i < routes_.lanes().size(); ++i)
      time += e.fabric().kind(link).serialization(
          e.fabric().channel(e.fabric().channel_of(step.port(), Lane{first.index + i})).queued);
    return time;
  }
  template <class E>
  RouteStep least_loaded(E& e, SwitchId s, const Packet& p, RouteStep usual) {
    const auto load = [&](RouteStep step) {
      const Link& link = e.fabric().link(step.port());
      const std::int64_t rest = std::max<std::int64_t>(0, link.busy_until - e.clock().ps());
      return rest + e.fabric().kind(link).serialization(e.fabric().channel(channel_of(e.fabric(), step, p)).queued);
    };
    RouteStep chosen = usual;
    std::int64_t best = load(chosen);
    for (const RouteStep candidate : routes_.candidates(s, p.source, p.destination, scratch_)) {
      const std::int64_t here = load(candidate);
      if (here < best) {
        best = here;
        chosen = candidate;
      }
    }
    return chosen;
  }

  RouteChoice choice_;
  bool known_ahead_;
  const Topology& topology_;
  const RouteTable& routes_;
  SnoopingTables snooping_;
  Spreading spreading_;
  std::vector<RouteStep> scratch_;
};

}  // namespace weir
