// The default step, always.
#pragma once
#include "packet/routing/choice.h"

namespace weir {

class FixedChoice : public AnyChoice {
 public:
  static constexpr RouteChoiceKind kKind{
      .spec = {.name = "fixed", .help = "the default port"}, .ways = WaysTaken::by_default, .keeps_order = true};

  explicit FixedChoice(const ChoiceInput&) {}
  template <class E> RouteStep step(E&, SwitchId, const Packet&, RouteStep usual) { return usual; }
};

WEIR_ROUTE_CHOICE(FixedChoice)

}  // namespace weir
