// [switch] preset: which values it sets, which it leaves alone, and when one is taken without being named.
#include "packet/config/switch_presets.h"

#include <gtest/gtest.h>

#include <set>

#include "network/network.h"
#include "network/topologies/topologies.h"
#include "packet/config/config.h"
#include "scenario/parse.h"

namespace weir {
namespace {

Scenario with_switch(const std::string& keys, const std::string& kind = "star") {
  Vocabulary v;
  v.sections.push_back({.name = "topology",
                        .summary = "the fabric",
                        .selector = "kind",
                        .required = true,
                        .kinds = topology_kinds()});
  v.sections.push_back({.name = "switch", .summary = "switches", .common = switch_params()});
  const std::string file = WEIR_SOURCE_DIR "/tests/network/data/small.ibnetdiscover";
  const std::string path = kind == "file" ? "path = '" + file + "'\n" : "";
  return parse_scenario_text("[topology]\nkind = '" + kind + "'\n" + path + "[switch]\n" + keys, "s.toml", v);
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
  EXPECT_EQ(name(8), "none");  // SDR, from before these switches
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
