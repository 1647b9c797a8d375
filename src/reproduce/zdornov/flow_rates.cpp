// Calculated rates: figures 6.7, 6.8 and 6.10 of paper 000. Each run has one set of flows, routed once statically in
// the plain tree and once adaptively in the modified one; every scheme is calculated on the same routes.
#include <algorithm>
#include <numeric>

#include "flow/performance.h"
#include "flow/solvers/afa.h"
#include "flow/solvers/ffa.h"
#include "flow/solvers/saa.h"
#include "flow/solvers/saa_m.h"
#include "reproduce/zdornov/flow.h"

namespace weir::zdornov {
namespace {

TreeShape plain(TreeShape tree) {
  tree.horizontal_width = 0;
  return tree;
}

// Both trees with their routers, kept for all runs.
class Trees {
 public:
  explicit Trees(const RateOptions& options)
      : seed_(options.seed),
        plain_(plain(options.tree)),
        modified_(options.tree),
        fixed_(plain_.topology, plain_.routes, FlowRoutingPolicy::fixed()),
        adaptive_(modified_.topology, modified_.routes, FlowRoutingPolicy::forced(options.most_hops)),
        capacity_(std::max(plain_.topology.ports(), modified_.topology.ports()), 1.0) {}

  struct Routed {
    RowList paths;
    Incidence incidence;
  };
  Routed fixed(const std::vector<FlowPair>& flows, std::uint32_t run) { return routed(fixed_, flows, run); }
  Routed adaptive(const std::vector<FlowPair>& flows, std::uint32_t run) { return routed(adaptive_, flows, run); }

  RateProblem problem(const Routed& r) const { return {&r.incidence, {capacity_.data(), r.incidence.links()}}; }
  std::size_t hosts() const { return plain_.topology.hosts(); }
  const Wired& plain_fabric() const { return plain_; }
  const Wired& modified_fabric() const { return modified_; }

 private:
  Routed routed(FlowRouter& router, const std::vector<FlowPair>& flows, std::uint32_t run) const {
    RowList paths = route(router, flows, seed_, run);
    Incidence incidence(router.topology().ports(), paths);
    return {std::move(paths), std::move(incidence)};
  }

  std::uint64_t seed_;
  Wired plain_, modified_;
  FlowRouter fixed_, adaptive_;
  std::vector<double> capacity_;
};

// Gathers one scheme's rates over the runs.
class SchemeSamples {
 public:
  SchemeSamples(std::string name, const std::vector<double>& places)
      : name_(std::move(name)), places_(places), sorted_(places.size()), ratios_(places.size()) {}

  // `reference`: no control's rates of this run; empty without a baseline.
  void add(const std::vector<double>& rates, const std::vector<double>& reference) {
    const double mean = summarize_rates(rates).mean;
    mean_.add(mean);
    const std::vector<double> sorted = sorted_at(rates, places_);
    for (std::size_t i = 0; i < sorted.size(); ++i) sorted_[i].add(sorted[i]);
    if (reference.empty()) return;
    ratio_.add(mean / summarize_rates(reference).mean);
    const std::vector<double> base = sorted_at(reference, places_);
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if (base[i] > 0) ratios_[i].add(sorted[i] / base[i]);
  }
  SchemeResult result() const {
    SchemeResult out{name_, interval_of(mean_), interval_of(ratio_), {}, {}};
    for (const Sample& s : sorted_) out.sorted_rate.push_back(interval_of(s));
    for (const Sample& s : ratios_) out.sorted_ratio.push_back(interval_of(s));
    return out;
  }

 private:
  std::string name_;
  const std::vector<double>& places_;
  Sample mean_, ratio_;
  std::vector<Sample> sorted_, ratios_;
};

std::vector<SchemeSamples> schemes(const std::vector<std::string>& names, const std::vector<double>& places) {
  std::vector<SchemeSamples> out;
  for (const std::string& name : names) out.emplace_back(name, places);
  return out;
}

std::vector<SchemeResult> results(const std::vector<SchemeSamples>& samples) {
  std::vector<SchemeResult> out;
  for (const SchemeSamples& s : samples)
    if (s.result().mean_rate.runs > 0) out.push_back(s.result());
  return out;
}

std::vector<std::uint32_t> claim_order(std::size_t flows, std::uint64_t seed, std::uint32_t run) {
  std::vector<std::uint32_t> order(flows);
  std::iota(order.begin(), order.end(), 0u);
  RandomStream random(seed, Purpose::backoff, run);
  shuffle(order, random);
  return order;
}

}  // namespace

std::vector<CompletionRow> figure_6_7(const RateOptions& options, const std::vector<std::uint32_t>& permutations) {
  Trees trees(options);
  std::vector<CompletionRow> out;
  for (const std::uint32_t count : permutations) {
    Sample fixed, adaptive;
    for (std::uint32_t run = 0; run < options.runs; ++run) {
      const std::vector<FlowPair> flows = random_permutations(trees.hosts(), count, options.seed, run);
      const Trees::Routed a = trees.fixed(flows, run), b = trees.adaptive(flows, run);
      fixed.add(completion_time(trees.problem(a), saa(trees.problem(a)).rate));
      adaptive.add(completion_time(trees.problem(b), saa(trees.problem(b)).rate));
    }
    out.push_back({count, interval_of(fixed), interval_of(adaptive)});
  }
  return out;
}

std::vector<IndependentRow> rows_6_8(std::uint32_t max_flows, const RateOptions& options,
                                     const std::vector<Baseline>& baselines) {
  Trees trees(options);
  std::vector<std::vector<SchemeSamples>> samples(
      baselines.size(), schemes({"NC", "AR", "FFA", "SAA+AR", "SAA-M+AR", "FFA+AR"}, options.places));
  for (std::uint32_t run = 0; run < options.runs; ++run) {
    const std::vector<FlowPair> flows = independent_flows(trees.hosts(), max_flows, options.seed, run);
    const Trees::Routed fixed = trees.fixed(flows, run), adaptive = trees.adaptive(flows, run);
    const std::vector<double> calculated[] = {
        ffa(trees.problem(fixed)).rate, saa(trees.problem(adaptive)).rate,
        saa_m(trees.problem(adaptive), claim_order(flows.size(), options.seed, run)).rate,
        ffa(trees.problem(adaptive)).rate};
    for (std::size_t b = 0; b < baselines.size(); ++b) {
      const Baseline& baseline = baselines[b];
      std::vector<SchemeSamples>& s = samples[b];
      std::vector<double> reference;
      if (baseline.no_control) {
        reference = baseline.no_control(trees.plain_fabric(), flows, fixed.paths, run);
        s[0].add(reference, reference);
      }
      if (baseline.adaptive_routing)
        s[1].add(baseline.adaptive_routing(trees.modified_fabric(), flows, adaptive.paths, run), reference);
      for (std::size_t i = 0; i < std::size(calculated); ++i) s[2 + i].add(calculated[i], reference);
    }
  }
  std::vector<IndependentRow> rows;
  for (const std::vector<SchemeSamples>& s : samples) rows.push_back({max_flows, results(s)});
  return rows;
}

IndependentRow figure_6_8(std::uint32_t max_flows, const RateOptions& options, const Baseline& baseline) {
  return rows_6_8(max_flows, options, {baseline}).front();
}

std::vector<ApplicationsRow> rows_6_10(std::uint32_t frag_coeff, const RateOptions& options,
                                       const std::vector<Baseline>& baselines, std::uint32_t apps) {
  Trees trees(options);
  std::vector<std::vector<SchemeSamples>> samples(
      baselines.size(), schemes({"NC", "AFA", "SAA+AR", "FFA+AR", "AFA+AR", "AR"}, options.places));
  Sample iterations, iterations_ar;
  for (std::uint32_t run = 0; run < options.runs; ++run) {
    const ApplicationTraffic traffic = application_traffic(trees.hosts(), apps, frag_coeff, options.seed, run);
    const Trees::Routed fixed = trees.fixed(traffic.flows, run), adaptive = trees.adaptive(traffic.flows, run);
    RateProblem plain_problem = trees.problem(fixed), modified_problem = trees.problem(adaptive);
    plain_problem.application = modified_problem.application = traffic.application;
    const RateSolution a = afa(plain_problem), b = afa(modified_problem);
    iterations.add(a.levels);
    iterations_ar.add(b.levels);
    const std::vector<double> calculated[] = {a.app_rate,
                                              application_rates(modified_problem, saa(modified_problem).rate),
                                              application_rates(modified_problem, ffa(modified_problem).rate),
                                              b.app_rate};
    for (std::size_t k = 0; k < baselines.size(); ++k) {
      const Baseline& baseline = baselines[k];
      std::vector<SchemeSamples>& s = samples[k];
      std::vector<double> reference;
      if (baseline.no_control) {
        reference = application_rates(
            plain_problem, baseline.no_control(trees.plain_fabric(), traffic.flows, fixed.paths, run));
        s[0].add(reference, reference);
      }
      for (std::size_t i = 0; i < std::size(calculated); ++i) s[1 + i].add(calculated[i], reference);
      if (baseline.adaptive_routing)
        s[5].add(application_rates(modified_problem, baseline.adaptive_routing(trees.modified_fabric(), traffic.flows,
                                                                               adaptive.paths, run)),
                 reference);
    }
  }
  std::vector<ApplicationsRow> rows;
  for (const std::vector<SchemeSamples>& s : samples)
    rows.push_back({frag_coeff, results(s), interval_of(iterations), interval_of(iterations_ar)});
  return rows;
}

ApplicationsRow figure_6_10(std::uint32_t frag_coeff, const RateOptions& options, const Baseline& baseline,
                            std::uint32_t apps) {
  return rows_6_10(frag_coeff, options, {baseline}, apps).front();
}

double dafa_microseconds(double iterations) {
  constexpr double kMostHops = 4, kDistribution = 0.2,
                   kCollection = 0.4;  // from a root of a 16-ary 3-tree; microseconds
  return 2 * iterations * kMostHops * (kDistribution + kCollection);
}

}  // namespace weir::zdornov
