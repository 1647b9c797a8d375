// The standard case for congestion control on Ethernet: a single congested link. Does the queue settle, and does it
// come back after a change?
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/minkenberg/minkenberg.h"

namespace weir {
namespace {

using namespace minkenberg;

struct Phase {
  const char* name;
  std::size_t end_ms;
  double capacity;  // MB/s left for the queue
};
constexpr Phase kPhases[] = {{"10 sources", 1000, 1250}, {"20 sources", 2000, 1250}, {"half of the link", 3000, 625},
                             {"full link again", 4000, 1250}};
constexpr std::size_t kSettledMs = 400;  // the last so many ms of a phase

// Of the link, both lanes.
double busy(const std::vector<double>& rate, const Phase& phase) {
  return mean(rate, phase.end_ms - kSettledMs, phase.end_ms) / 1250;
}

// First moment of the phase after which the mean over 20 ms stays within half of Qeq around Qeq for 100 ms.
std::string settling(const std::vector<double>& queue, const Phase& phase) {
  const std::size_t begin = phase.end_ms - 1000;
  std::size_t good_since = begin;
  for (std::size_t t = begin; t + 20 <= phase.end_ms; ++t) {
    const double around = mean(queue, t, t + 20);
    if (around < 16.5 || around > 49.5) good_since = t + 1;
    else if (t - good_since >= 100) return fmt::format("{} ms", good_since - begin);
  }
  return "not within the phase";
}

}  // namespace

void minkenberg_bottleneck(Reproduction& r) {
  const std::vector<Outcome> outcomes = r.run(
      {r.scenario("minkenberg/bottleneck.toml"), r.scenario("minkenberg/bottleneck.toml", {{"scheme.name", "ecm"}})});
  Figure figure{"queue", "Queue of a single bottleneck", "time [ms]", "queue [kB]", {}, false, false};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = i == 0 ? "QCN" : "ECM";
    const std::vector<double> queue = queues(watched(outcomes[i], "S0:0")), rate = rates(watched(outcomes[i], "S0:0"));
    double least = 1;
    for (const Phase& phase : kPhases) {
      const double settled = mean(queue, phase.end_ms - kSettledMs, phase.end_ms);
      least = std::min(least, busy(rate, phase));
      if (i == 0) r.value(fmt::format("{}, {}: queue after convergence", name, phase.name), settled);
      else
        r.report(fmt::format("{}, {}: queue after convergence", name, phase.name), fmt::format("{:.1f} kB", settled));
      r.report(fmt::format("{}, {}: within half of Qeq after", name, phase.name), settling(queue, phase));
    }
    const std::string text = fmt::format("{:.1f} % at least", 100 * least);
    if (i == 0) r.statement(name + ": the link stays busy in every phase", least > 0.95, text);
    else r.report(name + ": the link stays busy in every phase", text);
    r.report(name + ": notifications", fmt::format("{}", outcomes[i].measurements.totals.notifications));
    figure.curves.push_back(curve(name, queue));
  }
  r.figure(figure);
  r.note(
      "Half of the link: a stream of higher priority takes 5 of 10 Gb/s, which leaves the queue half of its service "
      "rate.");
}

}  // namespace weir
