// What a notification tells, whatever scheme sends it: where there is congestion, for whom, and how bad. The source
// reads it to change its rate; switches on the way may read it too, to route around the congestion (snooping.h). It
// travels in the fields of the cold record that only data packets need.
#pragma once
#include <bit>
#include <cstdint>

#include "base/ids.h"
#include "packet/packet_pool.h"

namespace weir {

struct Notification {
  PortId origin;              // the congested output
  HostId destination;         // of the flow that was sampled there
  std::int32_t feedback = 0;  // below 0: congestion, the lower the worse; above 0: room

  void write(PacketCold& cold) const {
    cold.sequence = origin.index;
    cold.aux = destination.index;
    cold.payload = std::bit_cast<std::uint32_t>(feedback);
  }
  static Notification read(const PacketCold& cold) {
    return {{cold.sequence}, {cold.aux}, std::bit_cast<std::int32_t>(cold.payload)};
  }
};

}  // namespace weir
