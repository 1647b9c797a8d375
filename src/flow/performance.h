// What rates are worth, by scenario (Zdornov & Birk 2009, section 1.4): a single phase-based application wants its last
// flow to end early, independent flows want high and even rates, and an application among others is as fast as its
// slowest flow.
#pragma once
#include <vector>

#include "flow/solvers/problem.h"

namespace weir {

// Time until the last flow has sent its weight (its size) at these rates, in weight units per rate unit.
double completion_time(const RateProblem& problem, const std::vector<double>& rates);

struct RateSummary {
  double mean = 0, min = 0, max = 0;
  double jain = 1;  // (sum x)^2 / (n sum x^2)
};
RateSummary summarize_rates(const std::vector<double>& rates);  // infinite rates (flows without links) are left out

// Per application: the smallest normalised rate among its flows, with priorities; infinite for one without flows.
std::vector<double> application_rates(const RateProblem& problem, const std::vector<double>& rates);

// The rates in ascending order, read off at places in [0, 1] (0 the slowest, 1 the fastest), so that runs with
// different numbers of flows can be compared.
std::vector<double> sorted_at(std::vector<double> rates, const std::vector<double>& places);

}  // namespace weir
