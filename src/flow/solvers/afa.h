// AFA: max-min fair progress for several phase-based applications that share the fabric.
//
// Problem: all flows of an application a run at one normalised rate r(a) = r(f) / w_f, where w_f = beta_a x (given
// weight); an application is as fast as its slowest flow, so more for one flow would only take capacity from others.
// Find feasible rates such that no r(a) can be raised without lowering one that is not larger. The answer is unique:
// every application has a saturated link, used by one of its flows, on which no other application has a larger rate.
// Cost: O(incidences + links) to sum weights per (application, link), then progressive filling over those sums, of
// which there are at most min(incidences, |A| |L|); an application is taken off each of its links once. Accuracy: as
// FFA (ffa.h).
#pragma once
#include "flow/solvers/problem.h"

namespace weir {

// `rate` per flow, `app_rate` per application (infinite for one without flows); `bottleneck` of a flow is its
// application's.
RateSolution afa(const RateProblem& problem);

}  // namespace weir
