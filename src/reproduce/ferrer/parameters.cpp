// Paper 001, section 8.2.2: thresholds and windows from uniform traffic, and the rates of the analysis.
#include <fmt/format.h>

#include "reproduce/ferrer/ferrer.h"
#include "run/calibrate.h"

namespace weir::ferrer {
namespace {

struct Case {
  const NetworkCase* network;
  Sizes sizes;
  const char* size_name;
};

Scenario uniform_of(const Reproduction& r, const Case& c) {
  return r.scenario(fmt::format("ferrer/{}.toml", c.network->file), size_settings(c.sizes));
}

CalibrationEffort effort_of(const Reproduction& r) {
  CalibrationEffort effort;
  effort.settle_trips = effort.measured_trips = r.quick() ? 60 : r.full() ? 1000 : 200;
  effort.search_steps = r.quick() ? 5 : 7;
  return effort;
}

std::vector<Case> cases_of(const Reproduction& r) {
  std::vector<Case> cases;
  for (const NetworkCase* network : {&kUmin44, &kUmin83, &kBmin43, &kBmin45, &kBmin83}) {
    cases.push_back({network, Sizes::b256, "256"});
    if (r.quick()) continue;
    cases.push_back({network, Sizes::b1024, "1024"});
    if (!r.full()) continue;
    cases.push_back({network, Sizes::b512, "512"});
    cases.push_back({network, Sizes::mixed, "64/512"});
  }
  return cases;
}

}  // namespace

void fig_8_2(Reproduction& r) {
  const std::vector<Case> cases = cases_of(r);
  std::vector<Calibration> found(cases.size());
  r.parallel(cases.size(), [&](std::size_t i) { found[i] = calibrate(uniform_of(r, cases[i]), effort_of(r)); });
  double input = 0, output = 0;
  Figure f{
      "occupancy", "Mean occupancy near saturation (cases in the order of the notes)", "case", "per cent", {}, false,
      false};
  Curve in{"input buffers", {}, {}, true}, out{"output buffers", {}, {}, true};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const UniformProbe& near = found[i].near;
    input += 100 * near.input_share / static_cast<double>(cases.size());
    output += 100 * near.output_share / static_cast<double>(cases.size());
    for (Curve* curve : {&in, &out}) curve->x.push_back(static_cast<double>(i + 1));
    in.y.push_back(100 * near.input_share);
    out.y.push_back(100 * near.output_share);
    r.report(fmt::format("{}, {} B", cases[i].network->title, cases[i].size_name),
             fmt::format("inputs {:.0f} %, outputs {:.0f} %; saturation at a load of {:.2f}", 100 * near.input_share,
                         100 * near.output_share, found[i].saturation));
  }
  r.value("mean occupancy of input buffers near saturation", input);
  r.value("mean occupancy of output buffers near saturation", output);
  f.curves = {in, out};
  r.figure(std::move(f));
}

void window(Reproduction& r) {
  const Case cases[] = {{&kBmin45, Sizes::b256, "256"}, {&kBmin45, Sizes::b1024, "1024"},
                        {&kUmin83, Sizes::b256, "256"}, {&kUmin83, Sizes::b1024, "1024"}};
  std::vector<UniformProbe> measured(4);
  std::vector<Calibration> formula(4);
  UniformProbe apart;
  r.parallel(5, [&](std::size_t i) {
    if (i == 4) {
      const Scenario scenario =
          r.scenario("ferrer/bmin-4-ary-5-fly.toml", {{"switch.lanes", "2"}, {"adapter.ack_lane", "1"}});
      apart = probe_uniform(scenario, kBmin45.bytes_per_cycle[2] / 512, effort_of(r));
      return;
    }
    const Scenario scenario = uniform_of(r, cases[i]);
    const double hosts = 512,
                 load = cases[i].network->bytes_per_cycle[2] / hosts;  // section 7.6: the high rate is near saturation
    measured[i] = probe_uniform(scenario, load, effort_of(r));
    CalibrationEffort none;
    none.settle_trips = none.measured_trips = 10;
    none.search_steps = 1;
    formula[i] = calibrate(scenario, none);
  });
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string name = fmt::format("{}, {} B", cases[i].network->title, cases[i].size_name);
    r.value("calculated window, " + name, formula[i].trip.window);
    r.value("measured window, " + name, measured[i].window);
    r.report("outstanding packets per active flow and per active host, " + name,
             fmt::format("{:.2f} and {:.2f}", measured[i].outstanding, measured[i].outstanding_of_host));
  }
  r.report("measured window with acknowledgements on a lane of their own, BMIN 4-ary 5-fly, 256 B",
           fmt::format("{:.2f}", apart.window));
  bool two = true;
  for (const Calibration& c : formula) two &= c.trip.whole_window == 2;
  r.statement("a window of 2 in all cases", two, two ? "2" : "not 2");
}

void fig_8_3(Reproduction& r) {
  const std::vector<double> rates = rates_of(r, kBmin45);
  const auto p =
      latency_against_traffic(r, "analysis", "Points of analysis", kBmin45, {scheme("none"), scheme("mvcm")}, rates);
  bool below = true;
  std::string text;
  for (const Load load : kLoads) {
    const std::size_t k = index_of(rates, kBmin45.bytes_per_cycle[static_cast<int>(load)]);
    below &= p[1][k].all_mean < p[0][k].all_mean;
    text += fmt::format("{}{} {} / {}", text.empty() ? "" : ", ", load_name(load), cycles(p[1][k].all_mean),
                        cycles(p[0][k].all_mean));
  }
  r.statement("with MVCM the mean latency is lower at the low, medium and high rate", below, text);
}

}  // namespace weir::ferrer
