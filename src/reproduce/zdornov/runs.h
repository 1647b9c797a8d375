// Flows of an experiment of Zdornov & Birk 2009 put into the packet engine: with or without explicit rates, on the
// fabric and routes of the experiment. What the switches are like comes from a scenario of reproduce/zdornov2009.
#pragma once
#include <vector>

#include "flow/solvers/solve.h"
#include "measure/measurements.h"
#include "reproduce/computation.h"
#include "reproduce/zdornov/traffic.h"
#include "scenario/parse.h"
#include "scenario/scenario.h"
#include "traffic/workload.h"

namespace weir::zdornov {

// The trees of chapter 6.
inline constexpr TreeShape kPlain{16, 3, 0}, kModified{16, 3, 2};
inline constexpr std::uint32_t kMostHops = 8;    // of ForcedDir
inline constexpr std::uint32_t kApps = 32;       // of figures 6.10 and 6.11
std::size_t hosts_of(const TreeShape& tree);
using Ties = FlowRoutingPolicy::Ties;
Ties ties_of(const Parameters& with);  // on the way up: the default port, in the second reading chance
FlowRoutingPolicy forced_dir(Ties ties = Ties::default_port);

// All start at once. `weights` and `applications` per flow; empty = 1 and 0.
Workload workload_of(const std::vector<FlowPair>& flows, Bytes bytes = kEndless,
                     const std::vector<double>& weights = {}, const std::vector<std::uint32_t>& applications = {});

// The overrides that turn a scenario with static routes into one with flow set-up on a preemptive lane of its own.
std::vector<Override> with_flow_setup();

// Under the scenario's own scheme.
Measurements run_flows(const Scenario& scenario, const Wired& fabric, const Workload& workload);
// When the last flow of `bytes` was complete, in units of a flow alone.
double completion_of(const Measurements& m, const Wired& fabric, Bytes bytes);

// Endless flows under the scenario's scheme, per flow in shares of a link: after warm-up, before it, and in all.
struct FlowShares {
  std::vector<double> steady, start, whole;
};
FlowShares measure_shares(const Scenario& scenario, const Wired& fabric, const std::vector<FlowPair>& flows);

// Calculated rates and what came out of them, in shares of a link.
struct Realised {
  std::vector<double> calculated, measured;  // per flow
  double ratio_of_minima() const;
  double worst_flow() const;     // smallest measured / calculated of any flow
  double ratio_of_means() const;
  bool lacked_space = false;  // some sender waited for buffers
};
Realised realise(RateAlgorithm algorithm, const Scenario& scenario, const Wired& fabric, const Workload& workload);

}  // namespace weir::zdornov
