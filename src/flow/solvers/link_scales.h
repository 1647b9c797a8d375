// The fixed-point units in which a problem's weights and capacities are summed exactly.
#pragma once
#include <vector>

#include "flow/solvers/filling.h"
#include "flow/solvers/problem.h"
#include "flow/solvers/wide.h"

namespace weir {

struct LinkScales {
  wide::Scale weight, capacity;

  // Units for flow weights as given, or with the applications' priorities. Weights (or capacities) so far apart that
  // the smallest would have fewer than 53 bits are refused with an InputError; that is a ratio above 10^21.
  static LinkScales of_flows(const RateProblem& problem);
  static LinkScales of_applications(const RateProblem& problem);
  // Weights all 1 (their unit is 1 as well); capacities in so many bits.
  static LinkScales of_equal_flows(const RateProblem& problem, int capacity_bits);

  wide::Fixed usable(const RateProblem& problem, std::size_t link) const {
    const double rest = problem.capacity_rest.empty() ? 0.0 : problem.capacity_rest[link];
    return capacity.fixed(wide::Pair{problem.usable(link), rest});
  }
  // Links with all of their usable capacity and no claimant.
  void full_links(const RateProblem& problem, std::vector<WeighedLink>& links) const;
};

}  // namespace weir
