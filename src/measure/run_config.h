// When a run ends and what counts in it: the [run] section as a plain value, for every engine.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "scenario/scenario.h"
#include "traffic/workload.h"

namespace weir {

enum class Until { duration, flows, traffic_class };

struct RunConfig {
  Until until = Until::duration;
  Time duration = kNever;      // of until = duration
  std::string until_class;     // of until = class
  Time settle;                 // keep running after the end condition
  Time max_time = kNever;      // gives up: "saturated"
  std::uint64_t max_backlog = 0;  // packets waiting at hosts; more is "saturated"
  Time warmup;
};

std::vector<ParamSpec> run_params();

// Refuses an end that never comes.
RunConfig read_run(const Section& section, const Workload& workload);

}  // namespace weir
