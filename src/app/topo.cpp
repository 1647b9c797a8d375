// `weir topo`: what a fabric is, and whether its routes can deadlock.
#include <fmt/format.h>

#include <iostream>

#include "app/commands.h"
#include "app/runner.h"
#include "network/summary.h"
#include "report/format.h"

namespace weir {
namespace {

struct TopoOptions {
  std::string file, out_format;
  std::vector<std::string> set;
  bool check = false;
};

void print_summary(const Topology& topology, const RouteTable& routes) {
  const TopologySummary s = topology_summary(topology, routes);
  fmt::print("hosts            {}\nswitches         {}", s.hosts, s.switches);
  if (s.switches > 0) fmt::print(" ({} ports)", s.fewest_switch_ports == s.most_switch_ports
                                                    ? fmt::format("{}", s.most_switch_ports)
                                                    : fmt::format("{} to {}", s.fewest_switch_ports, s.most_switch_ports));
  fmt::print("\ncables           {} to hosts, {} between switches; {} link directions\n", s.host_cables, s.switch_cables,
             s.link_directions);
  for (const RateCount& r : s.rates)
    fmt::print("                 {} at {}\n", r.cables, format_rate(static_cast<double>(r.rate.bits_per_second)));
  if (s.levels > 0) fmt::print("levels           {}\n", s.levels);
  for (std::size_t i = 0; i < s.capacity_ratio.size(); ++i)
    fmt::print("level {} to {}     capacity {:.2f} of what all hosts can send{}\n", i, i + 1, s.capacity_ratio[i],
               s.capacity_ratio[i] < 0.999 ? " (oversubscribed)" : "");
  fmt::print("routing          {}\npaths            {:.2f} switches on average, {} at most ({}{} pairs)\n", routes.name(),
             s.mean_path, s.longest_path, s.all_pairs ? "all " : "sample of ", s.pairs);
}

// Default ports and, where there are alternatives, all of them: an adaptive choice may use any.
bool print_deadlock_check(const Topology& topology, const RouteTable& routes) {
  const DeadlockVerdict fixed = check_deadlock(topology, routes, Dependencies::default_ports);
  const DeadlockVerdict all = check_deadlock(topology, routes, Dependencies::all_candidates);
  fmt::print("deadlock         default routes: {}\n", fixed.free ? "free" : "can deadlock: " + fixed.text(topology));
  fmt::print("                 all alternatives: {}\n", all.free ? "free" : "can deadlock: " + all.text(topology));
  return fixed.free;
}

}  // namespace

Command add_topo(CLI::App& app) {
  auto options = std::make_shared<TopoOptions>();
  CLI::App* command = app.add_subcommand("topo", "what a fabric is; routes; deadlock verdict with the cycle");
  command->footer("Examples:\n  weir topo scenarios/hotspot.toml --check\n"
                  "  weir topo scenarios/ring.toml --check --set routing.kind=up-down\n"
                  "  weir topo scenarios/hotspot.toml --export dot > fabric.dot");
  command->add_option("scenario", options->file, "scenario file (TOML)")->required();
  command->add_option("--set", options->set, "override a value (repeatable)")->take_all();
  command->add_flag("--check", options->check, "check the routes for deadlock; exit 1 if they can");
  command->add_option("--export", options->out_format, "write the fabric in this format")->check(CLI::IsMember({"dot"}));
  return [options] {
    const Scenario scenario = parse_scenario_file(options->file, vocabulary(), parse_overrides(options->set));
    const Topology topology = build_topology(scenario);
    if (options->out_format == "dot") {
      std::cout << to_dot(topology);
      return 0;
    }
    const RouteTable routes = build_routes(scenario, topology);
    print_summary(topology, routes);
    return options->check && !print_deadlock_check(topology, routes) ? 1 : 0;
  };
}

}  // namespace weir
