// UGAL: the first switch decides, by the queue in front of each way's first link, times its hops.
#pragma once
#include <algorithm>

#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"
#include "packet/routing/valiant.h"

namespace weir {

class Ugal : public Valiant {
 public:
  static constexpr RouteChoiceKind kKind{
      .spec = {.name = "ugal",
               .help = "valiant's path or the shortest one, whichever has the smaller product of queue length (at the "
                       "first switch) and hops"},
      .detours = true};

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

WEIR_ROUTE_CHOICE(Ugal)

}  // namespace weir
