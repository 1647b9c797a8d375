// ECN thresholds for a fabric and its traffic: the scenario is run with several, from low to high. Low ones keep queues
// short, which helps short flows; high ones keep links busy, which helps long flows.
#pragma once
#include <functional>
#include <vector>

#include "scenario/scenario.h"

namespace weir {

struct EcnTrial {
  Bytes kmin = 0, kmax = 0;
  double pmax = 0;
  // Means over the seeds: 99th percentile of slowdown of the flows of the smallest and the largest tenth by size.
  double short_p99 = 0, long_p99 = 0, mean_slowdown = 0;
  Time paused;                 // of all links and lanes together
  std::uint64_t stops = 0;
};

struct EcnCalibration {
  std::size_t flows = 0;       // of one run
  Bytes shorter_than = 0, longer_than = 0;
  std::vector<EcnTrial> trials;  // kmin ascending
  std::size_t suggested = 0;   // the highest thresholds that cost short flows little
};

// `scenario` has scheme dcqcn and flows with an end. Each trial is run with so many seeds.
EcnCalibration calibrate_ecn(const Scenario& scenario, const std::function<Scenario(const EcnTrial&)>& with, int seeds,
                             const std::function<void(double)>& progress = {});

}  // namespace weir
