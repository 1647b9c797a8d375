// The experiments of Zdornov & Birk 2009 on the protocols themselves: how long DFFA and DAFA calculate, and how many
// packets SAA-M sends. Every function computes numbers and judges nothing. Traffic and routes are those of the
// flow-level experiments (zdornov/traffic.h); time is that of control/rates/control_network.h.
#pragma once
#include <cstdint>

#include "control/rates/control_network.h"
#include "reproduce/zdornov/traffic.h"

namespace weir::zdornov {

struct ProtocolOptions {
  TreeShape tree = {16, 3, 2};
  FlowRoutingPolicy routing = FlowRoutingPolicy::forced(8);
  std::uint64_t seed = 1;
  Time spread{1'000'000};       // flows that start "approximately at time 0" do so within this
  ControlTiming timing;         // table 6.2
};

// Every host sends `flows` flows to random other hosts. One run of both experiments of figure 6.9.
struct DffaTimes {
  double start_mean = 0, start_worst = 0;  // microseconds over flows: all flows start together
  double late_mean = 0, late_worst = 0;    // one flow starts when the others have their rates
  double longest_round_trip = 0;           // microseconds
  double share_of_bound = 0;               // of 6 |R| T_rt, from the last entry into the loop of the last round
  std::uint32_t rates = 0;                 // |R|
  std::uint64_t messages = 0;              // over links
  double error = 0;                        // largest relative difference to FFA
};
DffaTimes dffa_times(std::uint32_t flows, std::uint32_t run, const ProtocolOptions& options = {});

// The traffic of figure 6.10, all applications at once.
struct DafaTimes {
  std::uint32_t iterations = 0;
  std::uint32_t farthest = 0;    // h_max
  double estimate = 0;           // 2 I h_max (Td + Tc), microseconds
  double measured = 0;           // from the trigger's arrival at the leader to the leader's knowing all rates
  double error = 0;              // largest relative difference to AFA
};
DafaTimes dafa_times(std::uint32_t frag_coeff, std::uint32_t run, const ProtocolOptions& options = {});

// The traffic of figure 6.8. Packets that a flow sends after all flows have entered, up to its last change of rate and
// the packet that tells the links of it.
struct SaaMMessages {
  double mean = 0;
  std::uint32_t most = 0;
  double settled = 0;            // microseconds from the entry of all to the last change of any rate
};
SaaMMessages saa_m_messages(std::uint32_t max_flows, std::uint32_t run, const ProtocolOptions& options = {});

}  // namespace weir::zdornov
