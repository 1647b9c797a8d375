// A batch script for Slurm that does a sweep, on many nodes where weir was built with MPI.
#pragma once
#include <string>
#include <vector>

#include "app/sweep/sweep.h"

namespace weir {

std::string slurm_script(const SweepOptions& options, const SweepPlan& plan);

std::string own_program();                 // path of this executable
std::vector<std::string> own_arguments();  // as it was called

}  // namespace weir
