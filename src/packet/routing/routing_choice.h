// Which way a packet takes at a switch: the channel (port and lane) that it goes on. Default steps, the least loaded of
// the allowed ones, the first that notifications have not called congested, or the route that was set up for its flow.
// A scheme has the last word. From then on the packet has the lane of that channel; how the lanes of routes and of
// traffic combine, network/route_step.h says.
#pragma once
#include <vector>

#include "network/network.h"
#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"
#include "packet/routing/flow_setup.h"
#include "packet/routing/snooping.h"

namespace weir {

class RoutingChoice {
 public:
  RoutingChoice(const SwitchConfig& config, const Topology& topology, const RouteTable& routes, std::uint64_t seed)
      : choice_(config.choice),
        known_ahead_(choice_ == RouteChoice::fixed && !routes.changes_lanes()),
        topology_(topology),
        routes_(routes) {
    if (choice_ == RouteChoice::snooping) snooping_ = SnoopingTables(config.snoop, topology, seed);
  }
  // Does the way depend on nothing but source and destination, so that it can be looked up before a packet lands? A
  // change of lane is made when the way is chosen.
  bool known_ahead() const { return known_ahead_; }
  bool changes_lanes() const { return routes_.changes_lanes(); }
  bool may_reorder() const { return choice_ != RouteChoice::fixed; }

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
  std::size_t bytes_of_state() const { return snooping_.bytes_of_state(); }

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
    }
    return usual;
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
  std::vector<RouteStep> scratch_;
};

}  // namespace weir
