// The settings of `cca` as lines of opensm.conf: what a simulation found is what a subnet manager can be given.
#pragma once
#include <string>

#include "control/opensm_config.h"
#include "packet/run_input.h"
#include "scenario/scenario.h"

namespace weir {

// For the [scheme] section of a scenario that is set up. Refused is what OpenSM has no line for: values of single
// ports, a size that is no multiple of 64 bytes. Read back as `settings`, the lines give the same scheme, but for the
// victim mask where the switches differ, which a remark in the lines says. What a scheme has no key for (the CC_Key,
// credit starvation) is as in `site`.
struct OpensmLines {
  std::string text;
  std::uint32_t marking_rate = 0;
};
OpensmLines opensm_lines(const RunInput& run, const Section& scheme, const OpensmCongestionSettings& site = {});

}  // namespace weir
