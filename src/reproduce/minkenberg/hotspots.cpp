// Paper 004, figures 4 to 6: hot spots from 200 to 1500 ms on three topologies, with QCN alone and with adaptive
// routing on top. Rates are means from 300 ms on, when the first reaction is over, queues under QCN alone from 500 ms
// on.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/minkenberg/minkenberg.h"

namespace weir {
namespace {

using namespace minkenberg;

struct Case {
  std::string name, file;
  std::vector<std::string> hosts;   // senders of hot flows
  std::vector<std::string> queues;  // the bottleneck, the queue before the common destination
  std::vector<std::string> ways;    // ports among which a switch upstream chooses
  std::vector<Override> contending;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{{"T1",
                                      "minkenberg/t1.toml",
                                      {"H1", "H2", "H3"},
                                      {"S7:4", "S9:5"},
                                      {"S2:2", "S2:3"},
                                      {{"traffic.hot1.target", "4"}, {"traffic.hot3.target", "4"}}},
                                     {"T2",
                                      "minkenberg/t2.toml",
                                      {"H1", "H2", "H3"},
                                      {"S5:4", "S12:4"},
                                      {"S1:2", "S1:3"},
                                      {{"traffic.hot1.target", "5"}, {"traffic.hot2.target", "5"}}},
                                     {"T3",
                                      "minkenberg/t3.toml",
                                      {"H1", "H2"},
                                      {"S4:2", "S5:3"},
                                      {"S1:2", "S1:1", "S1:3"},
                                      {{"traffic.hot2.target", "2"}}}};
  return all;
}

constexpr std::size_t kFrom = 300, kSettled = 500, kTo = 1500;

double total_rate(const Outcome& outcome, const Case& c) {
  double sum = 0;
  for (const std::string& host : c.hosts) sum += mean(rates(watched(outcome, host)), kFrom, kTo);
  return sum;
}

// How often the way that carries most of a millisecond's frames changes during the hot spot.
std::size_t route_changes(const Outcome& outcome, const Case& c) {
  std::size_t changes = 0, before = c.ways.size();
  for (std::size_t ms = 200; ms < kTo; ++ms) {
    std::size_t most = 0;
    const auto rate = [&](std::size_t way) { return watched(outcome, c.ways[way]).series[ms].rate; };
    for (std::size_t way = 1; way < c.ways.size(); ++way)
      if (rate(way) > rate(most)) most = way;
    if (before < c.ways.size() && most != before) ++changes;
    before = most;
  }
  return changes;
}

Figure rate_figure(const Outcome& outcome, const Case& c, const std::string& name, const std::string& title) {
  Figure figure{name, c.name + ", " + title, "time [ms]", "rate [MB/s]", {}, false, false};
  for (const std::string& host : c.hosts) figure.curves.push_back(curve(host, rates(watched(outcome, host))));
  return figure;
}

std::vector<Outcome> run_contending(Reproduction& r) {
  std::vector<Scenario> scenarios;
  for (const Case& c : cases()) {
    std::vector<Override> overrides = adaptive();
    overrides.insert(overrides.end(), c.contending.begin(), c.contending.end());
    scenarios.push_back(r.scenario(c.file, overrides));
  }
  return r.run(scenarios);
}

void check_noncontending(Reproduction& r, const Case& c, const Outcome& alone, const Outcome& routed) {
  const std::string& hot = c.queues.front();
  r.value(c.name + ", QCN alone: rates of the hot flows together", total_rate(alone, c));
  r.value(c.name + ", QCN alone: hot queue", mean(queues(watched(alone, hot)), kSettled, kTo));
  for (const std::string& host : c.hosts)
    r.value(c.name + ", adaptive routing: rate of " + host, mean(rates(watched(routed, host)), kFrom, kTo));
  const std::vector<double> queue = queues(watched(routed, hot));
  const double mean_queue = mean(queue, kFrom, kTo);
  const auto spikes = std::count_if(queue.begin() + kFrom, queue.begin() + kTo, [](double kb) { return kb > 10; });
  r.statement(c.name + ", adaptive routing: hot queue no longer congested", mean_queue < 3.3,
              fmt::format("{:.2f} kB in the mean, above 10 kB in {} of 1200 ms", mean_queue, spikes));
  const double held = mean(routed.measurements.resequencing_series, 200, kTo);
  r.statement(c.name + ", adaptive routing: resequencing buffer", held < 1, fmt::format("{:.3f} frames", held));
  r.figure(rate_figure(alone, c, c.name + "-rates-qcn", "rates with QCN alone"));
  r.figure(rate_figure(routed, c, c.name + "-rates-adaptive", "rates with adaptive routing"));
  r.figure({c.name + "-queue", c.name + ", queue of " + hot, "time [ms]", "queue [kB]",
            {curve("QCN alone", queues(watched(alone, hot))), curve("adaptive routing", queue)}, false, false});
}

}  // namespace

void minkenberg_noncontending(Reproduction& r) {
  std::vector<Scenario> scenarios;
  for (const Case& c : cases()) {
    scenarios.push_back(r.scenario(c.file));
    scenarios.push_back(r.scenario(c.file, adaptive()));
  }
  std::vector<Override> by_default = adaptive();  // figure 2's story: notifications must come back by all ways
  by_default.push_back({"routing.snoop_return", "default"});
  scenarios.push_back(r.scenario(cases()[2].file, by_default));
  const std::vector<Outcome> outcomes = r.run(scenarios);
  for (std::size_t i = 0; i < cases().size(); ++i)
    check_noncontending(r, cases()[i], outcomes[2 * i], outcomes[2 * i + 1]);
  const double one = mean(rates(watched(outcomes[4], "H1")), kFrom, kTo);
  const double two = mean(rates(watched(outcomes[4], "H2")), kFrom, kTo);
  r.statement("T3, QCN alone: the flows do not share fairly", std::max(one, two) > 1.5 * std::min(one, two),
              fmt::format("H1 {:.0f}, H2 {:.0f} MB/s", one, two));
  r.report("T3, adaptive routing, notifications on default ports only: rates of the hot flows together",
           fmt::format("{:.0f} MB/s", total_rate(outcomes.back(), cases()[2])));
}

void minkenberg_contending(Reproduction& r) {
  const std::vector<Outcome> outcomes = run_contending(r);
  for (std::size_t i = 0; i < cases().size(); ++i) {
    const Case& c = cases()[i];
    const double total = total_rate(outcomes[i], c);
    r.statement(c.name + ": rates of the contending flows match the link to the destination",
                std::abs(total - 1250) < 0.02 * 1250, fmt::format("{:.0f} MB/s", total));
    const std::vector<double> first = queues(watched(outcomes[i], c.queues[0])),
                              last = queues(watched(outcomes[i], c.queues[1]));
    const double a = mean(first, kSettled, kTo), b = mean(last, kSettled, kTo);
    r.statement(c.name + ": hot queues are held at Qeq or below", std::max(a, b) < 1.15 * 33,
                fmt::format("{} {:.1f} kB, {} {:.1f} kB", c.queues[0], a, c.queues[1], b));
    const auto hot_ms = [](const std::vector<double>& queue) {
      return std::count_if(queue.begin() + 200, queue.begin() + kTo, [](double kb) { return kb > 33.0 / 2; });
    };
    const std::size_t changes = route_changes(outcomes[i], c);
    r.statement(c.name + ": routes alternate", changes >= 5,
                fmt::format("{} changes upstream; above Qeq/2: {} in {} ms, {} in {} ms of 1300", changes, c.queues[0],
                            hot_ms(first), c.queues[1], hot_ms(last)));
    r.figure(rate_figure(outcomes[i], c, c.name + "-rates", "contending flows, rates with adaptive routing"));
    r.figure({c.name + "-queues", c.name + ", hot queues, contending flows", "time [ms]", "queue [kB]",
              {curve(c.queues[0], first), curve(c.queues[1], last)}, false, false});
  }
}

void minkenberg_resequencing(Reproduction& r) {
  const std::vector<Outcome> outcomes = run_contending(r);
  Figure figure{"resequencing", "Resequencing buffer, contending flows", "time [ms]", "frames", {}, false, false};
  for (std::size_t i = 0; i < cases().size(); ++i) {
    const Measurements& m = outcomes[i].measurements;
    r.value(cases()[i].name + ": mean resequencing buffer", mean(m.resequencing_series, 200, kTo));
    r.report(cases()[i].name + ": frames out of order, largest buffer",
             fmt::format("{}, {} frames", m.resequencing.out_of_order, m.resequencing.peak_packets));
    figure.curves.push_back(curve(cases()[i].name, m.resequencing_series));
  }
  r.figure(figure);
}

}  // namespace weir
