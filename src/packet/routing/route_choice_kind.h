// What a routing choice registers: choice.h says what it is, route_choices.h has the list.
#pragma once
#include "measure/flows/ways_taken.h"
#include "packet/config/component.h"

namespace weir {

struct RouteChoiceKind {
  ComponentSpec spec;
  WaysTaken ways = WaysTaken::unknown;
  bool keeps_order = false;  // packets of a flow cannot overtake each other
  bool spreads = false;      // flows or packets, whatever the load: without effect where there is one way only
  bool detours = false;      // by way of midpoints, which the routes must have
  bool listens = false;      // to notifications, and to the queues
  bool sets_up = false;      // routes of whole flows, by packets of their own (route_setup.h), as FlowSetupConfig says
  bool research = false;     // in papers only

  bool fixed() const { return ways == WaysTaken::by_default; }  // the default step, always

  static std::span<const RouteChoiceKind* const> all();
};

}  // namespace weir
