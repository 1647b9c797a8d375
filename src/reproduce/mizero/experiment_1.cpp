// Experiment I of paper 002: what Marking_Rate and CCTI_Timer do to a victim flow and to the flows that hurt it.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reproduce/entries.h"
#include "reproduce/mizero/mizero.h"

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

constexpr int kTimers[] = {75, 150, 300};
constexpr int kRates[] = {0, 8, 16, 32, 64, 128, 2048};
constexpr double kCongestionUnit = 128e-6;  // s, in which the paper's values of PortXmitCongTime fit

std::vector<Point> grid(const Reproduction& r) {
  if (r.quick())
    return {{75, 0}, {75, 8}, {75, 64}, {75, 2048}, {150, 0}, {150, 8}, {150, 64}, {300, 0}, {300, 8}, {300, 64}};
  std::vector<Point> points;
  for (const int timer : kTimers)
    for (const int rate : kRates) points.push_back({timer, rate});
  return points;
}

void throughput_figures(Reproduction& r, const std::vector<Point>& points, const std::vector<Outcome>& outcomes) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [timer, rate] = points[i];
    if (rate != 0 && rate != 64 && rate != 2048) continue;
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
}

void sweep_figures(Reproduction& r, const std::map<Point, Result>& results) {
  Figure completion{"completion", "Completion of X-Y", "Marking_Rate", "s", {}, true, false};
  Figure total{"total", "Total throughput of the flows to D", "Marking_Rate", "Gb/s", {}, true, false};
  for (const int timer : kTimers) {
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

void counter_figures(Reproduction& r, const Outcome& calm, const Outcome& victim) {
  Figure wait{"xmit-wait", "PortXmitWait of the two ports, CCTI_Timer 75", "time [s]", "ticks", {}, false, false};
  Figure congested{"xmit-cong-time", "PortXmitCongTime of the two ports, CCTI_Timer 75", "time [s]", "x 128 us", {},
                   false, false};
  for (const auto& [outcome, rate] : {std::pair{&calm, 0}, {&victim, 2048}})
    for (const auto* port : {"S1:15", "S2:23"}) {
      const double tick = port_of(*outcome, port).tick_ps * 1e-12;
      const std::string label = fmt::format("{}, Marking_Rate {}", port, rate);
      wait.curves.push_back(counter_curve(outcome->measurements, "PortXmitWait", port, tick, label));
      congested.curves.push_back(
          counter_curve(outcome->measurements, "PortXmitCongTime", port, kCongestionUnit, label));
    }
  r.figure(std::move(wait));
  r.figure(std::move(congested));
}

// Counters of the two ports in the extreme cases, as the text prints them.
void counters(Reproduction& r, const Outcome& calm, const Outcome& victim) {
  r.value("PortXmitWait of (S1,15), 75-0", waited_ticks(port_of(calm, "S1:15")));
  r.value("PortXmitWait of (S1,15), 75-2048", waited_ticks(port_of(victim, "S1:15")));
  r.value("PortXmitWait of X's adapter, 75-2048", waited_ticks(port_of(victim, "X:1")));
  r.value("PortXmitWait of A's adapter, 75-2048", waited_ticks(port_of(victim, "A:1")));
  r.value("PortXmitCongTime of (S2,23), 75-2048", port_of(victim, "S2:23").congested.seconds() / kCongestionUnit);
  r.report("PortXmitCongTime of (S2,23), 75-0 [128 us]",
           fmt::format("{:.3g}", port_of(calm, "S2:23").congested.seconds() / kCongestionUnit));
  r.report("PortXmitCongTime of (S1,15), 75-2048 [128 us]",
           fmt::format("{:.3g}", port_of(victim, "S1:15").congested.seconds() / kCongestionUnit));
}

// Total and completion rise with the marking rate, at every timer; and the smaller timer is ahead at every rate between
// the extremes.
void rising(Reproduction& r, const std::map<Point, Result>& results) {
  constexpr double kSlack = 0.995;
  for (const int timer : kTimers) {
    bool rises = true;
    std::string text;
    const Result* before = nullptr;
    for (const auto& [point, result] : results) {
      if (point.timer != timer || point.rate > 128) continue;
      if (before != nullptr)
        rises =
            rises && result.total > before->total * kSlack && result.completion > before->completion * kSlack;
      before = &result;
      text += fmt::format("{}{}: {:.2f} Gb/s, {:.1f} s", text.empty() ? "" : "; ", point.rate, result.total,
                          result.completion);
    }
    r.statement(fmt::format("both rise with the marking rate, timer {}", timer), rises, text);
  }
  bool sooner = true;
  std::string text;
  for (const auto& [point, result] : results) {
    if (point.timer != 75 || point.rate < 8 || point.rate > 64) continue;
    const auto slow = results.find({300, point.rate});
    if (slow == results.end()) continue;
    sooner = sooner && result.total > slow->second.total * kSlack &&
             result.completion > slow->second.completion * kSlack;
    text += fmt::format("{}{}: {:.2f} and {:.2f} Gb/s, {:.1f} and {:.1f} s", text.empty() ? "" : "; ", point.rate,
                        result.total, slow->second.total, result.completion, slow->second.completion);
  }
  r.statement("timer 75 is ahead of 300 between rates 8 and 64", sooner, text);
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
  for (const int timer : kTimers)
    for (const int rate : {0, 64}) {
      r.value(fmt::format("total to D, {}-{}", timer, rate), results[{timer, rate}].total);
      r.value(fmt::format("completion of X-Y, {}-{}", timer, rate), results[{timer, rate}].completion);
    }
  r.value("total to D, 75-2048", results[{75, 2048}].total);
  r.value("completion of X-Y, 75-2048", results[{75, 2048}].completion);
  r.value("X-Y as a victim, 75-2048",
          rate_between(by_point[{75, 2048}]->measurements, "X-Y", Time{30'000'000'000'000}, Time{60'000'000'000'000}));
  counters(r, *by_point[{75, 0}], *by_point[{75, 2048}]);
  rising(r, results);
  throughput_figures(r, points, outcomes);
  sweep_figures(r, results);
  counter_figures(r, *by_point[{75, 0}], *by_point[{75, 2048}]);
  r.note(
      "300 messages of 128 MiB per flow: the text's 140 contradict its own 40.32 s. The table is linear, 3.25 packet "
      "times per index, calibrated on the row 75-0 alone; the marking rule was chosen with the totals of all three "
      "timers in view. CCTI_Limit 0 read literally would switch control off: the limit is the end of the table.");
}

}  // namespace weir
