#include "report/judgement.h"

#include <algorithm>
#include <cmath>

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

Harm harm_of(const PreparedRun& run, const std::vector<std::string>& innocent) {
  Harm harm;
  for (const std::string& name : innocent) {
    const ClassDigest* d = find_class(run, name);
    if (d == nullptr || !d->summary.latency) return {};
    const double latency = d->impact ? d->impact->latency_peak_ps : d->summary.latency->p99_ps;
    if (harm.latency_ps == std::numeric_limits<double>::infinity() || latency > harm.latency_ps) {
      harm.latency_ps = latency;
      harm.peak = d->impact.has_value();
    }
  }
  return harm;
}

std::size_t reference_run(const std::vector<PreparedRun>& runs) {
  for (std::size_t r = 0; r < runs.size(); ++r)
    if (runs[r].record.label == "none") return r;
  return 0;
}

}  // namespace

const ClassDigest* find_class(const PreparedRun& run, const std::string& name) {
  for (std::size_t c = 0; c < run.m().classes.size(); ++c)
    if (run.m().classes[c].name == name) return &run.digest.classes[c];
  return nullptr;
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
  j.best = runs.size();
  for (std::size_t r = 0; r < runs.size(); ++r) {
    j.harms.push_back(harm_of(runs[r], j.innocent));
    // A run that broke down helps nobody, however early its packets arrived.
    if (runs[r].m().ending == Ending::deadlock || std::isinf(j.harms[r].latency_ps)) continue;
    if (j.best == runs.size() || j.harms[r].latency_ps < j.harms[j.best].latency_ps) j.best = r;
  }
  if (j.best < runs.size())
    j.helps = j.best != j.reference && j.harms[j.best].latency_ps <= 0.95 * j.harms[j.reference].latency_ps;
  j.hot_link = worst_root(runs);
  return j;
}

}  // namespace weir
