// See compare_text.h. Classes are matched by name, links by number where the fabrics are equal.
#include "report/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/flow_ends.h"
#include "report/format.h"
#include "report/judgement.h"
#include "report/price.h"
#include "report/remarks.h"
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

// Mean time of a transfer, and time until the last one is over; a dash if some were not.
void add_completion(const PreparedRun& run, const std::string& name, std::vector<std::string>& cells) {
  const auto ends = flow_ends(run, name);
  const bool known = ends && ends->all();
  cells.push_back(known ? format_time(ends->mean_ps) : "-");
  cells.push_back(known ? format_time(ends->last_ps) : "-");
}

std::string class_comparison(const std::vector<PreparedRun>& runs, const std::vector<std::string>& classes,
                             const std::string& name, const TextStyle& style) {
  // Marks on those who suffer from the disturbance of others hit the wrong ones.
  const bool disturbed =
      std::any_of(classes.begin(), classes.end(), [&](const std::string& c) { return is_aggressor(runs, c); });
  const bool innocent = disturbed && !is_aggressor(runs, name);
  const bool transfers =
      std::any_of(runs.begin(), runs.end(), [&](const PreparedRun& run) { return flow_ends(run, name).has_value(); });
  std::vector<TextColumn> columns{{"run", Align::left, 9, 16},
                                  {"peak latency", Align::right, 9},
                                  {"mean", Align::right, 7},
                                  {"p99", Align::right, 6},
                                  {"throughput", Align::right, 8},
                                  {"lowest", Align::right, 5},
                                  {"recovery", Align::right, 8},
                                  {innocent ? "wrongly marked" : "marked", Align::right, 4}};
  if (transfers) columns.push_back({"completion", Align::right, 9});
  if (transfers) columns.push_back({"last", Align::right, 8});
  TextTable table(columns);
  for (const PreparedRun& run : runs) {
    const ClassDigest* d = find_class(run, name);
    if (d == nullptr) continue;
    const ClassSummary& s = d->summary;
    const auto peak = d->impact ? std::optional<double>(d->impact->latency_peak_ps) : s.peak_latency_ps;
    const auto throughput = throughput_of(run, *class_called(run, name));
    std::vector<std::string> cells{run.record.label, or_dash(peak, as_time),
                                   s.latency ? format_time(s.latency->mean_ps) : "-",
                                   s.latency ? format_time(s.latency->p99_ps) : "-", or_dash(throughput, as_rate),
                                   d->impact ? or_dash(d->impact->dip(), as_share) : "-", recovery_text(d->impact),
                                   or_dash(s.marked_share, as_share)};
    if (transfers) add_completion(run, name, cells);
    table.add(std::move(cells));
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
  const std::string who = joined(j.judged) + " traffic";
  if (j.best == runs.size()) return "no run delivered enough to tell which variant helps " + who;
  const std::string_view measure = name_of(j.harms[j.best].measure);
  const std::string& label = runs[j.best].record.label;
  const double base = j.harms[j.reference].ps, lowest = j.harms[j.best].ps;
  if (j.best == j.reference)
    return fmt::format("no variant helps {} more than {}: {} {}", who, label, measure, format_time(lowest));
  if (!j.helps)
    return fmt::format("no variant makes a difference to {}: {} {} at best, {} with {}", who, measure,
                       format_time(lowest), format_time(base), runs[j.reference].record.label);
  const auto prices = prices_of(runs[j.best], runs[j.reference]);
  return fmt::format("{} helps {} most: {} {}, against {} with {}{}{}", label, who, measure, format_time(lowest),
                     format_time(base), runs[j.reference].record.label,
                     std::isfinite(base) && lowest > 0 ? " (" + format_factor(base / lowest) + " lower)" : "",
                     prices.empty() ? "" : ", but " + price_clause(prices));
}

std::string compare_text(const std::vector<PreparedRun>& runs, const TextStyle& style) {
  if (runs.empty()) return "";
  const Judgement j = judge(runs);
  const PreparedRun& reference = runs[j.reference];
  std::string text = bold(wrap(headline(reference), style.width), style) + remark_lines(reference, style) + "\n";
  for (const std::string& name : j.classes) text += class_comparison(runs, j.classes, name, style) + "\n";
  text += fabric_comparison(runs, j.hot_link, style);
  const std::string last = verdict(runs);
  if (!last.empty()) text += "\n" + bold(wrap(printable(last), style.width), style);
  return text;
}

}  // namespace weir
