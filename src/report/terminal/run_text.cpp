// See run_text.h. One function per paragraph, in the order in which they are printed.
#include "report/answer/growth.h"
#include "report/terminal/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "network/short_names.h"
#include "report/answer/caveats.h"
#include "report/answer/feeders.h"
#include "report/answer/phrases.h"
#include "report/number_format.h"
#include "report/terminal/terminal_text.h"
#include "traffic/workload.h"

namespace weir {
namespace {

constexpr std::size_t kFlowsShown = 8;
constexpr std::size_t kAppsShown = 100;
constexpr std::size_t kCollectivesShown = 100;
constexpr std::size_t kRootsShown = 4;
constexpr std::size_t kVictimsShown = 3;  // per root

constexpr auto as_time = [](double ps) { return format_time(ps); };
constexpr auto as_rate = [](double bps) { return format_rate(bps); };
constexpr auto as_share = [](double share) { return format_share(share); };

std::string class_table(const AnalysedRun& run, const TextStyle& style) {
  TextTable table({{"class", Align::left, 9, 8},
                   {"packets", Align::right, 7},
                   {"throughput", Align::right, 8},
                   {"latency", Align::right, 9},
                   {"p50", Align::right, 3},
                   {"p99", Align::right, 8},
                   {"max", Align::right, 4},
                   {"peak latency", Align::right, 8},
                   {"latency\nin network", Align::right, 2},
                   {"marked", Align::right, 5}});
  for (std::size_t c = 0; c < run.m().classes.size(); ++c) {
    const ClassResult& result = run.m().classes[c];
    const ClassSummary& s = run.digest.classes[c].summary;
    const auto latency = [&](double LatencySummary::*field) {
      return s.latency ? format_time((*s.latency).*field) : std::string("-");
    };
    const auto throughput = throughput_of(run, {static_cast<std::uint32_t>(c)});
    table.add({result.name, format_count(result.received), or_dash(throughput, as_rate),
               latency(&LatencySummary::mean_ps), latency(&LatencySummary::p50_ps), latency(&LatencySummary::p99_ps),
               latency(&LatencySummary::max_ps), or_dash(s.peak_latency_ps, as_time),
               s.network_latency ? format_time(s.network_latency->mean_ps) : "-", or_dash(s.marked_share, as_share)});
  }
  const std::vector<std::string> shown = table.shown(style);
  const auto shows = [&](const char* title) { return std::ranges::find(shown, title) != shown.end(); };
  const Time warmup = run.m().warmup;
  std::string legend;
  std::vector<std::string> later;  // columns that leave the warm-up out
  for (const char* title : {"throughput", "latency", "p50", "p99", "max", "latency in network"})
    if (shows(title)) later.emplace_back(title);
  if (warmup.ps > 0)
    legend += wrap(fmt::format("{}: after the warm-up, from {} on. The other columns: the whole run",
                               fmt::join(later, ", "), format_time(warmup)),
                   style.width);
  if (shows("peak latency"))
    legend += wrap("peak latency: the run is divided into equal intervals; this is the mean latency of the worst one",
                   style.width);
  if (shows("latency in network"))
    legend += wrap("latency in network: without the time that a packet waits at its host", style.width);
  const bool slowdown = run.digest.slowdown && run.digest.slowdown->all.complete > 0;
  if (const std::string flows = latency_of_flows(run, slowdown ? "the slowdown" : "the duration of the flow");
      !flows.empty())
    legend += wrap(flows, style.width);
  return table.render(style) + dim(legend, style);
}

// The latency of each class over time, as a line of blocks scaled to its own peak.
std::string latency_lines(const AnalysedRun& run, const TextStyle& style) {
  std::string text;
  for (std::uint32_t c = 0; c < run.m().classes.size(); ++c) {
    const auto series = latency_series(run.m(), {c});
    const auto& peak = run.digest.classes[c].summary.peak_latency_ps;
    if (series.size() < 2 || !peak) continue;
    const std::string name = shorten(printable(run.m().classes[c].name), 12);
    const std::string highest = "  up to " + format_time(*peak);
    const std::size_t room = style.width - std::min<std::size_t>(style.width, 13 + display_width(highest));
    text += name + std::string(13 - display_width(name), ' ') + sparkline(series, std::min<std::size_t>(60, room)) +
            highest + "\n";
  }
  if (text.empty()) return text;
  return "\n" + bold("latency over time", style) + fmt::format(" (0 to {})\n", format_time(run.m().end)) + text;
}

std::size_t flows_started(const Measurements& m) {
  return static_cast<std::size_t>(
      std::ranges::count_if(m.flows, [](const FlowResult& flow) { return flow.start != kNever; }));
}

// A flow that is not complete would reach this rate if it were complete now: one that has just begun is not slow.
double rate_at_best(const Measurements& m, const FlowResult& flow) {
  if (flow.bytes != kEndless && flow.completion == kNever && m.end > flow.start)
    return static_cast<double>(flow.bytes) * 8e12 / static_cast<double>((m.end - flow.start).ps);
  return flow_rate(m, flow).value_or(1e300);
}

// All, or the slowest of those that started.
std::vector<std::uint32_t> flows_to_show(const Measurements& m) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t f = 0; f < m.flows.size(); ++f)
    if (m.flows.size() <= kFlowsShown || m.flows[f].start != kNever) order.push_back(f);
  if (m.flows.size() <= kFlowsShown) return order;
  const auto rate = [&](std::uint32_t f) { return rate_at_best(m, m.flows[f]); };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return rate(a) < rate(b); });
  order.resize(std::min(order.size(), kFlowsShown));
  return order;
}

std::string flow_table(const AnalysedRun& run, const TextStyle& style) {
  const Measurements& m = run.m();
  const Topology& t = run.topology();
  if (m.flows.empty()) return "";
  TextTable table({{"flow", Align::right, 8},
                   {"from", Align::left, 9, 8},
                   {"to", Align::left, 9, 8},
                   {"class", Align::left, 4, 6},
                   {"delivered", Align::right, 5},
                   {"rate", Align::right, 9},
                   {"start", Align::right, 3},
                   {"complete", Align::right, 6}});
  for (const std::uint32_t f : flows_to_show(m)) {
    const FlowResult& flow = m.flows[f];
    table.add({std::to_string(f), t.name(t.node(flow.source)), t.name(t.node(flow.destination)),
               flow.traffic_class.index < m.classes.size() ? m.classes[flow.traffic_class.index].name : "",
               format_bytes(static_cast<double>(flow.delivered)), or_dash(flow_rate(m, flow), as_rate),
               format_time(flow.start), format_time(flow.completion)});
  }
  const std::size_t started = flows_started(m);
  const std::size_t rows = flows_to_show(m).size();
  const std::string title = m.flows.size() <= kFlowsShown ? "flows"
                            : rows == started             ? fmt::format("{} flows", started)
                                                          : fmt::format("the {} slowest of {} flows", rows, started);
  const std::string others =
      started < m.flows.size() ? fmt::format(" ({} more had not started)", m.flows.size() - started) : "";
  return "\n" + bold(title, style) + others + "\n" + table.render(style);
}

// By size, where a class has flows of several.
std::string slowdown_table(const AnalysedRun& run, const TextStyle& style) {
  if (!run.digest.slowdown || run.digest.slowdown->all.complete == 0) return "";
  TextTable table({{"class", Align::left, 9, 8},
                   {"size up to", Align::right, 9},
                   {"flows", Align::right, 7},
                   {"complete", Align::right, 5},
                   {"median", Align::right, 9},
                   {"p95", Align::right, 6},
                   {"p99", Align::right, 9},
                   {"largest", Align::right, 4},
                   {"goodput\nof a flow", Align::right, 6}});
  const auto add = [&](const std::string& name, const std::string& size, const SlowdownSummary& s) {
    // Of fewer flows, a percentile is but the largest value.
    const auto value = [&](double x, std::size_t fewest = 1) {
      return s.complete >= fewest ? format_slowdown(x) : std::string("-");
    };
    table.add({name, size, std::to_string(s.flows), std::to_string(s.complete), value(s.p50), value(s.p95, 20),
               value(s.p99, 100), value(s.max), s.complete > 0 ? format_rate(s.goodput_bps) : "-"});
  };
  bool by_size = false;
  for (std::size_t c = 0; c < run.m().classes.size(); ++c) {
    const std::optional<Slowdown>& slowdown = run.digest.classes[c].slowdown;
    if (!slowdown) continue;
    by_size = by_size || slowdown->by_size.size() > 1;
    add(run.m().classes[c].name, slowdown->by_size.size() == 1
                                     ? format_bytes(static_cast<double>(slowdown->by_size[0].up_to)) : "all",
        slowdown->all);
    if (slowdown->by_size.size() < 2) continue;
    for (const SizeBin& bin : slowdown->by_size) add("", format_bytes(static_cast<double>(bin.up_to)), bin.slowdown);
  }
  return "\n" + bold("slowdown of flows", style) + " (their duration divided by their duration on an idle network)\n" +
         table.render(style) +
         dim((by_size ? wrap("size up to: a row counts the flows that are larger than the size in the row above and at "
                            "most as large as the size in this row",
                            style.width)
                      : "") +
                 wrap("goodput of a flow: payload divided by duration; the mean of all complete flows",
                      style.width),
             style);
}

// Ports of weir's own fabrics, in the words of who knows InfiniBand's.
std::string port_numbers(const AnalysedRun& run) {
  const Section* topology = run.record.scenario != nullptr ? run.record.scenario->find("topology") : nullptr;
  const bool generated = topology != nullptr && topology->kind != "file";
  return generated && run.m().pauses.empty() ? "ports are numbered from 0 here, from 1 by InfiniBand's tools" : "";
}

// What the words of the table mean.
std::string port_legend(const AnalysedRun& run, const Feeders& feeders, bool any_feeds, const TextStyle& style) {
  std::vector<std::string> lines{
      "root: a saturated link that ports wait for",
      "root for: total time in which the link was a root; from, to: the first and the last moment of that time",
      "busy: share of time that the link was sending. For a root: of the time that it was a root; for the rows below "
      "it: of the time between the root's `from` and `to`",
      "held back: how long the port had no credits, or was paused, because of this root",
      "waiting caused: sum of `held back` over all ports that this root holds back"};
  if (!feeders.known())
    lines.emplace_back("waits: it is not known whether the port sends traffic that saturates this root");
  else if (any_feeds)
    lines.emplace_back("feeds it: a port that sends traffic that saturates this root; victim: a port that is held back "
                       "although it sends none of that traffic");
  else
    lines.emplace_back("victim: a port that is held back although it sends none of the traffic that saturates this "
                       "root");
  if (std::string numbers = port_numbers(run); !numbers.empty()) lines.push_back(std::move(numbers));
  std::string text;
  for (const std::string& line : lines) text += wrap(line, style.width);
  return dim(text, style) + (feeders.known() ? wrap(innocent_clause(run, feeders), style.width) : "");
}

std::string port_table(const AnalysedRun& run, const TextStyle& style) {
  const CongestionReport& congestion = run.digest.congestion;
  if (congestion.roots.empty() && congestion.unexplained.empty()) return "";
  TextTable table({{"", Align::left, 9},
                   {"link", Align::left, 9, 24},
                   {"busy", Align::right, 8},
                   {"held\nback", Align::right, 8},
                   {"waiting\ncaused", Align::right, 7},
                   {"root\nfor", Align::right, 6},
                   {"from", Align::right, 5},
                   {"to", Align::right, 5}});
  const ShortNames names(run.topology());
  const Feeders feeders(run);
  bool any_feeds = false;
  const auto add_victims = [&](std::vector<CongestionVictim> victims, const char* role, Span window, PortId root) {
    // Who suffers for others comes first: it is what people look for.
    const auto suffers = [&](const CongestionVictim& v) { return !root.valid() || !feeders.feeds(v.port, root); };
    std::ranges::stable_partition(victims, suffers);
    const auto suffering = static_cast<std::size_t>(std::ranges::count_if(victims, suffers));
    const char* kFeeds = "  feeds it";
    const std::size_t shown = std::min(victims.size(), kVictimsShown);
    for (std::size_t v = 0; v < shown; ++v)
      table.add({v < suffering ? role : kFeeds, printable(names.link(victims[v].port)),
                 format_share(link_load(run.m(), victims[v].port, window)), format_time(victims[v].wait), "", "", "",
                 ""});
    const auto add_hidden = [&](const char* which, std::size_t first, std::size_t end) {
      const std::size_t hidden = end - std::min(end, std::max(first, shown));
      if (hidden == 0) return;
      const bool some = shown > first;  // with this role
      table.add({which, fmt::format("{}{} port{}", hidden, some ? " more" : "", hidden == 1 ? "" : "s"), "", "", "",
                 "", "", ""});
    };
    add_hidden(role, 0, suffering);
    add_hidden(kFeeds, suffering, victims.size());
    any_feeds = any_feeds || suffering < victims.size();
  };
  for (std::size_t r = 0; r < std::min(congestion.roots.size(), kRootsShown); ++r) {
    const CongestionRoot& root = congestion.roots[r];
    table.add({"root", printable(names.link(root.port)), format_share(root.load), "", format_time(root.caused_wait),
               format_time(root.congested), format_time(root.from), format_time(root.to)});
    add_victims(root.victims, feeders.known() ? "  victim" : "  waits", {root.from, root.to}, root.port);
  }
  // Scattered bins without a root say little beside real ones.
  const char* role = congestion.coarse ? "held back" : "no root";
  if (congestion.roots.empty()) add_victims(congestion.unexplained, role, {Time{0}, run.m().end}, {});
  const std::string more =
      congestion.roots.size() > kRootsShown
          ? fmt::format(": the worst {} of {} roots", kRootsShown,
                        congestion.roots.size())
          : "";
  return "\n" + bold("congestion", style) + more + "\n" + table.render(style) +
         (congestion.roots.empty() ? "" : port_legend(run, feeders, any_feeds, style));
}

// What operators look at first: who was stopped, and for how long.
std::string pause_line(const AnalysedRun& run, const TextStyle& style) {
  const Measurements& m = run.m();
  std::uint64_t stops = 0, stopped = 0;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < m.pauses.size(); ++i) {
    stops += m.pauses[i].stops;
    stopped += m.pauses[i].stops > 0;
    if (m.pauses[i].paused > m.pauses[longest].paused) longest = i;
  }
  if (stops == 0) return "";
  const PortId port{static_cast<std::uint32_t>(longest / m.lanes)};
  const std::string lane = m.lanes > 1 ? fmt::format(" lane {}", longest % m.lanes) : "";
  const char* what = m.lanes > 1 ? (stopped == 1 ? "lane of a link was" : "lanes of links were")
                                 : (stopped == 1 ? "link was" : "links were");
  return wrap(fmt::format("PAUSE: {} {} paused {} in all; {}{} was paused longest, {} in total", stopped, what,
                          stops == 1 ? "once" : fmt::format("{} times", stops), link_name(run.topology(), port), lane,
                          format_time(m.pauses[longest].paused)),
              style.width);
}

// Started after the warm-up, as those whose slowdown is known.
std::vector<std::uint32_t> victim_flows(const AnalysedRun& run) {
  std::vector<std::uint32_t> victims;
  for (std::uint32_t f = 0; f < run.digest.flow_roles.size(); ++f)
    if (run.digest.flow_roles[f] == FlowRole::victim && run.m().flows[f].start >= run.m().warmup) victims.push_back(f);
  return victims;
}

// "12 of 60 flows are victims: they cross no root, but a link on their path was paused. They are 3, 5 and 10 more. ..."
std::string victim_line(const AnalysedRun& run, const TextStyle& style) {
  const Measurements& m = run.m();
  const std::vector<std::uint32_t> victims = victim_flows(run);
  if (victims.empty()) return "";
  const auto all = std::ranges::count_if(
      m.flows, [&](const FlowResult& flow) { return flow.start != kNever && flow.start >= m.warmup; });
  const std::size_t shown = std::min(victims.size(), kFlowsShown);
  const bool one = victims.size() == 1;
  std::string text =
      fmt::format("{} of {} flows {}: {} no root, but a link on {} path was {}. {} {}", victims.size(), all,
                  one ? "is a victim" : "are victims", one ? "it crosses" : "they cross", one ? "its" : "their",
                  m.pauses.empty() ? "held back" : "paused", one ? "It is flow" : "They are flows",
                  fmt::join(victims.begin(), victims.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (victims.size() > shown) text += fmt::format(" and {} more", victims.size() - shown);
  if (const auto& slowdown = run.digest.slowdown; slowdown && slowdown->victims && slowdown->victims->complete > 0)
    text +=
        fmt::format(". {} slowdown: median {}, p99 {}; slowdown of all flows: median {}, p99 {}", one ? "Its" : "Their",
                    format_slowdown(slowdown->victims->p50), format_slowdown(slowdown->victims->p99),
                    format_slowdown(slowdown->all.p50), format_slowdown(slowdown->all.p99));
  return wrap(text, style.width);
}

std::size_t flows_not_started(const Measurements& m, AppId app) {
  return static_cast<std::size_t>(std::ranges::count_if(
      m.flows, [&](const FlowResult& flow) { return flow.app == app && flow.start == kNever; }));
}

std::string app_lines(const AnalysedRun& run, const TextStyle& style) {
  std::string text;
  const std::size_t shown = std::min(run.digest.apps.size(), kAppsShown);
  for (std::size_t a = 0; a < shown; ++a) {
    const AppResult& app = run.digest.apps[a];
    if (run.digest.apps.size() < 2 && app.phases.size() < 2) continue;
    const std::string name = app.app.index < run.record.app_names.size()
                                 ? fmt::format("traffic \"{}\"", printable(run.record.app_names[app.app.index]))
                                 : fmt::format("application {}", app.app.index);
    const std::string done = app.completed == app.flows
                                 ? fmt::format("all {} flows complete", app.flows)
                                 : fmt::format("{} of {} flows complete", app.completed, app.flows);
    const std::size_t waiting = flows_not_started(run.m(), app.app);
    const std::string unstarted = waiting > 0 ? fmt::format(", {} had not started", waiting) : "";
    const std::string end = app.completion ? " at " + format_time(*app.completion) : "";
    const std::string phases = app.phases.size() > 1 ? fmt::format(" ({} phases)", app.phases.size()) : "";
    text += wrap(fmt::format("{}: {}{}{}{}", name, done, unstarted, end, phases), style.width);
  }
  if (run.digest.apps.size() > shown)
    text += wrap(fmt::format("and {} more applications", run.digest.apps.size() - shown), style.width);
  return text;
}

std::string collective_table(const AnalysedRun& run, const TextStyle& style) {
  const auto& collectives = run.m().collectives;
  if (collectives.empty()) return "";
  TextTable table({{"operation", Align::left, 9, 10},
                   {"size", Align::right, 8},
                   {"ranks", Align::right, 6},
                   {"lowest\nhost", Align::left, 7, 6},
                   {"start", Align::right, 7},
                   {"duration", Align::right, 9},
                   {"bus\nbandwidth", Align::right, 8},
                   {"last host", Align::left, 5, 6}});
  const Topology& t = run.topology();
  for (std::size_t i = 0; i < std::min(collectives.size(), kCollectivesShown); ++i) {
    const CollectiveResult& c = collectives[i];
    table.add({c.operation, format_bytes(static_cast<double>(c.bytes)), std::to_string(c.ranks),
               t.name(t.node(c.lowest)), c.start ? format_time(*c.start) : "-",
               c.completion ? format_time(*c.completion - *c.start) : "-", c.completion ? format_rate(c.bus_bps) : "-",
               c.completion ? t.name(t.node(c.slowest)) : "-"});
  }
  std::string text = bold("collective operations", style) + "\n" + table.render(style);
  if (collectives.size() > kCollectivesShown)
    text += wrap(fmt::format("and {} more", collectives.size() - kCollectivesShown), style.width);
  return text +
         dim(wrap("lowest host: the lowest-numbered host of the group; last host: the host that finished last",
                  style.width),
             style) +
         "\n";
}

std::string ending_lines(const AnalysedRun& run, const TextStyle& style) {
  const Measurements& m = run.m();
  std::uint64_t received = 0;
  for (const ClassResult& c : m.classes) received += c.received;
  std::string text =
      wrap(fmt::format("ended at {}: {}", format_time(m.end), printable(why_ended(run))), style.width, 7);
  std::string totals =
      fmt::format("total: {} packets received, {} packet-hops", format_count(received), format_count(m.totals.hops));
  if (m.totals.cpu_seconds > 0)
    totals += fmt::format(
        ", {:.2f} s of CPU, {} hops/s", m.totals.cpu_seconds,
        format_count(static_cast<std::uint64_t>(static_cast<double>(m.totals.hops) / m.totals.cpu_seconds)));
  text += wrap(totals, style.width, 7);
  const bool weighted =
      std::any_of(m.flows.begin(), m.flows.end(), [](const FlowResult& flow) { return flow.weight != 1; });
  if (run.digest.fairness && run.digest.fairness->count > 1)
    text += wrap(fmt::format("fairness among {} {}: Jain index {:.3f}{}; the slowest has {} of the mean rate",
                             run.digest.fairness->count, m.flows.empty() ? "sending hosts" : "flows",
                             run.digest.fairness->jain, weighted ? " of rates divided by weights" : "",
                             format_share(run.digest.fairness->min_over_mean)),
                 style.width);
  if (m.resequencing.out_of_order > 0)
    text += wrap(fmt::format("out of order: {} packets; at most {} waited at one receiver to be put in order",
                             format_count(m.resequencing.out_of_order), format_count(m.resequencing.peak_packets)),
                 style.width);
  return text;
}

std::string number_lines(const AnalysedRun& run, const TextStyle& style) {
  std::string text;
  for (const auto& [name, value] : run.m().scheme_numbers)
    text += wrap(printable(number_title(name)) + ": " + (std::isfinite(value) ? fmt::format("{:.6g}", value) : "-"),
                 style.width, 2);
  return text;
}

}  // namespace

std::string run_text(const AnalysedRun& run, const TextStyle& style) {
  std::string text = bold(wrap(headline(run), style.width), style) + caveat_lines(run, style) + "\n";
  text += class_table(run, style);
  text += latency_lines(run, style);
  text += flow_table(run, style);
  text += slowdown_table(run, style);
  if (const std::string growth = growth_remark({&run, 1}); !growth.empty())
    text += wrap("note: " + printable(growth), style.width, 6);
  text += port_table(run, style);
  text += pause_line(run, style);
  text += victim_line(run, style);
  text +=
      "\n" + collective_table(run, style) + app_lines(run, style) + ending_lines(run, style) + number_lines(run, style);
  return text;
}

}  // namespace weir
