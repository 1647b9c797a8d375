// scenarios/every-scheme.toml shows all schemes on one fabric: each must do something there, by its own counters, and
// none may be the same as doing nothing. Shortened, so that it takes seconds.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "run/simulate.h"
#include "scale.h"
#include "scenario/parse.h"
#include "schemes/registry.h"
#include "source_dir.h"

namespace weir {
namespace {

// What a scheme counts when it acts.
const std::map<std::string, std::string> kCounters = {
    {"window", "largest window in use"}, {"mvcm", "windows made smaller"},   {"iocm", "windows made smaller"},
    {"renato", "delays made longer"},    {"pfister", "delays made longer"},  {"marking", "windows made smaller"},
    {"dcqcn", "CNPs received"},           {"hpcc", "rate cuts"},             {"timely", "rate cuts"},
    {"qcn", "rate cuts"},                {"ecm", "negative notifications"},  {"cca", "BECN received"},
    {"dcms", "sweeps"},                  {"saa", "rates set"},               {"saa-m", "rates set"},
    {"ffa", "rates set"},                {"afa", "rates set"}};

TEST(EveryScheme, ActsInOneHotSpot) {
  WEIR_LEAVE_OUT_OF_SLOW_BUILDS();
  const Scenario base = parse_scenario_file(source_dir() + "/scenarios/every-scheme.toml", vocabulary(),
                                            {{"traffic.hot.packets", "600"},
                                             {"traffic.hot.start", "50us"},
                                             {"run.settle", "0s"},
                                             {"run.max_time", "900us"}});
  const std::vector<Variant> variants = compare_variants(base, vocabulary());
  std::set<std::string> seen;
  std::optional<std::pair<std::uint64_t, double>> nothing;
  for (const Variant& variant : variants) {
    const std::string name = variant.scenario.section("scheme").kind;
    // The manager of dcms sees a victim only when it has swept the counters a few times.
    const Outcome outcome = simulate(
        name != "dcms" ? variant.scenario
                       : with_overrides(variant.scenario, {{"traffic.hot.packets", "2500"}, {"run.max_time", "2ms"}},
                                        vocabulary()));
    const Measurements& m = outcome.measurements;
    EXPECT_TRUE(seen.insert(name).second) << name << " twice";
    EXPECT_EQ(m.scheme_idle, "") << name;
    const std::pair<std::uint64_t, double> result{m.totals.events, m.classes[0].latency.mean()};
    if (name == "none") {
      nothing = result;
      continue;
    }
    ASSERT_TRUE(kCounters.contains(name)) << name;
    EXPECT_GT(m.scheme_number(kCounters.at(name)).value_or(0), 0) << name;
    ASSERT_TRUE(nothing.has_value()) << "none comes first";
    EXPECT_NE(result, *nothing) << name;
  }
  EXPECT_EQ(seen.size(), schemes().size());
}

// scenarios/roce-incast.toml: leaves other than that of the target are stopped by PFC, and every scheme of the
// comparison acts against it.
TEST(EveryScheme, ActsInTheRoceIncast) {
  const Scenario base =
      parse_scenario_file(source_dir() + "/scenarios/roce-incast.toml", vocabulary(), {});
  Time paused_without_scheme;
  for (const Variant& variant : compare_variants(base, vocabulary())) {
    const std::string name = variant.scenario.section("scheme").kind;
    const Outcome outcome = simulate(variant.scenario);
    const Measurements& m = outcome.measurements;
    const Topology& t = outcome.network->topology;
    EXPECT_EQ(m.ending, Ending::finished) << name;
    EXPECT_EQ(m.scheme_idle, "") << name;
    Time paused;  // links of other leaves, up
    for (PortId p{0}; p.index < t.ports(); ++p.index)
      if (t.port_name(p).starts_with("L") && !t.port_name(p).starts_with("L0")) paused += m.pauses[p.index].paused;
    if (name == "none") {
      EXPECT_GT(paused.ps, 0);
      paused_without_scheme = paused;
      continue;
    }
    EXPECT_GT(m.scheme_number(kCounters.at(name)).value_or(0), 0) << name;
    EXPECT_LT(paused, paused_without_scheme) << name;
  }
}

}  // namespace
}  // namespace weir
