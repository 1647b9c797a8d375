// Detours by way of a midpoint, which is drawn anew at every switch, each time the same: it is a hash of the packet.
#pragma once
#include <algorithm>
#include <cstdint>

#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"
#include "packet/routing/spreading.h"

namespace weir {

// Valiant: every packet makes one.
class Valiant : public AnyChoice {
 public:
  explicit Valiant(const ChoiceInput& in) : topology_(in.topology), routes_(in.routes), seed_(in.seed) {}

  template <class E>
  RouteStep step(E&, SwitchId s, const Packet& p, RouteStep usual) {
    return p.is(PacketKind::data) ? detour(s, p, usual) : usual;
  }

 protected:
  const StructuredRoutes& ways() const { return *routes_.structure(); }
  const RouteTable& routes() const { return routes_; }
  RouteStep detour(SwitchId s, const Packet& p, RouteStep usual) const {
    const auto midpoint = ways().midpoint(first_switch(p), p.destination, packet_word(seed_, p));
    return midpoint ? ways().detour_step(s, routes_.lanes().within(p.lane()), p.destination, *midpoint) : usual;
  }
  std::uint64_t word(const Packet& p) const { return packet_word(seed_, p); }

 private:
  SwitchId first_switch(const Packet& p) const {
    return topology_.switch_of(topology_.node_of(topology_.to(topology_.host_port(p.source))));
  }

  const Topology& topology_;
  const RouteTable& routes_;
  std::uint64_t seed_;
};

// UGAL: the first switch decides, by the queue in front of each way's first link, times its hops.
class Ugal : public Valiant {
 public:
  using Valiant::Valiant;

  template <class E>
  RouteStep step(E& e, SwitchId s, Packet& p, RouteStep usual) {
    if (!p.is(PacketKind::data)) return usual;
    if (p.way() == Way::undecided) decide_way(e, s, p, usual);
    return p.way() == Way::detour ? detour(s, p, usual) : usual;
  }

 private:
  template <class E>
  void decide_way(E& e, SwitchId s, Packet& p, RouteStep usual) {
    const auto midpoint = ways().midpoint(s, p.destination, word(p));
    p.set_way(Way::shortest);
    if (!midpoint) return;
    const RouteStep away = ways().detour_step(s, routes().lanes().within(p.lane()), p.destination, *midpoint);
    const std::int64_t straight = queue_at(e, usual, p) * ways().hops(s, p.destination);
    const std::int64_t round = queue_at(e, away, p) * ways().detour_hops(s, p.destination, *midpoint);
    if (round < straight) p.set_way(Way::detour);
  }
  // How long what waits for a link on all lanes of the packet's block will keep it busy.
  template <class E>
  std::int64_t queue_at(E& e, RouteStep step, const Packet& p) const {
    const Link& link = e.fabric().link(step.port());
    std::int64_t time = std::max<std::int64_t>(0, link.busy_until - e.clock().ps());
    const Lane first = routes().lanes().first(p.lane());
    for (std::uint32_t i = 0; i < routes().lanes().size(); ++i)
      time += e.fabric().kind(link).serialization(
          e.fabric().channel(e.fabric().channel_of(step.port(), Lane{first.index + i})).queued);
    return time;
  }
};

}  // namespace weir
