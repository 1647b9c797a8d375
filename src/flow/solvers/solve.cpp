// Names and dispatch of the rate solvers.
#include "flow/solvers/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "flow/solvers/afa.h"
#include "flow/solvers/ffa.h"
#include "flow/solvers/saa.h"
#include "flow/solvers/saa_m.h"

namespace weir {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"saa", "saa-m", "ffa", "afa"};

}  // namespace

std::span<const std::string_view> rate_algorithm_names() { return kNames; }

RateAlgorithm rate_algorithm(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end())
    throw InputError(fmt::format("there is no rate algorithm \"{}\"; choose one of {}", name, fmt::join(kNames, ", ")));
  return static_cast<RateAlgorithm>(found - kNames.begin());
}

std::string_view name_of(RateAlgorithm algorithm) { return kNames[static_cast<std::size_t>(algorithm)]; }

namespace {

RateSolution solve_unchecked(RateAlgorithm algorithm, const RateProblem& problem,
                             std::span<const std::uint32_t> claim_order) {
  switch (algorithm) {
    case RateAlgorithm::saa:
      return saa(problem);
    case RateAlgorithm::saa_m:
      return saa_m(problem, claim_order);
    case RateAlgorithm::ffa:
      return ffa(problem);
    case RateAlgorithm::afa:
      break;
  }
  return afa(problem);
}

}  // namespace

RateSolution solve(RateAlgorithm algorithm, const RateProblem& problem, std::span<const std::uint32_t> claim_order) {
  RateSolution solution = solve_unchecked(algorithm, problem, claim_order);
  for (std::size_t f = 0; f < solution.rate.size(); ++f) {
    const double rate = solution.rate[f], normalised = rate / problem.weight_of(f);
    if (problem.incidence->links_of(f).empty() || (rate > 0 && std::isnormal(rate) && std::isnormal(normalised)))
      continue;
    throw InputError(fmt::format(
        "weights and capacities differ too much: the rate of flow {}, whose weight is {:g}, cannot be calculated", f,
        problem.weight_of(f)));
  }
  return solution;
}

}  // namespace weir
