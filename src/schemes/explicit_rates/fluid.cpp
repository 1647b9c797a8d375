// The explicit-rate schemes without packets: flows move at their exact rates (src/flow/fluid.h). A question about
// completion times in a large fabric is answered in a fraction of the time, with what the packets would add left out.
#include <fmt/format.h>

#include "flow/fluid.h"
#include "packet/routing/flow_setup.h"
#include "schemes/explicit_rates/configure.h"
#include "schemes/idle.h"

namespace weir {
namespace {

FlowRoutingPolicy routing_of(const RunInput& run) {
  const SwitchConfig& switches = run.config.switches;
  if (switches.choice->fixed()) return FlowRoutingPolicy::fixed();
  if (!switches.choice->sets_up)
    throw InputError("fluid rates need one route per flow: use routing choice \"fixed\" or \"flow-setup\"");
  FlowRoutingPolicy policy = FlowRoutingPolicy::ascent();
  const auto& setup = switches.choice.values<FlowSetupConfig>();
  policy.horizontal = setup.horizontal;
  policy.cache_entries = setup.cache_entries;
  policy.measure = setup.by_weight ? FlowRoutingPolicy::Measure::weight : FlowRoutingPolicy::Measure::flows;
  return policy;
}

ExplicitOutcome run_configured(const FluidOptions& options, const RunInput& run) {
  FluidResult fluid = run_fluid(run.topology, run.routes, run.workload, options);
  if (fluid.measurements.ending == Ending::duration && run.config.run.until == Until::flows) {
    fluid.measurements.ending = Ending::saturated;  // as the packet engine says it
    fluid.measurements.ending_text = "max_time reached before the end condition";
  }
  ExplicitOutcome out;
  fluid.measurements.scheme_numbers.emplace_back("rate calculations", static_cast<double>(fluid.recalculations));
  fluid.measurements.scheme_numbers.emplace_back("rates set", static_cast<double>(fluid.rates_changed));
  if (fluid.rates_changed == 0) fluid.measurements.scheme_idle = idle::explicit_rates(0, 0, {});
  for (const FlowResult& flow : fluid.measurements.flows) out.flows.push_back({flow.offered_rate / 8, 0, {}});
  out.measurements = std::move(fluid.measurements);
  return out;
}

}  // namespace

ExplicitRun configure_fluid(RateAlgorithm algorithm, const Section& scheme, const RunInput& run) {
  FluidOptions options;
  options.algorithm = algorithm;
  options.routing = routing_of(run);
  const ReservedShares shares = reserved_shares(scheme);
  for (std::uint32_t p = 0; p < run.topology.ports(); ++p)
    options.reserved.push_back(run.topology.to({p}).valid() ? shares.of(run.topology, {p}) : 0.0);
  const auto payload = static_cast<double>(run.config.format.payloads[0].payload);
  options.efficiency = payload / (payload + static_cast<double>(run.config.format.header));
  options.priority = read_priorities(scheme, run.workload);
  options.seed = run.seed;
  options.duration = run.config.run.until == Until::duration ? run.config.run.duration : run.config.run.max_time;
  options.warmup = run.config.run.warmup;
  return [options](const RunInput& r) { return run_configured(options, r); };
}

}  // namespace weir
