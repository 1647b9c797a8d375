// Packets of a scheme's own (notifications, control and management packets) stand in the same buffers as data: one that
// fits into none would wait for ever, or overflow a buffer under PAUSE, whose headroom is made for the largest packet.
#pragma once
#include <fmt/format.h>

#include <algorithm>

#include "packet/run_input.h"
#include "scenario/scenario.h"
#include "traffic/packet_format.h"

namespace weir {

inline void check_own_packet(const RunInput& run, const Section& scheme, const char* key) {
  const PacketFormat& format = run.config.format;
  const SwitchConfig& s = run.config.switches;
  if (s.unit == BufferUnit::packets) return;
  const Bytes buffer = s.organisation->crossbar ? std::min(s.buffer, s.output_buffer) : s.buffer;
  const Bytes most = s.flow_control->by_credits
                         ? buffer
                         : std::max(format.max_payload() + format.header, format.ack);
  if (scheme.bytes(key) > most)
    scheme.refuse(key, fmt::format("buffers are made for packets of {} B at most", most));
}

}  // namespace weir
