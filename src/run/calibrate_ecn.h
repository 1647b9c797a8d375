// ECN thresholds for a fabric and its traffic: the scenario is run with several, from low to high. Low ones keep queues
// short, which helps short flows; high ones keep links busy, which helps long flows.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "scenario/scenario.h"

namespace weir {

struct EcnTrial {
  enum class Which { tried, by_default, given };  // `given`: the scenario's own
  Which which = Which::tried;
  Bytes kmin_per_gigabit = 0, kmax_per_gigabit = 0;  // where they are tried
  std::vector<Bytes> kmin, kmax;                     // for each of EcnCalibration::rates
  // By seed: 99th percentile of slowdown of the flows of the smallest and the largest tenth by size.
  std::vector<double> short_p99, long_p99;
  // Means over the seeds.
  double mean_slowdown = 0;
  Time paused;  // of all links and lanes together
  std::uint64_t stops = 0;
  // From the trial with the fastest short flows: by more than chance, as far as runs with the same seeds tell.
  bool differs = false;
};

struct EcnCalibration {
  std::size_t flows = 0;         // of one run
  Bytes shorter_than = 0, longer_than = 0;
  double pmax = 0;
  std::vector<Rate> rates;       // of the links that have thresholds, the lowest first
  std::vector<EcnTrial> trials;  // kmin ascending
  // The highest thresholds that cost short flows little; where no trial differs from the best: the scenario's own, or
  // the defaults.
  std::size_t suggested = 0;
  bool all_alike() const;
};

// `scenario` has scheme dcqcn and flows with an end. Each trial is run with so many seeds.
EcnCalibration calibrate_ecn(const Scenario& scenario, int seeds, const std::function<void(double)>& progress = {});

}  // namespace weir
