#include "reproduce/zdornov/route_caches.h"

#include <fmt/format.h>

#include "flow/performance.h"
#include "flow/solvers/saa.h"
#include "reproduce/zdornov/runs.h"

namespace weir::zdornov {
namespace {

constexpr std::uint32_t kUnlimited = FlowRoutingPolicy::kUnlimited;
constexpr std::uint32_t kEntries[] = {0, 1, 2, 4, kUnlimited};

std::string cache_name(std::uint32_t entries) {
  return entries == kUnlimited ? "unlimited" : fmt::format("{} entries", entries);
}

// Completion time under SAA, flow by flow.
void calculated(Reproduction& r, const Wired& tree) {
  const std::uint32_t runs = r.quick() ? 3 : r.full() ? 50 : 10;
  const std::vector<double> capacity(tree.topology.ports(), 1.0);
  for (const std::uint32_t permutations : {1u, 3u}) {
    std::string text;
    for (const std::uint32_t entries : kEntries) {
      FlowRoutingPolicy policy = FlowRoutingPolicy::forced(8);
      policy.cache_entries = entries;
      FlowRouter router(tree.topology, tree.routes, policy);
      Sample completion;
      for (std::uint32_t run = 0; run < runs; ++run) {
        const std::vector<FlowPair> flows = random_permutations(tree.topology.hosts(), permutations, 1, run);
        const Incidence incidence(tree.topology.ports(), route(router, flows, 1, run));
        const RateProblem problem{&incidence, capacity};
        completion.add(completion_time(problem, saa(problem).rate));
      }
      text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", cache_name(entries), completion.mean());
    }
    r.report(fmt::format("SAA+AR completion by route cache, {} permutation(s)", permutations), text);
  }
}

struct CacheRun {
  double completion = 0, lost = 0;  // in units of a flow alone; choices that found the cache full
};

CacheRun run_with(const Scenario& scenario, const Wired& fabric, const Workload& workload) {
  const Measurements m = run_flows(scenario, fabric, workload);
  return {completion_of(m, fabric, kFlowBytes), m.scheme_number("choices lost to a full route cache").value_or(0)};
}

// One phase packet by packet: routes set up by packets through caches of this size, alone and under SAA, against static
// routes in the plain tree.
void measured(Reproduction& r, std::uint32_t radix, std::uint32_t permutations, std::uint32_t runs) {
  const Wired plain({radix, 3, 0}), modified({radix, 3, 2});
  const std::size_t caches = std::size(kEntries);
  std::vector<Scenario> scenarios = {r.scenario("zdornov/phase.toml")};  // no control, then AR and SAA+AR by cache
  for (const char* scheme : {"none", "saa"})
    for (const std::uint32_t entries : kEntries) {
      std::vector<Override> overrides = with_flow_setup({{"scheme.name", scheme}});
      if (entries != kUnlimited) overrides.push_back({"routing.setup_cache", std::to_string(entries)});
      scenarios.push_back(r.scenario("zdornov/phase.toml", overrides));
    }
  std::vector<CacheRun> results(scenarios.size() * runs);
  r.parallel(results.size(), [&](std::size_t i) {
    const Wired& fabric = i < runs ? plain : modified;
    const std::vector<FlowPair> flows = random_permutations(fabric.topology.hosts(), permutations, 1, i % runs);
    results[i] = run_with(scenarios[i / runs], fabric, workload_of(flows, kFlowBytes));
  });
  const auto mean = [&](std::size_t scenario, double CacheRun::*what) {
    Sample sample;
    for (std::uint32_t run = 0; run < runs; ++run) sample.add(results[scenario * runs + run].*what);
    return sample.mean();
  };
  const double none = mean(0, &CacheRun::completion);
  for (std::size_t scheme = 0; scheme < 2; ++scheme) {
    std::string text = fmt::format("no control {:.2f}", none);
    for (std::size_t c = 0; c < caches; ++c) {
      const std::size_t at = 1 + scheme * caches + c;
      const double done = mean(at, &CacheRun::completion);
      text += fmt::format(", {} {:.2f} ({:+.0f} %", cache_name(kEntries[c]), done, 100 * (done / none - 1));
      if (kEntries[c] != kUnlimited) text += fmt::format(", {:.0f} choices lost", mean(at, &CacheRun::lost));
      text += ")";
    }
    r.report(fmt::format("{} completion by route cache, packet by packet, {} hosts, {} permutation(s)",
                         scheme == 0 ? "AR" : "SAA+AR", plain.topology.hosts(), permutations), text);
  }
}

}  // namespace

void route_caches(Reproduction& r, const Wired& tree) {
  calculated(r, tree);
  measured(r, 8, 3, r.quick() ? 1 : r.full() ? 20 : 5);
  if (r.quick()) return;
  measured(r, 16, 1, r.full() ? 10 : 2);
  measured(r, 16, 3, r.full() ? 10 : 2);
}

}  // namespace weir::zdornov
