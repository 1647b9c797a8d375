// FFA: weighted max-min fair rates for independent flows.
//
// Problem: find r >= 0 with, for every link l, sum of r(f) over the flows on l <= c_l (1 - alpha_l), such that no
// normalised rate r(f) / w_f can be raised without lowering one that is not larger. The answer exists and is unique; it
// is the one in which every flow has a *bottleneck*: a saturated link on which no other flow has a larger normalised
// rate. Cost: O(incidences + links) sums plus queue steps (filling.h); memory 32 bytes per link and 14 per flow beside
// the incidence. Accuracy: sums are exact; a rate is right to about 2^-100 times the condition of its chain of
// bottlenecks, then rounded once.
#pragma once
#include "flow/solvers/filling.h"
#include "flow/solvers/problem.h"

namespace weir {

RateSolution ffa(const RateProblem& problem);
// The same with memory that is used again; `out` is overwritten.
void ffa(const RateProblem& problem, FillScratch& scratch, RateSolution& out);

}  // namespace weir
