#include "packet/flow_control/flow_controls.h"

namespace weir {

std::span<const FlowControlKind* const> FlowControlKind::all() { return kinds_of<FlowControlKind, FlowControls>(); }

}  // namespace weir
