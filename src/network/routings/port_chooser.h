// Picks one of several equally good ports for a destination. Spreading counts what all-to-all traffic would put on each
// port so far, not how many destinations it has: in a tree, counting destinations would send the same ones over the
// same number of port at every level and leave most upper links idle.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "network/topology.h"

namespace weir {

class PortChooser {
 public:
  PortChooser(const Topology& topology, bool spread);
  void start_destination(HostId destination);
  // `equals` in order of port number. Switches must be asked farthest first: each hands its share on to the next.
  PortId choose(SwitchId s, std::span<const PortId> equals);

 private:
  const Topology& topology_;
  bool spread_;
  std::vector<std::uint32_t> hosts_at_;  // hosts that send into the switch
  std::vector<std::uint32_t> demand_;    // hosts whose packets for this destination come through the switch
  std::vector<std::uint64_t> load_;      // per port, all destinations so far
};

}  // namespace weir
