// What is compiled: the engine with each switch organisation, each in its own file, without a scheme and with one. Here
// are those that other files name.
#pragma once
#include "packet/run_input.h"
#include "packet/scheme/hooks.h"
#include "packet/switches/organisation_kind.h"

namespace weir {

RunWithSwitches run_plain, run_voq, run_crossbar, run_crossbar_of_one_lane;

}  // namespace weir
