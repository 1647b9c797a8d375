// What the figures of contention are made of: links between the levels of a tree, flows on them, and means of samples.
#include "measure/sample.h"
#include "flow/contention.h"

#include <gtest/gtest.h>

#include <cmath>

#include "network/routings/routings.h"
#include "network/topologies/topologies.h"

namespace weir {
namespace {

// All hosts of one leaf send to one host under another leaf: every flow meets the other one on the way down, and the
// way up is shared as well, since static routes go up by the digit of the destination.
TEST(Contention, CountsFlowsOfLinksAndOfFlows) {
  const LinkProperties link{Rate{10'000'000'000}, Time{15'000}, 16'384};
  const Topology topology = k_ary_n_tree({2, 2, 0}, link, link);
  const RouteTable routes = digit_routes(topology);
  FlowRouter router(topology, routes, FlowRoutingPolicy::fixed());
  RowList paths;
  for (const std::uint32_t source : {0u, 1u, 2u}) {
    router.set_up({source}, {2}, 1.0, paths.items);  // the last one crosses no link
    paths.close_row();
  }
  const FlowContention contention = flow_contention(router, paths);
  EXPECT_EQ(contention.worst, 2u);
  EXPECT_DOUBLE_EQ(contention.mean, 2.0);
  const std::vector<LevelLinks> sets = links_between_levels(topology);
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_TRUE(sets[0].upwards);
  for (const LevelLinks& set : sets) {
    std::vector<std::uint64_t> links_with;
    count_contention(router, set, links_with);
    EXPECT_EQ(links_with, (std::vector<std::uint64_t>{3, 0, 1}));  // of four links, one carries both flows
  }
}

TEST(Sample, MeanAndInterval) {
  Sample s;
  for (const double x : {1.0, 2.0, 3.0, 4.0}) s.add(x);
  EXPECT_DOUBLE_EQ(s.mean(), 2.5);
  EXPECT_NEAR(s.half_width(), 1.959963984540054 * std::sqrt(5.0 / 3 / 4), 1e-15);
  EXPECT_EQ(s.min(), 1.0);
  EXPECT_EQ(s.max(), 4.0);
}

}  // namespace
}  // namespace weir
