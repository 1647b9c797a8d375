// Parameters that the senders of several RoCE schemes have in common.
#pragma once
#include "scenario/spec.h"

namespace weir {

inline constexpr ParamSpec kLowestFlowRate{
    "min_rate", ParamType::rate, kUnset, "lowest rate of a flow; default: 1/1000 of the rate of a host's link", 1000,
    1e15};
inline constexpr ParamSpec kFirstFlowRate{
    "initial_rate", ParamType::rate, kUnset, "initial rate of a flow; default: the rate of the host's link", 1000,
    1e15};

}  // namespace weir
