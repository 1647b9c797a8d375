// Contention under permutations: figures 6.2, 6.4, 6.5, 6.6 and table 6.1 of paper 000.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/zdornov/flow.h"

namespace weir::zdornov {
namespace {

struct ContentionSamples {
  Sample worst, mean;
  Contention result() const { return {interval_of(worst), interval_of(mean)}; }
};

// Calls `look` after each permutation has been routed.
template <class Look>
Contention run_permutations(const Wired& fabric, const FlowRoutingPolicy& policy, std::uint32_t runs,
                            std::uint64_t seed, Look look) {
  FlowRouter router(fabric.topology, fabric.routes, policy, seed);
  ContentionSamples samples;
  for (std::uint32_t run = 0; run < runs; ++run) {
    const std::vector<FlowPair> flows = random_permutations(fabric.topology.hosts(), 1, seed, run);
    const FlowContention c = flow_contention(router, route(router, flows, seed, run));
    samples.worst.add(c.worst);
    samples.mean.add(c.mean);
    look(router);
  }
  return samples.result();
}

std::string set_name(const LevelLinks& set, std::uint32_t levels) {
  const std::uint32_t lower = levels - 1 - set.lower;  // the paper counts levels from the roots
  return set.upwards ? fmt::format("U{},{}", lower, lower - 1) : fmt::format("D{},{}", lower - 1, lower);
}

Contention distribution(const Wired& fabric, const FlowRoutingPolicy& policy, std::uint32_t runs, std::uint64_t seed,
                        std::vector<LinkSetDistribution>& out) {
  const std::vector<LevelLinks> sets = links_between_levels(fabric.topology);
  std::vector<std::vector<std::uint64_t>> counts(sets.size());
  const Contention flows = run_permutations(fabric, policy, runs, seed, [&](const FlowRouter& router) {
    for (std::size_t s = 0; s < sets.size(); ++s) count_contention(router, sets[s], counts[s]);
  });
  for (std::size_t s = 0; s < sets.size(); ++s) {
    out.push_back({set_name(sets[s], fabric.topology.stages()), {}});
    const double all = static_cast<double>(sets[s].links.size()) * runs;
    for (const std::uint64_t n : counts[s]) out.back().share.push_back(static_cast<double>(n) / all);
  }
  return flows;
}

}  // namespace

Contention contention(const Wired& fabric, const FlowRoutingPolicy& policy, std::uint32_t runs, std::uint64_t seed) {
  return run_permutations(fabric, policy, runs, seed, [](const FlowRouter&) {});
}

Figure62 figure_6_2(std::uint32_t runs, std::uint64_t seed, TreeShape tree) {
  const Wired fabric(tree);
  Figure62 out;
  out.fixed_flows = distribution(fabric, FlowRoutingPolicy::fixed(), runs, seed, out.fixed);
  out.adaptive_flows = distribution(fabric, FlowRoutingPolicy::ascent(), runs, seed, out.adaptive);
  return out;
}

TreeComparison compare_tree(TreeShape modified, std::uint32_t most_hops, std::uint32_t runs, std::uint64_t seed) {
  TreeShape plain = modified;
  plain.horizontal_width = 0;
  return {modified, contention(Wired(plain), FlowRoutingPolicy::fixed(), runs, seed),
          contention(Wired(modified), FlowRoutingPolicy::forced(most_hops), runs, seed)};
}

std::vector<TreeComparison> figure_6_4(std::uint32_t runs, std::uint64_t seed, const std::vector<std::uint32_t>& widths,
                                       std::uint32_t k) {
  const Contention fixed = contention(Wired({k, 3, 0}), FlowRoutingPolicy::fixed(), runs, seed);
  std::vector<TreeComparison> out;
  for (const std::uint32_t width : widths) {
    const TreeShape tree{k, 3, width};
    out.push_back({tree, fixed, contention(Wired(tree), FlowRoutingPolicy::forced(), runs, seed)});
  }
  return out;
}

std::vector<TreeComparison> figure_6_5_radix(std::uint32_t runs, std::uint64_t seed,
                                             const std::vector<std::uint32_t>& radix) {
  std::vector<TreeComparison> out;
  for (const std::uint32_t k : radix) out.push_back(compare_tree({k, 3, 2}, HorizontalPolicy::kUnlimited, runs, seed));
  return out;
}

std::vector<TreeComparison> figure_6_5_height(std::uint32_t runs, std::uint64_t seed, std::uint32_t k,
                                              const std::vector<std::uint32_t>& height) {
  std::vector<TreeComparison> out;
  for (const std::uint32_t n : height) out.push_back(compare_tree({k, n, 2}, HorizontalPolicy::kUnlimited, runs, seed));
  return out;
}

std::vector<HopsPoint> figure_6_6(std::uint32_t runs, std::uint64_t seed, const std::vector<std::uint32_t>& hops,
                                  TreeShape tree) {
  const Wired fabric(tree);
  std::vector<HopsPoint> out;
  for (const std::uint32_t most : hops)
    out.push_back({most, contention(fabric, FlowRoutingPolicy::forced(most), runs, seed),
                   contention(fabric, FlowRoutingPolicy::free(most), runs, seed)});
  return out;
}

std::vector<OverheadCell> table_6_1() {
  std::vector<OverheadCell> out;
  for (const std::uint32_t height : {2u, 3u, 4u})
    for (const std::uint32_t radix : {4u, 8u, 12u, 16u})
      out.push_back({height, radix, port_overhead(radix, height, 2)});
  return out;
}

}  // namespace weir::zdornov
