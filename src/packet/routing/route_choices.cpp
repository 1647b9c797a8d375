#include "packet/routing/route_choices.h"

namespace weir {

std::span<const RouteChoiceKind* const> RouteChoiceKind::all() { return kinds_of<RouteChoiceKind, RouteChoices>(); }

}  // namespace weir
