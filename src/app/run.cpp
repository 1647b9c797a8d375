// `weir run`: one scenario, from file to answer.
#include <fmt/format.h>

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
  bool live = false;
  std::uint16_t port = 0;
};

std::unique_ptr<PageServer> start_server(std::uint16_t port) {
  auto server = std::make_unique<PageServer>(port);
  note("watch it at {}\n", server->address());
  return server;
}

}  // namespace

Command add_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "run one scenario");
  command->footer("Examples:\n  weir run scenarios/hotspot.toml\n"
                  "  weir run scenarios/hotspot.toml --set scheme.name=window --set scheme.packets=4 --json -");
  add_scenario_options(*command, *options);
  command
      ->add_option("--threads", options->threads,
                   "threads that execute the run (default: as many as there are cores and is worth it); results do not "
                   "depend on it")
      ->check(CLI::Range(0u, 1024u));
  command->add_flag("--live", options->live, "show the run in a browser on this machine while it is running");
  command->add_option("--port", options->port, "port of --live on 127.0.0.1 (default: any free one)");
  return [options] {
    const Scenario scenario = parse_scenario_file(options->file, vocabulary(), parse_overrides(options->set));
    ResultPlace place(*options, scenario, "");
    const std::string& directory = place.directory();
    const std::vector<Variant> variants{{"", scenario, {}}};
    const std::unique_ptr<PageServer> server = options->live ? start_server(options->port) : nullptr;
    const std::string again = repeat_command("run", *options);
    std::vector<Outcome> outcomes;
    if (server) outcomes.push_back(run_live(variants[0], *server, again));
    else outcomes = run_all(variants, set_up_all(variants), options->threads);
    const EngineTotals& totals = outcomes[0].measurements.totals;
    if (options->threads > 1 && totals.threads == 1)
      note("executed by one thread{}{}\n", totals.one_thread.empty() ? "" : ": ", totals.one_thread);
    for (const std::string& warning : outcomes[0].warnings) note("warning: {}\n", warning);
    const std::vector<AnalysedRun> runs{analyse(record_of(variants[0], outcomes[0]))};
    write_results(directory, runs, report_files(runs, again));
    place.written();
    // Only now: whoever sees the end of the run on the page may stop the server, and must find the results.
    if (server) publish_end(runs, *server, again);
    if (!options->json.empty()) write_json_file(options->json, runs);
    if (options->json != "-") {
      show(run_text(runs[0], terminal_style()));
      fmt::print("\nresults in {}\nreport: {}\n", directory, directory + "/report.html");
    }
    if (server) {
      server->serve_directory(directory);
      flush_output();
      note("the page stays at {} until Ctrl-C\n", server->address());
      server->wait();
    }
    return outcomes[0].measurements.ending == Ending::deadlock ? 1 : 0;
  };
}

}  // namespace weir
