// Size and lane of the notifications that a scheme's switches send: read in one place, because buffers and PAUSE
// headroom were sized for the packets of the traffic.
#pragma once
#include <fmt/format.h>

#include "packet/engine.h"
#include "scenario/scenario.h"

namespace weir {

struct NotificationParams {
  std::uint32_t bytes = 64, lane = 0;
};

inline NotificationParams read_notification(const Section& s, const PacketRun& run) {
  const PacketFormat& format = run.config.format;
  const Bytes largest = std::max(format.max_payload() + format.header, format.ack);
  const NotificationParams n{static_cast<std::uint32_t>(s.bytes("notification")),
                             static_cast<std::uint32_t>(s.integer("lane"))};
  if (s.bytes("notification") > largest)
    s.refuse("notification",
             fmt::format("buffers are made for packets of {} B; a notification must not be larger", largest));
  if (n.lane >= run.config.switches.lanes)
    s.refuse("lane", fmt::format("lane {} does not exist: the switches have {} (switch.lanes)", n.lane,
                                 run.config.switches.lanes));
  return n;
}

}  // namespace weir
