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

void build(const Scenario& scenario, FileReader read, Outcome& outcome) {
  check_memory(scenario);
  Topology topology = build_topology(scenario, &outcome.warnings);
  RouteTable routes = build_routes(scenario, topology);
  outcome.network = std::make_unique<Network>(Network{std::move(topology), std::move(routes)});
  outcome.workload = std::make_unique<Workload>(build_workload(scenario, outcome.network->topology, read));
  const PacketConfig config =
      packet_config(scenario, outcome.network->topology, *outcome.workload, outcome.network->routes.lanes());
  check_memory(scenario, outcome.network->topology, *outcome.workload, config);
  outcome.routes_proven = check_routes(*outcome.network, config, outcome.warnings);
  const SchemeInfo& scheme = scheme_named(scenario.section("scheme").kind);
  if (config.switches.choice == RouteChoice::snooping && !scheme.notifies)
    outcome.warnings.push_back(
        fmt::format("routing choice \"snooping\" has no effect: scheme \"{}\" sends no notifications", scheme.name));
  if (scheme.advice != nullptr) {
    const std::string advice = scheme.advice(config, *outcome.workload, scenario.section("scheme"));
    if (!advice.empty()) outcome.warnings.push_back(advice);
  }
}

}  // namespace

Outcome prepare_run(const Scenario& scenario, FileReader read) {
  Outcome outcome;
  build(scenario, read, outcome);
  return outcome;
}

void run_prepared(const Scenario& scenario, Outcome& outcome, const ProgressReport& progress, const LiveView* live) {
  PacketRun run{outcome.network->topology,
                outcome.network->routes,
                *outcome.workload,
                packet_config(scenario, outcome.network->topology, *outcome.workload, outcome.network->routes.lanes()),
                scenario.seed,
                progress};
  run.live = live;
  run.routes_proven = outcome.routes_proven;
  run.threads = outcome.threads;
  const Section& scheme = scenario.section("scheme");
  outcome.measurements = scheme_named(scheme.kind).run(run, scheme);
}

Outcome simulate(const Scenario& scenario, const ProgressReport& progress, unsigned threads) {
  Outcome outcome = prepare_run(scenario);
  outcome.threads = threads;
  run_prepared(scenario, outcome, progress);
  return outcome;
}

}  // namespace weir
