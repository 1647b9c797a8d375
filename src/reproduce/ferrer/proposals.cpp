// Paper 001, section 8.3: Renato, Pfister, IOCM and MVCM as they were proposed.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/ferrer/ferrer.h"

namespace weir::ferrer {
namespace {

constexpr const char* kProposals[] = {"none", "renato", "pfister", "iocm", "mvcm"};

std::vector<Contender> proposals() {
  std::vector<Contender> list;
  for (const char* name : kProposals) list.push_back(scheme(name));
  return list;
}

std::vector<Outcome> run_at(const Reproduction& r, double rate) {
  std::vector<Scenario> scenarios;
  for (const char* name : kProposals) scenarios.push_back(pulse(r, kBmin45, rate, scheme(name)));
  return r.run(scenarios);
}

std::string listed(const std::vector<Pulse>& p, double Pulse::*member) {
  std::string text;
  for (std::size_t i = 0; i < p.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", kProposals[i], cycles(p[i].*member));
  return text;
}

void add_figures(Reproduction& r, const std::vector<Outcome>& outcomes, const char* traffic_class, bool throughput) {
  for (const Series what : {Series::latency, Series::throughput}) {
    if (what == Series::throughput && !throughput) continue;
    const char* quantity = what == Series::latency ? "latency" : "throughput";
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      Figure f = figure(fmt::format("{}-{}-{}", kProposals[i], traffic_class, quantity),
                        fmt::format("{}: {} of {} flows", kProposals[i], quantity, traffic_class), what);
      f.curves = {class_curve(outcomes[i], traffic_class, what, kProposals[i])};
      r.figure(std::move(f));
    }
  }
}

std::vector<Pulse> pulses_of(const std::vector<Outcome>& outcomes) {
  std::vector<Pulse> pulses;
  for (const Outcome& outcome : outcomes) pulses.push_back(read_pulse(outcome));
  return pulses;
}

}  // namespace

void fig_8_20(Reproduction& r) {
  const std::vector<double> rates = rates_of(r, kBmin45);
  const auto p = latency_against_traffic(r, "proposals", "Four proposals", kBmin45, proposals(), rates);
  const std::size_t high = index_of(rates, kBmin45.bytes_per_cycle[2]),
                    medium = index_of(rates, kBmin45.bytes_per_cycle[1]);
  std::vector<Pulse> at_medium, at_high;
  for (const auto& of : p) at_medium.push_back(of[medium]), at_high.push_back(of[high]);
  const auto mean = [&](std::size_t i) { return at_medium[i].cold_mean; };
  r.statement("all four are better than no management at the medium rate",
              std::max({mean(1), mean(2), mean(3), mean(4)}) < mean(0), listed(at_medium, &Pulse::cold_mean));
  r.statement("MVCM and IOCM are better than Pfister, and Pfister better than Renato, at the high rate",
              std::max(at_high[3].cold_mean, at_high[4].cold_mean) < at_high[2].cold_mean &&
                  at_high[2].cold_mean < at_high[1].cold_mean,
              listed(at_high, &Pulse::cold_mean));
  r.statement("IOCM is slightly better than MVCM", mean(3) < mean(4) && mean(3) > 0.5 * mean(4),
              fmt::format("{} and {} cycles at the medium rate", cycles(mean(3)), cycles(mean(4))));
}

void fig_8_21(Reproduction& r) {
  const std::vector<Outcome> outcomes = run_at(r, kBmin45.bytes_per_cycle[1]);
  const std::vector<Pulse> p = pulses_of(outcomes);
  r.statement("all four keep the peak of cold latency under 10,000 cycles",
              std::max({p[1].cold_peak, p[2].cold_peak, p[3].cold_peak, p[4].cold_peak}) < 10000,
              listed(p, &Pulse::cold_peak));
  r.statement(
      "Renato's peak is three times and Pfister's two times that of MVCM",
      p[1].cold_peak > 2 * p[4].cold_peak && p[2].cold_peak > 1.5 * p[4].cold_peak && p[1].cold_peak > p[2].cold_peak,
      fmt::format("{:.1f} and {:.1f} times", p[1].cold_peak / p[4].cold_peak, p[2].cold_peak / p[4].cold_peak));
  r.statement(
      "MVCM and IOCM keep the throughput of cold flows more even than Pfister", std::min(p[3].dip, p[4].dip) > p[2].dip,
      fmt::format("lowest bin {:.0f} and {:.0f} % against {:.0f} %", 100 * p[4].dip, 100 * p[3].dip, 100 * p[2].dip));
  add_figures(r, outcomes, "cold", true);
}

void fig_8_22(Reproduction& r) {
  const std::vector<Outcome> outcomes = run_at(r, kBmin45.bytes_per_cycle[1]);
  const std::vector<Pulse> p = pulses_of(outcomes);
  r.statement("Renato and Pfister take longer to deliver the hot packets than MVCM and IOCM",
              std::min(p[1].hot_end, p[2].hot_end) > std::max(p[3].hot_end, p[4].hot_end), listed(p, &Pulse::hot_end));
  r.report("peak of hot latency", listed(p, &Pulse::hot_peak));
  add_figures(r, outcomes, "hot", true);
}

void fig_8_23(Reproduction& r) {
  const std::vector<Outcome> outcomes = run_at(r, kBmin45.bytes_per_cycle[0]);
  const std::vector<Pulse> p = pulses_of(outcomes);
  const auto [least, most] = std::minmax({p[1].cold_peak, p[2].cold_peak, p[3].cold_peak, p[4].cold_peak});
  r.statement("at the low rate all four manage congestion alike", most < 3 * least, listed(p, &Pulse::cold_peak));
  add_figures(r, outcomes, "cold", false);
  add_figures(r, outcomes, "hot", false);
}

void fig_8_24(Reproduction& r) {
  const std::vector<Outcome> outcomes = run_at(r, kBmin45.bytes_per_cycle[2]);
  const std::vector<Pulse> p = pulses_of(outcomes);
  r.statement("at the high rate MVCM and IOCM are better than Pfister",
              std::max(p[3].cold_peak, p[4].cold_peak) < p[2].cold_peak, listed(p, &Pulse::cold_peak));
  r.statement("Renato fails at the high rate: cold latency does not come back",
              p[1].recovery < 0 || p[1].cold_peak > p[2].cold_peak,
              fmt::format("peak {}, recovered after {} cycles", cycles(p[1].cold_peak), cycles(p[1].recovery)));
  add_figures(r, outcomes, "cold", false);
  add_figures(r, outcomes, "hot", false);
}

// Not a figure of the paper: the same with a pulse five times as long, in which senders still have packets when their
// marks return. It tells which differences come from the length of the pulse.
void long_pulse(Reproduction& r) {
  std::vector<Scenario> scenarios;
  for (const char* name : kProposals)
    scenarios.push_back(
        pulse(r, kBmin45, kBmin45.bytes_per_cycle[1], scheme(name), {{"traffic.hot.packets", "5000"}}));
  const std::vector<Outcome> outcomes = r.run(scenarios);
  const std::vector<Pulse> p = pulses_of(outcomes);
  r.report("peak of cold latency", listed(p, &Pulse::cold_peak));
  r.report("mean of cold latency", listed(p, &Pulse::cold_mean));
  r.report("hot packets delivered after", listed(p, &Pulse::hot_end));
  std::string busy;
  for (std::size_t i = 0; i < p.size(); ++i)
    busy += fmt::format("{}{} {:.0f}", i == 0 ? "" : ", ", kProposals[i], 100 * p[i].hot_link);
  r.report("link to the hot spot busy during the pulse", busy + " %");
  add_figures(r, outcomes, "cold", false);
  add_figures(r, outcomes, "hot", false);
}

void fig_8_36(Reproduction& r) {
  const std::vector<double> rates = rates_of(r, kBmin45);
  const auto p =
      latency_against_traffic(r, "mvcm-iocm", "MVCM and IOCM", kBmin45, {scheme("mvcm"), scheme("iocm")}, rates);
  std::size_t better = 0;
  std::string text;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    better += p[1][i].cold_mean <= p[0][i].cold_mean ? 1 : 0;
    text += fmt::format("{}{:g}: {} / {}", i == 0 ? "" : ", ", rates[i], cycles(p[0][i].cold_mean),
                        cycles(p[1][i].cold_mean));
  }
  r.statement("IOCM is slightly better than MVCM at most rates", 2 * better > rates.size(), text);
}

}  // namespace weir::ferrer
