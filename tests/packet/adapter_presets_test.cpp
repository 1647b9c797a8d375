// [adapter] preset: which value it sets, and which it leaves alone.
#include "packet/config/adapter_presets.h"

#include <gtest/gtest.h>

#include <set>

#include "packet/config/config.h"
#include "scenario/parse.h"
#include "scenario/quantity.h"

namespace weir {
namespace {

Section adapter(const std::string& keys) {
  Vocabulary v;
  v.sections.push_back({.name = "adapter", .summary = "adapters", .common = adapter_params(),
                        .complete = complete_from_adapter_preset});
  return parse_scenario_text("[adapter]\n" + keys, "s.toml", v).section("adapter");
}

TEST(AdapterPresets, TakeInWhatTheBusCarries) {
  EXPECT_EQ(to_text(adapter("preset = 'connectx-6-pcie3'\n").rate("receive_rate")), "126.03Gbps");
  EXPECT_FALSE(adapter("").has("receive_rate"));
}

TEST(AdapterPresets, LeaveWhatIsWritten) {
  EXPECT_EQ(to_text(adapter("preset = 'connectx-7'\nreceive_rate = '90Gbps'\n").rate("receive_rate")), "90Gbps");
  EXPECT_TRUE(adapter("preset = 'connectx-6-pcie3'\nreceive_hosts = [2]\n").given("receive_hosts"));
}

TEST(AdapterPresets, AreRecordsThatCanBeRead) {
  std::set<std::string_view> names;
  for (const AdapterPreset& preset : adapter_presets()) {
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
    EXPECT_GT(parse_rate(preset.bus_rate).bits_per_second, 0);
    EXPECT_FALSE(preset.published.empty()) << preset.name;
    // Only the one in the older slot holds its link back.
    EXPECT_EQ(parse_rate(preset.bus_rate) < preset.link, preset.name == "connectx-6-pcie3") << preset.name;
  }
}

}  // namespace
}  // namespace weir
