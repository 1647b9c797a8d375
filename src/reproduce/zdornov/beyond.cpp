// What paper 000 left for further work, tried out: other switches under its injection, small route caches, rate
// calculation while flows already send, weighted flows, and other fabrics than its tree. Nothing here was published.
#include <fmt/format.h>

#include <algorithm>

#include "flow/performance.h"
#include "network/fabric/fabric.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"
#include "reproduce/zdornov/flow_entries.h"
#include "reproduce/zdornov/no_control.h"
#include "reproduce/zdornov/route_caches.h"
#include "reproduce/zdornov/runs.h"

namespace weir {
namespace zdornov {
namespace {

const char* const kRealisation = "zdornov/realisation.toml";

std::string text_of(const Realised& r) {
  return fmt::format("ratio of the minima {:.3f}, worst flow {:.3f}, mean {:.3f}", r.ratio_of_minima(), r.worst_flow(),
                     r.ratio_of_means());
}

// Table 6.3 with other switches: SAA+AR, three permutations.
void other_switches(Reproduction& r, const Wired& tree) {
  struct Kind {
    const char* name;
    std::vector<Override> overrides;
  };
  std::vector<Kind> kinds = {
      {"round robin, 8 buffers", {{"switch.arbitration", "round-robin"}}},
      {"FIFO inputs and outputs of 8 buffers, speedup 2",
       {{"switch.organisation", "fifo-in-out"}, {"switch.speedup", "2"}}},
  };
  if (!r.quick()) {
    kinds.push_back(
        {"round robin, 4 buffers", {{"switch.arbitration", "round-robin"}, {"switch.buffer_packets", "4"}}});
    kinds.push_back({"FIFO inputs and outputs of 8 buffers, speedup 1.2",
                     {{"switch.organisation", "fifo-in-out"}, {"switch.speedup", "1.2"}}});
    kinds.push_back(
        {"FIFO inputs and outputs of 4 buffers, speedup 2",
         {{"switch.organisation", "fifo-in-out"}, {"switch.speedup", "2"}, {"switch.buffer_packets", "4"}}});
  }
  const Workload workload = workload_of(random_permutations(tree.topology.hosts(), 3, 1, 0));
  std::vector<std::string> texts(kinds.size());
  r.parallel(kinds.size(), [&](std::size_t i) {
    texts[i] = text_of(realise(RateAlgorithm::saa, r.scenario(kRealisation, kinds[i].overrides), tree, workload));
  });
  for (std::size_t i = 0; i < kinds.size(); ++i) r.report(fmt::format("SAA+AR, {}", kinds[i].name), texts[i]);
}

// Flows of 100 packets whose rates take 30 us to calculate: waiting for them, or sending meanwhile.
void overlapped_calculation(Reproduction& r, const Wired& tree) {
  struct Way {
    const char* name;
    std::vector<Override> overrides;
  };
  const Way kWays[] = {
      {"at once", {}},
      {"after 30 us, waiting", {{"scheme.calculation", "30us"}}},
      {"after 30 us, sending meanwhile", {{"scheme.calculation", "30us"}, {"scheme.unrated", "source-share"}}},
  };
  const Bytes bytes = 100 * 2048;
  const Workload workload = workload_of(random_permutations(tree.topology.hosts(), 2, 1, 0), bytes);
  std::vector<std::string> texts(std::size(kWays));
  r.parallel(std::size(kWays), [&](std::size_t i) {
    std::vector<Override> overrides = with_flow_setup({{"scheme.name", "ffa"}});
    overrides.insert(overrides.end(), kWays[i].overrides.begin(), kWays[i].overrides.end());
    const Measurements m = run_flows(r.scenario("zdornov/phase.toml", overrides), tree, workload);
    Sample completion;
    for (const FlowResult& flow : m.flows) completion.add(flow.completion.seconds() * 1e6);
    texts[i] = fmt::format("{:.0f} us on average, {:.0f} us at most", completion.mean(), completion.max());
  });
  for (std::size_t i = 0; i < std::size(kWays); ++i)
    r.report(fmt::format("FFA+AR, 100 packets per flow, rates {}: completion", kWays[i].name), texts[i]);
}

void weighted_flows(Reproduction& r, const Wired& tree) {
  const std::vector<FlowPair> flows = random_permutations(tree.topology.hosts(), 3, 1, 0);
  std::vector<double> weights;
  RandomStream random(1, Purpose::size, 0);
  for (std::size_t f = 0; f < flows.size(); ++f) weights.push_back(static_cast<double>(1u << random.below(3)));
  const char* const kMeasures[] = {"flows", "weight"};
  std::string texts[2];
  r.parallel(2, [&](std::size_t i) {
    const Realised out =
        realise(RateAlgorithm::saa, r.scenario(kRealisation, {{"routing.setup_measure", kMeasures[i]}}), tree,
                workload_of(flows, kEndless, weights));
    double slowest = out.calculated[0] / weights[0];
    for (std::size_t f = 0; f < weights.size(); ++f) slowest = std::min(slowest, out.calculated[f] / weights[f]);
    texts[i] = fmt::format("completion {:.2f} calculated; {}", 1 / slowest, text_of(out));
  });
  for (std::size_t i = 0; i < 2; ++i)
    r.report(fmt::format("SAA+AR, weights 1, 2 and 4, ports compared by {}", kMeasures[i]), texts[i]);
}

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
  const LinkProperties link{Rate{10'000'000'000}, Time{15'000}, 0};
  Topology topology = to_topology(parse_ibdm("cluster.topo", text), {link, link}).topology;
  RouteTable routes = shortest_path_routes(topology, Detours::none);
  return {std::move(topology), std::move(routes)};
}

void other_fabrics(Reproduction& r) {
  const LinkProperties link{Rate{10'000'000'000}, Time{15'000}, 0};
  Topology min = bmin({4, 4, 256}, link, link);
  RouteTable min_routes = digit_routes(min);
  const Wired kFabrics[] = {Wired(std::move(min), std::move(min_routes)), imported_cluster()};
  const char* const kNames[] = {"BMIN of 256 hosts", "imported cluster of 144 hosts, 20 Gb/s between switches"};
  const Scenario none = r.scenario("zdornov/no-control.toml"),
                 adaptive = r.scenario("zdornov/no-control.toml", with_flow_setup()), rated = r.scenario(kRealisation),
                 fixed = r.scenario(kRealisation, {{"routing.choice", "fixed"}});
  for (std::size_t i = 0; i < 2; ++i) {
    const Wired& fabric = kFabrics[i];
    const std::vector<FlowPair> flows = independent_flows(fabric.topology.hosts(), 5, 1, 0);
    const Workload workload = workload_of(flows);
    const double nc = summarize_rates(measure_no_control(none, fabric, flows).steady).mean;
    const double ar = summarize_rates(measure_no_control(adaptive, fabric, flows).steady).mean;
    r.report(fmt::format("{}: AR against no control, mean rate", kNames[i]),
             fmt::format("{:+.1f} %", 100 * (ar / nc - 1)));
    for (const RateAlgorithm algorithm : {RateAlgorithm::saa, RateAlgorithm::saa_m, RateAlgorithm::ffa})
      for (const Scenario* scenario : {&fixed, &rated}) {
        const Realised out = realise(algorithm, *scenario, fabric, workload);
        r.report(fmt::format("{}: {}{} against no control, mean rate", kNames[i], name_of(algorithm),
                             scenario == &rated ? "+AR" : ""),
                 fmt::format("{:+.1f} %; {}", 100 * (summarize_rates(out.measured).mean / nc - 1), text_of(out)));
      }
  }
}

}  // namespace
}  // namespace zdornov

void zdornov_beyond(Reproduction& r) {
  const zdornov::Wired tree({16, 3, 2});
  zdornov::other_switches(r, tree);
  zdornov::route_caches(r, tree);
  zdornov::overlapped_calculation(r, tree);
  zdornov::weighted_flows(r, tree);
  zdornov::other_fabrics(r);
  r.note("Modified 16-ary 3-tree, ForcedDir(8), 8 buffers and periodic selection unless said otherwise; rates of other "
         "fabrics: 1 to 5 flows per host, no control over 400 to 1000 packet times, controlled ones over 100 to 600.");
}

}  // namespace weir
