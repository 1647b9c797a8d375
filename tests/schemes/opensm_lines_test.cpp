// What `weir convert` writes for opensm.conf is what the scheme does: read back as `settings`, the lines give it again.
#include "schemes/infiniband/opensm_lines.h"

#include <gtest/gtest.h>

#include "control/opensm_config.h"
#include "error_of.h"
#include "run/lab.h"
#include "says.h"
#include "schemes/infiniband/infiniband.h"
#include "temp_dir.h"

namespace weir {
namespace {

Scenario tree(const std::string& scheme, const std::string& topology = "kind = 'k-ary-n-tree'\nk = 2\nn = 2\n") {
  return parse_scenario_text("[topology]\n" + topology + "[switch]\nlanes = 2\n[scheme]\n"
                             "name = 'cca'\n" + scheme + "[[traffic]]\npattern = 'uniform'\nload = 0.1\n[run]\n"
                             "duration = '10us'\n", "s.toml", vocabulary());
}

CcaSettings settings_of(const Scenario& scenario) {
  const RunSetup setup = set_up(scenario);
  return cca_settings(run_input(setup), scenario.section("scheme"), 0);
}

std::string lines_of(const Scenario& scenario, const OpensmCongestionSettings& site = {}) {
  const RunSetup setup = set_up(scenario);
  return opensm_lines(run_input(setup), scenario.section("scheme"), site).text;
}

TEST(OpensmLines, GiveTheSameSchemeAgain) {
  const TempDir dir;
  for (const std::string scheme :
       {"", "threshold = 8\nmarking_rate = 12\npacket_size = '128B'\nccti_increase = 4\nccti_min = 2\n"
            "ccti_timer = 200\ncct_step = 0.5\ncct_size = 100\nccti_limit = 60\nccti_per = 'service-level'\n"
            "victim_mask = 'all'\n"}) {
    const Scenario given = tree(scheme);
    const std::string file = dir.write("opensm.conf", lines_of(given));
    const CcaSettings want = settings_of(given), got = settings_of(tree("settings = '" + file + "'\n"));
    ASSERT_EQ(got.ports.size(), want.ports.size());
    for (std::size_t p = 0; p < want.ports.size(); ++p) {
      EXPECT_EQ(got.ports[p].threshold, want.ports[p].threshold);
      EXPECT_EQ(got.ports[p].marking_rate, want.ports[p].marking_rate);
      EXPECT_EQ(got.ports[p].packet_size, want.ports[p].packet_size);
    }
    EXPECT_EQ(got.per_service_level, want.per_service_level);
    EXPECT_EQ(got.source.increase, want.source.increase);
    EXPECT_EQ(got.source.minimum, want.source.minimum);
    EXPECT_EQ(got.source.limit, want.source.limit);
    EXPECT_EQ(got.source.timer, want.source.timer);
    for (std::uint32_t i = 0; i <= want.source.limit; ++i) EXPECT_EQ(got.source.table[i], want.source.table[i]);
  }
}

// A star's only switch leads to adapters alone; the upper switches of a tree have switches at the same ports.
TEST(OpensmLines, SayWhereOneMaskIsNotEnough) {
  const std::string lines = lines_of(tree(""));
  EXPECT_TRUE(says(lines, "# OpenSM has one victim mask for all switches."));
  EXPECT_FALSE(says(lines_of(tree("victim_mask = 'all'\n")), "one victim mask"));
  EXPECT_TRUE(read_opensm_settings("x", lines).victim_mask.any());
}

// What a scheme does not set belongs to the site: the key above all.
TEST(OpensmLines, KeepWhatASchemeHasNoKeyFor) {
  OpensmCongestionSettings site;
  site.cc_key = 0x17;
  site.credit_starvation_threshold = 3;
  site.switch_control_map = OpensmCongestionSettings::kCreditStarvation;
  site.threshold = 1;
  site.ca[3].ccti_min = 7;
  const OpensmCongestionSettings got = read_opensm_settings("x", lines_of(tree("threshold = 8\n"), site));
  EXPECT_EQ(got.cc_key, 0x17u);
  EXPECT_EQ(got.credit_starvation_threshold, 3);
  EXPECT_EQ(got.switch_control_map, 8u + 1 + 4 + 16);
  EXPECT_EQ(got.threshold, 8);
  EXPECT_EQ(got.ca[3].ccti_min, 0);
}

TEST(OpensmLines, RefuseWhatOpensmHasNoLineFor) {
  EXPECT_TRUE(says(error_of([] { lines_of(tree("packet_size = '100B'\n")); }), "s.toml:9: opensm.conf counts"));
  const Scenario rows = tree("ports = [['S0:1', 'threshold', '3']]\n", "kind = 'star'\nhosts = 4\n");
  EXPECT_TRUE(says(error_of([&] { lines_of(rows); }), "leave `ports` out"));
}

}  // namespace
}  // namespace weir
