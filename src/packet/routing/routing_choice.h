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
        set_up_(config.choice->sets_up),
        known_ahead_((fixed_ || set_up_) && !routes.changes_lanes() && !scheme_chooses),
        listens_(config.choice->listens),
        may_reorder_(!config.choice->keeps_order),
        routes_(routes) {}
  // Where a packet goes on at the switch to which this output leads, or its host; none if that is decided there. Where
  // the way depends on nothing but source and destination, or stands already, it is looked up before the packet is
  // sent. A change of lane is made when the way is chosen.
  template <class E>
  [[gnu::always_inline]] ChannelId ahead(E& e, const Outlet& out, const Packet& p) const {
    const SwitchId s = out.lane.leads_to;
    if (!s.valid()) return Packet::kItsHost;
    if (!known_ahead_) return kNoChannel;
    if constexpr (E::kOneLane) {
      return {routes_.default_step(s, p.source, p.destination).port().index};
    } else {
      if (set_up_) {
        if (p.is(PacketKind::setup)) return kNoChannel;
        if (const RouteStep* step = e.setup.ahead(p, out.l)) return channel_of(e.fabric(), *step, p);
      }
      return usual(e.fabric(), s, p);
    }
  }
  // This packet will be sent on soon.
  [[gnu::always_inline]] void fetch(const Packet& p) const {
    if (fixed_) routes_.fetch(p.destination);
  }
  // It will be sent to this switch.
  [[gnu::always_inline]] void fetch(SwitchId s) const {
    if (known_ahead_) routes_.fetch(s.valid() ? s : SwitchId{0});  // no branch: which it is can hardly be predicted
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
  [[gnu::always_inline]] void relayed(LinkId by, const Packet& p, std::int64_t now) {
    if (listens_) [[unlikely]] with(own_, [&](auto& own) { own.relayed(by, p, now); });
  }
  void made(const Notification& n, std::int64_t now) {
    with(own_, [&](auto& own) { own.made(n, now); });
  }
  [[gnu::always_inline]] void drained(PortId port, std::uint32_t queued) {
    if (listens_) [[unlikely]] with(own_, [&](auto& own) { own.drained(port, queued); });
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
  bool fixed_, set_up_, known_ahead_, listens_, may_reorder_;
  const RouteTable& routes_;
};

}  // namespace weir
