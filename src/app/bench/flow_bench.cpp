// Each step is repeated and its best time kept: what else the machine does only ever adds.
#include "app/bench/flow_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "flow/flow_router.h"
#include "flow/solvers/afa.h"
#include "flow/solvers/ffa.h"
#include "flow/solvers/saa.h"
#include "flow/solvers/saa_m.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"

namespace weir {
namespace {

constexpr LinkProperties kLink{Rate{10'000'000'000}, Time{15'000}, 16'384};

class Bench {
 public:
  Bench(const std::function<double()>& seconds, BenchSize size, std::vector<FlowBenchRow>& rows)
      : seconds_(seconds), size_(size), rows_(rows) {}

  void run() {
    const double start = seconds_();
    flows_ = bench_flows(size_);
    add("routes", seconds_() - start, 0);
    add("table", best([&] { incidence_ = Incidence(flows_.links, flows_.paths); }), 0);
    const std::vector<double> capacity(flows_.links, 1.0);
    RateProblem problem{&incidence_, capacity};
    std::vector<double> density;
    FillScratch scratch;
    RateSolution out;
    const double saa_target = size_.saa_target_ns * static_cast<double>(incidence_.size()) * 1e-6;
    add("saa", best([&] { saa(problem, density, out); }), saa_target);
    add("ffa", best([&] { ffa(problem, scratch, out); }), size_.ffa_target_ms);
    add("saa-m", best([&] { out = saa_m(problem); }), 0);
    problem.application = flows_.application;
    add("afa", best([&] { out = afa(problem); }), 0);
    problem.weight = flows_.weight;
    add("saa weighted", best([&] { saa(problem, density, out); }), 0);
    add("ffa weighted", best([&] { ffa(problem, scratch, out); }), 0);
  }

 private:
  template <class Work>
  double best(Work work) const {
    const double once = timed(work);
    // About half a second per step, and at least three times.
    const int more = std::clamp(static_cast<int>(0.5 / std::max(once, 1e-6)), 2, 100);
    double least = once;
    for (int i = 0; i < more; ++i) least = std::min(least, timed(work));
    return least;
  }
  template <class Work>
  double timed(Work& work) const {
    const double start = seconds_();
    work();
    return seconds_() - start;
  }
  void add(std::string what, double seconds, double target_ms) {
    FlowBenchRow row;
    row.instance = fmt::format("{}-ary 3-tree", size_.k);
    row.what = std::move(what);
    row.flows = flows_.paths.rows();
    row.pairs = flows_.paths.items.size();
    row.milliseconds = seconds * 1e3;
    row.ns_per_pair = seconds * 1e9 / static_cast<double>(row.pairs);
    row.target_ms = target_ms;
    rows_.push_back(std::move(row));
  }

  const std::function<double()>& seconds_;
  BenchSize size_;
  std::vector<FlowBenchRow>& rows_;
  BenchFlows flows_;
  Incidence incidence_;
};

}  // namespace

std::vector<BenchSize> bench_sizes() { return {{16, 5, 3, 3}, {32, 5, 40, 3}, {64, 4, 600, 8}}; }

BenchFlows bench_flows(BenchSize size, std::uint64_t seed) {
  const Topology topology = k_ary_n_tree({size.k, 3, 0}, kLink, kLink);
  const RouteTable routes = digit_routes(topology);
  FlowRouter router(topology, routes, FlowRoutingPolicy::fixed());
  RandomStream random(seed, Purpose::destination, size.k);
  BenchFlows out;
  out.links = topology.ports();
  const std::uint64_t hosts = topology.hosts();
  for (std::uint32_t h = 0; h < hosts; ++h)
    for (std::uint32_t i = 0; i < size.flows_per_host; ++i) {
      const auto other = static_cast<std::uint32_t>(random.below(hosts - 1));
      router.set_up({h}, {other < h ? other : other + 1}, 1.0, out.paths.items);
      out.paths.close_row();
      out.weight.push_back(std::pow(10.0, 4 * random.unit()));
      out.application.push_back(static_cast<std::uint32_t>(random.below(32)));
    }
  return out;
}

std::vector<FlowBenchRow> flow_bench(const std::function<double()>& seconds, std::size_t sizes) {
  std::vector<FlowBenchRow> rows;
  const std::vector<BenchSize> all = bench_sizes();
  for (std::size_t i = 0; i < std::min(sizes, all.size()); ++i) Bench(seconds, all[i], rows).run();
  return rows;
}

}  // namespace weir
