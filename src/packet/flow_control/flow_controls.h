// The list of flow controls, in the order of the reference: one line each. The header of each ends with its type.
#pragma once
#include <variant>

#include "base/one_of.h"
#include "base/type_list.h"

namespace weir {

TypeList<> flow_control_list(TypePlace<0>);

}  // namespace weir

#define WEIR_FLOW_CONTROL(Type) WEIR_JOIN(flow_control_list, Type)
#include "packet/flow_control/credits.h"
#include "packet/flow_control/pause.h"
#include "packet/flow_control/priority_pause.h"
#undef WEIR_FLOW_CONTROL

namespace weir {

using FlowControls = WEIR_LIST(flow_control_list)::In<std::variant>;

}  // namespace weir
