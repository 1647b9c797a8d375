// `weir bench`: speed and memory on this machine: the packet engine beside what a bare event loop reaches on it, and
// the rate solvers.
#include <fmt/format.h>

#include "app/bench_cases.h"
#include "app/commands.h"
#include "app/process.h"
#include "app/runner.h"
#include "flow/flow_bench.h"
#include "report/format.h"
#include "report/table.h"

namespace weir {
namespace {

struct BenchOptions {
  bool quick = false, flow = false;
  int repetitions = 3;
};

std::string mega(double per_second) { return fmt::format("{:.1f}M", per_second / 1e6); }

bool bench_packets(const BenchOptions& options) {
  const double hops = options.quick ? 2e6 : 2e7;
  const int repetitions = options.quick ? 1 : options.repetitions;
  TextTable table({{"case", Align::left, 9, 20}, {"hosts", Align::right, 6, 0}, {"hops/s", Align::right, 9, 0},
                   {"ns/hop", Align::right, 8, 0}, {"bare loop", Align::right, 7, 0}, {"share", Align::right, 7, 0},
                   {"lines/hop", Align::right, 5, 0}, {"state", Align::right, 5, 0}, {"memory", Align::right, 8, 0},
                   {"set-up", Align::right, 3, 0}});
  std::vector<BenchCase> cases;
  for (const unsigned k : {4u, 8u, 16u, 32u}) cases.push_back(tree_case(k, 0.6, hops));
  cases.push_back(hotspot_case());
  cases.push_back(ack_case());
  for (const char* scheme : {"none", "mvcm"}) cases.push_back(managed_case(scheme));
  std::vector<double> ns_per_hop;
  bool all_ran = true;
  for (const BenchCase& c : cases) {
    if (stderr_is_terminal()) fmt::print(stderr, "{} ...\r", c.name);
    const BenchResult r = run_bench_case(c, repetitions);
    all_ran &= r.ran;
    ns_per_hop.push_back(r.ns_per_hop());
    const double bare =
        r.ran ? bare_loop_hops_per_second(static_cast<std::uint32_t>(r.links), options.quick ? 500'000 : 4'000'000) : 0;
    table.add({c.name, fmt::format("{}", r.hosts), r.ran ? mega(r.hops_per_second()) : "failed",
               fmt::format("{:.0f}", r.ns_per_hop()), mega(bare), fmt::format("{:.2f}", r.hops_per_second() / bare),
               fmt::format("{:.1f}", r.lines_per_hop), format_bytes(static_cast<double>(r.state_bytes)),
               format_bytes(static_cast<double>(r.peak_memory)), fmt::format("{:.2f} s", r.setup_seconds)});
  }
  put(table.render(terminal_style()));
  fmt::print(
      "\nhops/s: packet-hops (one packet over one link) per CPU second on one core, all default measurements on.\n"
      "bare loop: two events per hop, each touching one 64-byte record among as many as there are links.\n");
  const std::size_t none = ns_per_hop.size() - 2, mvcm = none + 1;
  if (ns_per_hop[none] > 0)
    fmt::print("mvcm costs {:.2f} times as much CPU per hop as none, acknowledgements counted (goal: at most 1.25).\n",
               ns_per_hop[mvcm] / ns_per_hop[none]);
  return all_ran;
}

// Building the incidence from routes is a row of its own: a solver that is called again need not repeat it.
void bench_solvers(const BenchOptions& options) {
  TextTable table({{"instance", Align::left, 9, 20}, {"flows", Align::right, 6, 0}, {"incidences", Align::right, 5, 0},
                   {"step", Align::left, 9, 12}, {"time", Align::right, 9, 0}, {"ns/incidence", Align::right, 8, 0},
                   {"goal", Align::right, 7, 0}});
  if (stderr_is_terminal()) fmt::print(stderr, "rate solvers ...\r");
  for (const FlowBenchRow& row : flow_bench(cpu_seconds, options.quick ? 1 : bench_sizes().size()))
    table.add({row.instance, fmt::format("{}", row.flows), fmt::format("{}", row.incidences), row.what,
               fmt::format("{:.2f} ms", row.milliseconds), fmt::format("{:.2f}", row.ns_per_incidence),
               row.goal_ms > 0 ? fmt::format("{:.2f} ms, {}", row.goal_ms, row.reached() ? "met" : "missed") : "-"});
  put(table.render(terminal_style()));
  fmt::print("\nrate solvers on one core: CPU time, best of the repetitions; an incidence is one flow on one link.\n");
}

int bench(const BenchOptions& options) {
  const bool all_ran = options.flow || bench_packets(options);
  if (!options.flow) fmt::print("\n");
  bench_solvers(options);
  return all_ran ? 0 : 1;
}

}  // namespace

Command add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "speed and memory on this machine");
  command->footer("Examples:\n  weir bench\n  weir bench --quick\n  weir bench --flow");
  command->add_flag("--quick", options->quick, "a tenth of the work, once; the smallest instance of the rate solvers");
  command->add_flag("--flow", options->flow, "the rate solvers only");
  command->add_option("--repetitions", options->repetitions, "take the best of so many runs")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  return [options] { return bench(*options); };
}

}  // namespace weir
