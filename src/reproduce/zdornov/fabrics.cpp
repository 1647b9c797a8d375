// Other fabrics than the tree of Zdornov & Birk 2009, which left them for further work.
#include <fmt/format.h>

#include "flow/performance.h"
#include "network/fabric/fabric.h"
#include "network/routings/routings.h"
#include "reproduce/computations.h"
#include "reproduce/zdornov/runs.h"

namespace weir::zdornov {
namespace {

const char* const kRealisation = "zdornov2009/realisation.toml";

// Two levels of 24-port switches as an ibdm topology file would name them: 12 leaves with 12 hosts and two cables to
// each of 6 spines, one cable missing.
Wired imported_cluster() {
  std::string text;
  for (int leaf = 1; leaf <= 12; ++leaf) {
    text += fmt::format("MTS2400 L{}\n", leaf);
    for (int host = 1; host <= 12; ++host)
      text += fmt::format("   P{} -> Cheetah H{} P1\n", host, 12 * (leaf - 1) + host);
    for (int up = 0; up < 12; ++up)
      if (leaf != 5 || up != 3)
        text += fmt::format("   P{} -4x-5G-> MTS2400 S{} P{}\n", 13 + up, up / 2 + 1, 2 * leaf - 1 + up % 2);
    text += "\n";
  }
  Topology topology = to_topology(parse_ibdm("cluster.topo", text), {kLink, kLink}).topology;
  RouteTable routes = shortest_path_routes(topology, Detours::none);
  return {std::move(topology), std::move(routes)};
}

Wired multistage() {
  Topology min = bmin({4, 4, 256}, kLink, kLink);
  RouteTable routes = digit_routes(min);
  return {std::move(min), std::move(routes)};
}

}  // namespace

// Other fabrics: gain in the mean rate over no control, and how well rates come out. 1 to 5 flows per host.
RowTable fabrics(const Work& work, Parameters&) {
  const Wired kFabrics[] = {multistage(), imported_cluster()};
  const char* const kNames[] = {"BMIN of 256 hosts", "imported cluster of 144 hosts, 20 Gb/s between switches"};
  const Scenario none = work.scenario("zdornov2009/no-control.toml"),
                 adaptive = work.scenario("zdornov2009/no-control.toml", with_flow_setup()),
                 rated = work.scenario(kRealisation),
                 fixed = work.scenario(kRealisation, {{"routing.choice", "fixed"}});
  RowTable table{{"fabric", "scheme", "gain", "minima", "worst", "mean"}, {}};
  for (std::size_t i = 0; i < 2; ++i) {
    const Wired& fabric = kFabrics[i];
    const std::vector<FlowPair> flows = independent_flows(fabric.topology.hosts(), 5, kSeed, 0);
    const double nc = summarize_rates(measure_shares(none, fabric, flows).steady).mean;
    const double ar = summarize_rates(measure_shares(adaptive, fabric, flows).steady).mean;
    table.rows.push_back({std::string(kNames[i]), std::string("AR"), ar / nc - 1, {}, {}, {}});
    for (const RateAlgorithm algorithm : {RateAlgorithm::saa, RateAlgorithm::saa_m, RateAlgorithm::ffa})
      for (const Scenario* scenario : {&fixed, &rated}) {
        const Realised out = realise(algorithm, *scenario, fabric, workload_of(flows));
        table.rows.push_back({std::string(kNames[i]),
                              fmt::format("{}{}", name_of(algorithm), scenario == &rated ? "+AR" : ""),
                              summarize_rates(out.measured).mean / nc - 1, out.ratio_of_minima(), out.worst_flow(),
                              out.ratio_of_means()});
      }
  }
  return table;
}

}  // namespace weir::zdornov
