// What queueing theory says about a single switch: the engine must agree before it is believed on networks.
#include <fmt/format.h>

#include "measure/derive.h"
#include "reproduce/entries.h"

namespace weir {

// Karol, Hluchyj and Morgan: FIFO inputs with random destinations saturate at 2 - sqrt(2) as the number of ports grows.
void theory_hol(Reproduction& r) {
  const std::vector<std::string> ports{"8", "16", "32", "64"};
  std::vector<Scenario> scenarios;
  const std::string duration = r.quick() ? "10ms" : r.full() ? "100ms" : "20ms";
  for (const std::string& n : ports)
    scenarios.push_back(r.scenario("theory/hol.toml", {{"topology.hosts", n}, {"run.duration", duration}}));
  scenarios.push_back(r.scenario("theory/hol-voq.toml"));
  const std::vector<Outcome> outcomes = r.run(scenarios);
  std::vector<double> saturation;
  for (const Outcome& outcome : outcomes) {
    const double hosts = static_cast<double>(outcome.network->topology.hosts());
    saturation.push_back(*summarize(outcome.measurements, ClassId{0}).window_throughput / (8e9 * hosts));
  }
  r.value("saturation, 64 ports", saturation[3]);
  r.statement(
      "falls towards 0.586 with the number of ports",
      saturation[0] > saturation[1] && saturation[1] > saturation[2] && saturation[2] > saturation[3],
      fmt::format("{:.4f} > {:.4f} > {:.4f} > {:.4f}", saturation[0], saturation[1], saturation[2], saturation[3]));
  r.statement("with virtual output queues", saturation[4] > 0.95, fmt::format("{:.4f}", saturation[4]));
  r.figure({"hol", "Saturation of a switch with FIFO inputs", "ports", "throughput",
            {{"measured", {8, 16, 32, 64}, {saturation.begin(), saturation.begin() + 4}, false},
             {"2 - sqrt(2)", {8, 64}, {0.5858, 0.5858}, false}},
            true, false});
}

// Mean wait of M/D/1: rho / (2 (1 - rho)) service times.
void theory_md1(Reproduction& r) {
  struct Point {
    const char* what;
    double load;
    const char* rate;
    const char* duration;
  };
  const Point points[] = {{"mean wait at load 0.3", 0.3, "150Mbps", "2s"},
                          {"mean wait at load 0.6", 0.6, "300Mbps", "2s"},
                          {"mean wait at load 0.9", 0.9, "450Mbps", "8s"}};
  std::vector<Scenario> scenarios;
  for (const Point& p : points)
    scenarios.push_back(r.scenario("theory/md1.toml", {{"traffic.all.rate", p.rate}, {"run.duration", p.duration}}));
  const std::vector<Outcome> outcomes = r.run(scenarios);
  Figure figure{"md1", "Mean wait in an M/D/1 queue", "load", "wait [packet times]", {}, false, false};
  Curve measured{"measured", {}, {}, false}, theory{"theory", {}, {}, true};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const double wait = summarize(outcomes[i].measurements, ClassId{0}).latency->mean_ps / 1e6 - 1.0;
    r.value(points[i].what, wait);
    measured.x.push_back(points[i].load);
    measured.y.push_back(wait);
    theory.x.push_back(points[i].load);
    theory.y.push_back(points[i].load / (2 * (1 - points[i].load)));
  }
  figure.curves = {measured, theory};
  r.figure(figure);
}

}  // namespace weir
