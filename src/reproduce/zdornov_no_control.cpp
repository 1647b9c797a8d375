// The flows of an experiment, endless, put into the packet engine.
#include "reproduce/zdornov_no_control.h"

#include "reproduce/zdornov_runs.h"

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

NoControlRates measure_no_control(const Scenario& scenario, const Fabric& fabric, const std::vector<FlowPair>& flows) {
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

MeasuredRates NoControl::rates(Horizon horizon, const Scenario& scenario, Runs& runs) {
  return [horizon, &scenario, &runs](const Fabric& fabric, const std::vector<FlowPair>& flows, const RowList&,
                                     std::uint32_t run) {
    auto found = runs.find(run);
    if (found == runs.end()) found = runs.emplace(run, measure_no_control(scenario, fabric, flows)).first;
    return found->second.at(horizon);
  };
}

Baseline NoControl::baseline(Horizon horizon) {
  Baseline out;
  out.no_control = rates(horizon, scenario_, runs_);
  if (adaptive_) out.adaptive_routing = rates(horizon, *adaptive_, adaptive_runs_);
  return out;
}

}  // namespace weir::zdornov
