// The fluid engine: flows move at calculated rates; whenever flows, phases or applications start or end, the rates that
// this touches are calculated anew. No packets, no buffers, no delays: the model under which the rate algorithms are
// defined, and an upper bound for what the packet engine can reach with them.
#pragma once
#include <cstdint>
#include <vector>

#include "flow/flow_router.h"
#include "flow/solvers/solve.h"
#include "measure/measurements.h"
#include "network/route_table.h"
#include "traffic/workload.h"

namespace weir {

struct FluidOptions {
  RateAlgorithm algorithm = RateAlgorithm::ffa;
  FlowRoutingPolicy routing;
  std::vector<double> reserved = {};  // of each link, for traffic that is not calculated; empty: nothing
  double efficiency = 1;              // share of a link's rate that carries payload
  std::vector<double> priority = {};  // AFA: per application
  std::uint64_t seed = 1;
  Time duration = kNever;  // ends the run; needed where a flow never ends
  Time warmup{};           // what moves before does not count in the window
};

struct FluidResult {
  Measurements measurements;  // flows, ports, classes (bytes), phase ends, totals.events = starts and ends
  std::uint64_t recalculations = 0;
  std::uint64_t flows_recalculated = 0;  // summed over the recalculations
  std::uint64_t rates_changed = 0;
};

// Sources of packets are refused: they have no rate to calculate. SAA, SAA-M and AFA weigh a flow by weight x size, FFA
// by its weight alone; where some flow never ends, all weigh by their weight alone.
FluidResult run_fluid(const Topology& topology, const RouteTable& routes, const Workload& workload,
                      const FluidOptions& options);

}  // namespace weir
