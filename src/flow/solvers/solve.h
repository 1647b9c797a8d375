// One door to the four rate solvers, for commands and engines that choose by name.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "flow/solvers/problem.h"

namespace weir {

enum class RateAlgorithm { saa, saa_m, ffa, afa };

std::span<const std::string_view> rate_algorithm_names();  // "saa", "saa-m", "ffa", "afa", in the order of the enum
RateAlgorithm rate_algorithm(std::string_view name);       // InputError with the names that exist
std::string_view name_of(RateAlgorithm algorithm);

// `claim_order` is SAA-M's; the others have none.
RateSolution solve(RateAlgorithm algorithm, const RateProblem& problem,
                   std::span<const std::uint32_t> claim_order = {});

}  // namespace weir
