// Paper 004, figure 7: uniform traffic on T1 and T2, throughput and latency against load; and what the reading of the
// routing timer changes.
#include <fmt/format.h>

#include "measure/derive.h"
#include "reproduce/minkenberg/minkenberg.h"

namespace weir {
namespace {

using namespace minkenberg;

constexpr std::string_view kFiles[] = {"minkenberg/t1-uniform.toml", "minkenberg/t2-uniform.toml"};
constexpr std::string_view kNames[] = {"T1", "T2"};

// Payload received by a host, in per cent of its link.
double throughput(const Outcome& outcome) {
  return 100 * *summarize(outcome.measurements, ClassId{0}).window_throughput / (6 * 10e9);
}
double latency_us(const Outcome& outcome) { return summarize(outcome.measurements, ClassId{0}).latency->mean_ps / 1e6; }

enum Management { none, alone, routed };

std::vector<Override> settings(Management management, int load) {
  std::vector<Override> overrides{{"traffic.all.load", fmt::format("{}.{:02}", load / 100, load % 100)}};
  if (management == none) overrides.push_back({"scheme.name", "none"});
  if (management == routed)
    for (const Override& o : adaptive()) overrides.push_back(o);
  return overrides;
}

}  // namespace

void minkenberg_uniform(Reproduction& r) {
  const std::vector<int> loads =
      r.quick() ? std::vector{60, 70, 80, 90, 100} : std::vector{10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
  struct Point {
    std::size_t topology;
    Management management;
    int load;
  };
  std::vector<Point> points;
  std::vector<Scenario> scenarios;
  for (std::size_t t = 0; t < 2; ++t)
    for (const Management m : {none, alone, routed})
      for (const int load : loads) {
        if (r.quick() && m != alone && load != 100) continue;
        points.push_back({t, m, load});
        scenarios.push_back(r.scenario(kFiles[t], settings(m, load)));
      }
  const std::vector<Outcome> outcomes = r.run(scenarios);
  for (std::size_t t = 0; t < 2; ++t) {
    const std::string name(kNames[t]);
    Figure flow{
        name + "-throughput", name + ", uniform traffic", "offered load [%]", "throughput [%]", {}, false, false};
    Figure delay{
        name + "-latency", name + ", uniform traffic", "offered load [%]", "mean latency [us]", {}, false, true};
    for (const char* label : {"none", "QCN", "QCN and adaptive routing"}) {
      flow.curves.push_back({label, {}, {}, false});
      delay.curves.push_back({label, {}, {}, false});
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point& p = points[i];
      if (p.topology != t) continue;
      flow.curves[p.management].x.push_back(p.load);
      flow.curves[p.management].y.push_back(throughput(outcomes[i]));
      delay.curves[p.management].x.push_back(p.load);
      delay.curves[p.management].y.push_back(latency_us(outcomes[i]));
      if (p.management == alone && p.load >= 60)
        r.value(fmt::format("{}, QCN alone: throughput at load {} %", name, p.load), throughput(outcomes[i]));
    }
    r.value(name + ", none: saturation throughput", flow.curves[none].y.back());
    r.value(name + ", adaptive routing: saturation throughput", flow.curves[routed].y.back());
    const double a = delay.curves[none].y.back(), b = delay.curves[alone].y.back(), c = delay.curves[routed].y.back();
    r.statement(name + ": mean latency at full load falls from none to QCN to adaptive routing", a > b && b > c,
                fmt::format("{:.0f} > {:.0f} > {:.0f} us", a, b, c));
    r.figure(flow);
    r.figure(delay);
  }
}

void minkenberg_timers(Reproduction& r) {
  const std::vector<std::string> readings{"restart", "once", "each"};
  std::vector<Scenario> scenarios;
  for (const std::string& reading : readings) {
    for (const std::string_view file : kFiles) scenarios.push_back(r.scenario(file, adaptive(reading)));
    std::vector<Override> contending = adaptive(reading);
    contending.push_back({"traffic.hot1.target", "4"});
    contending.push_back({"traffic.hot3.target", "4"});
    scenarios.push_back(r.scenario("minkenberg/t1.toml", contending));
  }
  for (const std::string_view file : kFiles) {
    std::vector<Override> one_way = adaptive();
    one_way.push_back({"routing.detours", "all"});
    scenarios.push_back(r.scenario(file, one_way));
  }
  const std::vector<Outcome> outcomes = r.run(scenarios);
  const std::size_t last = outcomes.size() - 1;
  r.report("detours that notifications cannot return along are allowed too: uniform throughput at full load, T1 and T2",
           fmt::format("{:.1f} %, {:.1f} %", throughput(outcomes[last - 1]), throughput(outcomes[last])));
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const Outcome& contending = outcomes[3 * i + 2];
    r.report(readings[i] + ": uniform throughput at full load, T1 and T2",
             fmt::format("{:.1f} %, {:.1f} %", throughput(outcomes[3 * i]), throughput(outcomes[3 * i + 1])));
    r.report(readings[i] + ": T1 contending, hot queues S7 and S9, resequencing buffer",
             fmt::format("{:.1f} kB, {:.1f} kB, {:.3f} frames", mean(queues(watched(contending, "S7:4")), 500, 1500),
                         mean(queues(watched(contending, "S9:5")), 500, 1500),
                         mean(contending.measurements.resequencing_series, 200, 1500)));
  }
  r.note(
      "restart: every update of an entry restarts its timer. once: the timer starts when the entry is marked. each: "
      "every "
      "update starts one more timer, none is cancelled.");
}

}  // namespace weir
