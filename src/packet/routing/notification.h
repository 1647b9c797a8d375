// What a notification tells, whatever scheme sends it: where there is congestion, for whom, and how bad. The source
// reads it to change its rate; switches on the way may read it too, to route around the congestion (snooping.h). It
// is the cargo of its packet.
#pragma once
#include <cstdint>

#include "base/ids.h"

namespace weir {

struct Notification {
  PortId origin;              // the congested output
  HostId destination;         // of the flow that was sampled there
  std::int32_t feedback = 0;  // below 0: congestion, the lower the worse; above 0: room
};

}  // namespace weir
