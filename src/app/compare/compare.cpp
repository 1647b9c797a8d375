// `weir compare`: the same scenario under several schemes or routings, side by side.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/commands.h"
#include "app/compare/plan.h"
#include "app/process.h"
#include "app/report_file.h"
#include "app/result_place.h"
#include "app/runner.h"
#include "report/answer/judgement.h"
#include "report/terminal/compare_text.h"
#include "store/files/result_dir.h"

namespace weir {
namespace {

struct CompareOptions : ScenarioOptions {
  std::vector<std::string> schemes;
  unsigned threads = 0;
};

// Such as one about the fabric: said once.
bool is_warning_of_all(const std::vector<Outcome>& outcomes, const std::string& warning) {
  return std::all_of(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) {
    return std::find(outcome.warnings.begin(), outcome.warnings.end(), warning) != outcome.warnings.end();
  });
}

// What to do next: only settings that help are worth being written, and flows that are drawn differ from run to run.
std::string next_commands(const CompareOptions& options, const std::vector<AnalysedRun>& runs,
                          const std::vector<Variant>& variants, const std::vector<Outcome>& outcomes,
                          const std::string& directory) {
  const Judgement j = judge(runs);
  std::string text;
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (clearly_helps(j, i)) text += opensm_hint(options, variants[i]);
  if (const std::size_t flows = arriving_flows(*outcomes[j.reference].workload); flows > 0) {
    std::vector<const Variant*> repeated{&variants[j.reference]};
    const std::size_t other = j.best != j.reference && j.best < variants.size() ? j.best
                              : j.reference == 0                               ? variants.size() - 1
                                                                               : 0;
    if (other != j.reference) repeated.push_back(&variants[other]);
    text += repetition_hint(options, repeated, directory, flows);
  }
  return text;
}

}  // namespace

Command add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", "run a scenario under several schemes, side by side");
  command->footer(
      "Without --schemes, all [[compare]] entries of the scenario are run. If it has no such entry, every scheme "
      "that can work on its fabric is run.\n"
      "Examples:\n  weir compare scenarios/hotspot.toml\n"
      "  weir compare scenarios/hotspot.toml --schemes none,window --set traffic.cold.total_rate=300Gbps\n"
      "  weir compare scenarios/hotspot.toml --schemes none,cca --set scheme.ccti_timer=10\n"
      "`--set scheme.KEY` applies to the schemes that have this key.");
  add_scenario_options(*command, *options, "-compare");
  command->add_option("--schemes", options->schemes, "any schemes, or labels of [[compare]] entries, separated by "
                                                     "commas")
      ->delimiter(',');
  add_threads_option(*command, options->threads);
  return [options] {
    const ComparedSettings settings = split_settings(options->file, parse_overrides(options->set));
    const Scenario scenario = parse_scenario_file(options->file, vocabulary(), settings.of_scenario);
    ResultPlace place(*options, scenario, "-compare");
    const std::string& directory = place.directory();
    ComparePlan plan = plan_comparison(scenario, options->schemes, options->threads, settings.of_schemes);
    for (const std::string& refusal : plan.left_out) note("left out: {}\n", refusal);
    const std::vector<Variant>& variants = plan.variants;
    const std::vector<Outcome> outcomes = run_all(variants, std::move(plan.setups), options->threads);
    std::vector<RunRecord> records;
    bool deadlock = false;
    for (std::size_t i = 0; i < variants.size(); ++i) {
      for (const std::string& warning : outcomes[i].warnings) {
        const bool of_all = is_warning_of_all(outcomes, warning);
        if (of_all && i > 0) continue;
        note("{}warning: {}\n", of_all ? "" : variants[i].label + ": ", warning);
      }
      records.push_back(record_of(variants[i], outcomes[i]));
      deadlock |= outcomes[i].measurements.ending == Ending::deadlock;
    }
    const std::vector<AnalysedRun> runs = analyse_together(records);
    std::vector<std::string> more;
    if (!options->schemes.empty()) more = {"--schemes", fmt::format("{}", fmt::join(options->schemes, ","))};
    write_results(directory, runs, report_files(runs, repeat_command("compare", *options, more)));
    place.written();
    if (!options->json.empty()) write_json_file(options->json, runs);
    if (options->json != "-") {
      show(compare_text(runs, terminal_style()));
      fmt::print("\nresults in {}\nreport: {}\n{}", directory, directory + "/report.html",
                 next_commands(*options, runs, variants, outcomes, directory));
    }
    return deadlock ? 1 : 0;
  };
}

}  // namespace weir
