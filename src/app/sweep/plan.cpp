#include "app/sweep/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "base/parallel.h"
#include "network/network.h"
#include "run/simulate.h"
#include "scenario/suggest.h"
#include "scenario/values.h"
#include "store/sqlite/stored_run.h"
#include "store/tables.h"

namespace weir {
namespace {

constexpr std::size_t kNoAxis = static_cast<std::size_t>(-1);

std::size_t seed_axis(const Scenario& base) {
  for (std::size_t a = 0; a < base.sweep.size(); ++a)
    if (base.sweep[a].keys == std::vector<std::string>{"seed"}) return a;
  return kNoAxis;
}

// Numbers count through all axes, the last one fastest; this takes the axis of seeds out of them.
struct Position {
  std::size_t point = 0;
  std::uint32_t repetition = 0;
};
Position position_of(std::size_t number, const Scenario& base, std::size_t seeds) {
  if (seeds == kNoAxis) return {number, 0};
  std::size_t inner = 1;
  for (std::size_t a = seeds + 1; a < base.sweep.size(); ++a) inner *= base.sweep[a].points.size();
  const std::size_t count = base.sweep[seeds].points.size();
  return {number / (inner * count) * inner + number % inner, static_cast<std::uint32_t>(number / inner % count)};
}

// Building a fabric to count its hosts takes time; sweeps use few of them.
class HostCounts {
 public:
  double of(const Scenario& scenario) {
    const Section& topology = scenario.section("topology");
    std::string key = topology.kind;
    for (const Value& value : topology.values)
      if (value.is_set) key += "\n" + value.key + "=" + canonical_literal(value);
    const std::lock_guard lock(mutex_);
    const auto [entry, added] = known_.try_emplace(key, 1.0);
    if (added) entry->second = count(scenario);
    return entry->second;
  }

 private:
  // A fabric that cannot be built fails when it is run, with the reason; here it counts as small.
  static double count(const Scenario& scenario) {
    try {
      return static_cast<double>(build_topology(scenario).hosts());
    } catch (const std::exception&) {
      return 1;
    }
  }
  std::mutex mutex_;
  std::map<std::string, double> known_;
};

double seconds(const Section& section, std::string_view key) {
  return section.knows(key) && section.has(key) ? static_cast<double>(section.time(key).ps) / 1e12 : 0;
}

// Bits that one entry of traffic offers, within so many seconds.
double offered_bits(const Section& traffic, double hosts, double link_rate, double time) {
  const auto given = [&](std::string_view key) { return traffic.knows(key) && traffic.has(key); };
  const double senders = hosts * (given("share") ? traffic.number("share") : 1.0);
  if (given("bytes")) return senders * static_cast<double>(traffic.bytes("bytes")) * 8;
  double rate = senders * link_rate;
  if (given("load")) rate *= std::min(1.0, traffic.number("load"));
  else if (given("rate")) rate = senders * static_cast<double>(traffic.rate("rate").bits_per_second);
  else if (given("total_rate")) rate = static_cast<double>(traffic.rate("total_rate").bits_per_second);
  const double start = seconds(traffic, "start");
  return rate * std::max(0.0, time - start);
}

// Classes that --metric names, as in cold.latency_mean_ns, and what names them.
std::map<std::string, std::string> classes_named(const std::vector<std::string>& metrics) {
  std::map<std::string, std::string> names;
  for (const std::string& metric : metrics) {
    const std::size_t dot = metric.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string column = metric.substr(dot + 1);
    const auto has_column = [&](std::string_view table) {
      const auto& columns = result_table(table).columns;
      return std::any_of(columns.begin(), columns.end(), [&](const TableColumn& c) { return c.name == column; });
    };
    if (has_column("classes") && !has_column("apps")) names.emplace(metric.substr(0, dot), metric);
  }
  return names;
}

// What is known of the points of a sweep before any of them is run.
class PointCheck {
 public:
  explicit PointCheck(std::map<std::string, std::string> wanted) : wanted_(std::move(wanted)) {}

  bool over() const { return (fits_ || errors_.size() > 1) && wanted_.empty(); }
  void look_at(const Scenario& scenario) {
    try {
      const RunSetup setup = set_up(scenario);
      fits_ = true;
      for (const ClassInfo& info : setup.workload->classes) {
        wanted_.erase(info.name);
        known_.insert(info.name);
      }
    } catch (const InputError& error) {
      errors_.insert(error.what());
    }
  }
  void refuse() const {
    if (!fits_ && errors_.size() == 1) throw InputError(*errors_.begin());
    if (!fits_ || wanted_.empty()) return;
    const std::vector<std::string_view> names(known_.begin(), known_.end());
    const auto& [name, metric] = *wanted_.begin();
    throw InputError(fmt::format("--metric {}: there is no class `{}`{}", metric, name,
                                 suggestion(name, names, "the classes are")));
  }

 private:
  std::map<std::string, std::string> wanted_;  // by class
  std::set<std::string> known_, errors_;
  bool fits_ = false;
};

}  // namespace

void check_points(const SweepPlan& plan, const std::vector<std::string>& metrics) {
  PointCheck check(classes_named(metrics));
  for (const SweepPoint& point : plan.points) {
    if (check.over()) break;
    check.look_at(sweep_variant(plan.base, point.runs.front(), vocabulary()).scenario);
  }
  check.refuse();
}

double estimated_cost(const Scenario& scenario, double hosts) {
  const Section& run = scenario.section("run");
  double time = seconds(run, "duration");
  if (time == 0) time = seconds(run, "max_time");
  if (time == 0) time = 1e-3;
  const Section& link = scenario.section("link");
  const double rate = link.has("rate") ? static_cast<double>(link.rate("rate").bits_per_second) : 1e10;
  double bits = 0;
  for (const Section* traffic : scenario.all("traffic")) bits += offered_bits(*traffic, hosts, rate, time);
  return std::max(bits, 1.0);
}

SweepPlan make_sweep_plan(const Scenario& base, unsigned threads) {
  if (base.sweep.empty()) {
    throw InputError(SourcePosition{base.file, 0, 0},
                     "there is nothing to sweep: add a [sweep] table such as \"link.delay\" = [\"10ns\", \"1us\"], or "
                     "--repetitions 10");
  }
  SweepPlan plan;
  plan.base = base;
  const std::size_t seeds = seed_axis(base), size = sweep_size(base);
  const std::size_t repetitions = seeds == kNoAxis ? 1 : base.sweep[seeds].points.size();
  plan.runs.resize(size);
  plan.points.resize(size / repetitions);
  for (SweepPoint& point : plan.points) point.runs.resize(repetitions);
  HostCounts hosts;
  parallel_for(size, threads, [&](std::size_t number) {
    const Variant variant = sweep_variant(base, number, vocabulary());
    const Position at = position_of(number, base, seeds);
    plan.runs[number] = {number, at.point, at.repetition, run_id_of(variant.scenario, variant.label)};
    SweepPoint& point = plan.points[at.point];
    point.runs[at.repetition] = number;
    if (at.repetition != 0) return;
    point.name = variant.point;
    for (const Override& setting : variant.settings)
      if (setting.key != "seed") point.settings.push_back(setting);
    point.cost = estimated_cost(variant.scenario, hosts.of(variant.scenario));
  });
  return plan;
}

}  // namespace weir
