// SAA: rates with which a single phase-based application ends its communication phase as early as possible.
//
// Problem: the weights are the sizes of the flows. W_l = (sum of w_f on link l) / c_l (1 - alpha_l) is the time that
// link l needs for all it has to carry; no schedule ends before W = max W_l. SAA gives r(f) = w_f / W_f with W_f = max
// of W_l over the links of f: feasible on every link, and flow f ends at W_f <= W. Some capacity may stay unused (see
// saa_m.h). Cost: O(incidences + links), two sequential sweeps; memory 8 bytes per link. Accuracy: compensated sums;
// the rate is rounded a constant number of times, whatever the number of flows.
#pragma once
#include "flow/solvers/problem.h"

namespace weir {

RateSolution saa(const RateProblem& problem);
// The same with memory that is used again: `density` receives W_l for every link (0 where no flow goes).
void saa(const RateProblem& problem, std::vector<double>& density, RateSolution& out);

}  // namespace weir
