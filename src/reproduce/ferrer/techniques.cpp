// Paper 001, section 8.4: what each technique contributes: marking, window, waiting slots, their limit, recovery.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/ferrer/ferrer.h"

namespace weir::ferrer {
namespace {

constexpr std::string_view kDetections[] = {"ipm", "rpm", "opm", "iopm", "mvpm"};

struct Grid {
  std::vector<Contender> contenders;
  std::vector<double> rates;
  std::vector<std::vector<Pulse>> pulses;

  const Pulse& at(std::size_t contender, Load load) const {
    return pulses[contender][index_of(rates, kBmin45.bytes_per_cycle[static_cast<int>(load)])];
  }
  std::string text(Load load, double Pulse::*member) const {
    std::string all;
    for (std::size_t i = 0; i < contenders.size(); ++i)
      all += fmt::format("{}{} {}", i == 0 ? "" : ", ", contenders[i].label, cycles(at(i, load).*member));
    return all;
  }
};

Grid run_grid(Reproduction& r, const std::string& name, const std::string& title, std::vector<Contender> contenders) {
  Grid grid{std::move(contenders), rates_of(r, kBmin45), {}};
  grid.pulses = latency_against_traffic(r, name, title, kBmin45, grid.contenders, grid.rates);
  return grid;
}

Contender windowed(const std::string& label, const char* kind, int packets) {
  return parts(label, {{"window", kind}, {"window_packets", std::to_string(packets)}, {"delay", "none"}});
}

bool within(double a, double b, double factor) { return std::max(a, b) <= factor * std::min(a, b); }

}  // namespace

void fig_8_27(Reproduction& r) {
  std::vector<Contender> contenders;
  for (const std::string_view d : kDetections)
    contenders.push_back(parts(std::string(d), {{"detection", std::string(d)}}));
  const Grid grid = run_grid(r, "marking", "Marking with the same correction", std::move(contenders));
  const auto spread = [&](Load load) {
    double least = 1e18, most = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      least = std::min(least, grid.at(i, load).cold_mean);
      most = std::max(most, grid.at(i, load).cold_mean);
    }
    return most / least;
  };
  r.statement("all markings are nearly equal with the same correction",
              spread(Load::low) < 1.5 && spread(Load::medium) < 1.5, grid.text(Load::medium, &Pulse::cold_mean));
  const double inputs = std::min(grid.at(0, Load::high).cold_mean, grid.at(1, Load::high).cold_mean);
  const double others =
      std::max({grid.at(2, Load::high).cold_mean, grid.at(3, Load::high).cold_mean, grid.at(4, Load::high).cold_mean});
  r.statement("IPM and RPM are slightly worse at the high rate", inputs > others,
              grid.text(Load::high, &Pulse::cold_mean));
}

void fig_8_29(Reproduction& r) {
  const Grid grid =
      run_grid(r, "windows", "Windows alone",
               {windowed("SW=1", "static", 1), windowed("SW=2", "static", 2), windowed("SW=4", "static", 4),
                windowed("SW=8", "static", 8), windowed("DW=2", "dynamic", 2), windowed("DW=4", "dynamic", 4)});
  const auto high = [&](std::size_t i) { return grid.at(i, Load::high).cold_mean; };
  const std::string text = grid.text(Load::high, &Pulse::cold_mean);
  r.statement("SW=2 is better than SW=4, and SW=4 better than SW=8", high(1) < high(2) && high(2) < high(3), text);
  r.statement("SW=1 is worse than SW=2", high(0) > high(1), text);
  r.statement("DW=2 is better than SW=2, 4 and 8", high(4) < std::min({high(1), high(2), high(3)}), text);
  r.statement("DW=2 is better than DW=4", high(4) < high(5), text);
  r.statement("DW=4 is better than SW=4 and 8", high(5) < std::min(high(2), high(3)), text);
}

void fig_8_30(Reproduction& r) {
  std::vector<Scenario> scenarios;
  for (const int w : {1, 2, 4})
    scenarios.push_back(pulse(r, kBmin45, kBmin45.bytes_per_cycle[2], windowed(fmt::format("SW={}", w), "static", w)));
  const std::vector<Outcome> outcomes = r.run(scenarios);
  Figure f = figure("cold-latency", "Cold latency with a static window alone, high rate", Series::latency);
  std::vector<Pulse> p;
  for (std::size_t i = 0; i < 3; ++i) {
    p.push_back(read_pulse(outcomes[i]));
    f.curves.push_back(class_curve(outcomes[i], "cold", Series::latency, fmt::format("SW={}", 1 << i)));
  }
  r.statement("SW=1 has the lowest latency during the pulse", p[0].cold_peak < std::min(p[1].cold_peak, p[2].cold_peak),
              fmt::format("{}, {}, {}", cycles(p[0].cold_peak), cycles(p[1].cold_peak), cycles(p[2].cold_peak)));
  r.statement("SW=1 never recovers at the high rate", p[0].recovery < 0,
              fmt::format("after {} cycles", cycles(p[0].recovery)));
  r.figure(std::move(f));
}

void fig_8_31(Reproduction& r) {
  const Grid grid =
      run_grid(r, "corrections", "Corrections alone and together",
               {parts("+DW+WS", {}), parts("+DW-WS", {{"delay", "none"}}), parts("-DW+WS", {{"window", "none"}})});
  const auto at = [&](std::size_t i, Load load) { return grid.at(i, load).cold_mean; };
  r.statement("dynamic window and waiting slots together are best at the high rate",
              at(0, Load::high) <= std::min(at(1, Load::high), at(2, Load::high)),
              grid.text(Load::high, &Pulse::cold_mean));
  r.statement("the dynamic window alone comes close", within(at(0, Load::medium), at(1, Load::medium), 1.5),
              grid.text(Load::medium, &Pulse::cold_mean));
  r.statement("waiting slots alone are worst",
              at(2, Load::medium) > std::max(at(0, Load::medium), at(1, Load::medium)) &&
                  at(2, Load::high) > std::max(at(0, Load::high), at(1, Load::high)),
              grid.text(Load::medium, &Pulse::cold_mean));
}

void fig_8_32(Reproduction& r) {
  std::vector<Contender> contenders;
  for (const std::string_view d : kDetections)
    contenders.push_back(parts("DW " + std::string(d), {{"detection", std::string(d)}, {"delay", "none"}}));
  for (const std::string_view d : kDetections)
    contenders.push_back(parts("WS " + std::string(d), {{"detection", std::string(d)}, {"window", "none"}}));
  const Grid grid =
      run_grid(r, "dw-or-ws", "Dynamic window or waiting slots with every marking", std::move(contenders));
  bool better = true;
  for (std::size_t i = 0; i < 5; ++i)
    for (const Load load : {Load::medium, Load::high})
      better &= grid.at(i, load).cold_mean < grid.at(i + 5, load).cold_mean;
  r.statement("with every marking the dynamic window is better than waiting slots", better,
              grid.text(Load::medium, &Pulse::cold_mean));
}

void fig_8_33(Reproduction& r) {
  Contender unlimited = scheme("mvcm");
  unlimited.settings.push_back({"scheme.limit", "0"});
  const std::vector<Outcome> outcomes = r.run({pulse(r, kBmin45, kBmin45.bytes_per_cycle[1], scheme("mvcm")),
                                               pulse(r, kBmin45, kBmin45.bytes_per_cycle[1], unlimited)});
  const Pulse limited = read_pulse(outcomes[0]), without = read_pulse(outcomes[1]);
  r.statement("without a limit the hot packets take longer", without.hot_end > limited.hot_end,
              fmt::format("{} against {} cycles", cycles(without.hot_end), cycles(limited.hot_end)));
  r.statement("without a limit gaps appear on the link to the hot spot", without.hot_link < limited.hot_link,
              fmt::format("{:.0f} against {:.0f} % busy", 100 * without.hot_link, 100 * limited.hot_link));
  Figure f = figure("hot-latency", "Hot latency with and without a limit on waiting slots", Series::latency);
  f.curves = {class_curve(outcomes[0], "hot", Series::latency, "limited"),
              class_curve(outcomes[1], "hot", Series::latency, "no limit")};
  r.figure(std::move(f));
}

void fig_8_34(Reproduction& r) {
  Contender unlimited = scheme("mvcm");
  unlimited.settings.push_back({"scheme.limit", "0"});
  const std::vector<Outcome> outcomes = r.run({pulse(r, kBmin45, kBmin45.bytes_per_cycle[1], scheme("pfister")),
                                               pulse(r, kBmin45, kBmin45.bytes_per_cycle[1], unlimited)});
  const Pulse pfister = read_pulse(outcomes[0]), mvcm = read_pulse(outcomes[1]);
  r.statement("even MVCM without a limit delivers the hot packets sooner than Pfister", mvcm.hot_end < pfister.hot_end,
              fmt::format("{} against {} cycles", cycles(mvcm.hot_end), cycles(pfister.hot_end)));
  Figure f = figure("hot-latency", "Hot latency with Pfister's table", Series::latency);
  f.curves = {class_curve(outcomes[0], "hot", Series::latency, "Pfister")};
  r.figure(std::move(f));
}

void fig_8_35(Reproduction& r) {
  Contender progressive = scheme("mvcm");
  progressive.label = "progressive";
  progressive.settings.push_back({"scheme.recovery", "progressive"});
  Contender immediate = scheme("mvcm");
  immediate.label = "immediate";
  const Grid grid = run_grid(r, "recovery", "Recovery of MVCM", {immediate, progressive});
  const auto at = [&](std::size_t i, Load load) { return grid.at(i, load).cold_mean; };
  r.statement("no difference at the low rate", within(at(0, Load::low), at(1, Load::low), 1.1),
              grid.text(Load::low, &Pulse::cold_mean));
  r.statement("immediate recovery is better at the medium rate", at(0, Load::medium) < at(1, Load::medium),
              grid.text(Load::medium, &Pulse::cold_mean));
  r.statement("immediate recovery is better at the high rate", at(0, Load::high) < at(1, Load::high),
              grid.text(Load::high, &Pulse::cold_mean));
}

}  // namespace weir::ferrer
