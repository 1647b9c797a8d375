#include "app/runner.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <mutex>

#include "app/process.h"
#include "base/parallel.h"
#include "report/number_format.h"
#include "report/terminal/progress.h"
#include "report/terminal/terminal_text.h"
#include "run/memory_need.h"
#include "schemes/registry.h"
#include "store/files/output_file.h"
#include "store/json.h"

namespace weir {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double cpu_seconds_of_all_threads() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) != 0; }
bool stderr_is_terminal() { return isatty(STDERR_FILENO) != 0; }

TextStyle terminal_style() {
  winsize size{};
  const bool terminal = stdout_is_terminal();
  if (!terminal || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size.ws_col = 0;
  return {usable_width(std::getenv("COLUMNS"), size.ws_col, kTextWidth),
          wants_colour(terminal, std::getenv("NO_COLOR"))};
}

std::size_t line_width() {
  constexpr std::size_t kWhole = std::size_t{1} << 20;
  return stdout_is_terminal() || std::getenv("COLUMNS") != nullptr ? terminal_style().width : kWhole;
}

RunRecord record_of(const Variant& variant, const Outcome& outcome) {
  RunRecord record = record_of(variant, *outcome.network, outcome.measurements);
  if (outcome.workload != nullptr) record.app_names = outcome.workload->app_names;
  record.overloaded = outcome.overloaded;
  return record;
}

RunRecord record_of(const Variant& variant, const Network& network, const Measurements& measurements) {
  RunRecord record;
  record.label = variant.label;
  record.scenario = &variant.scenario;
  record.topology = &network.topology;
  record.routes = &network.routes;
  record.m = &measurements;
  record.weir_version = WEIR_VERSION;
  record.scheme = variant.scenario.section("scheme").kind;
  record.scheme_tag = name_of(tag_of(variant.scenario));
  for (const Override& setting : variant.settings) record.parameters.emplace_back(setting.key, setting.value);
  return record;
}

std::vector<Override> parse_overrides(const std::vector<std::string>& set) {
  std::vector<Override> overrides;
  for (const std::string& text : set) overrides.push_back(parse_override(text));
  return overrides;
}

std::string file_name_of(const std::string& words) {
  std::string name;
  for (const char c : words)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '-';
  return name;
}

std::string result_directory(const std::string& out, const Scenario& scenario, const std::string& suffix) {
  if (!out.empty()) return out;
  const std::string name = file_name_of(scenario.name);
  return "results/" + (name.empty() ? "run" : name) + suffix;
}

void write_text_file(const std::string& path, const std::string& text) {
  if (path == "-") {
    put(text);
    return;
  }
  write_file(path, text);
}

void write_json_file(const std::string& path, const std::vector<AnalysedRun>& runs) {
  if (path == "-") return write_json(runs, [](std::string_view piece) { put(piece); });
  OutputFile file(path);
  write_json(runs, [&](std::string_view piece) { file.write(piece); });
  file.close();
}

void check_text_file(const std::string& path, const std::vector<std::filesystem::path>& inputs) {
  if (!path.empty() && path != "-") check_output_file(path, inputs);
}

namespace {

// What all threads together have done, for one bar.
class SharedProgress {
 public:
  SharedProgress(std::size_t runs, ProgressBar& bar) : shares_(runs, 0.0), bar_(bar) {}

  void update(std::size_t run, double share, Time simulated) {
    const std::lock_guard lock(mutex_);
    shares_[run] = share;
    double sum = 0;
    std::size_t done = 0;
    for (const double s : shares_) {
      sum += s < 0 ? 0 : s;
      done += s >= 1 ? 1 : 0;
    }
    bar_.update(sum / static_cast<double>(shares_.size()),
                shares_.size() == 1 ? fmt::format("{} simulated", format_time(simulated))
                                    : fmt::format("{} of {} runs done", done, shares_.size()));
  }

 private:
  std::mutex mutex_;
  std::vector<double> shares_;
  ProgressBar& bar_;
};

// An error names the line of the scenario, which all variants share.
auto with_label(const Variant& variant, auto&& action) {
  try {
    return action();
  } catch (const InputError& error) {
    if (variant.label.empty()) throw;
    throw InputError(variant.label + ": " + error.what());
  }
}

}  // namespace

RunSetup set_up(const Variant& variant) {
  return with_label(variant, [&] { return set_up(variant.scenario); });
}

std::size_t runs_at_a_time(std::size_t runs, unsigned threads) {
  return std::min<std::size_t>(threads == 0 ? hardware_threads() : threads, runs);
}

std::vector<RunSetup> set_up_all(const std::vector<Variant>& variants, unsigned threads) {
  const std::size_t count = variants.size();
  if (count > 1) check_memory(variants.front().scenario, count, runs_at_a_time(count, threads));
  std::vector<RunSetup> setups(count);
  parallel_for(count, threads, [&](std::size_t i) { setups[i] = set_up(variants[i]); });
  return setups;
}

std::vector<Outcome> run_all(const std::vector<Variant>& variants, std::vector<RunSetup> setups, unsigned threads,
                             Ranks* ranks) {
  std::vector<Outcome> outcomes(setups.size());
  ProgressBar bar(std::cerr, stderr_is_terminal(), wall_seconds, 80, !terminal_shows_utf8());
  SharedProgress progress(setups.size(), bar);
  const bool alone = setups.size() == 1;
  const auto cpu = [alone] { return alone ? cpu_seconds_of_all_threads() : cpu_seconds(); };
  CoreShare cores(threads == 0 ? hardware_threads() : threads);
  std::atomic<std::size_t> waiting = setups.size();
  parallel_for(setups.size(), threads, [&](std::size_t i) {
    const double before = cpu();
    const auto report = [&](double share, Time simulated) { progress.update(i, share, simulated); };
    setups[i].threads = threads;
    setups[i].ranks = ranks;
    outcomes[i] = with_label(variants[i], [&] {
      return alone ? simulate(std::move(setups[i]), report)
                   : simulate(std::move(setups[i]), cores, --waiting, report);
    });
    EngineTotals& totals = outcomes[i].measurements.totals;
    if (alone || totals.threads == 1) totals.cpu_seconds = cpu() - before;
    progress.update(i, 1, outcomes[i].measurements.end);
  });
  bar.finish();
  return outcomes;
}

}  // namespace weir
