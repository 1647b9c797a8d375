// One of the equally good ways, by a hash of the flow.
#pragma once
#include "packet/routing/spreading.h"

namespace weir {

class Ecmp : public SpreadingChoice<Ecmp> {
 public:
  static constexpr RouteChoiceKind kKind{
      .spec = {.name = "ecmp", .help = "by a hash of the flow"},
      .ways = WaysTaken::by_hash,
      .keeps_order = true,
      .spreads = true};

  using SpreadingChoice::SpreadingChoice;
  template <class E> RouteStep pick(E& e, SwitchId s, const Packet& p, std::span<const RouteStep> steps) {
    return ecmp_pick(steps, s, flow_word(e, p));
  }
};

WEIR_ROUTE_CHOICE(Ecmp)

}  // namespace weir
