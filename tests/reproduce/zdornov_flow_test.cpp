// The flow-level experiments of paper 000 on small runs: that the kernels compute what they claim, that a seed gives
// one result, and that the findings the paper reports in words hold in small samples too.
#include "reproduce/zdornov/flow.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"

namespace weir::zdornov {
namespace {

TEST(ZdornovFlow, TrafficIsWhatTheExperimentsAskFor) {
  const std::vector<FlowPair> flows = random_permutations(64, 3, 1, 0);
  std::vector<int> in(64, 0), out(64, 0);
  for (const FlowPair& f : flows) {
    EXPECT_NE(f.source, f.destination);
    ++out[f.source.index];
    ++in[f.destination.index];
  }
  EXPECT_EQ(in, out);  // a fixed point takes one of each
  EXPECT_GE(flows.size(), 180u);

  std::vector<int> opened(64, 0);
  for (const FlowPair& f : independent_flows(64, 5, 1, 0)) {
    EXPECT_NE(f.source, f.destination);
    ++opened[f.source.index];
  }
  for (const int n : opened) EXPECT_TRUE(n >= 1 && n <= 5);

  const ApplicationTraffic apps = application_traffic(64, 4, 2, 1, 0);
  std::vector<std::set<std::uint32_t>> hosts(4);
  for (std::size_t f = 0; f < apps.flows.size(); ++f) {
    hosts[apps.application[f]].insert(apps.flows[f].source.index / 8);
    hosts[apps.application[f]].insert(apps.flows[f].destination.index / 8);
  }
  for (const auto& groups : hosts) EXPECT_EQ(groups.size(), 2u);  // two groups of eight neighbours each
  EXPECT_THROW(application_traffic(64, 4, 3, 1, 0), InputError);
}

TEST(ZdornovFlow, StaticRoutingContendsGoingUpAndAdaptiveAscentGoingDown) {
  const Figure62 f = figure_6_2(30, 1, {8, 3, 0});
  ASSERT_EQ(f.fixed.size(), 4u);
  EXPECT_EQ(f.fixed[0].name, "U2,1");
  EXPECT_EQ(f.fixed[3].name, "D0,1");
  for (const LinkSetDistribution& d : f.fixed) {
    double sum = 0;
    for (const double s : d.share) sum += s;
    EXPECT_NEAR(sum, 1.0, 1e-12);
    EXPECT_EQ(d.share.size() > 2, d.name[0] == 'U') << d.name;
  }
  for (const LinkSetDistribution& d : f.adaptive) EXPECT_EQ(d.share.size() > 2, d.name[0] == 'D') << d.name;
}

TEST(ZdornovFlow, HorizontalLinksHalveTheWorstContention) {
  const std::vector<TreeComparison> rows = figure_6_4(10, 1, {2, 3});
  for (const TreeComparison& r : rows) {
    EXPECT_NEAR(r.worst_change(), -0.5, 0.06);
    EXPECT_LT(r.mean_change(), -0.19);
    EXPECT_EQ(r.fixed.worst.runs, 10u);
  }
  const Contention again = contention(Wired({16, 3, 2}), FlowRoutingPolicy::forced(), 10, 1);
  EXPECT_EQ(again.worst.mean, rows[0].adaptive.worst.mean);
  EXPECT_EQ(again.mean.mean, rows[0].adaptive.mean.mean);
}

TEST(ZdornovFlow, ZeroHopsAreTheAscentAlone) {
  const std::vector<HopsPoint> points = figure_6_6(5, 1, {0, 8, HorizontalPolicy::kUnlimited}, {8, 3, 2});
  EXPECT_EQ(points[0].forced.worst.mean, points[0].free.worst.mean);
  EXPECT_LT(points[1].forced.worst.mean, points[0].forced.worst.mean);
}

TEST(ZdornovFlow, PortOverheadTable) {
  const double printed[] = {.33, .17, .11, .08, .40, .20, .13, .10, .43, .21, .14, .11};
  const std::vector<OverheadCell> cells = table_6_1();
  ASSERT_EQ(cells.size(), 12u);
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_NEAR(cells[i].overhead, printed[i], 0.005);
}

TEST(ZdornovFlow, SchemesAreCalculatedOnTheSameFlowsAsTheBaseline) {
  RateOptions options;
  options.tree = {8, 3, 2};
  options.runs = 3;
  std::uint32_t calls = 0;
  Baseline baseline;
  baseline.no_control = [&](const Wired& fabric, const std::vector<FlowPair>& flows, const RowList& paths,
                            std::uint32_t) {
    ++calls;
    EXPECT_EQ(fabric.topology.horizontal_width(), 0u);
    EXPECT_EQ(paths.rows(), flows.size());
    for (std::size_t f = 0; f < flows.size(); ++f)
      EXPECT_EQ(paths[f].front(), fabric.topology.host_port(flows[f].source).index);
    return std::vector<double>(flows.size(), 0.1);
  };
  const IndependentRow row = figure_6_8(3, options, baseline);
  EXPECT_EQ(calls, 3u);
  ASSERT_EQ(row.schemes.size(), 5u);
  EXPECT_EQ(row.schemes[0].name, "NC");
  EXPECT_DOUBLE_EQ(row.schemes[0].ratio.mean, 1.0);
  const SchemeResult &saa = row.schemes[2], &saa_m = row.schemes[3], &ffa = row.schemes[4];
  EXPECT_EQ(ffa.name, "FFA+AR");
  EXPECT_NEAR(ffa.ratio.mean, ffa.mean_rate.mean / 0.1, 1e-12);
  EXPECT_LT(saa.mean_rate.mean, ffa.mean_rate.mean);
  EXPECT_NEAR(saa_m.mean_rate.mean / ffa.mean_rate.mean, 1.0, 0.02);
  EXPECT_EQ(ffa.sorted_ratio.size(), options.places.size());
}

TEST(ZdornovFlow, ApplicationFairRatesAreAtLeastTheSlowestFlows) {
  RateOptions options;
  options.tree = {8, 3, 2};
  options.runs = 3;
  const ApplicationsRow row = figure_6_10(2, options, {}, 8);
  ASSERT_EQ(row.schemes.size(), 4u);
  EXPECT_EQ(row.schemes[3].name, "AFA+AR");
  EXPECT_GE(row.schemes[3].mean_rate.mean, row.schemes[2].mean_rate.mean);
  EXPECT_GE(row.iterations.min, 1);
  EXPECT_LE(row.iterations.max, 8);
  EXPECT_EQ(row.schemes[0].ratio.runs, 0u);
  EXPECT_DOUBLE_EQ(dafa_microseconds(8), 38.4);
}

TEST(ZdornovFlow, OnePhaseEndsEarlierWithAdaptiveRouting) {
  RateOptions options;
  options.runs = 2;
  for (const CompletionRow& r : figure_6_7(options, {1, 3})) EXPECT_LT(r.saa_ar.mean, 0.7 * r.saa.mean);
}

TEST(ZdornovFlow, BoundsAreReachedAndNeverExceeded) {
  for (const BoundPoint& p : proposition_4_4_1()) EXPECT_NEAR(p.ratio / p.bound, 1.0, 1e-12);
  for (const ApplicationBoundPoint& p : proposition_4_4_2()) {
    EXPECT_NEAR(p.ratio_to_ffa / p.bound, 1.0, 1e-12);
    EXPECT_NEAR(p.ratio_to_saa / p.bound, 1.0, 1e-12);
  }
  const BoundSearch s = search_bounds(2000);
  EXPECT_LE(s.flows, 1 + 1e-12);
  EXPECT_LE(s.applications_to_ffa, 1 + 1e-12);
  EXPECT_LE(s.applications_to_saa, 1 + 1e-12);
  EXPECT_GT(s.flows, 0.5);
  const Figure22 f = figure_2_2();
  EXPECT_DOUBLE_EQ(f.a1_afa, 1.0 / 3);
  EXPECT_DOUBLE_EQ(f.a2_afa, 2.0 / 3);
  EXPECT_DOUBLE_EQ(f.a2_ffa, 0.5);
}

}  // namespace
}  // namespace weir::zdornov
