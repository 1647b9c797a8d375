#include "app/sweep/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/number_format.h"
#include "report/page/sweep_document.h"
#include "report/terminal/terminal_text.h"

namespace weir {
namespace {

constexpr std::size_t kMostRows = 60;
constexpr std::size_t kMostTables = 8;  // of applications

using Key = std::pair<std::string, std::string>;  // point, metric

std::string literal_text(const std::string& literal) {
  const bool quoted = literal.size() >= 2 && literal.front() == '"' && literal.back() == '"';
  return quoted ? literal.substr(1, literal.size() - 2) : literal;
}

// Without the section where the rest says enough: "traffic.bg.load" is "bg.load", "link.delay" is "delay".
std::vector<std::string> short_keys(const std::vector<Override>& settings) {
  const auto rest = [](const std::string& key) { return key.substr(key.find('.') + 1); };
  std::vector<std::string> keys;
  for (const Override& setting : settings) {
    const std::string end = rest(setting.key);
    const bool is_unique = std::ranges::count(settings, end, [&](const Override& o) { return rest(o.key); }) == 1;
    const bool says_enough = end != "name" && end != "kind";  // of what?
    keys.push_back(is_unique && says_enough ? end : setting.key);
  }
  return keys;
}

constexpr const char* kMeaningOfStar =
    "* overloaded: on average over the runs, more than 5 % of the offered traffic of the class is not sent, or its "
    "mean latency in the second half of the time after warm-up is at least 1.25 times that in the first half. So its "
    "latency grows with the length of the run, and the confidence interval holds only for this run.duration. A latency "
    "without a star may still grow, but more slowly than this test can see.";

// All points of one class or application. At the points in `overloaded`, latencies have a star; `starred` becomes true
// if there is one.
std::string points_table(const SweepPlan& plan, std::string_view kind, const std::map<Key, Interval>& found,
                         const std::set<std::string>& overloaded, bool& starred, const TextStyle& style) {
  std::vector<TextColumn> columns;
  for (const std::string& key : short_keys(plan.points.front().settings)) columns.push_back({key, Align::left, 9, 8});
  columns.push_back({"runs", Align::right, 7});
  std::vector<const SweepMeasure*> measures;
  for (const SweepMeasure& measure : sweep_measures()) {
    if (measure.kind != kind || std::none_of(found.begin(), found.end(), [&](const auto& f) {
          return f.first.second == measure.metric && f.second.mean != 0;
        }))
      continue;
    measures.push_back(&measure);
    columns.push_back({measure.short_title, Align::right, measure.importance});
  }
  TextTable table(columns);
  for (std::size_t p = 0; p < std::min(plan.points.size(), kMostRows); ++p) {
    const SweepPoint& point = plan.points[p];
    std::vector<std::string> cells;
    for (const Override& setting : point.settings) cells.push_back(literal_text(setting.value));
    std::size_t runs = 0;
    std::vector<std::string> values;
    for (const SweepMeasure* measure : measures) {
      const auto at = found.find({point.name, measure->metric});
      values.push_back(at == found.end() ? "-" : format_mean(at->second, measure->format));
      if (std::string_view(measure->metric).starts_with("latency") && overloaded.contains(point.name)) {
        values.back() += "*";
        starred = true;
      }
      if (at != found.end()) runs = std::max(runs, at->second.values);
    }
    cells.push_back(std::to_string(runs));
    cells.insert(cells.end(), values.begin(), values.end());
    table.add(cells);
  }
  return table.render(style);
}

}  // namespace

std::string sweep_text(const SweepPlan& plan, const std::vector<Statistic>& statistics, double confidence,
                       const TextStyle& style) {
  std::set<std::string> points;
  for (const SweepPoint& point : plan.points) points.insert(point.name);
  std::map<std::string, std::map<Key, Interval>> classes, apps, fabric;
  for (const Statistic& s : statistics) {
    const bool shown = std::any_of(sweep_measures().begin(), sweep_measures().end(), [&](const SweepMeasure& m) {
      return m.kind == s.kind && m.metric == s.metric;
    });
    if (shown && points.contains(s.point))
      (s.kind == "class" ? classes : s.kind == "app" ? apps : fabric)[s.item][{s.point, s.metric}] = s.interval;
  }
  std::string text;
  std::map<std::string, std::set<std::string>> overloaded;  // by class
  bool starred = false;
  for (const SweepOverload& o : overloads(statistics)) overloaded[o.item].insert(o.point);
  const auto table = [&](const char* kind, const std::string& title, const std::string& name,
                         const std::map<Key, Interval>& found) {
    const bool is_class = std::string_view(kind) == "class";
    text += (text.empty() ? "" : "\n") + bold(title, style) + "\n" +
            points_table(plan, kind, found, is_class ? overloaded[name] : std::set<std::string>(), starred, style);
  };
  for (const auto& [name, found] : classes) table("class", "class " + name, name, found);
  if (starred) text += wrap(kMeaningOfStar, style.width, 2);
  if (apps.size() <= kMostTables)
    for (const auto& [name, found] : apps) table("app", "application " + name, name, found);
  else
    text += fmt::format("({} applications: `weir query` has their completion times)\n", apps.size());
  for (const auto& [name, found] : fabric)
    if (std::any_of(found.begin(), found.end(), [](const auto& f) { return f.second.mean != 0; }))
      table("run", "fabric", name, found);
  if (text.find("±") != text.npos)
    text += fmt::format("±: {:.4g} % confidence interval of the mean\n", 100 * confidence);
  if (plan.points.size() > kMostRows)
    text += fmt::format("(the first {} of {} points)\n", kMostRows, plan.points.size());
  return text;
}

}  // namespace weir
