// Which channels wait for space, and which outputs the packets wait for that occupy it: what stall.h needs to tell a
// deadlock from slow progress.
#pragma once
#include <cstdint>
#include <vector>

#include "packet/clock/clock.h"
#include "packet/flow_control/stall.h"
#include "packet/links/fabric_state.h"

namespace weir {

// A channel to which space is on its way back already is not among those that wait.
template <class E>
Standstill standstill(E& e) {
  Standstill still;
  std::vector<std::int64_t> standing(e.fabric().channels(), 0);
  std::vector<bool> landing(e.fabric().channels(), false);
  e.switches.each_waiting(e, [&](PacketSlot slot, ChannelId buffer, ChannelId output) {
    if (!buffer.valid()) return;
    standing[buffer.index] += e.fabric().cost(e.waiting[slot]);
    if (output.valid()) still.edges.push_back({buffer.index, output.index});
  });
  e.clock().for_each_packet([&](const Packet& p) { landing[p.came_by.index] = true; });
  for (std::uint32_t c = 0; c < standing.size(); ++c)
    if (e.space.waits(e, {c}) && !landing[c] && e.space.held(e, {c}) == standing[c]) still.blocked.push_back(c);
  return still;
}

}  // namespace weir
