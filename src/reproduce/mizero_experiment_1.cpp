// Experiment I of paper 002: what Marking_Rate and CCTI_Timer do to a victim flow and to the flows that hurt it.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reproduce/entries.h"
#include "reproduce/mizero.h"

namespace weir {
namespace {

using namespace mizero;

struct Point {
  int timer, rate;
  friend auto operator<=>(const Point&, const Point&) = default;
};

struct Result {
  double total = 0;       // Gb/s of the three flows to D while X-Y is over and all three are there
  double completion = 0;  // of X-Y, s
};

Result result_of(const Measurements& m) {
  Time first_end = kNever;
  for (const auto* name : {"A-D", "B-D", "C-D"}) first_end = std::min(first_end, flow_of(m, name).completion);
  const Time over = flow_of(m, "X-Y").completion;
  return {total_to_d(m, over, first_end), over.seconds()};
}

std::vector<Point> grid(const Reproduction& r) {
  if (r.quick()) return {{75, 0}, {75, 8}, {75, 64}, {75, 2048}, {150, 0}, {300, 0}};
  std::vector<Point> points;
  for (const int timer : {75, 150, 300})
    for (const int rate : {0, 8, 16, 32, 64, 128, 2048}) points.push_back({timer, rate});
  return points;
}

void figures(Reproduction& r, const std::vector<Point>& points, const std::vector<Outcome>& outcomes,
             const std::map<Point, Result>& results) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [timer, rate] = points[i];
    if (rate != 0 && rate != 2048) continue;
    Figure f{fmt::format("throughput-{}-{}", timer, rate),
             fmt::format("Throughput of each flow, CCTI_Timer {}, Marking_Rate {}", timer, rate),
             "time [s]",
             "Gb/s",
             {},
             false,
             false};
    for (const auto* name : {"X-Y", "B-D", "C-D", "A-D"})
      f.curves.push_back(rate_curve(outcomes[i].measurements, name));
    r.figure(std::move(f));
  }
  Figure completion{"completion", "Completion of X-Y", "Marking_Rate", "s", {}, true, false};
  Figure total{"total", "Total throughput of the flows to D", "Marking_Rate", "Gb/s", {}, true, false};
  for (const int timer : {75, 150, 300}) {
    Curve a{fmt::format("CCTI_Timer {}", timer), {}, {}, false}, b = a;
    for (const auto& [point, result] : results) {
      if (point.timer != timer || point.rate == 0) continue;
      a.x.push_back(point.rate);
      a.y.push_back(result.completion);
      b.x.push_back(point.rate);
      b.y.push_back(result.total);
    }
    completion.curves.push_back(std::move(a));
    total.curves.push_back(std::move(b));
  }
  r.figure(std::move(completion));
  r.figure(std::move(total));
}

// Counters of the two ports in the extreme cases, as the text prints them.
void counters(Reproduction& r, const Outcome& calm, const Outcome& victim) {
  r.value("PortXmitWait of (S1,15), 75-0", waited_ticks(port_of(calm, "S1:15")));
  r.value("PortXmitWait of (S1,15), 75-2048", waited_ticks(port_of(victim, "S1:15")));
  r.value("PortXmitWait of X's adapter, 75-2048", waited_ticks(port_of(victim, "X:1")));
  r.value("PortXmitWait of A's adapter, 75-2048", waited_ticks(port_of(victim, "A:1")));
  constexpr double kUnit = 128e-6;
  r.value("PortXmitCongTime of (S2,23), 75-2048", port_of(victim, "S2:23").congested.seconds() / kUnit);
  r.report("PortXmitCongTime of (S2,23), 75-0 [128 us]",
           fmt::format("{:.3g}", port_of(calm, "S2:23").congested.seconds() / kUnit));
  r.report("PortXmitCongTime of (S1,15), 75-2048 [128 us]",
           fmt::format("{:.3g}", port_of(victim, "S1:15").congested.seconds() / kUnit));
}

}  // namespace

void mizero_experiment_1(Reproduction& r) {
  const std::vector<Point> points = grid(r);
  std::vector<Scenario> scenarios;
  for (const Point& p : points)
    scenarios.push_back(r.scenario("mizero/testbed.toml", {{"scheme.ccti_timer", std::to_string(p.timer)},
                                                           {"scheme.marking_rate", std::to_string(p.rate)}}));
  const std::vector<Outcome> outcomes = r.run(scenarios);
  std::map<Point, Result> results;
  std::map<Point, const Outcome*> by_point;
  for (std::size_t i = 0; i < points.size(); ++i) {
    results[points[i]] = result_of(outcomes[i].measurements);
    by_point[points[i]] = &outcomes[i];
  }
  for (const int timer : {75, 150, 300}) {
    r.value(fmt::format("total to D, {}-0", timer), results[{timer, 0}].total);
    r.value(fmt::format("completion of X-Y, {}-0", timer), results[{timer, 0}].completion);
  }
  r.value("total to D, 75-2048", results[{75, 2048}].total);
  r.value("completion of X-Y, 75-2048", results[{75, 2048}].completion);
  r.value("X-Y as a victim, 75-2048",
          rate_between(by_point[{75, 2048}]->measurements, "X-Y", Time{30'000'000'000'000}, Time{60'000'000'000'000}));
  r.value("total to D, 75-64", results[{75, 64}].total);
  r.value("completion of X-Y, 75-64", results[{75, 64}].completion);
  counters(r, *by_point[{75, 0}], *by_point[{75, 2048}]);
  bool rises = true;
  std::string text;
  const Result* before = nullptr;
  for (const auto& [point, result] : results) {
    if (point.timer != 75 || point.rate > 128) continue;
    if (before != nullptr)
      rises = rises && result.total > before->total * 0.995 && result.completion > before->completion * 0.995;
    before = &result;
    text += fmt::format("{}{}: {:.2f} Gb/s, {:.1f} s", text.empty() ? "" : "; ", point.rate, result.total,
                        result.completion);
  }
  r.statement("both rise with the marking rate, timer 75", rises, text);
  for (const auto& [point, result] : results)
    if (point.timer != 75 && point.rate != 0)
      r.report(fmt::format("{}-{}: total to D, completion of X-Y", point.timer, point.rate),
               fmt::format("{:.2f} Gb/s, {:.1f} s", result.total, result.completion));
  figures(r, points, outcomes, results);
  r.note(
      "300 messages of 128 MiB per flow: the text's 140 contradict its own 40.32 s. The table is linear, 3.25 packet "
      "times "
      "per index, calibrated on the row 75-0 alone; the marking rule was chosen with the totals of all three timers in "
      "view. CCTI_Limit 0 read literally would "
      "switch control off: the limit is the end of the table.");
}

}  // namespace weir
