// Every file of scenarios/ gives the bits of one thread by several threads and by several ranks: in the long form of
// the tests as long as users run it, made short, and with all variants that it compares; else a few, made short.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string_view>

#include "run/fingerprint.h"
#include "run/parts/memory_ranks.h"
#include "run/short_scenarios.h"
#include "run/simulate.h"
#include "scale.h"

namespace weir {
namespace {

bool long_form() { return scaled_count(0, 0, 1) == 1; }

// Less than a second by all numbers of threads and ranks together.
constexpr std::string_view kQuick[] = {"distributed-rates", "dragonfly", "every-scheme", "hotspot", "load",
                                       "roce-incast"};

std::map<std::string, Scenario> runs_of(const testing::ScenarioFile& file) {
  if (!long_form() && std::find(std::begin(kQuick), std::end(kQuick), file.name) == std::end(kQuick)) return {};
  const Scenario brief = parse_scenario_file(file.path, vocabulary(), file.shorter);
  std::map<std::string, Scenario> runs{{file.name + ", short", brief}};
  if (!long_form()) return runs;
  runs.emplace(file.name, parse_scenario_file(file.path, vocabulary()));
  for (const Variant& variant : compare_variants(brief, vocabulary()))
    runs.emplace(fmt::format("{}, short, {}", file.name, variant.label), variant.scenario);
  return runs;
}

TEST(Threads, FilesOfScenarios) {
  std::size_t runs = 0, several = 0, shared = 0;
  std::string whole;
  for (const testing::ScenarioFile& file : testing::scenario_files())
    for (const auto& [name, scenario] : runs_of(file)) {
      SCOPED_TRACE(name);
      ++runs;
      const std::string one = testing::Fingerprint::of(simulate(scenario).measurements);
      for (const std::uint32_t threads : long_form() ? std::vector{2u, 3u, 4u, 8u} : std::vector{3u}) {
        const Measurements many = simulate(scenario, {}, nullptr, threads).measurements;
        EXPECT_EQ(one, testing::Fingerprint::of(many)) << threads << " threads";
        if (threads != 3) continue;
        several += many.totals.threads > 1;
        if (many.totals.threads > 1) continue;
        whole += fmt::format("{}: {}\n", name, many.totals.one_thread);
        const bool fluid = scenario.section("run").text("engine") == "fluid";
        EXPECT_EQ(many.totals.one_thread.empty(), fluid) << "a run of packets that is not divided says why";
      }
      for (const std::uint32_t ranks : long_form() ? std::vector{2u, 3u} : std::vector{2u}) {
        const Measurements many = testing::run_by_ranks(scenario, ranks, 2);
        EXPECT_EQ(one, testing::Fingerprint::of(many)) << ranks << " ranks";
        if (ranks == 2) shared += many.totals.ranks > 1;
      }
    }
  EXPECT_GE(runs, std::size(kQuick));
  // Of all variants more than half have a central solver or manager, interrupt lanes, or end by chance when made short.
  EXPECT_GE(several, long_form() ? runs / 3 : runs / 2) << whole;
  EXPECT_GE(shared, long_form() ? runs / 3 : runs / 2) << whole;
  if (long_form())
    std::cout << fmt::format("{} runs, {} by several threads, {} by ranks; whole:\n{}", runs, several, shared, whole);
}

}  // namespace
}  // namespace weir
