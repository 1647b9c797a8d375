#include "run/simulate.h"

#include <fmt/format.h>

#include "measure/collectives.h"
#include "measure/flows/alone.h"
#include "network/deadlock/deadlock.h"
#include "network/host_names.h"
#include "packet/config/config.h"
#include "packet/run_input.h"
#include "run/memory_need.h"
#include "run/offered_load.h"
#include "scenario/quantity.h"
#include "scenario/suggest.h"
#include "schemes/registry.h"

namespace weir {

namespace {

// Routes by digits of trees and multistage networks go up, then down: they cannot deadlock. Others are checked. True if
// the routes are proven; nothing is known about the horizontal hops of flow set-up.
bool check_routes(const Network& network, const PacketConfig& config, std::vector<std::string>& warnings) {
  const bool may_leave = config.switches.choice->sets_up;
  if (!network.routes.rules().empty()) return !may_leave && ranks_prove_no_cycle(network.topology, network.routes);
  const bool adaptive = !config.switches.choice->fixed();
  const DeadlockVerdict verdict = check_deadlock(network.topology, network.routes,
                                                 adaptive ? Dependencies::all_candidates : Dependencies::default_ports);
  if (!verdict.free)
    warnings.push_back(fmt::format("the routes can deadlock, for example the ports {}. To avoid this: --set {}",
                                   verdict.text(network.topology),
                                   network.routes.structure() != nullptr ? "routing.lanes=dateline"
                                                                         : "routing.kind=up-down"));
  return verdict.free && !may_leave;
}

// Flows at rates: what consists of packets is refused.
void check_fluid(const Scenario& scenario, const SchemeInfo& scheme, const RunInput& run) {
  const Section& section = scenario.section("run");
  if (scheme.configure_fluid == nullptr) {
    std::string able;
    for (const SchemeInfo& other : schemes())
      if (other.configure_fluid != nullptr) able += (able.empty() ? "" : ", ") + std::string(other.name);
    section.refuse("engine",
                   fmt::format("the fluid engine needs a scheme with explicit rates ({}), but scheme \"{}\" works on "
                               "packets",
                               able, scheme.name));
  }
  if (!run.workload.sources.empty())
    section.refuse("engine",
                   "the fluid engine simulates flows, but this scenario has traffic of single packets at random: use "
                   "engine = \"packet\", or traffic that consists of flows");
  if (run.config.run.until == Until::traffic_class)
    section.refuse("engine", "the fluid engine has no packets that until = \"class\" could count: use until = "
                             "\"flows\" or a duration");
}

// Errors of schemes that name no key get the place where the scheme was chosen.
ConfiguredScheme configure_scheme(const Scenario& scenario, const SchemeInfo& scheme, const RunInput& run) {
  Section section = with_host_numbers(scenario.section("scheme"), run.topology);
  section.calculated = std::make_shared<CalculatedValues>();
  const bool fluid = scenario.section("run").choice<EngineKind>("engine") == EngineKind::fluid;
  if (fluid) check_fluid(scenario, scheme, run);
  try {
    ConfiguredScheme configured = (fluid ? scheme.configure_fluid : scheme.configure)(section, run);
    configured.calculated = std::move(*section.calculated);
    return configured;
  } catch (const InputError& error) {
    if (!error.where().file.empty()) throw;
    throw InputError(section.kind_where, error.what());
  }
}

// Choices that these routes cannot give, and those that have nothing to choose from.
void check_choice(const Section& routing, const RouteChoiceKind& choice, const RouteTable& routes,
                  std::vector<std::string>& warnings) {
  if (choice.detours) {
    if (routes.structure() == nullptr || routes.structure()->midpoints() == 0)
      routing.refuse("choice", fmt::format("{} needs detours, but routing \"{}\" has none on this topology; there are "
                                           "some on a dragonfly, dragonfly+, torus, mesh or hyperx that has all its "
                                           "cables",
                                           choice.spec.name, routes.name()));
    return;
  }
  if (choice.spreads && !routes.has_alternatives())
    warnings.push_back(fmt::format(
        "routing choice \"{}\" has no effect: routing \"{}\" gives every packet a single path", choice.spec.name,
        routes.name()));
}

// More than a link carries is worth a study, but 50 is rather meant as 50 %.
void check_loads(const Scenario& scenario, std::vector<std::string>& warnings) {
  for (const Section* section : scenario.all("traffic"))
    if (section->knows("load") && section->has("load") && section->number("load") > 1)
      warnings.push_back(fmt::format("load = {} of traffic `{}` is more than the links of the hosts carry{}",
                                     number_to_text(section->number("load")),
                                     section->has("name") ? section->text("name") : section->kind,
                                     percent_suggestion(section->number("load"))));
}

void add_warnings_of_load(RunSetup& setup) {
  const PacketFormat& format = setup.config.format;
  setup.overloads = overloads({*setup.network, *setup.workload, setup.config});
  setup.warnings.insert(setup.warnings.end(), setup.overloads.begin(), setup.overloads.end());
  for (std::string& drawn : drawn_otherwise(*setup.workload, format)) setup.warnings.push_back(std::move(drawn));
}

// What follows from the network and the workload: the settings of the engine, the checks, and the scheme.
void finish_set_up(const Scenario& scenario, RunSetup& setup) {
  const Topology& topology = setup.network->topology;
  setup.seed = scenario.seed;
  setup.fluid = scenario.section("run").choice<EngineKind>("engine") == EngineKind::fluid;
  setup.config = packet_config(scenario, topology, *setup.workload, setup.network->routes.lanes());
  check_memory(scenario, topology, *setup.workload, setup.config);
  check_loads(scenario, setup.warnings);
  const RouteChoiceKind& choice = *setup.config.switches.choice;
  check_choice(scenario.section("routing"), choice, setup.network->routes, setup.warnings);
  setup.routes_proven = check_routes(*setup.network, setup.config, setup.warnings);
  const SchemeInfo& scheme = scheme_named(scenario.section("scheme").kind);
  if (choice.listens && !scheme.notifies)
    setup.warnings.push_back(fmt::format("routing choice \"{}\" has no effect: scheme \"{}\" sends no notifications",
                                         choice.spec.name, scheme.name));
  setup.scheme = configure_scheme(scenario, scheme, run_input(setup));
  if (!setup.scheme.warning.empty()) setup.warnings.push_back(setup.scheme.warning);
  add_warnings_of_load(setup);
}

// What every flow would take alone, beside what it took.
void add_alone_times(const RunSetup& setup, std::vector<FlowResult>& flows) {
  const SwitchConfig& switches = setup.config.switches;
  const PacketFormat& format = setup.config.format;
  const AloneModel model{format.payloads[0].payload, format.header, switches.route_delay + switches.switch_delay,
                         switches.switching == Switching::store_and_forward, setup.fluid};
  const Topology& topology = setup.network->topology;
  const bool hashed = switches.choice->ways == WaysTaken::by_hash;
  const WaysTaken taken = hashed ? WaysTaken::by_hash : WaysTaken::by_default;
  const FlowWays ways(topology, setup.network->routes, taken, setup.seed, flows);
  AloneTimes alone(topology, ways, model);
  for (std::uint32_t f = 0; f < flows.size(); ++f)
    if (flows[f].bytes != kEndless)
      flows[f].alone = alone.of({f}, flows[f].source, flows[f].destination, flows[f].bytes);
}

}  // namespace

RunInput run_input(const RunSetup& setup) {
  RunInput run{setup.network->topology, setup.network->routes, *setup.workload, setup.config, setup.seed};
  run.routes_proven = setup.routes_proven;
  run.threads = setup.threads;
  run.cores = setup.cores;
  run.ranks = setup.ranks;
  return run;
}

RunSetup set_up(const Scenario& scenario, FileReader read) {
  check_memory(scenario);
  RunSetup setup;
  Topology topology = build_topology(scenario, &setup.warnings);
  RouteTable routes = routes_of(scenario, topology);
  setup.network = std::make_unique<Network>(Network{std::move(topology), std::move(routes)});
  setup.workload = std::make_unique<Workload>(build_workload(scenario, setup.network->topology, read));
  finish_set_up(scenario, setup);
  return setup;
}

RunSetup set_up(const Scenario& scenario, std::unique_ptr<Network> network, std::unique_ptr<Workload> workload) {
  RunSetup setup;
  setup.network = std::move(network);
  setup.workload = std::move(workload);
  finish_set_up(scenario, setup);
  return setup;
}

Measurements run_simulation(const RunSetup& setup, const ProgressReport& progress, const LiveView* live) {
  RunInput run = run_input(setup);
  run.progress = progress;
  run.live = live;
  const bool follows = run.ranks != nullptr && run.ranks->rank() != 0;
  if (follows && setup.fluid) return {};
  Measurements m = setup.scheme.run(run);
  if (follows) return m;
  for (std::uint32_t f = 0; f < m.flows.size(); ++f) {
    m.flows[f].weight = setup.workload->flows[{f}].weight;
    m.flows[f].hashed_as = setup.workload->flows[{f}].hashed_as;
  }
  add_alone_times(setup, m.flows);
  m.collectives = collective_results(*setup.workload, m.flows);
  m.scheme_values = setup.scheme.calculated;
  m.switch_values = setup.config.switch_values;
  return m;
}

Outcome simulate(RunSetup setup, const ProgressReport& progress, const LiveView* live) {
  Measurements measurements = run_simulation(setup, progress, live);
  return {std::move(setup.network), std::move(setup.workload), std::move(measurements), std::move(setup.warnings),
          setup.routes_proven, !setup.overloads.empty()};
}

Outcome simulate(RunSetup setup, CoreShare& cores, std::size_t waiting, const ProgressReport& progress) {
  const CoreShare::Taken taken = cores.take(waiting);
  setup.cores = taken.cores();
  setup.threads = setup.cores == 1 ? 1 : 0;
  return simulate(std::move(setup), progress);
}

Outcome simulate(const Scenario& scenario, const ProgressReport& progress, FileReader read, unsigned threads) {
  RunSetup setup = set_up(scenario, read);
  setup.threads = threads;
  return simulate(std::move(setup), progress);
}

}  // namespace weir
