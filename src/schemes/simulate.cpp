#include "schemes/simulate.h"

#include <fmt/format.h>

#include "network/deadlock.h"
#include "packet/config.h"
#include "packet/packet_run.h"
#include "schemes/memory_need.h"
#include "schemes/registry.h"

namespace weir {

const Vocabulary& vocabulary() {
  static const Vocabulary all{{
      {.name = "topology", .summary = "the fabric", .selector = "kind", .required = true, .kinds = topology_kinds()},
      {.name = "link", .summary = "rate and delay of links", .common = link_params()},
      {.name = "packet", .summary = "sizes on the wire", .common = packet_params()},
      {.name = "switch", .summary = "how switches are built", .common = switch_params()},
      {.name = "adapter", .summary = "how hosts queue and inject", .common = adapter_params()},
      {.name = "routing", .summary = "how packets find their way", .selector = "kind", .default_kind = "auto",
       .common = route_choice_params(), .kinds = routing_kinds()},
      {.name = "traffic", .summary = "what the hosts send; several entries run side by side", .selector = "pattern",
       .repeated = true, .required = true, .common = traffic_common_params(), .kinds = traffic_kinds()},
      {.name = "scheme", .summary = "congestion management", .selector = "name", .default_kind = "none",
       .kinds = scheme_kinds()},
      {.name = "measure", .summary = "what is recorded", .common = measure_params()},
      {.name = "run", .summary = "when it ends", .common = run_params()},
  }};
  return all;
}

namespace {

// Routes by digits of trees and multistage networks go up, then down: they cannot deadlock. Others are checked. True if
// the routes are proven; nothing is known about the horizontal hops of flow set-up.
bool check_routes(const Network& network, const PacketConfig& config, std::vector<std::string>& warnings) {
  const bool may_leave = config.switches.choice == RouteChoice::flow_setup;
  if (!network.routes.rules().empty()) return !may_leave && ranks_prove_no_cycle(network.topology, network.routes);
  const bool adaptive = config.switches.choice != RouteChoice::fixed;
  const DeadlockVerdict verdict = check_deadlock(network.topology, network.routes,
                                                 adaptive ? Dependencies::all_candidates : Dependencies::default_ports);
  if (!verdict.free)
    warnings.push_back(fmt::format("the routes can deadlock: {} ({})", verdict.text(network.topology),
                                   network.routes.dimensions() != nullptr
                                       ? "routing.lanes = \"dateline\" cuts the rings"
                                       : "routing \"up-down\" is free of cycles on any graph"));
  return verdict.free && !may_leave;
}

// Errors of schemes that name no key get the place where the scheme was chosen.
ConfiguredScheme configure(const SchemeInfo& scheme, const Section& section, const PacketRun& run) {
  try {
    return scheme.configure(section, run);
  } catch (const InputError& error) {
    if (!error.where().file.empty()) throw;
    throw InputError(section.kind_where, error.what());
  }
}

// What `run` refers to outlives it: it is either thrown away after the set-up, or made anew for a run.
PacketRun packet_run(const RunSetup& setup) {
  PacketRun run{setup.network->topology, setup.network->routes, *setup.workload, setup.config, setup.seed};
  run.routes_proven = setup.routes_proven;
  return run;
}

void configure(const Scenario& scenario, RunSetup& setup) {
  const Topology& topology = setup.network->topology;
  setup.seed = scenario.seed;
  setup.config = packet_config(scenario, topology, *setup.workload, setup.network->routes.lanes());
  check_memory(scenario, topology, *setup.workload, setup.config);
  setup.routes_proven = check_routes(*setup.network, setup.config, setup.warnings);
  const Section& section = scenario.section("scheme");
  const SchemeInfo& scheme = scheme_named(section.kind);
  if (setup.config.switches.choice == RouteChoice::snooping && !scheme.notifies)
    setup.warnings.push_back(
        fmt::format("routing choice \"snooping\" has no effect: scheme \"{}\" sends no notifications", scheme.name));
  setup.scheme = configure(scheme, section, packet_run(setup));
  if (!setup.scheme.warning.empty()) setup.warnings.push_back(setup.scheme.warning);
}

}  // namespace

RunSetup set_up(const Scenario& scenario, FileReader read) {
  check_memory(scenario);
  RunSetup setup;
  Topology topology = build_topology(scenario, &setup.warnings);
  RouteTable routes = build_routes(scenario, topology);
  setup.network = std::make_unique<Network>(Network{std::move(topology), std::move(routes)});
  setup.workload = std::make_unique<Workload>(build_workload(scenario, setup.network->topology, read));
  configure(scenario, setup);
  return setup;
}

RunSetup set_up(const Scenario& scenario, std::unique_ptr<Network> network, std::unique_ptr<Workload> workload) {
  RunSetup setup;
  setup.network = std::move(network);
  setup.workload = std::move(workload);
  configure(scenario, setup);
  return setup;
}

Measurements run_simulation(const RunSetup& setup, const ProgressReport& progress, const LiveView* live) {
  PacketRun run = packet_run(setup);
  run.progress = progress;
  run.live = live;
  return setup.scheme.run(run);
}

Outcome simulate(const Scenario& scenario, const ProgressReport& progress, FileReader read) {
  RunSetup setup = set_up(scenario, read);
  Measurements measurements = run_simulation(setup, progress);
  return {std::move(setup.network), std::move(setup.workload), std::move(measurements), std::move(setup.warnings),
          setup.routes_proven};
}

}  // namespace weir
