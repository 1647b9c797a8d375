#include "reproduce/zdornov/runs.h"

#include <algorithm>
#include <numeric>

#include "packet/config/config.h"
#include "run/simulate.h"
#include "schemes/explicit_rates/explicit_rates.h"

namespace weir::zdornov {
namespace {

double line_of(const Wired& fabric) {
  return fabric.topology.link(fabric.topology.host_port({0})).rate.bytes_per_second();
}

}  // namespace

Workload workload_of(const std::vector<FlowPair>& flows, Bytes bytes, const std::vector<double>& weights,
                     const std::vector<std::uint32_t>& applications) {
  Workload workload;
  workload.classes.push_back({"flows"});
  workload.apps = applications.empty() ? 1 : *std::max_element(applications.begin(), applications.end()) + 1;
  workload.app_compute.assign(workload.apps, Time{});
  workload.app_names.assign(workload.apps, "flows");
  for (std::size_t f = 0; f < flows.size(); ++f) {
    Flow flow;
    flow.source = flows[f].source;
    flow.destination = flows[f].destination;
    flow.bytes = bytes;
    if (!weights.empty()) flow.weight = weights[f];
    if (!applications.empty()) flow.app = {applications[f]};
    workload.flows.push_back(flow);
  }
  return workload;
}

Ties ties_of(const Parameters& with) { return with.reads("ties", "random") ? Ties::chance : Ties::default_port; }

FlowRoutingPolicy forced_dir(Ties ties) {
  FlowRoutingPolicy policy = FlowRoutingPolicy::forced(kMostHops);
  policy.ties = ties;
  return policy;
}

std::vector<Override> with_flow_setup() {
  return {{"routing.choice", "flow-setup"}, {"switch.lanes", "2"}, {"switch.priority", "preemptive"}};
}

Measurements run_flows(const Scenario& scenario, const Wired& fabric, const Workload& workload) {
  return run_simulation(set_up(scenario, std::make_unique<Network>(Network{fabric.topology, fabric.routes}),
                               std::make_unique<Workload>(workload)));
}

double completion_of(const Measurements& m, const Wired& fabric, Bytes bytes) {
  Time last;
  for (const FlowResult& flow : m.flows) last = std::max(last, flow.completion);
  return last.seconds() * line_of(fabric) / static_cast<double>(bytes);
}

std::size_t hosts_of(const TreeShape& tree) {
  std::size_t hosts = 1;
  for (std::uint32_t i = 0; i < tree.n; ++i) hosts *= tree.k;
  return hosts;
}

FlowShares measure_shares(const Scenario& scenario, const Wired& fabric, const std::vector<FlowPair>& flows) {
  const Measurements m = run_flows(scenario, fabric, workload_of(flows));
  FlowShares rates;
  for (const FlowResult& flow : m.flows) {
    const double line = fabric.topology.link(fabric.topology.host_port(flow.source)).rate.bytes_per_second();
    const auto share = [&](Bytes bytes, Time span) { return static_cast<double>(bytes) / (line * span.seconds()); };
    rates.steady.push_back(share(flow.delivered_in_window, m.end - m.warmup));
    rates.start.push_back(share(flow.delivered - flow.delivered_in_window, m.warmup));
    rates.whole.push_back(share(flow.delivered, m.end));
  }
  return rates;
}

double Realised::ratio_of_minima() const {
  return *std::min_element(measured.begin(), measured.end()) / *std::min_element(calculated.begin(), calculated.end());
}

double Realised::worst_flow() const {
  double worst = measured[0] / calculated[0];
  for (std::size_t f = 0; f < measured.size(); ++f) worst = std::min(worst, measured[f] / calculated[f]);
  return worst;
}

double Realised::ratio_of_means() const {
  return std::accumulate(measured.begin(), measured.end(), 0.0) /
         std::accumulate(calculated.begin(), calculated.end(), 0.0);
}

Realised realise(RateAlgorithm algorithm, const Scenario& scenario, const Wired& fabric, const Workload& workload) {
  const RunInput run{fabric.topology, fabric.routes, workload, packet_config(scenario, fabric.topology, workload),
                      scenario.seed};
  ExplicitOutcome out = run_explicit(algorithm, run, scenario.section("scheme"));
  Realised realised;
  const double line = line_of(fabric);
  for (const RealisedRate& flow : out.flows) {
    realised.calculated.push_back(flow.calculated / line);
    realised.measured.push_back(flow.measured / line);
  }
  realised.lacked_space = out.measurements.totals.lacked_space;
  return realised;
}

}  // namespace weir::zdornov
