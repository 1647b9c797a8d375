// One scenario and seed, one result, bit for bit: again, on several threads at once, and with any width of the
// clock's bins. And the canonical text of a scenario is the same scenario.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "run/fingerprint.h"
#include "run/lab.h"
#include "run/random_scenario.h"
#include "source_dir.h"

namespace weir {
namespace {

using testing::Fingerprint;

std::string result(const std::string& text) { return Fingerprint::of(testing::run_text(text).measurements); }

std::string result_with_bins(const Scenario& scenario, Time width) {
  const RunSetup built = set_up(scenario);
  RunInput run{built.network->topology, built.network->routes, *built.workload,
                packet_config(scenario, built.network->topology, *built.workload), scenario.seed};
  run.bin_width = width;
  const Section& scheme = scenario.section("scheme");
  return Fingerprint::of(scheme_named(scheme.kind).configure(scheme, run).run(run));
}

constexpr std::uint64_t kFirst = 100'000;  // other scenarios than those of the property test

TEST(Determinism, RepeatedRunsAreEqual) {
  for (std::uint64_t i = 0; i < scaled_count(10, 60, 300); ++i) {
    const std::string text = testing::RandomScenario(kFirst + i).text();
    ASSERT_EQ(result(text), result(text)) << text;
  }
}

TEST(Determinism, TheSeedMatters) {
  const auto with_seed = [](int seed) {
    testing::Star star;
    star.run = "duration = '100us'\n";
    star.traffic = "[[traffic]]\npattern = 'uniform'\nload = 0.5\n";
    return result(fmt::format("seed = {}\n", seed) + star.text());
  };
  EXPECT_EQ(with_seed(1), with_seed(1));
  EXPECT_NE(with_seed(1), with_seed(2));
}

TEST(Determinism, ThreadsDoNotDisturbEachOther) {
  std::vector<std::string> texts, alone;
  for (std::uint64_t i = 0; i < 24; ++i) {
    texts.push_back(testing::RandomScenario(kFirst + 1000 + i).text());
    alone.push_back(result(texts.back()));
  }
  std::vector<std::string> first(texts.size()), second(texts.size());
  const auto work = [&](std::vector<std::string>& results, bool backwards) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::size_t at = backwards ? texts.size() - 1 - i : i;
      results[at] = result(texts[at]);
    }
  };
  std::thread other(work, std::ref(second), true);
  work(first, false);
  other.join();
  EXPECT_EQ(first, alone);
  EXPECT_EQ(second, alone);
}

TEST(Determinism, TheWidthOfBucketsChangesNothing) {
  for (std::uint64_t i = 0; i < scaled_count(5, 30, 200); ++i) {
    const Scenario scenario = testing::scenario_of(testing::RandomScenario(kFirst + 2000 + i).text());
    const std::string expected = result_with_bins(scenario, {});
    for (const std::int64_t spacing : {1, 40, 3000, 1'000'000})
      ASSERT_EQ(result_with_bins(scenario, {spacing}), expected) << "scenario " << i << ", spacing " << spacing;
  }
}

void check_canonical(const Scenario& scenario) {
  const std::string text = scenario.canonical();
  const Scenario again = parse_scenario_text(text, scenario.file, vocabulary());
  EXPECT_EQ(again.canonical(), text);
  EXPECT_EQ(again.hash(), scenario.hash());
  ASSERT_NO_THROW(set_up(again)) << text;
}

TEST(Canonical, IsTheSameScenarioAndRunsAlike) {
  for (std::uint64_t i = 0; i < scaled_count(10, 60, 300); ++i) {
    const std::string text = testing::RandomScenario(kFirst + 3000 + i).text();
    const Scenario scenario = testing::scenario_of(text);
    SCOPED_TRACE(text);
    check_canonical(scenario);
    ASSERT_EQ(result(scenario.canonical()), result(text));
  }
}

TEST(Canonical, OfEveryExampleRuns) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/scenarios")) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    SCOPED_TRACE(entry.path().string());
    check_canonical(parse_scenario_file(entry.path().string(), vocabulary()));
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace weir
