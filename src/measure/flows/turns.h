// Which outputs of a switch the packets of an input go to, over the whole run. Known where all traffic comes in flows
// whose ways are known.
#pragma once
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "measure/flows/flow_ways.h"
#include "measure/measurements.h"

namespace weir {

class FlowTurns {
 public:
  FlowTurns() = default;
  FlowTurns(const Measurements& m, FlowWays& ways);

  bool known() const { return known_; }
  // `in`: the port that sends into the switch. `out`: one of the switch's ports.
  bool has(PortId in, PortId out) const { return pairs_.contains(pair_of(in, out)); }

 private:
  static std::uint64_t pair_of(PortId in, PortId out) { return std::uint64_t{in.index} << 32 | out.index; }

  bool known_ = false;
  std::unordered_set<std::uint64_t> pairs_;  // looked up only, never walked
};

// By class: all that it received came in flows.
std::vector<bool> classes_of_flows(const Measurements& m);

}  // namespace weir
