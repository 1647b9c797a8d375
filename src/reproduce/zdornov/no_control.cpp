// The flows of an experiment, endless, put into the packet engine.
#include "reproduce/zdornov/no_control.h"

#include "reproduce/zdornov/runs.h"

namespace weir::zdornov {

const char* horizon_name(Horizon horizon) {
  switch (horizon) {
    case Horizon::steady: return "400 to 1000 packet times";
    case Horizon::start: return "the first 400 packet times";
    case Horizon::whole: return "the first 1000 packet times";
  }
  return "";
}

const std::vector<double>& NoControlRates::at(Horizon horizon) const {
  return horizon == Horizon::steady ? steady : horizon == Horizon::start ? start : whole;
}

NoControlRates measure_no_control(const Scenario& scenario, const Wired& fabric, const std::vector<FlowPair>& flows) {
  const Measurements m = run_flows(scenario, fabric, workload_of(flows));
  NoControlRates rates;
  for (const FlowResult& flow : m.flows) {
    const double line =
        static_cast<double>(fabric.topology.link(fabric.topology.host_port(flow.source)).rate.bits_per_second) / 8;
    const auto share = [&](Bytes bytes, Time span) { return static_cast<double>(bytes) / (line * span.seconds()); };
    rates.steady.push_back(share(flow.delivered_in_window, m.end - m.warmup));
    rates.start.push_back(share(flow.delivered - flow.delivered_in_window, m.warmup));
    rates.whole.push_back(share(flow.delivered, m.end));
  }
  return rates;
}

Baseline NoControl::baseline(Horizon horizon) const {
  const auto rates = [horizon](const std::vector<NoControlRates>& runs) {
    return [horizon, &runs](const Wired&, const std::vector<FlowPair>&, const RowList&, std::uint32_t run) {
      return runs[run].at(horizon);
    };
  };
  Baseline out;
  if (!fixed.empty()) out.no_control = rates(fixed);
  if (!adaptive.empty()) out.adaptive_routing = rates(adaptive);
  return out;
}

std::vector<Baseline> NoControl::baselines() const {
  std::vector<Baseline> all;
  for (const Horizon horizon : kHorizons) all.push_back(baseline(horizon));
  return all;
}

std::vector<NoControl> measure_no_control(const Reproduction& r, TreeShape modified_tree, std::size_t points,
                                          std::uint32_t runs, const FlowsOfRun& flows) {
  TreeShape plain_tree = modified_tree;
  plain_tree.horizontal_width = 0;
  const Wired plain(plain_tree), modified(modified_tree);
  const Scenario fixed = r.scenario("zdornov/no-control.toml"),
                 adaptive = r.scenario("zdornov/no-control.toml", with_flow_setup());
  const std::vector<NoControlRates> none(runs);
  std::vector<NoControl> out(points, NoControl{none, none});
  r.parallel(2 * points * runs, [&](std::size_t job) {
    const std::size_t point = points - 1 - job / 2 / runs;  // the last points usually take longest
    const auto run = static_cast<std::uint32_t>(job / 2 % runs);
    const std::vector<FlowPair> some = flows(plain.topology.hosts(), point, run);
    if (job % 2 == 0) out[point].adaptive[run] = measure_no_control(adaptive, modified, some);
    if (job % 2 == 1) out[point].fixed[run] = measure_no_control(fixed, plain, some);
  });
  return out;
}

}  // namespace weir::zdornov
