// How the explicit-rate schemes are set up from their section: what all ways of calculating rates share, and the ways
// beside the exact one (explicit_rates.cpp).
#pragma once
#include <vector>

#include "schemes/explicit_rates/explicit_family.h"
#include "schemes/explicit_rates/explicit_rates.h"
#include "schemes/explicit_rates/rate_calculation.h"

namespace weir {

ReservedShares reserved_shares(const Section& scheme);
// Priorities of AFA, one for each application; none if the scheme knows no applications or nobody gave any.
std::vector<double> read_priorities(const Section& scheme, const Workload& workload);

// The rates come from the scheme's protocol (explicit_rates/distributed.cpp).
ExplicitRun configure_distributed(RateAlgorithm algorithm, const Section& scheme, const RunInput& run,
                                  const ExplicitParams& params);
// No packets at all (explicit_rates/fluid.cpp).
ExplicitRun configure_fluid(RateAlgorithm algorithm, const Section& scheme, const RunInput& run);

}  // namespace weir
