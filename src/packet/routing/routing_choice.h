// Which way a packet takes at a switch: the channel (port and lane) that it goes on. choice.h says what a choice is,
// route_choices.h has the list of them.
// A scheme has the last word. From then on the packet has the lane of that channel; how the lanes of routes and of
// traffic combine, network/route_step.h says.
#pragma once
#include "base/one_of.h"
#include "network/network.h"
#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"
#include "packet/routing/route_choices.h"

namespace weir {

class RoutingChoice {
 public:
  RoutingChoice(const SwitchConfig& config, const Topology& topology, const RouteTable& routes, std::uint64_t seed,
                bool scheme_chooses)
      : own_(make_one_of<RouteChoices>(*config.choice, ChoiceInput{config, topology, routes, seed})),
        fixed_(config.choice->fixed()),
        known_ahead_(fixed_ && !routes.changes_lanes() && !scheme_chooses),
        listens_(config.choice->listens),
        may_reorder_(!config.choice->keeps_order),
        routes_(routes) {}
  // Where a packet goes on at the switch to which it is sent, or its host; none if that is decided there. Where the
  // way depends on nothing but source and destination, it is looked up when the packet is sent. A change of lane is
  // made when the way is chosen.
  template <bool one_lane>
  [[gnu::always_inline]] ChannelId ahead(const FabricState& fabric, SwitchId s, const Packet& p) const {
    if (!s.valid()) return Packet::kItsHost;
    if (!known_ahead_) return kNoChannel;
    if constexpr (one_lane) return {routes_.default_step(s, p.source, p.destination).port().index};
    else return usual(fabric, s, p);
  }
  // This packet will be sent on soon.
  [[gnu::always_inline]] void fetch(const Packet& p) const {
    if (fixed_) routes_.fetch(p.destination);
  }
  bool changes_lanes() const { return routes_.changes_lanes(); }
  bool may_reorder() const { return may_reorder_; }

  // The channel of the default step.
  [[gnu::always_inline]] ChannelId usual(const FabricState& fabric, SwitchId s, const Packet& p) const {
    return channel_of(fabric, routes_.default_step(s, p.source, p.destination), p);
  }

  template <class E>
  [[gnu::always_inline]] ChannelId choose(E& e, SwitchId s, Packet& p) {
    RouteStep step = routes_.default_step(s, p.source, p.destination);
    if (!fixed_) [[unlikely]] step = adapt(e, s, p, step);
    step = e.scheme.choose_step(e, s, p, step);
    const ChannelId out = channel_of(e.fabric(), step, p);
    if (!step.keeps_lane()) [[unlikely]] p.set_lane(e.fabric().lane_of(out));
    return out;
  }

  // A notification passes a switch, or is made there; the queue of a port has shrunk.
  void relayed(LinkId by, const Packet& p, std::int64_t now) {
    if (listens_) with(own_, [&](auto& own) { own.relayed(by, p, now); });
  }
  void made(const Notification& n, std::int64_t now) {
    with(own_, [&](auto& own) { own.made(n, now); });
  }
  void drained(PortId port, std::uint32_t queued) {
    if (listens_) with(own_, [&](auto& own) { own.drained(port, queued); });
  }
  std::size_t bytes_of_state() const {
    return with(own_, [](const auto& own) { return own.bytes_of_state(); });
  }

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
    return with(own_, [&](auto& own) { return own.step(e, s, p, usual); });
  }

  RouteChoices own_;
  bool fixed_, known_ahead_, listens_, may_reorder_;
  const RouteTable& routes_;
};

}  // namespace weir
