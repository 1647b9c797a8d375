// Names and dispatch of the rate solvers.
#include "flow/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "flow/afa.h"
#include "flow/ffa.h"
#include "flow/saa.h"
#include "flow/saa_m.h"

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

RateSolution solve(RateAlgorithm algorithm, const RateProblem& problem, std::span<const std::uint32_t> claim_order) {
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

}  // namespace weir
