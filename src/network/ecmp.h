// Equal-cost multipath: every flow keeps one of several equally good ways, by a hash. The engine sends packets by it,
// and measurements find out afterwards which way a flow has taken.
#pragma once
#include <cstdint>
#include <span>

#include "base/ids.h"
#include "base/random.h"
#include "network/route_step.h"

namespace weir {

inline std::uint64_t ecmp_pair_word(std::uint64_t seed, HostId source, HostId destination) {
  return RandomStream(seed, Purpose::routing, std::uint64_t{source.index} << 32 | destination.index).next();
}
// A word for the flow, the same for all of its packets. `flow`: the number that it is hashed as, or that of an invalid
// id for packets that sources draw at random, where a pair of hosts is a flow.
inline std::uint64_t ecmp_flow_word(std::uint64_t seed, HostId source, HostId destination, std::uint32_t flow) {
  return RandomStream(ecmp_pair_word(seed, source, destination), Purpose::routing, flow).next();
}
// One of the steps by such a word; every switch reads it differently.
inline RouteStep ecmp_pick(std::span<const RouteStep> steps, SwitchId s, std::uint64_t word) {
  return steps[RandomStream(word, Purpose::routing, s.index).below(steps.size())];
}

}  // namespace weir
