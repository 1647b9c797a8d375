// The flows of an experiment, endless, put into the packet engine.
#include "reproduce/zdornov_no_control.h"

#include "schemes/simulate.h"

namespace weir::zdornov {
namespace {

Workload endless(const std::vector<FlowPair>& flows) {
  Workload workload;
  workload.classes.push_back({"flows"});
  workload.app_compute.push_back({});
  workload.app_names.push_back("flows");
  for (const FlowPair& pair : flows) {
    Flow flow;
    flow.source = pair.source;
    flow.destination = pair.destination;
    flow.bytes = kEndless;
    workload.flows.push_back(flow);
  }
  return workload;
}

}  // namespace

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
  Outcome outcome;
  outcome.network = std::make_unique<Network>(Network{fabric.topology, fabric.routes});
  outcome.workload = std::make_unique<Workload>(endless(flows));
  run_prepared(scenario, outcome);
  const Measurements& m = outcome.measurements;
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

Baseline NoControl::baseline(Horizon horizon) {
  Baseline out;
  out.no_control = [this, horizon](const Fabric& fabric, const std::vector<FlowPair>& flows, const RowList&,
                                   std::uint32_t run) {
    auto found = runs_.find(run);
    if (found == runs_.end()) found = runs_.emplace(run, measure_no_control(scenario_, fabric, flows)).first;
    return found->second.at(horizon);
  };
  return out;
}

}  // namespace weir::zdornov
