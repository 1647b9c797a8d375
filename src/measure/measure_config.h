// What is recorded of a run, and how finely: the [measure] section as a plain value, for every engine.
#pragma once
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "measure/flows/slowdown.h"
#include "measure/run_config.h"
#include "network/topology.h"
#include "scenario/scenario.h"

namespace weir {

inline constexpr std::int64_t kMostFixedBins = 1'000'000;  // of a width that is given

struct MeasureConfig {
  Time bin;                    // 0 = automatic
  SourcePosition bin_where;    // a run without a duration finds out late that there are too many
  std::uint32_t max_bins = 2000;
  std::uint32_t frames = 64;   // snapshots of the fabric kept for the report; 0 = none
  std::vector<PortId> watch;   // ports whose queue and rate are kept as time series
  Time watch_bin;              // width of their bins
  SourcePosition watch_where;
};

std::vector<ParamSpec> measure_params();

// By which sizes slowdown is told apart; edges that do not ascend are refused.
SizeBins read_size_bins(const Section& section);

// Refuses ports that do not exist, and bins that are too many for the run.
MeasureConfig read_measure(const Section& section, const RunConfig& run, const Topology& topology);

}  // namespace weir
