// `weir bench`: speed and memory on this machine: the packet engine beside what a bare event loop reaches on it, and
// the rate solvers.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "app/bench/cases.h"
#include "app/bench/flow_bench.h"
#include "app/commands.h"
#include "app/process.h"
#include "app/runner.h"
#include "report/number_format.h"
#include "report/terminal/table.h"
#include "report/terminal/terminal_text.h"
#include "store/files/output_file.h"

namespace weir {
namespace {

struct BenchOptions {
  bool quick = false, flow = false, by_wall = false;
  int repetitions = 3;
  double hops = 2e7;
  std::vector<unsigned> threads{1};
  std::string only, scenarios;
};

std::string mega(double per_second) { return fmt::format("{:.1f}M", per_second / 1e6); }

std::vector<BenchCase> chosen_cases(const BenchOptions& options) {
  std::vector<BenchCase> cases = bench_cases(options.quick ? options.hops / 10 : options.hops);
  std::erase_if(cases, [&](const BenchCase& c) { return c.name.find(options.only) == std::string::npos; });
  if (cases.empty())
    throw InputError(fmt::format("no case has `{}` in its name; without --only, `weir bench` shows all names",
                                 options.only));
  return cases;
}

// As files, so that anybody can run them, with this program or another version of it.
int write_scenarios(const BenchOptions& options) {
  std::filesystem::create_directories(options.scenarios);
  for (const BenchCase& c : chosen_cases(options)) {
    std::string file;
    for (const char letter : c.name) file += std::isalnum(static_cast<unsigned char>(letter)) ? letter : '-';
    write_file(options.scenarios + "/" + file + ".toml", c.toml);
  }
  return 0;
}

bool bench_packets(const BenchOptions& options) {
  const int repetitions = options.quick ? 1 : options.repetitions;
  TextTable table({{"case", Align::left, 9, 20}, {"hosts", Align::right, 6, 0}, {"threads", Align::right, 6, 0},
                   {"hops/s", Align::right, 9, 0},
                   {"ns/hop", Align::right, 8, 0}, {"events/hop", Align::right, 7, 0},
                   {"measuring", Align::right, 7, 0},
                   {"bare loop", Align::right, 5, 0}, {"state", Align::right, 5, 0}, {"memory", Align::right, 8, 0},
                   {"set-up", Align::right, 3, 0}});
  bool all_ran = true;
  for (const BenchCase& c : chosen_cases(options)) {
    for (const unsigned threads : options.threads) {
      if (stderr_is_terminal()) fmt::print(stderr, "{} ...\r", c.name);
      const BenchResult r = run_bench_case(c, repetitions, threads, options.by_wall);
      all_ran &= r.ran;
      const std::uint64_t bare_hops = options.quick ? 500'000 : 4'000'000;
      const double bare = r.ran ? bare_loop_hops_per_second(static_cast<std::uint32_t>(r.links), bare_hops) : 0;
      table.add({c.name, fmt::format("{}", r.hosts), fmt::format("{}", r.threads),
                 r.ran ? mega(r.hops_per_second()) : "failed", fmt::format("{:.0f}", r.ns_per_hop()),
                 fmt::format("{:.2f}", r.events_per_hop()), fmt::format("{:.2f}x", r.cost_of_measuring()), mega(bare),
                 format_bytes(static_cast<double>(r.state_bytes)), format_bytes(static_cast<double>(r.peak_memory)),
                 fmt::format("{:.2f} s", r.setup_seconds)});
    }
  }
  show(table.render(terminal_style()));
  const std::size_t width = terminal_style().width;
  show(
      "\n" +
      wrap("hops/s: packet-hops (one packet over one link) per second of CPU time, on one thread and with the default "
           "measurements. With --threads: per second of wall-clock time.",
           width) +
      wrap(
          "measuring: CPU time with the default measurements, divided by that with counters alone (measure.frames = 0, "
          "measure.max_bins = 2).",
          width) +
      wrap("bare loop: the hops/s of an event loop that does nothing else, for comparison. It has two events per hop; "
           "each reads and writes one 64-byte record of a table with one record per link.",
           width) +
      wrap("state: memory of the simulated network. memory: the most that the process used.", width));
  return all_ran;
}

// The table of pairs is a row of its own: a solver that is called again need not build it again.
void bench_solvers(const BenchOptions& options) {
  TextTable table({{"instance", Align::left, 9, 20}, {"flows", Align::right, 6, 0}, {"pairs", Align::right, 5, 0},
                   {"step", Align::left, 9, 12}, {"time", Align::right, 9, 0}, {"ns/pair", Align::right, 8, 0},
                   {"target", Align::right, 7, 0}});
  if (stderr_is_terminal()) fmt::print(stderr, "rate solvers ...\r");
  for (const FlowBenchRow& row : flow_bench(cpu_seconds, options.quick ? 1 : bench_sizes().size()))
    table.add({row.instance, fmt::format("{}", row.flows), fmt::format("{}", row.pairs), row.what,
               fmt::format("{:.2f} ms", row.milliseconds), fmt::format("{:.2f}", row.ns_per_pair),
               row.target_ms > 0 ? fmt::format("{:.2f} ms, {}", row.target_ms, row.reached() ? "met" : "missed")
                                 : "-"});
  show(table.render(terminal_style()));
  show("\n" + wrap("The solvers of `weir rates` on one core: CPU time, the shortest of several runs. pair: a flow and "
                   "a link on its path. routes: building the fabric and routing the flows. table: building the table "
                   "of all pairs, which the solvers need. target: the time that a solver should not exceed.",
                   terminal_style().width));
}

int bench(const BenchOptions& options) {
  if (!options.scenarios.empty()) return write_scenarios(options);
  const bool all_ran = options.flow || bench_packets(options);
  if (!options.flow && options.only.empty()) fmt::print("\n");
  if (options.only.empty()) bench_solvers(options);
  return all_ran ? 0 : 1;
}

}  // namespace

Command add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand("bench", "measure speed and memory on this machine");
  command->footer(
      "Examples:\n  weir bench\n  weir bench --quick\n  weir bench --only '16-ary 3-tree'\n  weir bench --flow\n"
      "  weir bench --quick --only '16-ary 3-tree, uniform 0.6' --threads 1,2");
  command->add_flag("--quick", options->quick, "a tenth of --hops and one run per case; the solvers of `weir rates` "
                                               "on their smallest problem only");
  command->add_option("--only", options->only, "only cases whose names contain this text")->type_name("TEXT");
  command->add_option("--scenarios", options->scenarios, "write the cases to this directory as scenario files; run "
                                                         "nothing")
      ->type_name("DIR");
  command
      ->add_option(
          "--threads", options->threads,
          "numbers of threads to try. A case that cannot use several threads uses one. With --threads, all hops/s are "
          "per second of wall-clock time; without, per second of CPU time")
      ->type_name("N,N,...")
      ->delimiter(',')
      ->check(CLI::Range(1u, 1024u));
  command
      ->add_option("--hops", options->hops,
                   "approximate number of packet-hops of each case named `...-ary 3-tree`; the others have a fixed "
                   "length. With many threads, give more: short runs understate their speed")
      ->type_name("N")
      ->check(CLI::Range(1e4, 1e12))
      ->capture_default_str();
  command->add_flag("--flow", options->flow, "measure only the solvers that `weir rates` uses");
  command->add_option("--repetitions", options->repetitions, "runs of each case; the best one counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  return [options, command] {
    refuse_if_given(*command, {"--only", "--threads", "--hops", "--repetitions"}, options->flow,
                    "--flow measures only the solvers of `weir rates`");
    refuse_if_given(*command, {"--threads", "--repetitions", "--flow"}, !options->scenarios.empty(),
                    "with --scenarios, nothing is run");
    refuse_if_given(*command, {"--repetitions"}, options->quick, "with --quick, each case is run once");
    options->by_wall = command->count("--threads") > 0;
    return bench(*options);
  };
}

}  // namespace weir
