// The question that every rate solver answers, and the answer's form. Flows cross links; a link l offers c_l (1 -
// alpha_l), the reserved fraction alpha_l being kept for traffic that nobody calculates; a flow f has a weight w_f. A
// solver gives each flow a rate r(f) such that no link carries more than it offers; r(f) / w_f is the flow's normalised
// rate.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "flow/solvers/incidence.h"

namespace weir {

inline constexpr std::uint32_t kNoLink = std::numeric_limits<std::uint32_t>::max();

struct RateProblem {
  const Incidence* incidence = nullptr;
  std::span<const double> capacity;       // per link, in any unit; only links that a flow crosses are looked at
  std::span<const double> weight = {};    // per flow; empty = 1 for all
  std::span<const double> reserved = {};  // per link, alpha in [0, 1); empty = 0 for all
  std::span<const std::uint32_t> application = {};  // per flow, dense from 0; AFA only; empty = all in one
  std::span<const double> priority = {};  // per application, beta; multiplies the weights; AFA only; empty = 1

  // FFA only: what rounding the capacities to doubles cut off; asks for RateSolution::rate_rest too. Not with
  // `reserved`.
  std::span<const double> capacity_rest = {};

  double usable(std::size_t link) const {
    return reserved.empty() ? capacity[link] : capacity[link] * (1.0 - reserved[link]);
  }
  double weight_of(std::size_t flow) const { return weight.empty() ? 1.0 : weight[flow]; }
  // Weight with the application's priority, as AFA uses it.
  double prioritised_weight(std::size_t flow) const {
    if (priority.empty()) return weight_of(flow);
    return weight_of(flow) * priority[application.empty() ? 0 : application[flow]];
  }
};

// Refuses what no solver can answer (a size that does not fit, a weight, capacity or priority that is not positive and
// finite, a reserved fraction outside [0, 1)) with an InputError that names flow or link by number. O(flows + links).
void check_problem(const RateProblem& problem);

struct RateSolution {
  std::vector<double> rate;               // per flow, in the unit of the capacities; infinite for a flow without links
  std::vector<std::uint32_t> bottleneck;  // per flow: the link that set its rate; kNoLink for a flow without links
  std::vector<double> rate_rest;          // FFA, if asked for: what rounding the rate to a double cut off
  std::vector<double> app_rate;           // AFA: normalised rate per application
  std::uint32_t levels = 0;               // FFA, AFA: distinct normalised rates (within 1e-12), the paper's iterations
};

}  // namespace weir
