// The flow-level experiments of Zdornov & Birk 2009 on small runs: that they compute what they claim, that a seed gives
// one result, and that the findings the paper reports in words hold in small samples too.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "computed.h"
#include "reproduce/zdornov/traffic.h"

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
  const RowTable links = computed("link-contention",
                                  "runs = 30\ncases = [{ k = 8, n = 3, width = 0, policy = \"fixed\" },\n"
                                  "         { k = 8, n = 3, width = 0, policy = \"ascent\" }]");
  std::map<std::pair<std::string, std::string>, double> sum;
  for (std::size_t i = 0; i < links.rows.size(); ++i) {
    const std::string policy = text_in(links.rows[i][0]), set = text_in(links.rows[i][1]);
    sum[{policy, set}] += number_at(links, i, "share");
    const bool contended = number_at(links, i, "flows") > 1 && number_at(links, i, "share") > 0;
    EXPECT_TRUE(!contended || set[0] == (policy == "fixed" ? 'U' : 'D')) << policy << set;
  }
  EXPECT_EQ(sum.size(), 8u);
  for (const auto& [set, share] : sum) EXPECT_NEAR(share, 1.0, 1e-12) << set.first << set.second;
  EXPECT_TRUE(sum.contains({"fixed", "U2,1"}));
  EXPECT_TRUE(sum.contains({"fixed", "D0,1"}));
}

double mean_worst(const RowTable& table, std::size_t from, std::size_t count) {
  double sum = 0;
  for (std::size_t i = from; i < from + count; ++i) sum += number_at(table, i, "worst");
  return sum / static_cast<double>(count);
}

TEST(ZdornovFlow, HorizontalLinksHalveTheWorstContention) {
  const std::string cases = "runs = 10\ncases = [{ k = 16, n = 3, width = 0, policy = \"fixed\" },\n"
                            "         { k = 16, n = 3, width = 2, policy = \"forced\" }]";
  const RowTable table = computed("contention", cases);
  ASSERT_EQ(table.rows.size(), 20u);
  EXPECT_NEAR(mean_worst(table, 10, 10) / mean_worst(table, 0, 10), 0.5, 0.06);
  EXPECT_EQ(computed("contention", cases).rows, table.rows);
}

TEST(ZdornovFlow, ZeroHopsAreTheAscentAlone) {
  const RowTable table = computed("contention",
                                  "runs = 5\ncases = [{ k = 8, n = 3, width = 2, policy = \"forced\", hops = 0 },\n"
                                  "         { k = 8, n = 3, width = 2, policy = \"free\", hops = 0 },\n"
                                  "         { k = 8, n = 3, width = 2, policy = \"forced\", hops = 8 }]");
  EXPECT_EQ(mean_worst(table, 0, 5), mean_worst(table, 5, 5));
  EXPECT_LT(mean_worst(table, 10, 5), mean_worst(table, 0, 5));
}

TEST(ZdornovFlow, ACaseIsReadWithCare) {
  EXPECT_THROW(computed("contention", "runs = 1\ncases = [{ k = 4, n = 2, width = 0, policy = \"best\" }]"),
               InputError);
  EXPECT_THROW(computed("contention", "runs = 1\ncases = [{ k = 4, n = 2, widht = 0, policy = \"fixed\" }]"),
               InputError);
  EXPECT_THROW(computed("contention", "runs = 1"), InputError);
}

TEST(ZdornovFlow, PortOverheadTable) {
  const double printed[] = {.33, .17, .11, .08, .40, .20, .13, .10, .43, .21, .14, .11};
  const RowTable table = computed("port-overhead", "heights = [2, 3, 4]\nradixes = [4, 8, 12, 16]");
  ASSERT_EQ(table.rows.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(number_at(table, i, "overhead"), printed[i], 0.005);
}

TEST(ZdornovFlow, BoundsAreReachedAndNeverExceeded) {
  const RowTable bounds = computed("bounds", "heaviest = [3, 9, 1001]");
  for (std::size_t i = 0; i < bounds.rows.size(); ++i)
    for (const char* ratio : {"flow", "app_to_ffa", "app_to_saa"})
      EXPECT_NEAR(number_at(bounds, i, ratio) / number_at(bounds, i, "bound"), 1.0, 1e-12);
  const RowTable search = computed("bound-search", "instances = 2000");
  for (const char* ratio : {"flow", "app_to_ffa", "app_to_saa"}) EXPECT_LE(number_at(search, 0, ratio), 1 + 1e-12);
  EXPECT_GT(number_at(search, 0, "flow"), 0.5);
}

}  // namespace
}  // namespace weir::zdornov
