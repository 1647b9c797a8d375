// `weir sweep --dry-run`: how many runs, and about how long they take, from short probes of a few points.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

#include "app/runner.h"
#include "app/sweep/sweep.h"
#include "base/memory.h"
#include "report/number_format.h"
#include "store/sqlite/query.h"

namespace weir {
namespace {

constexpr std::size_t kProbes = 5;
constexpr double kProbeSeconds = 1;    // of a run that says how far it is
constexpr double kPatientSeconds = 5;  // of one that does not

struct Probe {
  std::size_t point = 0;
  double seconds = 0;     // of the whole run
  bool at_least = false;  // it was given up before it said how far it was
  std::string error;
};

Probe probe(const SweepPlan& plan, std::size_t point) {
  Probe result{point, 0, false, ""};
  const double begin = cpu_seconds();
  double done = 0;
  try {
    simulate(sweep_variant(plan.base, plan.points[point].runs.front(), vocabulary()).scenario,
             [&](double share, Time) {
               done = share;
               const double spent = cpu_seconds() - begin;
               if (spent > kPatientSeconds || (spent > kProbeSeconds && share > 0.005)) throw Abandoned{};
             });
    result.seconds = cpu_seconds() - begin;
  } catch (const Abandoned&) {
    result.at_least = done <= 0;
    result.seconds = (cpu_seconds() - begin) / (done > 0 ? done : 1);
  } catch (const std::exception& e) {
    result.error = error_text(e);
  }
  return result;
}

// From the cheapest to the most expensive, as evenly as possible.
std::vector<Probe> probe_some(const SweepPlan& plan) {
  std::vector<std::size_t> order(plan.points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return plan.points[a].cost < plan.points[b].cost; });
  const std::size_t count = std::min(kProbes, order.size());
  std::vector<Probe> probes;
  for (std::size_t i = 0; i < count; ++i)
    probes.push_back(probe(plan, order[count == 1 ? 0 : i * (order.size() - 1) / (count - 1)]));
  return probes;
}

// Of one run of a point: the probe of the most similar cost, scaled.
double seconds_of(const SweepPlan& plan, const SweepPoint& point, const std::vector<Probe>& probes) {
  const Probe* nearest = nullptr;
  double least = 0;
  for (const Probe& p : probes) {
    const double distance = std::abs(std::log(plan.points[p.point].cost / point.cost));
    if (!p.error.empty() || (nearest != nullptr && distance >= least)) continue;
    nearest = &p;
    least = distance;
  }
  return nearest == nullptr ? 0 : nearest->seconds * point.cost / plan.points[nearest->point].cost;
}

std::size_t stored(const SweepPlan& plan, const std::string& file) {
  if (!std::filesystem::exists(file)) return 0;
  std::set<std::string> ids;
  if (run_query(file, "SELECT name FROM sqlite_master WHERE name = 'sweep'").rows.empty()) return 0;
  for (const Row& row : run_query(file, "SELECT run_id FROM sweep").rows) ids.insert(std::get<std::string>(row[0]));
  return static_cast<std::size_t>(std::count_if(plan.runs.begin(), plan.runs.end(),
                                                [&](const SweepRun& run) { return ids.contains(run.run_id); }));
}

}  // namespace

void dry_run(const SweepOptions& options, const SweepPlan& plan, unsigned workers) {
  for (const SweepAxis& axis : plan.base.sweep)
    fmt::print("{:<24} {} values\n", axis.key, axis.points.size());
  const std::string file = sweep_file(options, plan.base);
  const std::size_t there = stored(plan, file);
  fmt::print("\n{} runs: {} points, {} repetitions{}\n", plan.runs.size(), plan.points.size(), plan.repetitions(),
             options.precision.empty() ? "" : " at most");
  if (there > 0) fmt::print("{} of them are in {} already\n", there, file);

  const std::vector<Probe> probes = probe_some(plan);
  double total = 0, longest = 0;
  bool at_least = false;
  for (const SweepPoint& point : plan.points) {
    const double seconds = seconds_of(plan, point, probes);
    total += seconds * static_cast<double>(point.runs.size());
    longest = std::max(longest, seconds);
  }
  for (const Probe& p : probes) {
    at_least |= p.at_least;
    if (!p.error.empty()) fmt::print("would fail: {}: {}\n", plan.points[p.point].name, p.error);
  }
  const double left = total * static_cast<double>(plan.runs.size() - there) / static_cast<double>(plan.runs.size());
  fmt::print("{} {} on {} cores (one run: {:.2g} s at most; probed {} points)\n", at_least ? "more than" : "about",
             format_duration(std::max(left / workers, there == plan.runs.size() ? 0.0 : longest)), workers, longest,
             probes.size());
}

}  // namespace weir
