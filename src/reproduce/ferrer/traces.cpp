// Paper 001, section 8.3.2: two applications at once, replayed from traces, under the four proposals. The paper's
// traces are not public; those of scenarios/traces are generated and share their character only, so that orders can be
// compared, and numbers are a hint.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/embedded.h"
#include "reproduce/ferrer/ferrer.h"

namespace weir::ferrer {
namespace {

constexpr const char* kContenders[] = {"none", "renato", "pfister", "iocm", "mvcm"};

// The program carries the traces with it: "builtin:traces/background.csv" lies in scenarios/.
std::string embedded_trace(const std::string& path) {
  return std::string(embedded_file("scenarios/" + path.substr(path.find(':') + 1)));
}

struct Replay {
  double peak = 0, mean = 0;                         // latency of all packets once the second application runs [cycles]
  double background_peak = 0, foreground_peak = 0;
  double end = 0;                                    // when the second application is done [cycles]
};

Replay read_replay(const Outcome& outcome) {
  const Measurements& m = outcome.measurements;
  const ClassResult& foreground = m.classes[1];
  Replay replay;
  std::size_t first = 0;
  while (first < foreground.series.size() && foreground.series[first].generated == 0) ++first;
  double sum = 0, packets = 0;
  for (std::size_t b = first; b < foreground.series.size(); ++b) {
    double bin_sum = 0, bin_packets = 0;
    for (std::size_t c = 0; c < 2; ++c) {
      if (b >= m.classes[c].series.size() || m.classes[c].series[b].received == 0) continue;
      const ClassBin& bin = m.classes[c].series[b];
      const auto received = static_cast<double>(bin.received);
      double& peak = c == 0 ? replay.background_peak : replay.foreground_peak;
      peak = std::max(peak, bin.latency_sum_ps / received / 1000);
      bin_sum += bin.latency_sum_ps / 1000;
      bin_packets += received;
    }
    if (bin_packets > 0) replay.peak = std::max(replay.peak, bin_sum / bin_packets);
    sum += bin_sum;
    packets += bin_packets;
  }
  replay.mean = packets > 0 ? sum / packets : 0;
  replay.end = m.end.nanoseconds();
  return replay;
}

std::string listed(const std::vector<Replay>& replays, double Replay::*member) {
  std::string text;
  for (std::size_t i = 0; i < replays.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", kContenders[i], cycles(replays[i].*member));
  return text;
}

}  // namespace

void fig_8_26(Reproduction& r) {
  std::vector<Outcome> outcomes(std::size(kContenders));
  r.parallel(outcomes.size(), [&](std::size_t i) {
    const Scenario scenario =
        r.scenario("ferrer/bmin-4-ary-3-fly-traces.toml", {{"scheme.name", kContenders[i]}});
    outcomes[i] = simulate(scenario, {}, embedded_trace);
  });
  std::vector<Replay> p;
  for (const Outcome& outcome : outcomes) p.push_back(read_replay(outcome));
  r.value("peak of latency without management", p[0].peak);
  r.statement("peak of latency with IOCM and MVCM under 5,000 cycles", std::max(p[3].peak, p[4].peak) < 5000,
              listed(p, &Replay::peak));
  r.statement("all four lower the peak", std::max({p[1].peak, p[2].peak, p[3].peak, p[4].peak}) < p[0].peak,
              listed(p, &Replay::peak));
  r.statement("IOCM and MVCM have lower mean latency than Renato and Pfister",
              std::max(p[3].mean, p[4].mean) < std::min(p[1].mean, p[2].mean), listed(p, &Replay::mean));
  r.statement("IOCM and MVCM are alike", std::max(p[3].mean, p[4].mean) < 1.25 * std::min(p[3].mean, p[4].mean),
              listed(p, &Replay::mean));
  r.report("peak of latency of the background", listed(p, &Replay::background_peak));
  r.report("peak of latency of the foreground", listed(p, &Replay::foreground_peak));
  r.report("end of the foreground", listed(p, &Replay::end));
  for (const Series what : {Series::latency, Series::throughput})
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const char* quantity = what == Series::latency ? "latency" : "throughput";
      Figure f = figure(fmt::format("{}-{}", kContenders[i], quantity),
                        fmt::format("{}: {} of both applications", kContenders[i], quantity), what);
      f.curves = {class_curve(outcomes[i], "", what, kContenders[i])};
      r.figure(std::move(f));
    }
  r.note("Generated traces (tools/make-traces) stand for CPMD and DL_POLY, which are not public.");
}

}  // namespace weir::ferrer
