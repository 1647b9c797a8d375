// `weir sweep`: all combinations of a scenario's [sweep] table, on all cores or ranks, into one result file that can be
// continued after any interruption.
#include "app/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include <cstdlib>
#include <iostream>
#include <map>

#include "app/process.h"
#include "app/result_place.h"
#include "app/runner.h"
#include "app/sweep/report.h"
#include "app/sweep/slurm.h"
#include "app/sweep/text.h"
#include "report/number_format.h"
#include "report/terminal/progress.h"
#include "report/terminal/terminal_text.h"
#include "scenario/quantity.h"
#include "store/sqlite/query.h"

namespace weir {
namespace {

constexpr double kLogEvery = 60;  // seconds between lines where nobody watches a bar
constexpr std::size_t kErrorsShown = 5;

// A bar for people; a line a minute in a log.
class SweepProgress {
 public:
  SweepProgress() : bar_(std::cerr, stderr_is_terminal(), wall_seconds), begin_(wall_seconds()), said_(begin_) {}

  void update(const SweepCounts& counts) {
    std::string text = fmt::format("{} of {} done, {} running", counts.done, counts.runs, counts.running);
    if (counts.failed > 0) text += fmt::format(", {} failed", counts.failed);
    bar_.update(counts.fraction, text);
    const double now = wall_seconds();
    if (stderr_is_terminal() || now - said_ < kLogEvery) return;
    said_ = now;
    const double left = counts.fraction > 0 ? (now - begin_) * (1 - counts.fraction) / counts.fraction : -1;
    note("{}, {} left\n", text, format_duration(left));
  }
  void finish() { bar_.finish(); }

 private:
  ProgressBar bar_;
  double begin_, said_;
};

StopRule stop_rule(const SweepOptions& options) {
  StopRule rule;
  if (!options.precision.empty()) rule.precision = share_option(options.precision, "--precision");
  rule.confidence = options.confidence;
  rule.metrics = options.metrics;
  return rule;
}

void check_metrics(const std::vector<std::string>& metrics) {
  for (const std::string& metric : metrics) {
    const std::string column = metric.substr(metric.rfind('.') + 1);
    bool known = column == "value";
    for (const std::string_view table : {"classes", "apps"})
      for (const TableColumn& c : result_table(table).columns) known = known || c.name == column;
    for (const TableColumn& c : runs_table().columns) known = known || c.name == column;
    if (!known)
      throw InputError(fmt::format("--metric {}: there is no column `{}` in `classes`, `runs` or `apps` "
                                   "(docs/results.md); latency_mean_ns is one",
                                   metric, column));
  }
}

void check_repetitions(const SweepPlan& plan, const StopRule& rule) {
  if (rule.precision && plan.repetitions() < 3)
    throw InputError("--precision needs a limit of 3 or more repetitions of each point, as in --repetitions 30");
}

void failure_words(const std::string& file) {
  const QueryResult failures = run_query(file, "SELECT label, error FROM failures ORDER BY run_id");
  fmt::print("{} runs failed:\n", failures.rows.size());
  for (std::size_t i = 0; i < std::min(failures.rows.size(), kErrorsShown); ++i)
    fmt::print("  {}: {}\n", std::get<std::string>(failures.rows[i][0]), std::get<std::string>(failures.rows[i][1]));
  fmt::print("all of them: weir query {} \"SELECT label, error FROM failures\"; --retry runs them again\n", file);
}

int interrupted_words(const SweepBoard& board, const std::string& file) {
  const SweepCounts counts = board.counts();
  note("weir: interrupted; {} of {} runs are in {}; run the same command again to continue\n",
             counts.done, counts.runs, file);
  return 128 + interruption();
}

// "cold.latency_mean_ns (3 points), hot.latency_mean_ns (1 point)"
std::string with_counts(const std::map<std::string, std::size_t>& points) {
  std::string text;
  for (const auto& [name, count] : points)
    text += fmt::format("{}{} ({} point{})", text.empty() ? "" : ", ", name, count, count == 1 ? "" : "s");
  return text;
}

// What --precision did not reach, by name: who has to repeat more often wants to know for what.
void precision_words(const SweepPlan& plan, const StopRule& rule, const std::vector<Statistic>& statistics) {
  if (!rule.precision) return;
  std::map<std::string, std::vector<Statistic>> of_points;
  for (const Statistic& s : statistics) of_points[s.point].push_back(s);
  std::map<std::string, std::size_t> wide, growing;
  std::size_t missed = 0;
  for (const SweepPoint& point : plan.points) {
    const StopRule::Judged judged = rule.judge(of_points[point.name]);
    for (const std::string& name : judged.wide) ++wide[name];
    for (const std::string& name : judged.growing) ++growing[name];
    missed += rule.satisfied(of_points[point.name]) ? 0 : 1;
  }
  if (missed > 0)
    show(wrap(fmt::format("note: {} of {} points did not reach the precision of {:.4g} % within {} repetitions{}; more "
                          "--repetitions make the confidence intervals narrower",
                          missed, plan.points.size(), 100 * *rule.precision, plan.repetitions(),
                          wide.empty() ? "" : ": " + with_counts(wide)),
              terminal_style().width, 6));
  if (!growing.empty())
    show(wrap(fmt::format("note: --precision leaves out metrics that grow with the length of the run (* above): {}; to "
                          "include one nevertheless, name it, as in --metric {}",
                          with_counts(growing), growing.begin()->first),
              terminal_style().width, 6));
}

int closing_words(const SweepOptions& options, const SweepPlan& plan, const SweepBoard& board,
                  const std::string& file, const StopRule& rule) {
  const SweepCounts counts = board.counts();
  // A signal that came too late to stop the runs stops the rest of it.
  if (interruption() != 0) return interrupted_words(board, file);
  watch_for_interruption(false);
  when_interrupted([file] { return "all runs are in " + file + "; run the same command again to write the report"; });
  show(sweep_text(plan, shown_statistics(plan, file), rule.confidence, terminal_style()));
  for (const std::string& line : idle_notes_of(file)) show(wrap("note: " + line, terminal_style().width, 6));
  fmt::print("\n{} runs of {} points in {}", counts.runs, plan.points.size(), file);
  if (counts.stored > 0) fmt::print(" ({} were there before)", counts.stored);
  fmt::print("\n");
  precision_words(plan, rule, stored_statistics(file));
  if (counts.failed > 0) failure_words(file);
  write_sweep_page(options, plan, file);
  fmt::print("report: {}\n", sweep_page_path(file).string());
  return counts.failed == 0 ? 0 : 1;
}

}  // namespace

double share_option(const std::string& text, const char* option) {
  double share = -1;
  try {
    share = parse_fraction(text);
  } catch (const InputError&) {
  }
  if (!(share > 0 && share < 1)) throw InputError(fmt::format("{} {}: give a share such as 2% or 0.02", option, text));
  return share;
}

void add_sweep_options(CLI::App& command, SweepOptions& o) {
  command.footer(
      "To resume a sweep that was interrupted, run the same command again.\nExamples:\n  weir sweep "
      "scenarios/load.toml --dry-run\n  weir sweep scenarios/load.toml --repetitions 30 --precision 2%\n  mpirun -n "
      "65 weir sweep scenarios/load.toml         (rank 0 distributes the runs, 64 ranks work)\n  weir sweep "
      "scenarios/load.toml --slurm job.sh --tasks 65 && sbatch job.sh");
  command.add_option("scenario", o.file, "scenario file (TOML) with a [sweep] table")->required();
  command.add_option("--set", o.set, "override a value, as in --set link.delay=1us or --set 'sweep.seed=[1,2]'")
      ->take_all();
  command.add_option("--out", o.out, "result file (default: results/<name of the scenario>-sweep.sqlite)");
  add_threads_option(command, o.threads);
  add_force_flag(command);
  command.add_option("--repetitions", o.repetitions, "runs of each point (combination of values), each with another "
                                                     "seed")
      ->check(CLI::Range(1, 10000));
  command.add_option("--precision", o.precision,
                     "stop repeating a point when the confidence interval of its mean is this narrow, as in 2%");
  command.add_option("--confidence", o.confidence, "confidence level of the intervals")
      ->check(CLI::Range(0.5, 0.9999))
      ->capture_default_str();
  command
      .add_option("--metric", o.metrics,
                  "metrics that --precision applies to: columns of the classes table, "
                  "for all classes (COLUMN) or for one (CLASS.COLUMN). Latencies of overloaded "
                  "classes never settle, so --precision ignores them unless they are named as CLASS.COLUMN")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--detail", o.detail, "what to store: summary, or full (with flows, hosts, ports, series, "
                                           "histograms, and snapshots of the fabric)")
      ->check(CLI::IsMember({"summary", "full"}))
      ->capture_default_str();
  command.add_flag("--dry-run", o.dry_run, "print the number of runs and the expected time; run nothing");
  command.add_flag("--retry", o.retry, "repeat runs that failed before");
  command.add_option("--lost-after", o.lost_after, "under mpirun: a rank that is silent for this many seconds "
                                                   "counts as lost")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  command.add_option("--slurm", o.slurm, "write a batch script for this sweep to a file (- for standard output)");
  command.add_option("--tasks", o.tasks,
                     "number of ranks (if weir was built without MPI: cores) that the batch script requests (default: "
                     "16)");
  command.add_option("--hours", o.hours, "hours that the batch script requests (default: 24)");
}

Scenario sweep_scenario(const SweepOptions& options) {
  std::vector<Override> overrides = parse_overrides(options.set);
  if (options.repetitions > 0) overrides.push_back({"sweep.repetitions", std::to_string(options.repetitions)});
  return parse_scenario_file(options.file, vocabulary(), overrides);
}

std::vector<std::string> words_of_result(const SweepOptions& o) {
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::string& value) { words.insert(words.end(), {option, value}); };
  if (o.repetitions > 0) add("--repetitions", std::to_string(o.repetitions));
  if (!o.precision.empty()) add("--precision", o.precision);
  const SweepOptions usual;
  if (o.confidence != usual.confidence) add("--confidence", fmt::format("{}", o.confidence));
  if (o.metrics != usual.metrics) add("--metric", fmt::format("{}", fmt::join(o.metrics, ",")));
  if (o.detail != usual.detail) add("--detail", o.detail);
  return words;
}

Detail detail_of(const SweepOptions& options) { return options.detail == "full" ? Detail::full : Detail::summary; }

std::string sweep_file(const SweepOptions& options, const Scenario& base) {
  return options.out.empty() ? result_directory("", base, "-sweep.sqlite") : options.out;
}

int run_sweep(const SweepOptions& options, SweepCrew& crew) {
  if (options.slurm.empty() && (options.tasks > 0 || options.hours > 0))
    throw InputError(fmt::format("{} has no effect: it is for the batch script that --slurm writes",
                                 options.tasks > 0 ? "--tasks" : "--hours"));
  const Scenario base = sweep_scenario(options);
  const StopRule rule = stop_rule(options);
  check_metrics(rule.metrics);
  const SweepPlan plan = make_sweep_plan(base, options.threads);
  check_repetitions(plan, rule);
  check_points(plan, rule.metrics);
  if (!options.slurm.empty()) {
    check_text_file(options.slurm, inputs_of(base));
    write_text_file(options.slurm, slurm_script(options, plan));
    if (options.slurm != "-") fmt::print("submit it with: sbatch {}\n", options.slurm);
    return 0;
  }
  if (options.dry_run) {
    dry_run(options, plan, crew.size());
    return 0;
  }
  const std::string file = sweep_file(options, base);
  check_sweep_page(sweep_page_path(file));
  watch_for_interruption();
  when_interrupted([file] {
    return "the finished runs are in " + file + "; run the same command again to continue";
  });
  SweepStore store(file, {base.name, base.hash(), detail_of(options), WEIR_VERSION});
  SweepProgress progress;
  SweepBoard board(plan, store, rule, options.retry, [&](const SweepCounts& counts) { progress.update(counts); });
  crew.ready();
  crew.work(board, plan, detail_of(options));
  progress.finish();
  try {
    board.rethrow();
    if (!board.stopped()) store.write_statistics(rule.confidence);
    store.close();
  } catch (const InputError& e) {
    const SweepCounts counts = board.counts();
    throw InputError(fmt::format("{}\n{} of {} runs are stored; run the same command again to continue", e.what(),
                                 counts.done, counts.runs));
  }
  return board.stopped() ? interrupted_words(board, file) : closing_words(options, plan, board, file, rule);
}

Command add_sweep(CLI::App& app) {
  auto options = std::make_shared<SweepOptions>();
  add_sweep_options(*app.add_subcommand("sweep", "run all combinations of a scenario's [sweep] table"), *options);
  return [options] {
    become_rank();
    return run_sweep(*options, *thread_crew(options->threads));
  };
}

}  // namespace weir
