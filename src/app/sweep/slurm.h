// A batch script for Slurm that does a sweep, on many nodes where weir was built with MPI.
#pragma once
#include <string>
#include <vector>

#include "app/sweep/sweep.h"

namespace weir {

std::string slurm_script(const SweepOptions& options, const SweepPlan& plan);

}  // namespace weir
