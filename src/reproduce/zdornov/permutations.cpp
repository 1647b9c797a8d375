// Contention under permutations: figures 6.2, 6.4, 6.5, 6.6 and table 6.1 of Zdornov & Birk 2009.
#include <fmt/format.h>

#include "reproduce/computations.h"
#include "reproduce/zdornov/runs.h"

namespace weir::zdornov {
namespace {

// A tree and the way flows are routed in it: {k, n, width, policy = "fixed" | "ascent" | "forced" | "free", hops}.
struct RoutedTree {
  TreeShape tree;
  FlowRoutingPolicy policy;
  std::string policy_name;
  Cell hops;  // nothing: without a limit
};

FlowRoutingPolicy policy_of(const TomlNode& where, const std::string& name, std::uint32_t hops) {
  if (name == "fixed") return FlowRoutingPolicy::fixed();
  if (name == "ascent") return FlowRoutingPolicy::ascent();
  if (name == "forced") return FlowRoutingPolicy::forced(hops);
  if (name == "free") return FlowRoutingPolicy::free(hops);
  throw InputError(where.where, "`policy` must be fixed, ascent, forced or free");
}

RoutedTree read_case(const TomlNode& node) {
  TableReader table(node, "a case");
  const auto number = [&](std::string_view key) { return static_cast<std::uint32_t>(table.number(key)); };
  RoutedTree c{{number("k"), number("n"), number("width")}, {}, table.needed_text("policy"), {}};
  std::uint32_t hops = HorizontalPolicy::kUnlimited;
  if (table.find("hops") != nullptr) {
    hops = number("hops");
    c.hops = std::int64_t{hops};
  }
  c.policy = policy_of(node, c.policy_name, hops);
  table.finish();
  return c;
}

// Calls look(router, contention of the flows) after each permutation has been routed.
template <class Look>
void run_permutations(const RoutedTree& c, std::uint32_t runs, Look look) {
  const Wired fabric(c.tree);
  FlowRouter router(fabric.topology, fabric.routes, c.policy, kSeed);
  for (std::uint32_t run = 0; run < runs; ++run) {
    const std::vector<FlowPair> flows = random_permutations(fabric.topology.hosts(), 1, kSeed, run);
    look(router, flow_contention(router, route(router, flows, kSeed, run)));
  }
}

std::string set_name(const LevelLinks& set, std::uint32_t levels) {
  const std::uint32_t lower = levels - 1 - set.lower;  // the paper counts levels from the roots
  return set.upwards ? fmt::format("U{},{}", lower, lower - 1) : fmt::format("D{},{}", lower - 1, lower);
}

std::vector<RoutedTree> cases_of(Parameters& with) {
  std::vector<RoutedTree> cases;
  for (const TomlNode& node : with.tables("cases")) {
    cases.push_back(read_case(node));
    cases.back().policy.ties = ties_of(with);
  }
  return cases;
}

}  // namespace

// By case and permutation: the largest contention of any flow, and the mean over flows.
RowTable contention(const Work& work, Parameters& with) {
  const std::vector<RoutedTree> cases = cases_of(with);
  const std::uint32_t runs = with.number("runs");
  std::vector<std::vector<FlowContention>> found(cases.size());
  work.parallel(cases.size(), [&](std::size_t i) {
    run_permutations(cases[i], runs,
                     [&](const FlowRouter&, const FlowContention& contention) { found[i].push_back(contention); });
  });
  RowTable table{{"k", "n", "width", "policy", "hops", "run", "worst", "mean"}, {}};
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (std::uint32_t run = 0; run < runs; ++run) {
      const RoutedTree& c = cases[i];
      const FlowContention& f = found[i][run];
      table.rows.push_back({std::int64_t{c.tree.k}, std::int64_t{c.tree.n}, std::int64_t{c.tree.horizontal_width},
                            c.policy_name, c.hops, std::int64_t{run}, static_cast<double>(f.worst), f.mean});
    }
  return table;
}

// The share of each set of links that is crossed by so many flows. Sets are named as in the paper, where the roots are
// level 0: D0,1 U1,0 ...
RowTable link_contention(const Work& work, Parameters& with) {
  const std::vector<RoutedTree> cases = cases_of(with);
  const std::uint32_t runs = with.number("runs");
  std::vector<RowTable> parts(cases.size());
  work.parallel(cases.size(), [&](std::size_t i) {
    const Wired fabric(cases[i].tree);
    const std::vector<LevelLinks> sets = links_between_levels(fabric.topology);
    std::vector<std::vector<std::uint64_t>> counts(sets.size());
    run_permutations(cases[i], runs, [&](const FlowRouter& router, const FlowContention&) {
      for (std::size_t s = 0; s < sets.size(); ++s) count_contention(router, sets[s], counts[s]);
    });
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const double all = static_cast<double>(sets[s].links.size()) * runs;
      for (std::size_t n = 0; n < counts[s].size(); ++n)
        parts[i].rows.push_back({cases[i].policy_name, set_name(sets[s], fabric.topology.stages()), cell(n),
                                 static_cast<double>(counts[s][n]) / all});
    }
  });
  RowTable table{{"policy", "links", "flows", "share"}, {}};
  for (const RowTable& part : parts) table.rows.insert(table.rows.end(), part.rows.begin(), part.rows.end());
  return table;
}

RowTable overhead(const Work&, Parameters& with) {
  RowTable table{{"height", "radix", "overhead"}, {}};
  const std::vector<std::uint32_t> heights = with.numbers("heights"), radixes = with.numbers("radixes");
  for (const std::uint32_t height : heights)
    for (const std::uint32_t radix : radixes)
      table.rows.push_back({std::int64_t{height}, std::int64_t{radix}, port_overhead(radix, height, 2)});
  return table;
}

}  // namespace weir::zdornov
