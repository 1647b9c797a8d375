// The route that was set up for the packet's flow (route_setup.h).
#pragma once
#include "packet/routing/choice.h"

namespace weir {

class SetUpChoice : public AnyChoice {
 public:
  static const RouteChoiceKind kKind;

  explicit SetUpChoice(const ChoiceInput&) {}
  template <class E> RouteStep step(E& e, SwitchId s, Packet& p, RouteStep usual) {
    return e.setup.route(e, s, p, usual);
  }
};

WEIR_ROUTE_CHOICE(SetUpChoice)

}  // namespace weir
