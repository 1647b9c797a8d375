// See compare_text.h. Classes are matched by name, links by number where the fabrics are equal.
#include "report/answer/growth.h"
#include "report/terminal/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/answer/caveats.h"
#include "report/answer/flow_ends.h"
#include "report/answer/judgement.h"
#include "report/answer/phrases.h"
#include "report/answer/verdict.h"
#include "report/number_format.h"
#include "report/terminal/terminal_text.h"
#include "schemes/registry.h"

namespace weir {
namespace {

constexpr const char* kRoot = "root: a saturated link that ports wait for";
constexpr auto as_time = [](double ps) { return format_time(ps); };
constexpr auto as_rate = [](double bps) { return format_rate(bps); };
constexpr auto as_share = [](double share) { return format_share(share); };

std::string recovery_text(const std::optional<Impact>& impact) {
  if (!impact) return "-";
  if (!impact->recovery) return "not yet";
  return impact->recovery->ps == 0 ? "none needed" : format_time(*impact->recovery);
}

// The same question to all runs: in the event where the reference knows it, otherwise in the whole run.
std::string peak_text(const ClassDigest& d, bool in_event) {
  if (!in_event) return or_dash(d.summary.peak_latency_ps, as_time);
  return d.impact ? format_time(d.impact->latency_peak_ps) : "-";
}

// Mean time of a transfer, and time until the last one is over; a dash if some were not.
void add_completion(const AnalysedRun& run, const std::string& name, std::vector<std::string>& cells) {
  const auto ends = flow_ends(run, name);
  const bool known = ends && ends->all();
  cells.push_back(known ? format_time(ends->mean_ps) : "-");
  cells.push_back(known ? format_time(ends->last_ps) : "-");
}

// Mean where it is asked for, median and 99th percentile, of the flows that are complete.
void add_slowdown(const ClassDigest& d, bool mean, std::vector<std::string>& cells) {
  const bool known = d.slowdown && d.slowdown->all.complete > 0;
  if (mean) cells.push_back(known ? format_slowdown(d.slowdown->all.mean) : "-");
  cells.push_back(known ? format_slowdown(d.slowdown->all.p50) : "-");
  cells.push_back(known ? format_slowdown(d.slowdown->all.p99) : "-");
}

// The edge of the bin of the shortest flows; 0 unless the class has flows of several sizes.
Bytes short_flows(const ClassDigest* d) {
  if (d == nullptr || !d->slowdown || d->slowdown->by_size.size() < 2) return 0;
  return d->slowdown->by_size.front().up_to;
}

void add_short_slowdown(const ClassDigest& d, Bytes up_to, std::vector<std::string>& cells) {
  const SizeBin* bin = d.slowdown && !d.slowdown->by_size.empty() ? &d.slowdown->by_size.front() : nullptr;
  const bool known = bin != nullptr && bin->up_to == up_to && bin->slowdown.complete > 0;
  cells.push_back(known ? format_slowdown(bin->slowdown.p99) : "-");
}

// How many there are, and the 99th percentile of their slowdown.
void add_victims(const ClassDigest& d, std::vector<std::string>& cells) {
  const SlowdownSummary* victims = d.slowdown && d.slowdown->victims ? &*d.slowdown->victims : nullptr;
  cells.push_back(victims != nullptr ? format_count(victims->flows) : "-");
  cells.push_back(victims != nullptr && victims->complete > 0 ? format_slowdown(victims->p99) : "-");
}

bool has_victims(const std::vector<AnalysedRun>& runs, const std::string& name) {
  return std::any_of(runs.begin(), runs.end(), [&](const AnalysedRun& run) {
    const ClassDigest* d = find_class(run, name);
    return d != nullptr && d->slowdown && d->slowdown->victims && d->slowdown->victims->flows > 0;
  });
}

// It suffers from the disturbance of others: marks on it hit the wrong ones.
bool is_innocent(const std::vector<AnalysedRun>& runs, const std::vector<std::string>& classes,
                 const std::string& name) {
  const auto disturbs = [&](const std::string& c) { return is_aggressor(runs, c); };
  return !disturbs(name) && std::ranges::any_of(classes, disturbs);
}

std::string class_comparison(const std::vector<AnalysedRun>& runs, const std::vector<std::string>& classes,
                             const std::string& name, HarmMeasure measure, const TextStyle& style,
                             std::set<std::string>& shown) {
  const bool innocent = is_innocent(runs, classes, name);
  const bool transfers =
      std::any_of(runs.begin(), runs.end(), [&](const AnalysedRun& run) { return flow_ends(run, name).has_value(); });
  const ClassDigest* base = find_class(runs[reference_of(runs)], name);
  const bool in_event = base != nullptr && base->impact.has_value();
  std::vector<TextColumn> columns{{"run", Align::left, 9, 16},
                                  {"peak\nlatency", Align::right, 9},
                                  {"mean\nlatency", Align::right, 7},
                                  {"p99\nlatency", Align::right, 6}};
  const bool reorders = std::any_of(runs.begin(), runs.end(), [&](const AnalysedRun& run) {
    const auto c = class_called(run, name);
    return c && run.m().classes[c->index].out_of_order > 0;
  });
  const bool slowest = measure == HarmMeasure::slowest_latency && !is_aggressor(runs, name);
  const bool victims = transfers && has_victims(runs, name);  // who tells more than what all have together
  if (slowest) columns.push_back({"mean of\nslowest 1 %", Align::right, 9});
  const std::vector<TextColumn> more{{"throughput", Align::right, victims ? 6 : 8},
                                     {"throughput\ndip to", Align::right, 5},
                                     {"recovery", Align::right, victims ? 5 : 8},
                                     {innocent ? "wrongly\nmarked" : "marked", Align::right, 4}};
  columns.insert(columns.end(), more.begin(), more.end());
  if (transfers) columns.push_back({"mean FCT", Align::right, 9});
  if (transfers) columns.push_back({"last flow", Align::right, 8});
  const bool mean = transfers && measure == HarmMeasure::mean_slowdown && !is_aggressor(runs, name);
  if (mean) columns.push_back({"mean\nslowdown", Align::right, 9});
  if (transfers) columns.push_back({"p50\nslowdown", Align::right, victims ? 6 : 9});
  if (transfers) columns.push_back({"p99\nslowdown", Align::right, 8});
  const Bytes up_to = transfers ? short_flows(base) : 0;
  if (up_to > 0)
    columns.push_back({"p99 slowdown\nup to " + format_bytes(static_cast<double>(up_to)), Align::right, 8});
  if (reorders) columns.push_back({"out of\norder", Align::right, 9});
  if (victims) columns.push_back({"victim\nflows", Align::right, 9});
  if (victims) columns.push_back({"p99 slowdown\nof victims", Align::right, 9});
  TextTable table(columns);
  for (const AnalysedRun& run : runs) {
    const ClassDigest* d = find_class(run, name);
    if (d == nullptr) continue;
    const ClassSummary& s = d->summary;
    const auto throughput = throughput_of(run, *class_called(run, name));
    std::vector<std::string> cells{run.record.label, peak_text(*d, in_event),
                                   s.latency ? format_time(s.latency->mean_ps) : "-",
                                   s.latency ? format_time(s.latency->p99_ps) : "-"};
    if (slowest) cells.push_back(s.latency ? format_time(s.latency->slowest_mean_ps) : "-");
    cells.insert(cells.end(), {or_dash(throughput, as_rate), d->impact ? or_dash(d->impact->dip(), as_share) : "-",
                               recovery_text(d->impact), or_dash(s.marked_share, as_share)});
    if (transfers) add_completion(run, name, cells);
    if (transfers) add_slowdown(*d, mean, cells);
    if (up_to > 0) add_short_slowdown(*d, up_to, cells);
    if (reorders) cells.push_back(format_count(run.m().classes[class_called(run, name)->index].out_of_order));
    if (victims) add_victims(*d, cells);
    table.add(std::move(cells));
  }
  for (std::string& title : table.shown(style)) shown.insert(std::move(title));
  const std::string role = is_aggressor(runs, name) ? " (the disturbance)" : "";
  return bold("class " + shorten(printable(name), style.width - 30), style) + role + "\n" + table.render(style);
}

// "window + flow-setup", unless a scenario calls it so by itself.
bool names_routing(const AnalysedRun& run) { return run.record.label.starts_with(run.record.scheme + " + "); }

// What the columns of the classes show, of those that are shown.
std::string class_legend(const std::vector<AnalysedRun>& runs, const std::vector<std::string>& classes,
                         const std::set<std::string>& shown, const TextStyle& style) {
  const AnalysedRun& reference = runs[reference_of(runs)];
  bool in_event = false, pauses = false, transfers = false;
  for (const std::string& name : classes) {
    const ClassDigest* base = find_class(reference, name);
    in_event = in_event || (base != nullptr && base->impact);
    transfers = transfers || flow_ends(reference, name).has_value();
  }
  const bool by_size =
      std::ranges::any_of(shown, [](const std::string& title) { return title.starts_with("p99 slowdown up to"); });
  for (const AnalysedRun& run : runs) pauses = pauses || !run.m().pauses.empty();
  const std::vector<std::string> causes = class_names(reference, true);
  const std::string disturbance =
      causes.empty() ? "the disturbance" : "the disturbance (" + printable(named_classes(causes)) + ")";
  std::string text = std::ranges::any_of(runs, names_routing)
                         ? wrap("run: the scheme, or scheme + routing", style.width) : "";
  if (const Time warmup = reference.m().warmup; warmup.ps > 0)
    text += wrap("throughput, mean and p99 latency: after the warm-up", style.width);
  text += wrap(fmt::format("peak latency: the run is divided into equal intervals; this is the mean latency of the "
                           "worst {}",
                           in_event ? "interval after the start of " + disturbance : "one"),
               style.width);
  if (shown.contains("throughput dip to"))
    text += wrap("throughput dip to: the lowest throughput during the disturbance, as a share of that before it",
                 style.width);
  if (shown.contains("recovery"))
    text += wrap("recovery: time from the start of the disturbance until latency and throughput were back to "
                 "normal. Normal latency: no interval is above twice the mean before the disturbance, or above the "
                 "highest interval before it if that is more. Normal throughput: at least 80 % of what is expected",
                 style.width);
  if (shown.contains("wrongly marked"))
    text += wrap("wrongly marked: share of the packets of this class that were marked, although the class does not "
                 "cause the congestion",
                 style.width);
  if (transfers) {
    if (const std::string flows = latency_of_flows(reference, "FCT and slowdown"); !flows.empty())
      text += wrap(flows, style.width);
    text += wrap("mean FCT: mean flow completion time; last flow: from the start of the first flow of the class until "
                 "the last one is complete",
                 style.width);
  }
  if (by_size) text += wrap("p99 slowdown up to a size: only flows of at most that size count", style.width);
  if (shown.contains("victim flows"))
    text += wrap(kRoot, style.width) +
            wrap(fmt::format("victim flows: flows that cross no root, but a link on their path was {}",
                             pauses ? "paused" : "held back"),
                 style.width);
  return dim(text, style) + "\n";
}

// The availabilities that are in the table.
std::string availability_legend(const std::vector<AnalysedRun>& runs) {
  std::string text;
  for (const SchemeTag tag : {SchemeTag::hardware, SchemeTag::standard, SchemeTag::for_infiniband,
                              SchemeTag::for_ethernet, SchemeTag::research, SchemeTag::ideal})
    if (std::ranges::any_of(runs, [&](const AnalysedRun& run) { return run.record.scheme_tag == name_of(tag); }))
      text += fmt::format("{}{} = {}", text.empty() ? "availability: " : ". ", name_of(tag), meaning_of(tag));
  return text;
}

// What the columns of the fabric show; the root where the classes have not said it.
std::string fabric_legend(const std::vector<AnalysedRun>& runs, PortId hot, bool with_root, const TextStyle& style) {
  const AnalysedRun& reference = runs[reference_of(runs)];
  std::string text;
  if (const std::string tags = availability_legend(runs); !tags.empty()) text += wrap(tags, style.width);
  if (hot.valid())
    text += wrap(reference.digest.event
                     ? fmt::format("hot link busy: only during the disturbance, whose time differs from run to run "
                                   "({}: {}). The other columns: the whole run",
                                   quoted_name(printable(reference.record.label)), time_of_event(reference))
                     : "hot link busy: share of the whole run",
                 style.width);
  if (with_root) text += wrap(kRoot, style.width);
  text += wrap("waiting: how long ports had a packet but could not send, because they had no credits or had been "
               "paused; summed over all ports. Not counted: ports while they are roots, and intervals of the run in "
               "which the port waited less than 5 % of the time",
               style.width);
  if (std::ranges::any_of(runs, [](const AnalysedRun& run) { return !run.m().pauses.empty(); }))
    text += wrap("pauses: how often ports were paused; paused: for how long in total, even with nothing to send. Sums "
                 "over all ports and priorities",
                 style.width);
  return dim(text, style);
}

// What did nothing cannot have helped or failed. The reference has said so above.
std::string idle_lines(const std::vector<AnalysedRun>& runs, std::size_t reference, const TextStyle& style) {
  std::string text;
  for (std::size_t r = 0; r < runs.size(); ++r)
    if (const std::string idle = idle_sentence(runs[r]); r != reference && !idle.empty())
      text += wrap("note: " + printable(idle), style.width, 6);
  return text.empty() ? "" : "\n" + text;
}

// Stops by PAUSE, of all links and lanes, and how long they stood stopped in all; dashes where nobody can be stopped.
std::pair<std::string, std::string> pause_cells(const Measurements& m) {
  if (m.pauses.empty()) return {"-", "-"};
  PauseResult all;
  for (const PauseResult& pause : m.pauses) {
    all.stops += pause.stops;
    all.paused += pause.paused;
  }
  return {format_count(all.stops), format_time(all.paused)};
}

// How long collective operations take, which the latency of their packets does not tell.
std::string collective_comparison(const std::vector<AnalysedRun>& runs, const TextStyle& style) {
  if (std::all_of(runs.begin(), runs.end(), [](const AnalysedRun& run) { return run.m().collectives.empty(); }))
    return "";
  TextTable table({{"run", Align::left, 9, 16},
                   {"operations", Align::right, 6},
                   {"complete", Align::right, 7},
                   {"mean time", Align::right, 9},
                   {"longest", Align::right, 8},
                   {"mean bus bandwidth", Align::right, 8}});
  for (const AnalysedRun& run : runs) {
    std::size_t complete = 0;
    double sum = 0, longest = 0, bus = 0;
    for (const CollectiveResult& c : run.m().collectives) {
      if (!c.completion || !c.start) continue;
      const auto time = static_cast<double>((*c.completion - *c.start).ps);
      ++complete;
      sum += time;
      longest = std::max(longest, time);
      bus += c.bus_bps;
    }
    const auto count = static_cast<double>(complete);
    table.add({run.record.label, std::to_string(run.m().collectives.size()), std::to_string(complete),
               complete > 0 ? format_time(sum / count) : "-", complete > 0 ? format_time(longest) : "-",
               complete > 0 ? format_rate(bus / count) : "-"});
  }
  return bold("collective operations", style) + "\n" + table.render(style) + "\n";
}

std::string fabric_comparison(const std::vector<AnalysedRun>& runs, PortId hot, const TextStyle& style) {
  TextTable table({{"run", Align::left, 9, 16},
                   {"availability", Align::left, 7},
                   {"hot link busy", Align::right, 9},
                   {"roots", Align::right, 6},
                   {"waiting,\nall ports", Align::right, 8},
                   {"pauses", Align::right, 7},
                   {"paused,\nall ports", Align::right, 7},
                   {"fairness", Align::right, 6},
                   {"ended", Align::left, 7},
                   {"at", Align::right, 5},
                   {"packet-hops", Align::right, 4}});
  for (const AnalysedRun& run : runs) {
    const bool known = hot.valid() && same_fabric(run, runs.front());
    const CongestionReport& congestion = run.digest.congestion;
    const std::string roots = congestion.coarse ? "-" : std::to_string(congestion.roots.size());
    const auto [stops, stopped] = pause_cells(run.m());
    table.add({run.record.label, run.record.scheme_tag.empty() ? "-" : run.record.scheme_tag,
               known ? format_share(load_in_event(run, hot)) : "-", roots, format_time(total_waiting(run)), stops,
               stopped, run.digest.fairness ? fmt::format("{:.3f}", run.digest.fairness->jain) : "-",
               ending_title(run.m().ending),
               format_time(run.m().end), format_count(run.m().totals.hops)});
  }
  const std::string link = hot.valid() ? "; hot link: " + link_name(runs.front().topology(), hot) : "";
  return bold("fabric", style) + shorten_name(link, style.width - 6) + "\n" + table.render(style);
}

}  // namespace

std::string compare_text(const std::vector<AnalysedRun>& runs, const TextStyle& style) {
  if (runs.empty()) return "";
  const Judgement j = judge(runs);
  const AnalysedRun& reference = runs[j.reference];
  const std::string first = fmt::format("with {}: {}", quoted_name(reference.record.label), headline(reference));
  std::string text = bold(wrap(first, style.width), style) + caveat_lines(reference, style) + "\n";
  std::set<std::string> shown;  // titles of columns
  for (const std::string& name : j.classes)
    text += class_comparison(runs, j.classes, name, j.measure, style, shown) + "\n";
  text += class_legend(runs, j.classes, shown, style);
  text += collective_comparison(runs, style);
  const bool with_root = !shown.contains("victim flows");
  text += fabric_comparison(runs, j.hot_link, style) + fabric_legend(runs, j.hot_link, with_root, style);
  text += idle_lines(runs, j.reference, style);
  if (const std::string few = few_flows_remark(runs, j); !few.empty())
    text += "\n" + wrap("note: " + printable(few), style.width, 6);
  if (const std::string growth = growth_remark(runs); !growth.empty())
    text += "\n" + wrap("note: " + printable(growth), style.width, 6);
  if (const std::string untried = untried_remark(runs, j); !untried.empty())
    text += "\n" + wrap("note: " + printable(untried), style.width, 6);
  const std::string last = verdict(runs);
  if (!last.empty()) text += "\n" + bold(wrap(printable(last) + ".", style.width), style);
  if (const auto lane = untried_lane(runs))
    text += wrap(printable(lane->text), style.width) + "  " + printable(lane->options) + "\n";
  return text;
}

}  // namespace weir
