// See compare_text.h. Classes are matched by name, links by number where the fabrics are equal.
#include "report/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/format.h"
#include "report/text.h"
#include "report/wording.h"

namespace weir {
namespace {

constexpr auto as_time = [](double ps) { return format_time(ps); };
constexpr auto as_rate = [](double bps) { return format_rate(bps); };
constexpr auto as_share = [](double share) { return format_share(share); };

std::vector<std::string> all_class_names(const std::vector<PreparedRun>& runs) {
  std::vector<std::string> names;
  for (const PreparedRun& run : runs)
    for (const ClassResult& c : run.m().classes)
      if (std::find(names.begin(), names.end(), c.name) == names.end()) names.push_back(c.name);
  return names;
}

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

std::string recovery_text(const std::optional<Impact>& impact) {
  if (!impact) return "-";
  if (!impact->recovery) return "not yet";
  return impact->recovery->ps == 0 ? "none needed" : format_time(*impact->recovery);
}

std::string class_comparison(const std::vector<PreparedRun>& runs, const std::string& name, const TextStyle& style) {
  // Marks on those who suffer from the disturbance of others hit the wrong ones.
  const std::vector<std::string> classes = all_class_names(runs);
  const bool disturbed =
      std::any_of(classes.begin(), classes.end(), [&](const std::string& c) { return is_aggressor(runs, c); });
  const bool innocent = disturbed && !is_aggressor(runs, name);
  TextTable table({{"run", Align::left, 9, 16},
                   {"peak latency", Align::right, 9},
                   {"mean", Align::right, 7},
                   {"p99", Align::right, 6},
                   {"throughput", Align::right, 8},
                   {"lowest", Align::right, 5},
                   {"recovery", Align::right, 8},
                   {innocent ? "wrongly marked" : "marked", Align::right, 4}});
  for (const PreparedRun& run : runs) {
    const ClassDigest* d = find_class(run, name);
    if (d == nullptr) continue;
    const ClassSummary& s = d->summary;
    const auto peak = d->impact ? std::optional<double>(d->impact->latency_peak_ps) : s.peak_latency_ps;
    const auto& throughput = s.window_throughput && run.m().warmup.ps > 0 ? s.window_throughput : s.throughput;
    table.add({run.record.label, or_dash(peak, as_time), s.latency ? format_time(s.latency->mean_ps) : "-",
               s.latency ? format_time(s.latency->p99_ps) : "-", or_dash(throughput, as_rate),
               d->impact ? or_dash(d->impact->dip(), as_share) : "-", recovery_text(d->impact),
               or_dash(s.marked_share, as_share)});
  }
  const std::string role = is_aggressor(runs, name) ? " (the disturbance)" : "";
  return bold("class " + shorten(printable(name), style.width - 30), style) + role + "\n" + table.render(style);
}

// The worst root of all runs. A scheme that works leaves no root behind, yet the use of that link is what it must not
// waste.
PortId hot_link(const std::vector<PreparedRun>& runs) {
  PortId worst;
  Time most{-1};
  for (const PreparedRun& run : runs) {
    if (run.topology().ports() != runs.front().topology().ports() || run.digest.congestion.roots.empty()) continue;
    const CongestionRoot& root = run.digest.congestion.roots.front();
    if (root.caused_wait <= most) continue;
    most = root.caused_wait;
    worst = root.port;
  }
  return worst;
}

std::string fabric_comparison(const std::vector<PreparedRun>& runs, const TextStyle& style) {
  const PortId hot = hot_link(runs);
  TextTable table({{"run", Align::left, 9, 16},
                   {"hot link busy", Align::right, 9},
                   {"roots", Align::right, 6},
                   {"waiting", Align::right, 8},
                   {"fairness", Align::right, 6},
                   {"ended", Align::left, 7},
                   {"at", Align::right, 5},
                   {"packet-hops", Align::right, 4}});
  for (const PreparedRun& run : runs) {
    const bool same_fabric = run.topology().ports() == runs.front().topology().ports();
    const Span window = run.digest.event ? run.digest.event->span : Span{Time{0}, run.m().end};
    Time waiting = run.digest.congestion.unexplained_wait;
    for (const CongestionRoot& root : run.digest.congestion.roots) waiting += root.caused_wait;
    table.add({run.record.label, hot.valid() && same_fabric ? format_share(link_load(run.m(), hot, window)) : "-",
               std::to_string(run.digest.congestion.roots.size()), format_time(waiting),
               run.digest.fairness ? fmt::format("{:.3f}", run.digest.fairness->jain) : "-",
               std::string(ending_name(run.m().ending)), format_time(run.m().end), format_count(run.m().totals.hops)});
  }
  const std::string link = hot.valid() ? ", hot link " + link_name(runs.front().topology(), hot) : "";
  return bold("fabric", style) + shorten(link, style.width - 6) + "\n" + table.render(style);
}

// What the innocent feel: the highest peak among their classes during the event, or their 99th percentile without one.
struct Harm {
  double latency_ps = std::numeric_limits<double>::infinity();
  bool peak = false;
};

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

std::string verdict(const std::vector<PreparedRun>& runs) {
  if (runs.size() < 2) return "";
  std::vector<std::string> innocent;
  for (const std::string& name : all_class_names(runs))
    if (!is_aggressor(runs, name)) innocent.push_back(name);
  if (innocent.empty()) innocent = all_class_names(runs);

  const std::size_t reference = reference_run(runs);
  std::size_t best = runs.size();
  std::vector<Harm> harms;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    harms.push_back(harm_of(runs[r], innocent));
    // A run that broke down helps nobody, however early its packets arrived.
    if (runs[r].m().ending == Ending::deadlock || harms[r].latency_ps == std::numeric_limits<double>::infinity())
      continue;
    if (best == runs.size() || harms[r].latency_ps < harms[best].latency_ps) best = r;
  }
  const std::string who = joined(innocent) + " traffic";
  if (best == runs.size()) return "no run delivered enough to tell which variant helps " + who;
  const std::string measure = harms[best].peak ? "peak latency" : "99th percentile latency";
  const double base = harms[reference].latency_ps, lowest = harms[best].latency_ps;
  if (best == reference)
    return fmt::format("no variant helps {} more than {}: {} {}", who, runs[best].record.label, measure,
                       format_time(lowest));
  if (lowest > 0.95 * base)
    return fmt::format("no variant makes a difference to {}: {} {} at best, {} with {}", who, measure,
                       format_time(lowest), format_time(base), runs[reference].record.label);
  return fmt::format("{} helps {} most: {} {}, against {} with {}{}", runs[best].record.label, who, measure,
                     format_time(lowest), format_time(base), runs[reference].record.label,
                     std::isfinite(base) && lowest > 0 ? " (" + format_factor(base / lowest) + " lower)" : "");
}

std::string compare_text(const std::vector<PreparedRun>& runs, const TextStyle& style) {
  if (runs.empty()) return "";
  std::string text = bold(wrap(headline(runs[reference_run(runs)]), style.width), style) + "\n";
  for (const std::string& name : all_class_names(runs)) text += class_comparison(runs, name, style) + "\n";
  text += fabric_comparison(runs, style);
  const std::string last = verdict(runs);
  if (!last.empty()) text += "\n" + bold(wrap(printable(last), style.width), style);
  return text;
}

}  // namespace weir
