// `weir run`: one scenario, from file to answer.
#include <fmt/format.h>

#include <optional>

#include "app/commands.h"
#include "app/process.h"
#include "app/report_file.h"
#include "app/result_place.h"
#include "app/runner.h"
#include "app/serve/live.h"
#include "report/terminal/run_text.h"
#include "store/files/result_dir.h"

namespace weir {
namespace {

struct RunOptions : ScenarioOptions {
  unsigned threads = 0;
  double lost_after = 120;
  bool live = false;
  std::uint16_t port = 0;
};

std::unique_ptr<PageServer> start_server(std::uint16_t port) {
  auto server = std::make_unique<PageServer>(port);
  note("watch it at {}\n", server->address());
  return server;
}

// Ranks go on only if all of them can, with the same scenario. An error that rank 0 has too is said by rank 0 alone.
void begin_together(Ranks& ranks, const std::string& scenario_hash, const std::exception_ptr& error) {
  const auto hash = static_cast<std::int64_t>(std::hash<std::string>{}(scenario_hash) >> 1);
  std::int64_t largest[] = {error ? 1 : 0, error && ranks.rank() == 0 ? 1 : 0, hash, -hash};
  ranks.combine(largest, {});
  if (error && (ranks.rank() == 0 || largest[1] == 0)) std::rethrow_exception(error);
  if (largest[0] != 0) throw AnotherRankFailed();
  if (largest[2] == -largest[3]) return;
  if (ranks.rank() != 0) throw AnotherRankFailed();
  throw InputError("the ranks read different scenarios: their files are not the same");
}

// All that can be wrong before a run begins has been found.
struct PreparedRun {
  PreparedRun(const RunOptions& options, Ranks* ranks) {
    std::exception_ptr error;
    try {
      prepare(options, ranks == nullptr || ranks->rank() == 0);
      if (ranks != nullptr && options.live) throw InputError("--live works with a single process only: run it without "
                                                             "mpirun");
    } catch (const std::exception&) {
      if (ranks == nullptr) throw;
      error = std::current_exception();
    }
    if (ranks == nullptr) return;
    begin_together(*ranks, error ? "" : variants[0].scenario.hash(), error);
    ranks->wait_at_most(options.lost_after);
  }

  std::optional<ResultPlace> place;  // where there is something to write
  std::vector<Variant> variants;
  std::vector<RunSetup> setups;      // none for --live, which does that itself

 private:
  void prepare(const RunOptions& options, bool writes) {
    const Scenario scenario = parse_scenario_file(options.file, vocabulary(), parse_overrides(options.set));
    if (writes) place.emplace(options, scenario, "");
    variants.push_back({"", scenario, {}});
    if (!options.live) setups = set_up_all(variants);
  }
};

// What ranks other than 0 do.
int take_part(const RunOptions& options, Ranks& ranks) {
  PreparedRun prepared(options, &ranks);
  RunSetup& setup = prepared.setups[0];
  setup.threads = options.threads;
  setup.ranks = &ranks;
  run_simulation(setup);
  return 0;
}

// Flows that are drawn differ from run to run; one run is one draw.
std::string seeds_hint(const RunOptions& options, const Scenario& scenario, const Outcome& outcome,
                       const std::string& directory) {
  if (!scenario.sweep.empty() || outcome.workload == nullptr) return "";
  const std::size_t flows = arriving_flows(*outcome.workload);
  if (flows == 0) return "";
  const Variant seeds{"seeds", scenario, {}};  // its label names the file
  return repetition_hint(options, {&seeds}, directory, flows);
}

}  // namespace

Command add_run(CLI::App& app, Ranks* ranks) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "run one scenario");
  command->footer("Examples:\n  weir run scenarios/hotspot.toml\n"
                  "  weir run scenarios/hotspot.toml --set scheme.name=window --set scheme.packets=4 --json -\n"
                  "  mpirun -n 4 weir run scenarios/training.toml --threads 2     (one run, shared by 4 processes)");
  add_scenario_options(*command, *options);
  command
      ->add_option("--threads", options->threads,
                   "number of threads (default: up to one per core, fewer for a small run; under mpirun, one per "
                   "rank). It does not affect the results")
      ->check(CLI::Range(1u, 1024u));
  command
      ->add_option("--lost-after", options->lost_after,
                   "under mpirun: give up if a rank is silent for this many seconds")
      ->check(CLI::Range(1.0, 1e6));
  command->add_flag("--live", options->live, "show the run in a browser on this machine while it is running");
  command->add_option("--port", options->port, "port for --live on 127.0.0.1 (default: any free one)")
      ->check(CLI::Range(0u, 65535u));
  return [options, ranks, command] {
    refuse_if_given(*command, {"--port"}, !options->live, "it is for --live");
    if (ranks == nullptr) become_rank();
    if (ranks != nullptr && ranks->rank() != 0) return take_part(*options, *ranks);
    PreparedRun prepared(*options, ranks);
    const std::vector<Variant>& variants = prepared.variants;
    const std::string& directory = prepared.place->directory();
    const std::unique_ptr<PageServer> server = options->live ? start_server(options->port) : nullptr;
    const std::string again = repeat_command("run", *options);
    std::vector<Outcome> outcomes;
    if (server) outcomes.push_back(run_live(variants[0], *server, again));
    else outcomes = run_all(variants, std::move(prepared.setups), options->threads, ranks);
    const EngineTotals& totals = outcomes[0].measurements.totals;
    if (ranks != nullptr && ranks->count() > 1 && totals.ranks == 1)
      note("note: rank 0 executes this run alone{}{}\n", totals.one_rank.empty() ? "" : ", because ", totals.one_rank);
    if (options->threads > 1 && totals.threads == 1)
      note("note: this run uses one thread{}{}\n", totals.one_thread.empty() ? "" : ", because ", totals.one_thread);
    for (const std::string& warning : outcomes[0].warnings) note("warning: {}\n", warning);
    if (!variants[0].scenario.sweep.empty())
      note("note: this is a single run; for the runs of [sweep]: weir sweep {}\n", shell_word(options->file));
    const std::vector<AnalysedRun> runs{analyse(record_of(variants[0], outcomes[0]))};
    write_results(directory, runs, report_files(runs, again));
    prepared.place->written();
    // Only now: whoever sees the end of the run on the page may stop the server, and must find the results.
    if (server) publish_end(runs, *server, again);
    if (!options->json.empty()) write_json_file(options->json, runs);
    if (options->json != "-") {
      show(run_text(runs[0], terminal_style()));
      fmt::print("\nresults in {}\nreport: {}\n{}{}", directory, directory + "/report.html",
                 opensm_hint(*options, variants[0]),
                 seeds_hint(*options, variants[0].scenario, outcomes[0], directory));
    }
    if (server) {
      server->serve_directory(directory);
      flush_output();
      note("the page is served at {} until Ctrl-C\n", server->address());
      server->wait();
    }
    return outcomes[0].measurements.ending == Ending::deadlock ? 1 : 0;
  };
}

}  // namespace weir
