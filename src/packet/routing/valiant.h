// Valiant: every packet makes a detour by way of a midpoint, which is drawn anew at every switch, each time the same:
// it is a hash of the packet.
#pragma once
#include "packet/links/fabric_state.h"
#include "packet/routing/spreading.h"

namespace weir {

class Valiant : public AnyChoice {
 public:
  static constexpr RouteChoiceKind kKind{
      .spec = {.name = "valiant",
               .help = "each packet goes through a random intermediate switch or, in a dragonfly, group"},
      .detours = true};

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

WEIR_ROUTE_CHOICE(Valiant)

}  // namespace weir
