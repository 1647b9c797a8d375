// Paper 001, section 8.2.3: time series of a hot spot without management and with MVCM, in all networks, sizes and
// rates.
#include <fmt/format.h>

#include "reproduce/ferrer/ferrer.h"

namespace weir::ferrer {
namespace {

double medium(const NetworkCase& network) { return network.bytes_per_cycle[1]; }

void add_series(Reproduction& r, const std::string& prefix, const Outcome& outcome, std::string_view traffic_class,
                const std::string& title) {
  const std::string name = traffic_class.empty() ? "all" : std::string(traffic_class);
  for (const Series what : {Series::latency, Series::throughput}) {
    const char* quantity = what == Series::latency ? "latency" : "throughput";
    Figure f = figure(fmt::format("{}{}-{}", prefix, name, quantity),
                      fmt::format("{}: {} of {} flows", title, quantity, name), what);
    f.curves = {class_curve(outcome, traffic_class, what, name)};
    r.figure(std::move(f));
  }
}

Outcome one(const Reproduction& r, const char* name) {
  std::vector<Outcome> outcomes = r.run({pulse(r, kBmin45, medium(kBmin45), scheme(name))});
  return std::move(outcomes[0]);
}

// None and MVCM side by side on one network at some rates.
void compare(Reproduction& r, const NetworkCase& network, const std::vector<Load>& loads, Sizes sizes,
             bool throughput) {
  std::vector<Scenario> scenarios;
  for (const Load load : loads)
    for (const char* name : {"none", "mvcm"})
      scenarios.push_back(
          pulse(r, network, network.bytes_per_cycle[static_cast<int>(load)], scheme(name), size_settings(sizes)));
  const std::vector<Outcome> outcomes = r.run(scenarios);
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const std::string load(load_name(loads[i]));
    const Pulse none = read_pulse(outcomes[2 * i]), mvcm = read_pulse(outcomes[2 * i + 1]);
    r.statement(fmt::format("MVCM lowers the peak of cold latency at the {} rate", load),
                mvcm.cold_peak < none.cold_peak,
                fmt::format("{} to {} cycles", cycles(none.cold_peak), cycles(mvcm.cold_peak)));
    r.report(fmt::format("peak of hot latency at the {} rate, none and MVCM", load),
             fmt::format("{} and {} cycles", cycles(none.hot_peak), cycles(mvcm.hot_peak)));
    for (std::size_t s = 0; s < 2; ++s) {
      const std::string prefix = fmt::format("{}-{}-", load, s == 0 ? "none" : "mvcm");
      for (const char* c : {"cold", "hot"})
        for (const Series what : {Series::latency, Series::throughput}) {
          if (what == Series::throughput && !throughput) continue;
          const char* quantity = what == Series::latency ? "latency" : "throughput";
          Figure f = figure(prefix + c + "-" + quantity,
                            fmt::format("{}, {} rate, {}: {} of {} flows", network.title, load,
                                        s == 0 ? "no management" : "MVCM", quantity, c),
                            what);
          f.curves = {class_curve(outcomes[2 * i + s], c, what, c)};
          r.figure(std::move(f));
        }
    }
  }
}

}  // namespace

void fig_8_4(Reproduction& r) {
  const Outcome outcome = one(r, "none");
  const Pulse p = read_pulse(outcome);
  r.value("peak of cold latency", p.cold_peak);
  r.statement("cold latency rises by orders of magnitude during the pulse", p.cold_peak >= 100 * p.before,
              fmt::format("{} to {} cycles, {:.0f}x", cycles(p.before), cycles(p.cold_peak), p.cold_peak / p.before));
  r.statement("cold throughput falls during the pulse", p.dip < 0.8, fmt::format("to {:.0f} % of before", 100 * p.dip));
  const Curve latency = class_curve(outcome, "cold", Series::latency, "cold"),
              flow = class_curve(outcome, "cold", Series::throughput, "cold");
  const std::size_t last = latency.y.size() - 2;  // the last bin may be short
  r.statement("latency and throughput recover after the pulse", p.recovery >= 0 && latency.y[last] < 2 * p.before,
              fmt::format("after {} cycles: {} cycles, {:.0f} bytes/cycle", cycles(p.recovery), cycles(latency.y[last]),
                          flow.y[last]));
  add_series(r, "", outcome, "cold", "No management");
}

void fig_8_5(Reproduction& r) {
  const Outcome outcome = one(r, "none");
  const Curve latency = class_curve(outcome, "hot", Series::latency, "hot");
  std::size_t rises = 0;
  for (std::size_t i = 1; i < latency.y.size(); ++i) rises += latency.y[i] > latency.y[i - 1] ? 1 : 0;
  r.statement("hot latency grows progressively during the pulse", 10 * rises >= 7 * (latency.y.size() - 1),
              fmt::format("rises in {} of {} bins, to {} cycles", rises, latency.y.size() - 1,
                          cycles(read_pulse(outcome).hot_peak)));
  add_series(r, "", outcome, "hot", "No management");
}

void fig_8_6(Reproduction& r) {
  const Outcome outcome = one(r, "none");
  const Curve flow = class_curve(outcome, "", Series::throughput, "all");
  const auto event = find_event(outcome.measurements, {});
  double before = 0, lowest = 1e18;
  std::size_t bins = 0;
  for (std::size_t i = 0; event && i < flow.x.size(); ++i) {
    const double from = event->span.from.nanoseconds(), to = event->span.to.nanoseconds();
    if (flow.x[i] + 10000 <= from) before += flow.y[i], ++bins;
    else if (flow.x[i] + 10000 < to) lowest = std::min(lowest, flow.y[i]);
  }
  before /= static_cast<double>(std::max<std::size_t>(1, bins));
  r.statement("20 % of hot hosts reduce the throughput of the whole network", lowest < 0.8 * before,
              fmt::format("from {:.0f} to {:.0f} bytes/cycle", before, lowest));
  add_series(r, "", outcome, "", "No management");
}

void fig_8_7(Reproduction& r) {
  const Outcome outcome = one(r, "mvcm");
  const Pulse p = read_pulse(outcome);
  r.statement("peak of cold latency under 4,000 cycles", p.cold_peak < 4000, cycles(p.cold_peak) + " cycles");
  r.statement("no sharp drop of cold throughput", p.dip > 0.7,
              fmt::format("lowest bin {:.0f} % of before", 100 * p.dip));
  add_series(r, "", outcome, "cold", "MVCM");
}

void fig_8_8(Reproduction& r) {
  const Outcome outcome = one(r, "mvcm");
  const Pulse p = read_pulse(outcome);
  r.value("peak of hot latency", p.hot_peak);
  const Curve cold = class_curve(outcome, "cold", Series::latency, "cold");
  const std::size_t last = cold.y.size() - 2;
  r.statement("no oscillation after the pulse", cold.y[last] < 1.5 * p.before && cold.y[last - 1] < 1.5 * p.before,
              fmt::format("cold latency {} cycles at the end, {} before", cycles(cold.y[last]), cycles(p.before)));
  add_series(r, "", outcome, "hot", "MVCM");
}

void fig_8_9(Reproduction& r) {
  const std::vector<Outcome> outcomes =
      r.run({pulse(r, kBmin45, medium(kBmin45), scheme("none")), pulse(r, kBmin45, medium(kBmin45), scheme("mvcm"))});
  const Pulse none = read_pulse(outcomes[0]), mvcm = read_pulse(outcomes[1]);
  r.statement("throughput drops less with MVCM", mvcm.dip > none.dip,
              fmt::format("lowest bin {:.0f} % of before, {:.0f} % without", 100 * mvcm.dip, 100 * none.dip));
  add_series(r, "", outcomes[1], "", "MVCM");
}

void fig_8_10(Reproduction& r) {
  const std::vector<Outcome> outcomes =
      r.run({pulse(r, kBmin45, medium(kBmin45), scheme("none")), pulse(r, kBmin45, medium(kBmin45), scheme("mvcm"))});
  const Pulse none = read_pulse(outcomes[0]), mvcm = read_pulse(outcomes[1]);
  r.value("link to the hot spot during the pulse, MVCM", 100 * mvcm.hot_link);
  r.statement(
      "the link dips without management", none.hot_link_lowest < 0.95,
      fmt::format("lowest 10,000 cycles {:.0f} %, mean {:.0f} %", 100 * none.hot_link_lowest, 100 * none.hot_link));
  r.report("lowest 10,000 cycles with MVCM", fmt::format("{:.0f} %", 100 * mvcm.hot_link_lowest));
  Figure f{"hot-link", "Use of the link to the hot spot", "cycles", "per cent", {}, false, false};
  f.curves = {hot_link_curve(outcomes[0], "no management"), hot_link_curve(outcomes[1], "MVCM")};
  r.figure(std::move(f));
}

void fig_8_11(Reproduction& r) {
  std::vector<Scenario> scenarios;
  for (const int load : {0, 2})
    for (const char* name : {"none", "mvcm"})
      scenarios.push_back(pulse(r, kBmin45, kBmin45.bytes_per_cycle[load], scheme(name)));
  const std::vector<Outcome> outcomes = r.run(scenarios);
  r.value("peak of cold latency, low rate, no management", read_pulse(outcomes[0]).cold_peak);
  r.value("peak of cold latency, high rate, no management", read_pulse(outcomes[2]).cold_peak);
  const double low = read_pulse(outcomes[1]).cold_peak, high = read_pulse(outcomes[3]).cold_peak;
  r.statement("peak of cold latency with MVCM at the low rate under 2,000 cycles", low < 2000, cycles(low) + " cycles");
  r.statement("peak of cold latency with MVCM at the high rate under 4,000 cycles", high < 4000,
              cycles(high) + " cycles");
  for (std::size_t i = 0; i < 4; ++i)
    for (const char* c : {"cold", "hot"})
      add_series(r, fmt::format("{}-{}-", i < 2 ? "low" : "high", i % 2 == 0 ? "none" : "mvcm"), outcomes[i], c,
                 fmt::format("{} rate, {}", i < 2 ? "Low" : "High", i % 2 == 0 ? "no management" : "MVCM"));
}

void fig_8_12(Reproduction& r) { compare(r, kBmin45, {Load::medium}, Sizes::mixed, false); }
void fig_8_13(Reproduction& r) { compare(r, kBmin45, {Load::low, Load::high}, Sizes::mixed, false); }
void fig_8_14(Reproduction& r) { compare(r, kBmin43, {Load::medium}, Sizes::b256, true); }
void fig_8_15(Reproduction& r) { compare(r, kBmin43, {Load::low, Load::high}, Sizes::b256, false); }
void fig_8_16(Reproduction& r) { compare(r, kBmin83, {Load::medium}, Sizes::b256, true); }
void fig_8_17(Reproduction& r) { compare(r, kBmin83, {Load::low, Load::high}, Sizes::b256, false); }
void fig_8_18(Reproduction& r) { compare(r, kUmin44, {Load::medium}, Sizes::b256, true); }
void fig_8_19(Reproduction& r) { compare(r, kUmin83, {Load::medium}, Sizes::b256, true); }

}  // namespace weir::ferrer
