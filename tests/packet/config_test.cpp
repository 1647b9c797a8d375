// The sections of a run as plain values, and what is refused with its line. Runs themselves are tests of schemes/.
#include "packet/config/config.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "network/network.h"
#include "scenario/parse.h"

namespace weir {
namespace {

Vocabulary packet_vocabulary() {
  return {{
      {.name = "topology", .summary = "", .selector = "kind", .required = true, .kinds = topology_kinds()},
      {.name = "link", .summary = "", .common = link_params()},
      {.name = "packet", .summary = "", .common = packet_params()},
      {.name = "switch", .summary = "", .common = switch_params()},
      {.name = "adapter", .summary = "", .common = adapter_params()},
      {.name = "routing", .summary = "", .selector = "kind", .default_kind = "auto", .common = route_choice_params(),
       .kinds = routing_kinds()},
      {.name = "traffic", .summary = "", .selector = "pattern", .repeated = true, .required = true,
       .common = traffic_common_params(), .kinds = traffic_kinds()},
      {.name = "measure", .summary = "", .common = measure_params()},
      {.name = "run", .summary = "", .common = run_params()},
  }};
}

// [run] begins on line 6.
PacketConfig config_of(const std::string& run_and_measure) {
  const Vocabulary vocabulary = packet_vocabulary();
  const Scenario scenario = parse_scenario_text(
      "[topology]\nkind = \"star\"\n[[traffic]]\npattern = \"shift\"\nbytes = \"1MB\"\n[run]\n" + run_and_measure,
      "s.toml", vocabulary);
  const Topology topology = build_topology(scenario);
  return packet_config(scenario, topology, build_workload(scenario, topology));
}

std::string config_error(const std::string& run_and_measure) {
  return error_of([&] { config_of(run_and_measure); });
}

TEST(PacketConfig, BinsOfAGivenWidthAreLimited) {
  EXPECT_EQ(config_error("duration = \"400us\"\n[measure]\nbin = \"100ps\"\n"),
            "s.toml:9: bin = 100ps makes 4000000 bins in a run of 400us, and 1000000 are possible: give 400ps or more, "
            "or leave `bin` out");
  EXPECT_EQ(config_error("duration = \"400us\"\n[measure]\nbin = \"399ps\"\n").find("s.toml:9: bin = 399ps"), 0u);
  EXPECT_EQ(config_of("duration = \"400us\"\n[measure]\nbin = \"400ps\"\n").measure.bin, Time{400});
}

TEST(PacketConfig, MaxBinsBelongsToTheWidthThatGrows) {
  EXPECT_EQ(config_of("duration = \"1ms\"\n[measure]\nmax_bins = 100\n").measure.max_bins, 100u);
  EXPECT_EQ(config_error("duration = \"1ms\"\n[measure]\nbin = \"1us\"\nmax_bins = 100\n"),
            "s.toml:10: max_bins has no effect with a given `bin`; leave one of them out");
  EXPECT_EQ(config_of("duration = \"1ms\"\n[measure]\nbin = \"1us\"\nmax_bins = 2000\n").measure.bin, Time{1'000'000})
      << "a default that is written out";
}

TEST(PacketConfig, AClassIsForRunsThatEndWithIt) {
  EXPECT_EQ(config_error("until = \"flows\"\nclass = \"all\"\n"),
            "s.toml:8: class has no effect without until = \"class\"; write that, or leave `class` out");
  EXPECT_EQ(config_error("duration = \"1ms\"\nclass = \"all\"\n").find("s.toml:8: class has no effect"), 0u);
  EXPECT_EQ(config_of("until = \"class\"\nclass = \"all\"\n").run.until_class, "all");
}

}  // namespace
}  // namespace weir
