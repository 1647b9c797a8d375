// The flow-level experiments of paper 000, chapters 4 and 6: contention under static and adaptive routing, and
// calculated rates. Every function computes numbers and judges nothing; what the paper prints and the verdict stand
// elsewhere. All flows have equal weight and all links capacity 1, so rates are shares of a link. One seed, one result;
// run r draws from streams of its own.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "flow/flow_router.h"
#include "network/route_table.h"
#include "network/topologies/topologies.h"
#include "reproduce/zdornov/contention.h"

namespace weir::zdornov {

// Mean over runs with its 95 % confidence interval.
struct Interval {
  double mean = 0, half_width = 0, min = 0, max = 0;
  std::size_t runs = 0;
};
Interval interval_of(const Sample& sample);

// A fabric with its routes.
struct Wired {
  explicit Wired(TreeShape shape);
  Wired(Topology t, RouteTable r) : topology(std::move(t)), routes(std::move(r)) {}
  Topology topology;
  RouteTable routes;
};

struct FlowPair {
  HostId source, destination;
};

// The traffic of the experiments. A host that draws itself in a permutation sends nothing in it.
std::vector<FlowPair> random_permutations(std::size_t hosts, std::uint32_t count, std::uint64_t seed,
                                          std::uint64_t run);
// Every host opens 1 to max_flows flows (uniform), each to another host.
std::vector<FlowPair> independent_flows(std::size_t hosts, std::uint32_t max_flows, std::uint64_t seed,
                                        std::uint64_t run);
// 32 applications on equal shares of the hosts, in groups of neighbours of (share / frag_coeff) hosts that are dealt
// out at random; within each, 1 to 5 superposed permutations (uniform).
struct ApplicationTraffic {
  std::vector<FlowPair> flows;
  std::vector<std::uint32_t> application;
};
ApplicationTraffic application_traffic(std::size_t hosts, std::uint32_t apps, std::uint32_t frag_coeff,
                                       std::uint64_t seed, std::uint64_t run);

// Paths in the order of `flows`; the routes are set up in a random order, as flows that start together would.
RowList route(FlowRouter& router, const std::vector<FlowPair>& flows, std::uint64_t seed, std::uint64_t run);

// --- Contention (figures 6.2, 6.4, 6.5, 6.6, table 6.1) ---

struct Contention {
  Interval worst;  // largest contention of any flow
  Interval mean;   // over flows
};
Contention contention(const Wired& fabric, const FlowRoutingPolicy& policy, std::uint32_t runs, std::uint64_t seed);

// Share of a set of links that n flows cross, n = 0, 1, ... Names as in the paper, where the roots are level 0: D0,1
// U1,0 ...
struct LinkSetDistribution {
  std::string name;
  std::vector<double> share;
};
struct Figure62 {
  std::vector<LinkSetDistribution> fixed, adaptive;
  Contention fixed_flows, adaptive_flows;
};
Figure62 figure_6_2(std::uint32_t runs, std::uint64_t seed = 1, TreeShape tree = {16, 3, 0});

// Static routing in the plain tree against ForcedDir in the modified one.
struct TreeComparison {
  TreeShape tree;  // the modified one
  Contention fixed, adaptive;
  double worst_change() const { return adaptive.worst.mean / fixed.worst.mean - 1; }
  double mean_change() const { return adaptive.mean.mean / fixed.mean.mean - 1; }
};
TreeComparison compare_tree(TreeShape modified, std::uint32_t most_hops, std::uint32_t runs, std::uint64_t seed);
std::vector<TreeComparison> figure_6_4(std::uint32_t runs, std::uint64_t seed = 1,
                                       const std::vector<std::uint32_t>& widths = {1, 2, 3, 4}, std::uint32_t k = 16);
std::vector<TreeComparison> figure_6_5_radix(std::uint32_t runs, std::uint64_t seed = 1,
                                             const std::vector<std::uint32_t>& radix = {4, 8, 12, 16});
std::vector<TreeComparison> figure_6_5_height(std::uint32_t runs, std::uint64_t seed = 1, std::uint32_t k = 12,
                                              const std::vector<std::uint32_t>& height = {2, 3, 4});

struct HopsPoint {
  std::uint32_t hops;  // HorizontalPolicy::kUnlimited = no limit
  Contention forced, free;
};
std::vector<HopsPoint> figure_6_6(std::uint32_t runs, std::uint64_t seed = 1,
                                  const std::vector<std::uint32_t>& hops = {0, 1, 2, 4, 8, 16,
                                                                            HorizontalPolicy::kUnlimited},
                                  TreeShape tree = {16, 3, 2});

struct OverheadCell {
  std::uint32_t height, radix;
  double overhead;
};
std::vector<OverheadCell> table_6_1();

// --- Calculated rates (figures 6.7, 6.8, 6.10) ---

// Rates without rate control are measured by the packet engine: per flow, in shares of a link, in the order of `flows`.
// `paths` are the routes to use on `fabric`.
using MeasuredRates = std::function<std::vector<double>(const Wired& fabric, const std::vector<FlowPair>& flows,
                                                        const RowList& paths, std::uint32_t run)>;
struct Baseline {
  MeasuredRates no_control;        // static routes in the plain tree; empty = ratios are left out
  MeasuredRates adaptive_routing;  // adaptive routes in the modified tree; may be empty
};

struct RateOptions {
  TreeShape tree = {16, 3, 2};  // the modified one
  std::uint32_t most_hops = 8;  // ForcedDir
  std::uint32_t runs = 50;
  std::uint64_t seed = 1;
  std::vector<double> places = {0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1};  // of sorted rates
};

struct SchemeResult {
  std::string name;                    // "FFA", "SAA+AR", ...
  Interval mean_rate;                  // mean over flows (applications), over runs
  Interval ratio;                      // of mean rates to no control; runs = 0 without a baseline
  std::vector<Interval> sorted_rate;   // at the places
  std::vector<Interval> sorted_ratio;  // to no control's sorted rates at the same places
};

// Completion time of one phase of `permutations` superposed permutations, in units of a flow alone.
struct CompletionRow {
  std::uint32_t permutations;
  Interval saa, saa_ar;
};
std::vector<CompletionRow> figure_6_7(const RateOptions& options,
                                      const std::vector<std::uint32_t>& permutations = {1, 2, 3, 4, 5});

struct IndependentRow {
  std::uint32_t max_flows;
  std::vector<SchemeResult> schemes;  // NC and AR where given, FFA, SAA+AR, SAA-M+AR, FFA+AR
};
// A row for each baseline; the routes and rates of a run are calculated once for all of them.
std::vector<IndependentRow> rows_6_8(std::uint32_t max_flows, const RateOptions& options,
                                     const std::vector<Baseline>& baselines);
IndependentRow figure_6_8(std::uint32_t max_flows, const RateOptions& options, const Baseline& baseline = {});

struct ApplicationsRow {
  std::uint32_t frag_coeff;
  std::vector<SchemeResult> schemes;   // NC where given, AFA, SAA+AR, FFA+AR, AFA+AR, AR where given; of applications
  Interval iterations, iterations_ar;  // of AFA and AFA+AR
};
std::vector<ApplicationsRow> rows_6_10(std::uint32_t frag_coeff, const RateOptions& options,
                                       const std::vector<Baseline>& baselines, std::uint32_t apps = 32);
ApplicationsRow figure_6_10(std::uint32_t frag_coeff, const RateOptions& options, const Baseline& baseline = {},
                            std::uint32_t apps = 32);
// Calculation time of DAFA for a number of AFA iterations: 2 I h_max (Td + Tc), in microseconds.
double dafa_microseconds(double iterations);

// --- Small exact cases ---

struct BoundPoint {
  double heaviest;  // W
  double ratio;     // on the paper's example
  double bound;     // (W + 1)^2 / 4 W
};
std::vector<BoundPoint> proposition_4_4_1(const std::vector<double>& heaviest = {3, 5, 9, 33, 101, 1001});
struct ApplicationBoundPoint {
  double heaviest, ratio_to_ffa, ratio_to_saa, bound;
};
std::vector<ApplicationBoundPoint> proposition_4_4_2(const std::vector<double>& heaviest = {3, 5, 9, 33, 101, 1001});
// The largest ratio / bound found in random instances; both propositions say that it is at most 1.
struct BoundSearch {
  double flows = 0, applications_to_ffa = 0, applications_to_saa = 0;
  std::uint32_t instances = 0;
};
BoundSearch search_bounds(std::uint32_t instances, std::uint64_t seed = 1);

struct Figure22 {
  double a1_afa, a2_afa, a1_ffa, a2_ffa;  // rates of the applications
};
Figure22 figure_2_2();

}  // namespace weir::zdornov
