// Which way a packet takes at a switch: the channel (port and lane) that it goes on. Default ports, the least loaded of
// the allowed ones, the first that notifications have not called congested, or the route that was set up for its flow.
// A scheme has the last word.
#pragma once
#include <vector>

#include "network/network.h"
#include "packet/clock.h"
#include "packet/fabric_state.h"
#include "packet/flow_setup.h"
#include "packet/snooping.h"

namespace weir {

class RoutingChoice {
 public:
  RoutingChoice(const SwitchConfig& config, const Topology& topology, const RouteTable& routes, std::uint64_t seed)
      : choice_(config.choice), topology_(topology), routes_(routes) {
    if (choice_ == RouteChoice::snooping) snooping_ = SnoopingTables(config.snoop, topology, seed);
  }
  // Does the way depend on nothing but source and destination, so that it can be looked up before a packet lands?
  bool known_ahead() const { return choice_ == RouteChoice::fixed; }
  bool may_reorder() const { return choice_ != RouteChoice::fixed; }

  [[gnu::always_inline]] PortId usual(SwitchId s, const Packet& p) const {
    return routes_.default_port(s, p.source, p.destination);
  }

  template <class E>
  [[gnu::always_inline]] ChannelId choose(E& e, SwitchId s, Packet& p) {
    PortId port = usual(s, p);
    if (choice_ != RouteChoice::fixed) [[unlikely]] port = adapt(e, s, p, port);
    port = e.scheme.choose_port(e, s, p, port);
    return e.fabric().channel_of(port, p.lane());
  }

  // A notification passes a switch, or is made there; the queue of a port has shrunk.
  void relayed(PortId by, const Packet& p, std::int64_t now) {
    if (choice_ == RouteChoice::snooping && p.is(PacketKind::notification))
      snooping_.update(by, p.cargo<Notification>(), false, now);
  }
  void made(const Notification& n, std::int64_t now) {
    if (choice_ == RouteChoice::snooping) snooping_.update(n.origin, n, true, now);
  }
  void drained(PortId port, std::uint32_t queued) {
    if (choice_ == RouteChoice::snooping) snooping_.drained(port, queued);
  }
  std::size_t bytes_of_state() const { return snooping_.bytes_of_state(); }

 private:
  template <class E>
  [[gnu::noinline]] PortId adapt(E& e, SwitchId s, Packet& p, PortId usual_port) {
    switch (choice_) {
      case RouteChoice::fixed: break;
      case RouteChoice::flow_setup: return e.setup.route(e, s, p, usual_port);
      case RouteChoice::live_queue: return p.is(PacketKind::data) ? least_loaded(e, s, p, usual_port) : usual_port;
      case RouteChoice::snooping: {
        const auto candidates = routes_.candidates(s, p.source, p.destination, scratch_);
        return p.is(PacketKind::notification) ? snooping_.choose_return(s, candidates)
                                              : snooping_.choose(candidates, p.destination, e.clock().ps());
      }
    }
    return usual_port;
  }
  template <class E>
  PortId least_loaded(E& e, SwitchId s, const Packet& p, PortId usual_port) {
    const auto load = [&](PortId port) {
      const Link& link = e.fabric().link(port);
      const std::int64_t rest = std::max<std::int64_t>(0, link.busy_until - e.clock().ps());
      return rest + link.serialization(e.fabric().channel(e.fabric().channel_of(port, p.lane())).queued);
    };
    PortId port = usual_port;
    std::int64_t best = load(port);
    for (const PortId candidate : routes_.candidates(s, p.source, p.destination, scratch_)) {
      const std::int64_t here = load(candidate);
      if (here < best) {
        best = here;
        port = candidate;
      }
    }
    return port;
  }

  RouteChoice choice_;
  const Topology& topology_;
  const RouteTable& routes_;
  SnoopingTables snooping_;
  std::vector<PortId> scratch_;
};

}  // namespace weir
