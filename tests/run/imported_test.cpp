// Runs on what comes from files: fabrics of a site under any traffic and scheme, and traces of applications that start
// when the network is busy.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "run/simulate.h"
#include "scenario/parse.h"
#include "source_dir.h"

namespace weir {
namespace {

const std::string kSource = source_dir();

Outcome run_on(const std::string& fabric, const std::string& rest) {
  const std::string text = "[topology]\nkind = 'file'\npath = '" + fabric + "'\n" + rest;
  return simulate(parse_scenario_text(text, "s.toml", vocabulary()));
}

TEST(ImportedFabric, AnyTrafficAndScheme) {
  const std::string file = kSource + "/tests/network/data/small.ibnetdiscover";
  for (const char* scheme : {"none", "window"}) {
    const Outcome flows = run_on(file, "[[traffic]]\npattern = 'all-to-all'\nbytes = '50kB'\n[scheme]\nname = '" +
                                           std::string(scheme) + "'\n");
    EXPECT_EQ(flows.measurements.ending, Ending::finished);
    ASSERT_EQ(flows.measurements.flows.size(), 30u);
    for (const FlowResult& flow : flows.measurements.flows) EXPECT_EQ(flow.delivered, flow.bytes);
    const Outcome open = run_on(file, "[[traffic]]\npattern = 'uniform'\nload = 0.3\n[run]\nduration = '50us'\n");
    EXPECT_GT(open.measurements.classes[0].received, 100u);
  }
}

TEST(ImportedFabric, WarnsOfWhatWasLeftOut) {
  const std::string file = kSource + "/tests/network/data/small.ibnetdiscover";
  const Outcome outcome = run_on(file, "[[traffic]]\npattern = 'shift'\nbytes = '2kB'\n");
  const auto says = [&](const std::string& part) {
    return std::any_of(outcome.warnings.begin(), outcome.warnings.end(),
                       [&](const std::string& warning) { return warning.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(says(file + ": loop-back cables, left out: 1"));
  EXPECT_TRUE(says("adapters without a cable to this network, left out: 1 (node6 mlx5_0)"));
}

TEST(ImportedFabric, RealCluster) {
  const std::string file = kSource + "/../shared/data/ibnetdiscover/qdr-144-hosts.topo";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no real fabric beside the source";
  for (const char* routing : {"up-down", "min-hop"}) {
    const Outcome outcome = run_on(file, "[routing]\nkind = '" + std::string(routing) +
                                             "'\n[[traffic]]\npattern = 'shift'\noffset = 24\nbytes = '20kB'\n");
    EXPECT_EQ(outcome.measurements.ending, Ending::finished);
    EXPECT_EQ(outcome.measurements.flows.size(), 145u);
    EXPECT_TRUE(outcome.warnings.empty());
  }
}

TEST(Traces, SecondApplicationWaitsForTheNetwork) {
  const Outcome o = simulate(parse_scenario_file(kSource + "/scenarios/two-applications.toml", vocabulary(),
                                                 {{"traffic.background.repeat", "2"}}));
  const Measurements& m = o.measurements;
  EXPECT_EQ(m.ending, Ending::finished);
  Time first = kNever;
  std::size_t foreground = 0;
  for (const FlowResult& flow : m.flows) {
    if (m.classes[flow.traffic_class.index].name != "foreground") continue;
    ++foreground;
    first = std::min(first, flow.start);
    EXPECT_EQ(flow.delivered, flow.bytes);
  }
  // Borders, sums up and down in four steps; results in two.
  EXPECT_EQ(foreground, 4u * (64 * 6 + 2 * 63) + 2 * 63);
  // 10,000 packets take the background about one period; computing comes before the first message.
  EXPECT_GT(first, Time{100'000'000});
  EXPECT_LT(first, Time{400'000'000});
}

}  // namespace
}  // namespace weir
