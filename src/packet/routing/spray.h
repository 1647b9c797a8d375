// One of the equally good ways, at random for each packet.
#pragma once
#include "packet/routing/spreading.h"

namespace weir {

class Spray : public SpreadingChoice<Spray> {
 public:
  static constexpr RouteChoiceKind kKind{
      .spec = {.name = "spray", .help = "at random for each packet"}, .ways = WaysTaken::all, .spreads = true};

  using SpreadingChoice::SpreadingChoice;
  template <class E> RouteStep pick(E&, SwitchId s, const Packet& p, std::span<const RouteStep> steps) {
    return ecmp_pick(steps, s, packet_word(seed(), p));
  }
};

WEIR_ROUTE_CHOICE(Spray)

}  // namespace weir
