// Flows in a congested fabric. Some cross a root of congestion (congestion.h) while they are under way: they want more
// than that link can carry. Others cross no root, and yet a link of their route is held back, by credits that do not
// come or by a PAUSE: the *victims*. They are judged by the frames that a flow is under way in. Where its packets take
// several ways, all of these count: so a victim has no root on any of them.
#pragma once
#include <cstdint>
#include <vector>

#include "measure/congestion.h"
#include "measure/flows/flow_ways.h"
#include "measure/measurements.h"

namespace weir {

enum class FlowRole : std::uint8_t { none, root, victim };

// By flow; empty where nobody was held back, and where the ways are not known. `lanes`: as in DigestOptions. PAUSE
// stops lanes, not links: a flow is no victim of a stop on a lane that it does not use.
std::vector<FlowRole> flow_roles(const CongestionReport& congestion, const Measurements& m, FlowWays& ways,
                                 const std::vector<std::uint64_t>& lanes = {});

}  // namespace weir
