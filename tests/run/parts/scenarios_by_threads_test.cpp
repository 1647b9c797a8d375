// Every file of scenarios/ gives the bits of one thread by several threads and by several ranks: in the long form of
// the tests as long as users run it, made short, and with all variants that it compares; else a few, made short.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include "run/fingerprint.h"
#include "run/parts/memory_ranks.h"
#include "run/short_scenarios.h"
#include "run/simulate.h"
#include "scale.h"

namespace weir {
namespace {

bool long_form() { return scaled_count(0, 0, 1) == 1; }

// What can be divided of it: the file made short, only some of the runs of the long form (others have a central solver
// or manager, or end by chance when made short), or nothing (lanes interrupt each other).
enum class Divides { itself, variants, nothing };
struct Case {
  const char* file;
  Divides divides;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.file; }

std::map<std::string, Scenario> runs_of(const testing::ScenarioFile& file) {
  const Scenario brief = parse_scenario_file(file.path, vocabulary(), file.shorter);
  std::map<std::string, Scenario> runs{{file.name + ", short", brief}};
  if (!long_form()) return runs;
  runs.emplace(file.name, parse_scenario_file(file.path, vocabulary()));
  for (const Variant& variant : compare_variants(brief, vocabulary()))
    runs.emplace(fmt::format("{}, short, {}", file.name, variant.label), variant.scenario);
  return runs;
}

class FileOfScenarios : public ::testing::TestWithParam<Case> {};

TEST_P(FileOfScenarios, SameBitsByThreadsAndRanks) {
  const std::vector<testing::ScenarioFile> files = testing::scenario_files();
  const auto file = std::find_if(files.begin(), files.end(), [](const auto& f) { return f.name == GetParam().file; });
  ASSERT_NE(file, files.end());
  std::size_t several = 0, shared = 0;
  std::string whole;
  for (const auto& [name, scenario] : runs_of(*file)) {
    SCOPED_TRACE(name);
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
  const Divides divides = GetParam().divides;
  if (divides == Divides::itself || (divides == Divides::variants && long_form())) {
    EXPECT_GT(several, 0u) << whole;
    EXPECT_GT(shared, 0u) << whole;
  } else if (divides == Divides::nothing) {
    EXPECT_EQ(several + shared, 0u) << "say so in the list";
  }
  if (long_form()) std::cout << fmt::format("{} by several threads, {} by ranks; whole:\n{}", several, shared, whole);
}

constexpr Case kCases[] = {
    {"distributed-rates", Divides::nothing}, {"dragonfly", Divides::itself},   {"every-scheme", Divides::itself},
    {"hotspot", Divides::variants},           {"incast", Divides::itself},      {"load", Divides::itself},
    {"ring", Divides::itself},              {"roce-incast", Divides::variants}, {"torus", Divides::itself},
    {"training", Divides::itself},          {"two-applications", Divides::variants},
    {"two-lanes", Divides::nothing},         {"websearch", Divides::itself},
};
INSTANTIATE_TEST_SUITE_P(Scenarios, FileOfScenarios, ::testing::ValuesIn(kCases), [](const auto& test) {
  std::string name = test.param.file;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(FilesOfScenarios, AreAllInTheList) {
  std::set<std::string> listed;
  for (const Case& c : kCases) listed.insert(c.file);
  for (const testing::ScenarioFile& file : testing::scenario_files())
    EXPECT_TRUE(listed.contains(file.name)) << file.name;
}

}  // namespace
}  // namespace weir
