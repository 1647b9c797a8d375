// What a sweep is going to do: its points, the repetitions of each, and how much work each is likely to be. Made from
// the scenario alone, so that every process of a sweep has the same one.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "scenario/parse.h"

namespace weir {

// One combination of the swept values. Its runs differ in the seed only.
struct SweepPoint {
  std::string name;                // "traffic.cold.load=0.3, scheme.name=window"; empty where only seeds are swept
  std::vector<Override> settings;  // without the seed
  std::vector<std::size_t> runs;   // by repetition: numbers of runs
  double cost = 0;                 // of one run; only ratios mean something
};

struct SweepRun {
  std::size_t number = 0;  // for sweep_variant()
  std::size_t point = 0;
  std::uint32_t repetition = 0;
  std::string run_id;
};

struct SweepPlan {
  Scenario base;
  std::vector<SweepPoint> points;  // in the order of the [sweep] table
  std::vector<SweepRun> runs;      // by number

  std::size_t repetitions() const { return points.empty() ? 0 : points.front().runs.size(); }
};

// Refuses a scenario without [sweep]. Builds every variant once, on `threads` threads, for its hash.
SweepPlan make_sweep_plan(const Scenario& base, unsigned threads);

// Before anything is written: refuses what every run would fail with, and metrics of classes that no point has.
void check_points(const SweepPlan& plan, const std::vector<std::string>& metrics);

// Hosts x load x duration, in bits that are offered; hosts is the number of hosts of the scenario's topology.
double estimated_cost(const Scenario& scenario, double hosts);

}  // namespace weir
