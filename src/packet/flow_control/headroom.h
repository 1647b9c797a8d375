// How much can still arrive after a receiver has decided to stop its sender: the room that must be kept for it.
#pragma once
#include "base/units.h"
#include "network/topology.h"
#include "packet/config/config.h"
#include "packet/links/link_records.h"

namespace weir {

// PAUSE with fixed thresholds (pause.h): above its stop threshold. `extra_delay`: beside that of the link.
Bytes pause_headroom(const LinkProperties& link, Bytes largest_packet, Time extra_delay);

// The way of a stop under PFC, back to the sender, and of the packets that it has sent by then.
struct StopLoop {
  LinkKind there;                      // the link whose packets are to stop
  std::uint64_t back_ps_per_byte_q16;  // of the link that the frame takes
  Time delay;                          // of the cable
  Time response;                       // from the frame's end to the last start of a packet
  Bytes largest_packet, frame;
};

// PFC (priority_pause.h): behind the link that begins at this port, for each lane. Exact: there is traffic that takes
// all of it. Worst case: the packet that crosses the threshold lands when a packet of the largest size has just begun
// on the way back; the frame follows it, travels, and is obeyed after the response time (switch.credit_delay). By then
// the sender has gone on at full rate, and has just begun another packet of the largest size.
Bytes pfc_headroom(const StopLoop& loop);
Bytes pfc_headroom(const Topology& topology, const SwitchConfig& switches, PortId from);

// The packet memory of a switch under PFC, divided: `reserve` and headroom for each input and lane, the rest is shared.
struct MemoryPlan {
  Bytes total = 0, reserve = 0, headroom = 0, shared = 0;  // of all inputs together; `shared` is negative if short
};
MemoryPlan memory_plan(const Topology& topology, const SwitchConfig& switches, SwitchId node);
// What the link's input keeps: the given headroom, or the one that is needed; adapters have that.
Bytes headroom_of(const Topology& topology, const SwitchConfig& switches, PortId from);

}  // namespace weir
