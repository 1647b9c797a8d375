// From a scenario to measurements: network, traffic, engine with one scheme. This is the line through the house;
// commands and reproductions all go through it.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/core_share.h"
#include "measure/live_view.h"
#include "measure/measurements.h"
#include "network/network.h"
#include "packet/config/config.h"
#include "run/vocabulary.h"
#include "scenario/scenario.h"
#include "schemes/registry.h"
#include "traffic/workload.h"

namespace weir {

// A scenario ready to run. Whatever is wrong with it has been said.
struct RunSetup {
  std::unique_ptr<Network> network;
  std::unique_ptr<Workload> workload;
  PacketConfig config;
  ConfiguredScheme scheme;
  std::uint64_t seed = 1;
  bool fluid = false;                 // by the fluid engine, not packet by packet
  unsigned threads = 1;               // that may execute the run; 0 = as many as there are cores and is worth it
  unsigned cores = 0;                 // that it may use then, if other runs need the rest; 0 = all
  Ranks* ranks = nullptr;             // processes that share it; only rank 0 has the result
  std::vector<std::string> warnings;  // said before the run starts
  std::vector<std::string> overloads;  // those of them that say that links cannot carry the traffic
  bool routes_proven = false;         // free of deadlock, whatever happens
};

// A run that is over.
struct Outcome {
  std::unique_ptr<Network> network;
  std::unique_ptr<Workload> workload;
  Measurements measurements;
  std::vector<std::string> warnings;
  bool routes_proven = false;
  bool overloaded = false;  // the traffic asks for more than some links carry
};

using ProgressReport = std::function<void(double share, Time simulated)>;

// Builds and configures everything, and runs nothing. `read`: see build_workload.
RunSetup set_up(const Scenario& scenario, FileReader read = nullptr);
// The same for a network and a workload that are there already.
RunSetup set_up(const Scenario& scenario, std::unique_ptr<Network> network, std::unique_ptr<Workload> workload);

// The set-up as the engine takes it; it refers to the set-up.
RunInput run_input(const RunSetup& setup);
Measurements run_simulation(const RunSetup& setup, const ProgressReport& progress = {}, const LiveView* live = nullptr);
Outcome simulate(RunSetup setup, const ProgressReport& progress = {}, const LiveView* live = nullptr);
// A run among others that share the cores, while `waiting` of them have not begun.
Outcome simulate(RunSetup setup, CoreShare& cores, std::size_t waiting, const ProgressReport& progress = {});
Outcome simulate(const Scenario& scenario, const ProgressReport& progress = {}, FileReader read = nullptr,
                 unsigned threads = 1);

}  // namespace weir
