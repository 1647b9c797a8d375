#include "packet/flow_control/headroom.h"

#include <algorithm>

namespace weir {

Bytes pause_headroom(const LinkProperties& link, Bytes largest_packet, Time extra_delay) {
  // The stop travels one link delay; until it arrives the sender goes on at full rate, then finishes the packet it has
  // begun; what it sent during the last link delay is still on the wire.
  const Time open = link.delay * 2 + extra_delay;
  const auto per_byte = link.rate.ps_per_byte_q16();
  const auto in_flight = static_cast<Bytes>((static_cast<unsigned __int128>(open.ps) << 16) / per_byte) + 1;
  return in_flight + 2 * largest_packet;
}

Bytes pfc_headroom(const StopLoop& loop) {
  const LinkKind &there = loop.there, back{.ps_per_byte_q16 = loop.back_ps_per_byte_q16};
  const auto largest = static_cast<std::uint32_t>(loop.largest_packet), frame = static_cast<std::uint32_t>(loop.frame);
  // Of starts whose packets land from the crossing one on: until the frame has stopped the sender.
  const std::int64_t open = std::max(back.serialization(largest) - 1, back.serialization(frame)) +
                            back.serialization(frame) + (loop.delay + loop.response).ps + there.latency +
                            (there.by_tail ? there.serialization(largest) : 0);
  // Where a byte does not take whole picoseconds, each packet may end half a picosecond early.
  const bool whole = (there.ps_per_byte_q16 & 0xffffu) == 0;
  const std::int64_t early = whole ? 0 : open / std::max<std::int64_t>(1, there.serialization(64)) / 2 + 1;
  return static_cast<Bytes>(there.bytes_in(open - 1 + early)) + loop.largest_packet;
}

Bytes pfc_headroom(const Topology& topology, const SwitchConfig& switches, const PfcConfig& pfc, PortId from) {
  return pfc_headroom({.there = kind_of_link(topology, switches, from),
                       .back_ps_per_byte_q16 = topology.link(topology.to(from)).rate.ps_per_byte_q16(),
                       .delay = topology.link(from).delay,
                       .response = switches.credit_delay,
                       .largest_packet = pfc.largest_packet,
                       .frame = pfc.frame});
}

Bytes headroom_of(const Topology& topology, const SwitchConfig& switches, const PfcConfig& pfc, PortId from) {
  const bool to_host = topology.is_host(topology.node_of(topology.to(from)));
  return pfc.headroom > 0 && !to_host ? pfc.headroom : pfc_headroom(topology, switches, pfc, from);
}

MemoryPlan memory_plan(const Topology& topology, const SwitchConfig& switches, const PfcConfig& pfc, SwitchId node) {
  // What its ports send in this time, where the memory is not given: shared-buffer switches of 1.2 to 12.8 Tb/s have
  // between 40 and 75 us of it.
  constexpr Time kTypical{40'000'000};
  MemoryPlan plan;
  double rates = 0;
  const NodeId n = topology.node(node);
  for (std::uint32_t i = 0; i < topology.port_count(n); ++i) {
    const PortId in = topology.port(n, i), from = topology.from(in);
    if (!from.valid()) continue;
    rates += static_cast<double>(topology.link(from).rate.bits_per_second);
    plan.reserve += pfc.reserve * switches.lanes;
    plan.headroom += headroom_of(topology, switches, pfc, from) * switches.lanes;
  }
  plan.total = pfc.memory > 0 ? pfc.memory : static_cast<Bytes>(rates * kTypical.seconds() / 8);
  plan.shared = plan.total - plan.reserve - plan.headroom;
  return plan;
}

}  // namespace weir
