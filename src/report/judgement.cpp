#include "report/judgement.h"

#include <algorithm>
#include <cmath>

#include "report/flow_ends.h"
#include "report/wording.h"

namespace weir {
namespace {

std::vector<std::string> all_class_names(const std::vector<PreparedRun>& runs) {
  std::vector<std::string> names;
  for (const PreparedRun& run : runs)
    for (const ClassResult& c : run.m().classes)
      if (std::find(names.begin(), names.end(), c.name) == names.end()) names.push_back(c.name);
  return names;
}

// A scheme that works leaves no root behind, yet the use of the worst link of all runs is what it must not waste.
PortId worst_root(const std::vector<PreparedRun>& runs) {
  PortId worst;
  Time most{-1};
  for (const PreparedRun& run : runs) {
    if (!same_fabric(run, runs.front()) || run.digest.congestion.roots.empty()) continue;
    const RootChain chain = root_chain(run);
    if (chain.caused_wait <= most) continue;
    most = chain.caused_wait;
    worst = chain.last().port;
  }
  return worst;
}

Harm latency_of(const PreparedRun& run, const std::string& name) {
  const ClassDigest* d = find_class(run, name);
  if (d == nullptr || !d->summary.latency) return {};
  if (d->impact) return {d->impact->latency_peak_ps, HarmMeasure::peak_latency};
  return {d->summary.latency->p99_ps, HarmMeasure::p99_latency};
}

Harm completion_of(const PreparedRun& run, const std::string& name) {
  const auto ends = flow_ends(run, name);
  return {ends && ends->all() ? ends->mean_ps : std::numeric_limits<double>::infinity(), HarmMeasure::completion};
}

// A run that broke down helps nobody, however early its packets arrived.
bool broke_down(const PreparedRun& run) { return run.m().ending == Ending::deadlock; }

// Flows that end in every run can be compared by their completion; if only some do, those left open would be missing.
bool ends_everywhere(const std::vector<PreparedRun>& runs, const std::string& name) {
  return std::all_of(runs.begin(), runs.end(), [&](const PreparedRun& run) {
    return broke_down(run) || std::isfinite(completion_of(run, name).ps);
  });
}

struct Ranking {
  std::vector<std::string> judged;
  std::vector<Harm> harms;
  std::size_t best = 0;
  bool helps = false;
};

Ranking ranked(const std::vector<PreparedRun>& runs, std::size_t reference, const std::vector<std::string>& names,
               Harm (*harm_of)(const PreparedRun&, const std::string&)) {
  Ranking r{names, {}, runs.size(), false};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Harm worst = names.empty() ? Harm{} : harm_of(runs[i], names.front());
    for (const std::string& name : names)
      if (const Harm harm = harm_of(runs[i], name); harm.ps > worst.ps) worst = harm;
    r.harms.push_back(worst);
    if (broke_down(runs[i]) || std::isinf(worst.ps)) continue;
    if (r.best == runs.size() || worst.ps < r.harms[r.best].ps) r.best = i;
  }
  if (r.best < runs.size()) r.helps = r.best != reference && r.harms[r.best].ps <= 0.95 * r.harms[reference].ps;
  return r;
}

// By latency where packets are on their own. Transfers decide where there is nothing else, or where the latency of the
// others tells no difference.
Ranking ranked(const std::vector<PreparedRun>& runs, std::size_t reference, const std::vector<std::string>& innocent) {
  std::vector<std::string> transfers, others;
  for (const std::string& name : innocent) (ends_everywhere(runs, name) ? transfers : others).push_back(name);
  if (others.empty()) return ranked(runs, reference, transfers, completion_of);
  Ranking by_latency = ranked(runs, reference, others, latency_of);
  if (by_latency.helps || transfers.empty()) return by_latency;
  Ranking by_completion = ranked(runs, reference, transfers, completion_of);
  return by_completion.helps ? by_completion : by_latency;
}

std::size_t reference_run(const std::vector<PreparedRun>& runs) {
  for (std::size_t r = 0; r < runs.size(); ++r)
    if (runs[r].record.label == "none") return r;
  return 0;
}

}  // namespace

std::string_view name_of(HarmMeasure measure) {
  switch (measure) {
    case HarmMeasure::peak_latency: return "peak latency";
    case HarmMeasure::p99_latency: return "99th percentile latency";
    case HarmMeasure::completion: return "mean completion time";
  }
  return "";
}

const ClassDigest* find_class(const PreparedRun& run, const std::string& name) {
  const auto c = class_called(run, name);
  return c ? &run.digest.classes[c->index] : nullptr;
}

bool is_aggressor(const std::vector<PreparedRun>& runs, const std::string& name) {
  return std::any_of(runs.begin(), runs.end(), [&](const PreparedRun& run) {
    const ClassDigest* d = find_class(run, name);
    return d != nullptr && d->aggressor;
  });
}

bool same_fabric(const PreparedRun& a, const PreparedRun& b) { return a.topology().ports() == b.topology().ports(); }

Time total_waiting(const PreparedRun& run) {
  Time waiting = run.digest.congestion.unexplained_wait;
  for (const CongestionRoot& root : run.digest.congestion.roots) waiting += root.caused_wait;
  return waiting;
}

double load_in_event(const PreparedRun& run, PortId port) {
  return link_load(run.m(), port, run.digest.event ? run.digest.event->span : Span{Time{0}, run.m().end});
}

Judgement judge(const std::vector<PreparedRun>& runs) {
  Judgement j;
  j.classes = all_class_names(runs);
  for (const std::string& name : j.classes)
    if (!is_aggressor(runs, name)) j.innocent.push_back(name);
  if (j.innocent.empty()) j.innocent = j.classes;
  j.reference = reference_run(runs);
  Ranking ranking = ranked(runs, j.reference, j.innocent);
  j.judged = std::move(ranking.judged);
  j.harms = std::move(ranking.harms);
  j.best = ranking.best;
  j.helps = ranking.helps;
  j.hot_link = worst_root(runs);
  return j;
}

}  // namespace weir
