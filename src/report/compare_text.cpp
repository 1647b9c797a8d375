// See compare_text.h. Classes are matched by name, links by number where the fabrics are equal.
#include "report/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/format.h"
#include "report/judgement.h"
#include "report/text.h"
#include "report/wording.h"

namespace weir {
namespace {

constexpr auto as_time = [](double ps) { return format_time(ps); };
constexpr auto as_rate = [](double bps) { return format_rate(bps); };
constexpr auto as_share = [](double share) { return format_share(share); };

std::string recovery_text(const std::optional<Impact>& impact) {
  if (!impact) return "-";
  if (!impact->recovery) return "not yet";
  return impact->recovery->ps == 0 ? "none needed" : format_time(*impact->recovery);
}

std::string class_comparison(const std::vector<PreparedRun>& runs, const std::vector<std::string>& classes,
                             const std::string& name, const TextStyle& style) {
  // Marks on those who suffer from the disturbance of others hit the wrong ones.
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

std::string fabric_comparison(const std::vector<PreparedRun>& runs, PortId hot, const TextStyle& style) {
  TextTable table({{"run", Align::left, 9, 16},
                   {"hot link busy", Align::right, 9},
                   {"roots", Align::right, 6},
                   {"waiting", Align::right, 8},
                   {"fairness", Align::right, 6},
                   {"ended", Align::left, 7},
                   {"at", Align::right, 5},
                   {"packet-hops", Align::right, 4}});
  for (const PreparedRun& run : runs) {
    const bool known = hot.valid() && same_fabric(run, runs.front());
    table.add({run.record.label, known ? format_share(load_in_event(run, hot)) : "-",
               std::to_string(run.digest.congestion.roots.size()), format_time(total_waiting(run)),
               run.digest.fairness ? fmt::format("{:.3f}", run.digest.fairness->jain) : "-",
               std::string(ending_name(run.m().ending)), format_time(run.m().end), format_count(run.m().totals.hops)});
  }
  const std::string link = hot.valid() ? ", hot link " + link_name(runs.front().topology(), hot) : "";
  return bold("fabric", style) + shorten(link, style.width - 6) + "\n" + table.render(style);
}

}  // namespace

std::string verdict(const std::vector<PreparedRun>& runs) {
  if (runs.size() < 2) return "";
  const Judgement j = judge(runs);
  const std::string who = joined(j.innocent) + " traffic";
  if (j.best == runs.size()) return "no run delivered enough to tell which variant helps " + who;
  const std::string measure = j.harms[j.best].peak ? "peak latency" : "99th percentile latency";
  const std::string& label = runs[j.best].record.label;
  const double base = j.harms[j.reference].latency_ps, lowest = j.harms[j.best].latency_ps;
  if (j.best == j.reference)
    return fmt::format("no variant helps {} more than {}: {} {}", who, label, measure, format_time(lowest));
  if (!j.helps)
    return fmt::format("no variant makes a difference to {}: {} {} at best, {} with {}", who, measure,
                       format_time(lowest), format_time(base), runs[j.reference].record.label);
  return fmt::format("{} helps {} most: {} {}, against {} with {}{}", label, who, measure, format_time(lowest),
                     format_time(base), runs[j.reference].record.label,
                     std::isfinite(base) && lowest > 0 ? " (" + format_factor(base / lowest) + " lower)" : "");
}

std::string compare_text(const std::vector<PreparedRun>& runs, const TextStyle& style) {
  if (runs.empty()) return "";
  const Judgement j = judge(runs);
  std::string text = bold(wrap(headline(runs[j.reference]), style.width), style) + "\n";
  for (const std::string& name : j.classes) text += class_comparison(runs, j.classes, name, style) + "\n";
  text += fabric_comparison(runs, j.hot_link, style);
  const std::string last = verdict(runs);
  if (!last.empty()) text += "\n" + bold(wrap(printable(last), style.width), style);
  return text;
}

}  // namespace weir
