// What a network's structure says about the loop between source and destination: the round trip of a lone packet, the
// window that keeps a flow going over it, and the k and n by which waiting is measured. The formulas are those of
// sections 5.3.1 and 5.3.2 of Ferrer 2012, in which the time per hop is counted h times each way.
#pragma once
#include "packet/run_input.h"

namespace weir {

struct RoundTrip {
  std::uint32_t hops = 0;       // h: switches on the longest default path
  Time per_hop;                 // routing, crossing and one link
  Time packet_time, ack_time;   // largest data packet and acknowledgement on the slowest link
  Time shortest;                // 2 h t_hop + (L_data + L_ack) / B
  double window = 0;            // omega: packets of the smallest size that fit into their round trip
  std::uint32_t whole_window = 0;  // rounded up
  std::uint32_t radix = 0;      // k: of a structured network, else the most hosts at one switch; at least 2
  // n: of a structured network, else the switches on the way to the middle of the longest path.
  std::uint32_t stages = 0;
};

RoundTrip round_trip(const RunInput& run);
// Omega of formula 5.4 for packets of this size on the wire.
double window_for(const RoundTrip& trip, const RunInput& run, Bytes packet);

}  // namespace weir
