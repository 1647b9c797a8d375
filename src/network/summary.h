// What a topology is, in numbers, for `weir topo` and for the head of a report.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/route_table.h"
#include "network/topology.h"

namespace weir {

struct RateCount {
  Rate rate;
  std::size_t cables = 0;  // a full-duplex cable counts once, a one-way link too
};

struct TopologySummary {
  std::size_t hosts = 0;
  std::size_t switches = 0, switches_without_cables = 0;
  std::size_t link_directions = 0;
  std::size_t host_cables = 0;
  std::size_t switch_cables = 0;
  std::vector<RateCount> rates;        // fastest first
  std::uint32_t fewest_switch_ports = 0, most_switch_ports = 0;
  std::uint32_t levels = 0;            // of a tree or multistage network; 0 for a graph
  // Per level of a tree or MIN but the last: capacity towards the next level as a multiple of what all hosts can send.
  // Below 1 the fabric is oversubscribed there.
  std::vector<double> capacity_ratio;
  // Without levels: of all switches with hosts, the one whose cables to other switches carry least of what may have to
  // cross them, which is what its own hosts can send or all others can, whichever is less.
  struct Cut {
    SwitchId around;
    double carried = 0, sent = 0;  // bit/s
    std::size_t switches = 0;      // with hosts
  };
  std::optional<Cut> narrowest;    // none: a single switch has hosts
  // Of default paths between different hosts, in switches crossed.
  std::uint32_t longest_path = 0;
  double mean_path = 0;
  std::uint64_t pairs = 0;             // how many pairs the two were taken from
  bool all_pairs = false;              // otherwise a sample, the same on every run
};

// "0.75 times what all hosts can send (oversubscribed, 1.33 to 1)", of the cables up from a level of a tree; from the
// leaves (`leaves`: by switch, which ones are), also what a usual one and the worst one have for their own hosts, where
// these differ.
std::string capacity_text(double share);
std::string leaf_capacity_text(const Topology& topology, const std::vector<bool>& leaves);

// At most about `most_pairs` pairs are followed.
TopologySummary topology_summary(const Topology& topology, const RouteTable& routes,
                                 std::uint64_t most_pairs = 1 << 20);

}  // namespace weir
