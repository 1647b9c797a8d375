#include "report/answer/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "report/answer/flow_ends.h"
#include "report/answer/losses.h"
#include "report/answer/phrases.h"
#include "report/answer/queueing.h"
#include "report/number_format.h"

namespace weir {
namespace {

std::vector<std::string> all_class_names(const std::vector<AnalysedRun>& runs) {
  std::vector<std::string> names;
  for (const AnalysedRun& run : runs)
    for (const ClassResult& c : run.m().classes)
      if (std::find(names.begin(), names.end(), c.name) == names.end()) names.push_back(c.name);
  return names;
}

// A scheme that works leaves no root behind, yet it must not waste what all of the disturbance crosses: the last link
// to the host that it goes to. Without such a host it is the root that the headline names, or the worst of all runs.
PortId hot_link_of(const std::vector<AnalysedRun>& runs, std::size_t reference) {
  const Topology& t = runs[reference].topology();
  if (const auto receiver = common_receiver(runs[reference])) return t.from(t.host_port(*receiver));
  if (!runs[reference].digest.congestion.roots.empty()) return root_chain(runs[reference]).end;
  if (const auto queue = queueing_link(runs[reference])) return queue->port;
  PortId worst;
  Time most{-1};
  for (const AnalysedRun& run : runs) {
    if (!same_fabric(run, runs[reference]) || run.digest.congestion.roots.empty()) continue;
    const RootChain chain = root_chain(run);
    if (chain.caused_wait <= most) continue;
    most = chain.caused_wait;
    worst = chain.end;
  }
  return worst;
}

constexpr double kUnknown = std::numeric_limits<double>::infinity();

double completion_of(const AnalysedRun& run, const std::string& name, double FlowEnds::*end) {
  const auto ends = flow_ends(run, name);
  return ends && ends->all() ? (*ends).*end : kUnknown;
}

double slowdown_in(const AnalysedRun& run, const std::string& name, const ClassDigest& d, double SlowdownSummary::*of) {
  const auto ends = flow_ends(run, name);
  return ends && ends->all() && d.slowdown && d.slowdown->all.complete > 0 ? d.slowdown->all.*of : kUnknown;
}

double harm_of(const AnalysedRun& run, const std::string& name, HarmMeasure measure) {
  const ClassDigest* d = find_class(run, name);
  if (d == nullptr) return kUnknown;
  switch (measure) {
    case HarmMeasure::peak_latency: return d->impact ? d->impact->latency_peak_ps : kUnknown;
    case HarmMeasure::p99_latency: return d->summary.latency ? d->summary.latency->p99_ps : kUnknown;
    case HarmMeasure::slowest_latency: return d->summary.latency ? d->summary.latency->slowest_mean_ps : kUnknown;
    case HarmMeasure::p99_slowdown: return slowdown_in(run, name, *d, &SlowdownSummary::p99);
    case HarmMeasure::mean_slowdown: return slowdown_in(run, name, *d, &SlowdownSummary::mean);
    case HarmMeasure::last_completion: return completion_of(run, name, &FlowEnds::last_ps);
    case HarmMeasure::mean_completion: return completion_of(run, name, &FlowEnds::mean_ps);
  }
  return kUnknown;
}

// A run that broke down helps nobody, however early its packets arrived.
bool broke_down(const AnalysedRun& run) { return run.m().ending == Ending::deadlock; }

// Transfers that all end in some run can be compared by their completion; a run that leaves some open is no help.
bool are_transfers(const std::vector<AnalysedRun>& runs, const std::string& name) {
  bool complete = false;
  for (const AnalysedRun& run : runs) {
    if (broke_down(run)) continue;
    const auto ends = flow_ends(run, name);
    if (!ends) return false;
    complete = complete || ends->all();
  }
  return complete;
}

bool have_comparable_slowdown(const std::vector<AnalysedRun>& runs, const std::string& name) {
  return std::all_of(runs.begin(), runs.end(), [&](const AnalysedRun& run) {
    return broke_down(run) || slowdown_is_comparable(run, runs.front(), name);
  });
}

struct Ranking {
  std::vector<std::string> judged;
  HarmMeasure measure = HarmMeasure::p99_latency;
  std::vector<double> harms;
  std::vector<bool> barred;  // see Judgement

  bool bars(std::size_t run) const { return run < barred.size() && barred[run]; }
  bool helps(std::size_t run, std::size_t reference) const {
    if (run >= harms.size() || run == reference || bars(run)) return false;
    return harms[run] <= difference(measure) * harms[reference];
  }
};

Ranking ranked(const std::vector<AnalysedRun>& runs, const std::vector<std::string>& names, HarmMeasure measure) {
  Ranking r{names, measure, {}, {}};
  for (const AnalysedRun& run : runs) {
    double worst = names.empty() || broke_down(run) ? kUnknown : 0;
    for (const std::string& name : names) worst = std::max(worst, harm_of(run, name, measure));
    r.harms.push_back(worst);
  }
  return r;
}

// The run with the least harm among those that `counts` lets in; number of runs if there is none.
template <class Counts>
std::size_t best_of(const std::vector<AnalysedRun>& runs, const Ranking& r, Counts counts) {
  std::size_t best = runs.size();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (std::isinf(r.harms[i]) || r.bars(i) || !counts(runs[i])) continue;
    if (best == runs.size() || r.harms[i] < r.harms[best]) best = i;
  }
  return best;
}

// What differs so little from the best may be better by chance: the cheapest of these is the best choice.
template <class Counts>
std::size_t best_choice(const std::vector<AnalysedRun>& runs, const Ranking& r, std::size_t reference, Counts counts) {
  const std::size_t least = best_of(runs, r, counts);
  if (!r.helps(least, reference)) return least;
  std::size_t best = least;
  double cost = worst_loss(runs[least], runs[reference]);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!counts(runs[i]) || !r.helps(i, reference) || difference(r.measure) * r.harms[i] > r.harms[least])
      continue;
    const double now = worst_loss(runs[i], runs[reference]);
    if (now > kDifference * cost) continue;
    best = i;
    cost = now;
  }
  return best;
}

bool some_run_helps(const std::vector<AnalysedRun>& runs, const Ranking& r, std::size_t reference) {
  return r.helps(best_of(runs, r, [](const AnalysedRun&) { return true; }), reference);
}

// The slowest decide, since the mean alone would praise a scheme that lets most flows end early and one very late.
// Where no run helps the slowest, which may wait for the hot link itself, the mean tells whether others are helped.
Ranking ranked_by_transfers(const std::vector<AnalysedRun>& runs, std::size_t reference,
                            const std::vector<std::string>& transfers) {
  const bool slowdown = std::all_of(transfers.begin(), transfers.end(),
                                    [&](const std::string& name) { return have_comparable_slowdown(runs, name); });
  Ranking worst = ranked(runs, transfers, slowdown ? HarmMeasure::p99_slowdown : HarmMeasure::last_completion);
  if (some_run_helps(runs, worst, reference)) return worst;
  Ranking mean = ranked(runs, transfers, slowdown ? HarmMeasure::mean_slowdown : HarmMeasure::mean_completion);
  for (const double harm : worst.harms) mean.barred.push_back(kDifference * harm > worst.harms[reference]);
  return some_run_helps(runs, mean, reference) ? mean : worst;
}

// Victims that are fewer than 1 % of the packets do not move the percentile. That there are such shows in the slowest
// 1 %: their mean lies far above the percentile, where a queue without victims makes it a quarter higher.
bool hides_victims(const std::vector<AnalysedRun>& runs, const std::vector<std::string>& names) {
  constexpr double kFarAbove = 2;
  return std::any_of(runs.begin(), runs.end(), [&](const AnalysedRun& run) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      const ClassDigest* d = find_class(run, name);
      return d != nullptr && d->summary.latency &&
             d->summary.latency->slowest_mean_ps >= kFarAbove * d->summary.latency->p99_ps;
    });
  });
}

// By latency where packets are on their own. Transfers decide where there is nothing else, or where the latency of the
// others tells no difference.
Ranking choose_ranking(const std::vector<AnalysedRun>& runs, std::size_t reference,
                       const std::vector<std::string>& innocent) {
  std::vector<std::string> transfers, others;
  for (const std::string& name : innocent) (are_transfers(runs, name) ? transfers : others).push_back(name);
  if (others.empty()) return ranked_by_transfers(runs, reference, transfers);
  const bool disturbed = std::all_of(others.begin(), others.end(), [&](const std::string& name) {
    const ClassDigest* d = find_class(runs[reference], name);
    return d != nullptr && d->impact && !d->impact->rises_by_itself;
  });
  Ranking by_latency = ranked(runs, others, disturbed                     ? HarmMeasure::peak_latency
                                            : hides_victims(runs, others) ? HarmMeasure::slowest_latency
                                                                          : HarmMeasure::p99_latency);
  if (transfers.empty() || some_run_helps(runs, by_latency, reference)) return by_latency;
  Ranking by_transfers = ranked_by_transfers(runs, reference, transfers);
  return some_run_helps(runs, by_transfers, reference) ? by_transfers : by_latency;
}

}  // namespace

double difference(HarmMeasure measure) { return measure == HarmMeasure::p99_slowdown ? 0.9 : kDifference; }

std::string_view name_of(HarmMeasure measure) {
  switch (measure) {
    case HarmMeasure::peak_latency: return "peak latency";
    case HarmMeasure::p99_latency: return "99th percentile latency";
    case HarmMeasure::slowest_latency: return "mean latency of the slowest 1 %";
    case HarmMeasure::p99_slowdown: return "99th percentile slowdown";
    case HarmMeasure::mean_slowdown: return "mean slowdown";
    case HarmMeasure::last_completion: return "time until the last flow is complete";
    case HarmMeasure::mean_completion: return "mean completion time";
  }
  return "";
}

std::string_view improvement(HarmMeasure measure) {
  switch (measure) {
    case HarmMeasure::peak_latency: return "lowers the peak latency";
    case HarmMeasure::p99_latency: return "lowers the 99th percentile of latency";
    case HarmMeasure::slowest_latency: return "lowers the mean latency of the slowest 1 %";
    case HarmMeasure::p99_slowdown: return "lowers the 99th percentile of slowdown";
    case HarmMeasure::mean_slowdown: return "lowers the mean slowdown";
    case HarmMeasure::last_completion: return "lets the last flow complete earlier";
    case HarmMeasure::mean_completion: return "shortens the mean completion time";
  }
  return "";
}

bool is_slowdown(HarmMeasure measure) {
  return measure == HarmMeasure::p99_slowdown || measure == HarmMeasure::mean_slowdown;
}

bool is_latency(HarmMeasure measure) {
  return measure == HarmMeasure::peak_latency || measure == HarmMeasure::p99_latency ||
         measure == HarmMeasure::slowest_latency;
}

std::string format_harm(HarmMeasure measure, double harm) {
  return is_slowdown(measure) ? format_slowdown(harm) : format_time(harm);
}

std::string harm_clause(const std::vector<AnalysedRun>& runs, const Judgement& j, std::size_t run) {
  const std::string& reference = runs[j.reference].record.label;
  const double base = j.harms[j.reference], now = j.harms[run];
  if (std::isinf(base))
    return fmt::format("{}; with `{}` {}", format_harm(j.measure, now), reference,
                       broke_down(runs[j.reference])                 ? "the run ends in a deadlock"
                       : j.measure == HarmMeasure::last_completion || is_slowdown(j.measure)
                           ? "some flows are never complete"
                           : "too few packets arrive to judge");
  const bool shorter = j.measure == HarmMeasure::last_completion || j.measure == HarmMeasure::mean_completion;
  std::string more = now > 0 ? format_factor(base / now) + (shorter ? " shorter" : " lower") : "";
  const auto beside = [&](const std::vector<double>& values, const char* what) {
    if (values.empty()) return;
    more += fmt::format("{}{} {}, against {}", more.empty() ? "" : "; ", what, format_time(values[run]),
                        format_time(values[j.reference]));
  };
  beside(j.means, "mean completion time");
  beside(j.lasts, "last flow complete after");
  return fmt::format("{}, against {} with `{}`{}", format_harm(j.measure, now), format_harm(j.measure, base), reference,
                     more.empty() ? "" : " (" + more + ")");
}

namespace {

// More lanes than the reference, on links with credits: traffic gets to them by its service level.
bool needs_service_levels(const AnalysedRun& run, const AnalysedRun& reference) {
  const Section *now = run.record.scenario->find("switch"), *before = reference.record.scenario->find("switch");
  return now != nullptr && before != nullptr && now->chooses("flow_control", "credits") &&
         now->integer("lanes") > before->integer("lanes");
}

bool uses_model(const AnalysedRun& run) {
  const Section* section = run.record.scenario->find("run");
  return section != nullptr && section->chooses("engine", "fluid");
}

}  // namespace

std::string availability(std::string_view tag) {
  if (tag == "available") return "available";
  if (tag == "standard") return "in a published standard";
  if (tag == "research") return "in papers only";
  if (tag == "ideal") return "an ideal, for comparison only";
  return fmt::format("available only {}", tag);
}

bool is_model_beside_packets(const AnalysedRun& run, const AnalysedRun& reference) {
  return uses_model(run) && !uses_model(reference);
}

std::string tagged_label(const AnalysedRun& run, const AnalysedRun& reference) {
  const RunRecord& record = run.record;
  if (is_model_beside_packets(run, reference)) return quoted_name(record.label) + " (a model without packets)";
  if (&run != &reference && record.scheme == reference.record.scheme) {
    if (!needs_service_levels(run, reference)) return quoted_name(record.label);
    return quoted_name(record.label) + " (needs QoS in opensm: `qos TRUE`, and an SL for this traffic)";
  }
  if (record.scheme_tag.empty() || record.scheme == "none") return quoted_name(record.label);
  const std::string_view where = record.scheme_tag == "available" ? use_of(run).where : std::string_view();
  return fmt::format("{} ({})", quoted_name(record.label),
                     where.empty() ? availability(record.scheme_tag) : std::string(where));
}

bool is_barred(const Judgement& j, std::size_t run) { return run < j.barred.size() && j.barred[run]; }

bool clearly_helps(const Judgement& j, std::size_t run) {
  return run != j.reference && !is_barred(j, run) && !std::isinf(j.harms[run]) &&
         j.harms[run] <= difference(j.measure) * j.harms[j.reference];
}

bool can_be_configured(const AnalysedRun& run) { return can_be_deployed(run) && use_of(run).by_configuration; }

SchemeUse use_of(const AnalysedRun& run) {
  for (const SchemeInfo& scheme : schemes())
    if (scheme.name == run.record.scheme) return scheme.use;
  return {};
}

bool is_deployable_tag(std::string_view scheme_tag) {
  return scheme_tag.empty() || scheme_tag == "available" || scheme_tag == "standard";
}

bool can_be_deployed(const AnalysedRun& run) { return is_deployable_tag(run.record.scheme_tag); }

const ClassDigest* find_class(const AnalysedRun& run, const std::string& name) {
  const auto c = class_called(run, name);
  return c ? &run.digest.classes[c->index] : nullptr;
}

bool is_aggressor(const std::vector<AnalysedRun>& runs, const std::string& name) {
  return std::any_of(runs.begin(), runs.end(), [&](const AnalysedRun& run) {
    const ClassDigest* d = find_class(run, name);
    return d != nullptr && d->aggressor;
  });
}

bool same_fabric(const AnalysedRun& a, const AnalysedRun& b) { return a.topology().ports() == b.topology().ports(); }

double load_in_event(const AnalysedRun& run, PortId port) {
  return link_load(run.m(), port, run.digest.event ? run.digest.event->span : Span{Time{0}, run.m().end});
}

std::string time_of_event(const AnalysedRun& run) {
  if (!run.digest.event) return "over the whole run";
  return fmt::format("from {} to {}", format_time(run.digest.event->span.from), format_time(run.digest.event->span.to));
}

Judgement judge(const std::vector<AnalysedRun>& runs) {
  Judgement j;
  j.classes = all_class_names(runs);
  for (const std::string& name : j.classes)
    if (!is_aggressor(runs, name)) j.innocent.push_back(name);
  if (j.innocent.empty()) j.innocent = j.classes;
  j.reference = reference_of(runs);
  Ranking ranking = choose_ranking(runs, j.reference, j.innocent);
  const auto any = [](const AnalysedRun&) { return true; };
  j.least_harm = best_of(runs, ranking, any);
  j.best = best_choice(runs, ranking, j.reference, any);
  j.helps = ranking.helps(j.best, j.reference);
  j.deployable = best_choice(runs, ranking, j.reference, can_be_deployed);
  j.deployable_helps = ranking.helps(j.deployable, j.reference);
  if (ranking.measure == HarmMeasure::last_completion)
    j.means = ranked(runs, ranking.judged, HarmMeasure::mean_completion).harms;
  if (ranking.measure == HarmMeasure::mean_completion)
    j.lasts = ranked(runs, ranking.judged, HarmMeasure::last_completion).harms;
  j.judged = std::move(ranking.judged);
  j.measure = ranking.measure;
  j.harms = std::move(ranking.harms);
  j.barred = std::move(ranking.barred);
  j.hot_link = hot_link_of(runs, j.reference);
  return j;
}

}  // namespace weir
