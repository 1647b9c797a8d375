// The list of routing choices, in the order of the reference: one line each. The header of each ends with its type.
#pragma once
#include <variant>

#include "base/one_of.h"
#include "base/type_list.h"

namespace weir {

TypeList<> route_choice_list(TypePlace<0>);

}  // namespace weir

#define WEIR_ROUTE_CHOICE(Type) WEIR_JOIN(route_choice_list, Type)
#include "packet/routing/fixed.h"
#include "packet/routing/least_loaded.h"
#include "packet/routing/snooped.h"
#include "packet/routing/set_up.h"
#include "packet/routing/ecmp.h"
#include "packet/routing/spray.h"
#include "packet/routing/in_turn.h"
#include "packet/routing/flowlets.h"
#include "packet/routing/valiant.h"
#include "packet/routing/ugal.h"
#undef WEIR_ROUTE_CHOICE

namespace weir {

using RouteChoices = WEIR_LIST(route_choice_list)::In<std::variant>;

}  // namespace weir
