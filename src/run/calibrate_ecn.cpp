#include "run/calibrate_ecn.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "measure/flows/slowdown.h"
#include "measure/interval.h"
#include "run/simulate.h"
#include "schemes/roce/ecn.h"

namespace weir {
namespace {

// For each Gb/s of a link; at 100 Gb/s from 20 kB to 200 kB. The defaults are above them, unless buffers are small.
constexpr Bytes kKmins[] = {200, 500, 1000, 2000};
constexpr Bytes kKmaxFactor = 4;
constexpr std::string_view kThresholds[] = {"kmin", "kmax", "kmin_per_gbps", "kmax_per_gbps"};

Section& scheme_of(Scenario& scenario) {
  return *std::find_if(scenario.sections.begin(), scenario.sections.end(),
                       [](const Section& section) { return section.name == "scheme"; });
}

Scenario with_thresholds(const Scenario& scenario, const EcnTrial& trial) {
  Scenario result = scenario;
  if (trial.which == EcnTrial::Which::given) return result;
  const auto set = [&](std::string_view key, std::optional<Bytes> bytes) {
    for (Value& value : scheme_of(result).values) {
      if (value.key != key) continue;
      value.is_set = value.is_written = bytes.has_value();
      value.is_default = false;
      value.integer = bytes.value_or(0);
      value.number = static_cast<double>(value.integer);
    }
  };
  for (const std::string_view key : kThresholds) set(key, std::nullopt);
  if (trial.which == EcnTrial::Which::by_default) return result;
  set("kmin_per_gbps", trial.kmin_per_gigabit);
  set("kmax_per_gbps", trial.kmax_per_gigabit);
  return result;
}

void note_thresholds(const Scenario& scenario, const std::vector<Rate>& rates, EcnTrial& trial) {
  const RunSetup setup = set_up(scenario);
  const EcnConfig config = read_ecn(scenario.section("scheme"), run_input(setup));
  for (const Rate rate : rates) {
    const RedThresholds red = config.thresholds(rate);
    trial.kmin.push_back(static_cast<Bytes>(red.kmin));
    trial.kmax.push_back(static_cast<Bytes>(red.kmax));
  }
}

std::vector<EcnTrial> candidates(const Scenario& scenario, const std::vector<Rate>& rates) {
  std::vector<EcnTrial> trials(1);
  trials[0].which = EcnTrial::Which::by_default;
  const Section& scheme = scenario.section("scheme");
  if (std::any_of(std::begin(kThresholds), std::end(kThresholds), [&](auto key) { return scheme.has(key); })) {
    trials.emplace_back();
    trials.back().which = EcnTrial::Which::given;
  }
  for (const Bytes per_gigabit : kKmins) {
    trials.emplace_back();
    trials.back().kmin_per_gigabit = per_gigabit;
    trials.back().kmax_per_gigabit = kKmaxFactor * per_gigabit;
  }
  for (EcnTrial& trial : trials) note_thresholds(with_thresholds(scenario, trial), rates, trial);
  // Equal thresholds are tried once.
  for (auto trial = trials.begin(); trial != trials.end();) {
    const bool again = std::any_of(trials.begin(), trial, [&](const EcnTrial& before) {
      return before.kmin == trial->kmin && before.kmax == trial->kmax;
    });
    trial = again ? trials.erase(trial) : trial + 1;
  }
  std::stable_sort(trials.begin(), trials.end(), [](const EcnTrial& a, const EcnTrial& b) { return a.kmin < b.kmin; });
  return trials;
}

void add(EcnTrial& trial, EcnCalibration& all, const Outcome& outcome, int seeds) {
  const std::optional<Slowdown> slow = slowdown(outcome.measurements, {}, {});
  if (!slow || slow->all.complete == 0 || slow->by_size.empty())
    throw InputError("no flow was completed, but thresholds are judged by the slowdown of complete flows: "
                     "let the scenario run longer");
  all.flows = slow->all.complete;
  all.shorter_than = slow->by_size.front().up_to;
  all.longer_than = slow->by_size.back().above;
  trial.short_p99.push_back(slow->by_size.front().slowdown.p99);
  trial.long_p99.push_back(slow->by_size.back().slowdown.p99);
  trial.mean_slowdown += slow->all.mean / seeds;
  std::int64_t paused = 0;
  for (const PauseResult& pause : outcome.measurements.pauses) {
    paused += pause.paused.ps / seeds;
    trial.stops += pause.stops / static_cast<std::uint64_t>(seeds);
  }
  trial.paused += Time{paused};
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Runs with the same seed have the same flows, so they are compared one by one. Ratios, because few flows that wait
// long decide a 99th percentile.
bool differs(const EcnTrial& a, const EcnTrial& b) {
  constexpr double kConfidence = 0.95;
  std::vector<double> ratios;
  for (std::size_t seed = 0; seed < a.short_p99.size(); ++seed)
    ratios.push_back(std::log(a.short_p99[seed] / b.short_p99[seed]));
  const Interval interval = interval_of(ratios, kConfidence);
  return interval.half_width && std::abs(interval.mean) > *interval.half_width;
}

std::size_t suggestion_of(const EcnCalibration& all) {
  const auto index_of = [&](EcnTrial::Which which) {
    return static_cast<std::size_t>(std::find_if(all.trials.begin(), all.trials.end(), [&](const EcnTrial& trial) {
                                      return trial.which == which;
                                    }) - all.trials.begin());
  };
  if (all.all_alike()) {
    const std::size_t given = index_of(EcnTrial::Which::given);
    return given < all.trials.size() ? given : index_of(EcnTrial::Which::by_default);
  }
  // Higher thresholds are better for long flows as long as short ones hardly feel them.
  constexpr double kHardly = 1.25;
  double least = mean(all.trials.front().short_p99);
  for (const EcnTrial& trial : all.trials) least = std::min(least, mean(trial.short_p99));
  std::size_t suggested = 0;
  for (std::size_t i = 0; i < all.trials.size(); ++i)
    if (mean(all.trials[i].short_p99) <= kHardly * least) suggested = i;
  return suggested;
}

}  // namespace

bool EcnCalibration::all_alike() const {
  return std::none_of(trials.begin(), trials.end(), [](const EcnTrial& trial) { return trial.differs; });
}

EcnCalibration calibrate_ecn(const Scenario& scenario, int seeds, const std::function<void(double)>& progress) {
  EcnCalibration result;
  result.pmax = scenario.section("scheme").number("pmax");
  result.rates = marking_rates(build_topology(scenario));
  result.trials = candidates(scenario, result.rates);
  const std::size_t runs = result.trials.size() * static_cast<std::size_t>(seeds);
  std::size_t done = 0;
  for (EcnTrial& trial : result.trials) {
    for (int seed = 0; seed < seeds; ++seed) {
      Scenario one = with_thresholds(scenario, trial);
      one.seed += static_cast<std::uint64_t>(seed);
      add(trial, result, simulate(one), seeds);
      if (progress) progress(static_cast<double>(++done) / static_cast<double>(runs));
    }
  }
  const EcnTrial& best = *std::min_element(
      result.trials.begin(), result.trials.end(),
      [](const EcnTrial& a, const EcnTrial& b) { return mean(a.short_p99) < mean(b.short_p99); });
  for (EcnTrial& trial : result.trials) trial.differs = differs(trial, best);
  result.suggested = suggestion_of(result);
  return result;
}

}  // namespace weir
