// SAA-M: SAA's rates, and what they leave unused given away greedily.
//
// Problem: find feasible rates with r(f) >= w_f / W_f for every flow (SAA's rate, saa.h) such that none can be raised
// alone: every flow has a saturated link. Many assignments satisfy this; which one the distributed algorithm reaches
// depends on the order in which reservations succeed. Given that order, the fixed point is unique: starting from SAA's
// rates, each flow in turn claims all that is free along its path. One round suffices, because a flow that has claimed
// leaves a link of its own without free capacity, and free capacity only falls. Cost: O(incidences + links); memory 48
// bytes per link, 16 per flow. Accuracy: free capacity is an exact fixed-point number, and the link that bounds a claim
// ends with exactly zero by construction.
#pragma once
#include <span>

#include "flow/solvers/problem.h"

namespace weir {

// `order`: every flow once, in the order of successful claims; empty = by number. Anything else is an InputError.
RateSolution saa_m(const RateProblem& problem, std::span<const std::uint32_t> order = {});

}  // namespace weir
