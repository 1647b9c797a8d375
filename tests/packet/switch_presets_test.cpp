// [switch] preset: which values it sets, which it leaves alone, and when one is taken without being named.
#include "packet/config/switch_presets.h"

#include <gtest/gtest.h>

#include <set>

#include "network/network.h"
#include "network/topologies/topologies.h"
#include "packet/config/config.h"
#include "scenario/parse.h"
#include "scenario/quantity.h"
#include "source_dir.h"

namespace weir {
namespace {

Vocabulary fabric_and_switches() {
  Vocabulary v;
  v.sections.push_back({.name = "topology",
                        .summary = "the fabric",
                        .selector = "kind",
                        .required = true,
                        .kinds = topology_kinds()});
  v.sections.push_back({.name = "switch", .summary = "switches", .common = switch_params(),
                        .complete = complete_from_preset});
  return v;
}

Scenario with_switch(const std::string& keys, const std::string& kind = "star") {
  const std::string file = source_dir() + "/tests/network/data/small.ibnetdiscover";
  const std::string path = kind == "file" ? "path = '" + file + "'\n" : "";
  return parse_scenario_text("[topology]\nkind = '" + kind + "'\n" + path + "[switch]\n" + keys, "s.toml",
                             fabric_and_switches());
}

Topology at(std::int64_t gbps) { return star(4, {{gbps * 1'000'000'000}, {}, 0}); }

Section filled(const std::string& keys, std::int64_t gbps = 100, const std::string& kind = "star") {
  const Scenario scenario = with_switch(keys, kind);
  return with_preset(scenario.section("switch"), switch_preset(scenario, at(gbps)));
}

TEST(SwitchPresets, FillWhatIsNotGiven) {
  const Section section = filled("preset = 'quantum'\n");
  EXPECT_EQ(section.time("route_delay") + section.time("switch_delay"), Time{130'000});
  EXPECT_EQ(section.bytes("buffer"), 65536);
  const Section own = filled("preset = 'quantum'\nswitch_delay = '5ns'\nbuffer = '8KiB'\n");
  EXPECT_EQ(own.time("switch_delay"), Time{5000});
  EXPECT_EQ(own.bytes("buffer"), 8192);
  EXPECT_FALSE(filled("preset = 'quantum'\nbuffer_packets = 4\n").has("buffer"));
}

// 1 ns is the default of both delays where no preset is named.
TEST(SwitchPresets, LeaveWhatIsWrittenEvenIfItIsADefault) {
  const Section own = filled("preset = 'spectrum-2'\nroute_delay = '1ns'\nswitch_delay = '1ns'\n");
  EXPECT_EQ(own.time("route_delay"), Time{1000});
  EXPECT_EQ(own.time("switch_delay"), Time{1000});
  EXPECT_TRUE(own.given("switch_delay"));
  const Section half = filled("preset = 'spectrum-2'\nroute_delay = '1ns'\n");
  EXPECT_EQ(half.time("route_delay"), Time{1000});
  EXPECT_EQ(half.time("switch_delay"), Time{300'000});
}

// The canonical text has the values that run, and read again it is the same scenario.
TEST(SwitchPresets, AreInTheEffectiveConfiguration) {
  for (const std::string keys : {"preset = 'spectrum-2'\nflow_control = 'pfc'\n", "preset = 'quantum'\n",
                                 "preset = 'quantum'\nbuffer_packets = 4\n",
                                 "preset = 'spectrum-2'\nroute_delay = '1ns'\nswitch_delay = '1ns'\n"}) {
    const std::string text = with_switch(keys).canonical();
    const Section ran = filled(keys);
    for (const std::string key : {"route_delay", "switch_delay"})
      EXPECT_NE(text.find(key + " = \"" + to_text(ran.time(key)) + "\"\n"), text.npos) << text;
    const Scenario again = parse_scenario_text(text, "again.toml", fabric_and_switches());
    EXPECT_EQ(again.canonical(), text);
    for (const Value& value : ran.values)
      EXPECT_EQ(again.section("switch").given(value.key), ran.given(value.key)) << value.key;
  }
}

TEST(SwitchPresets, OfEthernetHaveSharedMemory) {
  const Section section = filled("preset = 'spectrum-2'\nflow_control = 'pfc'\n");
  EXPECT_EQ(section.bytes("shared_buffer"), 42'000'000);
  EXPECT_FALSE(section.has("buffer"));
  EXPECT_EQ(section.time("switch_delay"), Time{300'000});
}

// A built fabric keeps the defaults of the vocabulary; so does an imported one of which [switch] says anything.
TEST(SwitchPresets, AreTakenUnnamedOnlyForImportedFabricsThatSayNothing) {
  EXPECT_EQ(filled("", 100, "star").time("switch_delay"), Time{1000});
  EXPECT_EQ(filled("", 100, "file").time("switch_delay"), Time{90'000});
  EXPECT_EQ(filled("route_delay = '3ns'\n", 100, "file").time("switch_delay"), Time{1000});
  EXPECT_EQ(filled("buffer = '8KiB'\n", 100, "file").time("switch_delay"), Time{1000});
  EXPECT_EQ(filled("preset = 'quantum'\nbuffer = '8KiB'\n", 100, "file").time("switch_delay"), Time{130'000});
}

TEST(SwitchPresets, FitTheSpeedOfLinks) {
  const auto name = [](std::int64_t gbps) {
    const SwitchPreset* preset = fitting_preset(at(gbps));
    return preset == nullptr ? "none" : preset->name;
  };
  EXPECT_EQ(name(2), "infiniscale-iii");   // one lane of SDR
  EXPECT_EQ(name(8), "infiniscale-iii");   // SDR
  EXPECT_EQ(name(16), "infiniscale-iii");  // DDR
  EXPECT_EQ(name(20), "none");
  EXPECT_EQ(name(32), "infiniscale-iv");
  EXPECT_EQ(name(40), "switchx-2");  // FDR10
  EXPECT_EQ(name(54), "switchx-2");
  EXPECT_EQ(name(100), "switch-ib-2");
  EXPECT_EQ(name(200), "quantum");
  EXPECT_EQ(name(400), "quantum-2");
  EXPECT_EQ(name(800), "none");
}

TEST(SwitchPresets, NameTheirSources) {
  std::set<std::string_view> names;
  for (const SwitchPreset& preset : switch_presets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_FALSE(preset.published.empty()) << preset.name;
  }
}

}  // namespace
}  // namespace weir
