// Google Benchmark of the rate solvers, the routing of flows and the incidence, per size of fabric; ns per incidence as
// a counter. `weir bench` shows the same instances with their targets.
#include "app/bench/flow_bench.h"

#include <benchmark/benchmark.h>

#include <map>
#include <memory>

#include "flow/flow_router.h"
#include "flow/solvers/afa.h"
#include "flow/solvers/ffa.h"
#include "flow/solvers/incremental.h"
#include "flow/solvers/saa.h"
#include "flow/solvers/saa_m.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"

namespace {

using namespace weir;

struct Case {
  BenchFlows flows;
  Incidence incidence;
  std::vector<double> capacity;
  RateProblem problem() const { return {&incidence, capacity}; }
};

const Case& case_of(const benchmark::State& state) {
  static std::map<std::int64_t, std::unique_ptr<Case>> cases;
  std::unique_ptr<Case>& slot = cases[state.range(0)];
  if (!slot) {
    slot = std::make_unique<Case>();
    slot->flows = bench_flows(bench_sizes()[static_cast<std::size_t>(state.range(0))]);
    slot->incidence = Incidence(slot->flows.links, slot->flows.paths);
    slot->capacity.assign(slot->flows.links, 1.0);
  }
  return *slot;
}

void count(benchmark::State& state, std::size_t incidences) {
  state.counters["incidences"] = static_cast<double>(incidences);
  state.counters["per_incidence"] =
      benchmark::Counter(static_cast<double>(incidences) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void incidence(benchmark::State& state) {
  const Case& c = case_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(Incidence(c.flows.links, c.flows.paths).size());
  count(state, c.incidence.size());
}
BENCHMARK(incidence)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void saa_rates(benchmark::State& state) {
  const Case& c = case_of(state);
  std::vector<double> density;
  RateSolution out;
  for (auto _ : state) saa(c.problem(), density, out);
  count(state, c.incidence.size());
}
BENCHMARK(saa_rates)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void ffa_rates(benchmark::State& state) {
  const Case& c = case_of(state);
  FillScratch scratch;
  RateSolution out;
  for (auto _ : state) ffa(c.problem(), scratch, out);
  count(state, c.incidence.size());
}
BENCHMARK(ffa_rates)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void ffa_weighted(benchmark::State& state) {
  const Case& c = case_of(state);
  RateProblem problem = c.problem();
  problem.weight = c.flows.weight;
  FillScratch scratch;
  RateSolution out;
  for (auto _ : state) ffa(problem, scratch, out);
  count(state, c.incidence.size());
}
BENCHMARK(ffa_weighted)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void saa_m_rates(benchmark::State& state) {
  const Case& c = case_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(saa_m(c.problem()).rate.data());
  count(state, c.incidence.size());
}
BENCHMARK(saa_m_rates)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void afa_rates(benchmark::State& state) {
  const Case& c = case_of(state);
  RateProblem problem = c.problem();
  problem.application = c.flows.application;
  for (auto _ : state) benchmark::DoNotOptimize(afa(problem).rate.data());
  count(state, c.incidence.size());
}
BENCHMARK(afa_rates)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

// One permutation routed adaptively in the modified 16-ary 3-tree; items are flows.
void adaptive_routes(benchmark::State& state) {
  const LinkProperties link{Rate{10'000'000'000}, Time{15'000}, 16'384};
  const Topology topology = k_ary_n_tree({16, 3, 2}, link, link);
  const RouteTable routes = digit_routes(topology);
  FlowRouter router(topology, routes, FlowRoutingPolicy::forced(8));
  std::vector<std::uint32_t> partner(topology.hosts());
  for (std::uint32_t h = 0; h < partner.size(); ++h) partner[h] = h;
  RandomStream random(1, Purpose::permutation, 0);
  shuffle(partner, random);
  std::vector<std::uint32_t> path;
  for (auto _ : state) {
    router.restart(1);
    for (std::uint32_t h = 0; h < partner.size(); ++h) {
      path.clear();
      router.set_up({h}, {partner[h]}, 1.0, path);
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(partner.size()) * static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(adaptive_routes)->Unit(benchmark::kMillisecond);

// A flow comes and goes among the 20,480; the cost of bringing the rates up to date.
void recalculation(benchmark::State& state, RateAlgorithm algorithm) {
  const BenchFlows flows = bench_flows(bench_sizes()[0]);
  IncrementalRates rates(algorithm, std::vector<double>(flows.links, 1.0), {}, flows.paths.rows());
  for (std::uint32_t f = 0; f < flows.paths.rows(); ++f) rates.add(f, flows.paths[f], 1.0);
  rates.recalculate();
  std::uint32_t f = 0;
  for (auto _ : state) {
    rates.remove(f);
    rates.recalculate();
    rates.add(f, flows.paths[f], 1.0);
    rates.recalculate();
    f = (f + 1) % static_cast<std::uint32_t>(flows.paths.rows());
  }
}
BENCHMARK_CAPTURE(recalculation, saa, RateAlgorithm::saa)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(recalculation, ffa, RateAlgorithm::ffa)->Unit(benchmark::kMicrosecond);

}  // namespace
