#include "run/calibrate_ecn.h"

#include <algorithm>

#include "base/error.h"
#include "measure/flows/slowdown.h"
#include "run/simulate.h"

namespace weir {
namespace {

// For each Gb/s of a host's link; at 100 Gb/s from 20 kB to 400 kB.
constexpr Bytes kKmins[] = {200, 500, 1000, 2000, 4000};
constexpr Bytes kKmaxFactor = 4;

Rate host_link(const Topology& t) { return t.link(t.host_port({0})).rate; }

void add(EcnTrial& trial, EcnCalibration& all, const Outcome& outcome, int seeds) {
  const std::optional<Slowdown> slow = slowdown(outcome.measurements, {}, {});
  if (!slow || slow->all.complete == 0 || slow->by_size.empty())
    throw InputError("no flow ended: thresholds are judged by the slowdown of flows");
  const double share = 1.0 / seeds;
  all.flows = slow->all.complete;
  all.shorter_than = slow->by_size.front().up_to;
  all.longer_than = slow->by_size.back().above;
  trial.short_p99 += share * slow->by_size.front().slowdown.p99;
  trial.long_p99 += share * slow->by_size.back().slowdown.p99;
  trial.mean_slowdown += share * slow->all.mean;
  std::int64_t paused = 0;
  for (const PauseResult& pause : outcome.measurements.pauses) {
    paused += pause.paused.ps / seeds;
    trial.stops += pause.stops / static_cast<std::uint64_t>(seeds);
  }
  trial.paused += Time{paused};
}

}  // namespace

EcnCalibration calibrate_ecn(const Scenario& scenario, const std::function<Scenario(const EcnTrial&)>& with, int seeds,
                             const std::function<void(double)>& progress) {
  EcnCalibration result;
  const auto gigabits = static_cast<Bytes>(host_link(build_topology(scenario)).gigabits() + 0.5);
  const std::size_t runs = std::size(kKmins) * static_cast<std::size_t>(seeds);
  std::size_t done = 0;
  for (const Bytes per_gigabit : kKmins) {
    EcnTrial trial;
    trial.kmin = per_gigabit * std::max<Bytes>(1, gigabits);
    trial.kmax = kKmaxFactor * trial.kmin;
    trial.pmax = scenario.section("scheme").number("pmax");
    for (int seed = 0; seed < seeds; ++seed) {
      Scenario one = with(trial);
      one.seed += static_cast<std::uint64_t>(seed);
      add(trial, result, simulate(one), seeds);
      if (progress) progress(static_cast<double>(++done) / static_cast<double>(runs));
    }
    result.trials.push_back(trial);
  }
  // Higher thresholds are better for long flows as long as short ones hardly feel them.
  constexpr double kHardly = 1.25;
  double least = result.trials.front().short_p99;
  for (const EcnTrial& trial : result.trials) least = std::min(least, trial.short_p99);
  for (std::size_t i = 0; i < result.trials.size(); ++i)
    if (result.trials[i].short_p99 <= kHardly * least) result.suggested = i;
  return result;
}

}  // namespace weir
