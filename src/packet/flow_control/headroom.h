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

// What PFC is made from, see priority_pause.h.
struct PfcConfig {
  Bytes memory = 0;           // of a switch; 0 = by its ports, see memory_plan()
  Bytes reserve = 0;          // of each input and lane
  Bytes host_reserve = 0;     // of a host whose adapter is slower than its link
  Bytes headroom = 0;         // of each input and lane; 0 = what is needed
  Bytes resume = 0;           // so far below its threshold an input lets its sender go on
  Bytes frame = 0;            // size of a PAUSE frame
  double alpha = 0;           // an input and lane may use this times the shared memory that is free
  Bytes largest_packet = 0;   // that headroom is made for
};
Bytes pfc_headroom(const Topology& topology, const SwitchConfig& switches, const PfcConfig& pfc, PortId from);

// The packet memory of a switch under PFC, divided: `reserve` and headroom for each input and lane, the rest is shared.
struct MemoryPlan {
  Bytes total = 0, reserve = 0, headroom = 0, shared = 0;  // of all inputs together; `shared` is negative if short
};
MemoryPlan memory_plan(const Topology& topology, const SwitchConfig& switches, const PfcConfig& pfc, SwitchId node);
// What the link's input keeps: the given headroom, or the one that is needed; adapters have that.
Bytes headroom_of(const Topology& topology, const SwitchConfig& switches, const PfcConfig& pfc, PortId from);

}  // namespace weir
