// From a scenario to measurements: network, traffic, engine with one scheme. This is the line through the house;
// commands and reproductions all go through it.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "measure/live.h"
#include "measure/measurements.h"
#include "network/network.h"
#include "scenario/scenario.h"
#include "traffic/workload.h"

namespace weir {

// What a scenario may say: the tables of all layers, gathered.
const Vocabulary& vocabulary();

struct Outcome {
  std::unique_ptr<Network> network;
  std::unique_ptr<Workload> workload;
  Measurements measurements;
  std::vector<std::string> warnings;  // said before the run starts
  bool routes_proven = false;         // free of deadlock, whatever happens
  unsigned threads = 1;               // that may execute the run; 0 = as many as there are cores and is worth it
};

using ProgressReport = std::function<void(double share, Time simulated)>;

// Builds everything up to the engine, so that every error of the scenario shows, and runs nothing. `read`: see
// build_workload.
Outcome prepare_run(const Scenario& scenario, FileReader read = nullptr);
// Runs what prepare_run() has built for the same scenario.
void run_prepared(const Scenario& scenario, Outcome& outcome, const ProgressReport& progress = {},
                  const LiveView* live = nullptr);
Outcome simulate(const Scenario& scenario, const ProgressReport& progress = {}, unsigned threads = 1);

}  // namespace weir
