// Runs the packet engine with a family of explicit rates and gathers what each flow was given and what it got.
#pragma once
#include <utility>

#include "packet/packet_engine.h"
#include "schemes/explicit_rates/explicit_family.h"
#include "schemes/explicit_rates/explicit_rates.h"

namespace weir {

template <class Family>
ExplicitOutcome run_family(const RunInput& run, RateAlgorithm algorithm, Family&& family) {
  family.weigh_by_size = algorithm != RateAlgorithm::ffa;
  ExplicitOutcome out;
  out.measurements = run_packets(run, family);
  const auto packet = static_cast<std::uint32_t>(run.config.format.payloads[0].payload + run.config.format.header);
  for (std::uint32_t f = 0; f < family.observed.size(); ++f) {
    const auto& seen = family.observed[{f}];
    out.flows.push_back({seen.calculated, seen.measured(run.config.run.warmup, out.measurements.end, packet),
                         family.params.set_up ? family.routes_at_end[f] : std::vector<std::uint32_t>{}});
  }
  return out;
}

}  // namespace weir
