// The congestion-control block of OpenSM's configuration: what a site writes is read, and what weir writes reads back.
#include "control/opensm_config.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "error_of.h"
#include "says.h"

namespace weir {
namespace {

constexpr std::string_view kSite =
    "# a site's file\n"
    "guid 0x0000000000000001\n"
    "max_op_vls 5\n"
    "\n"
    "congestion_control TRUE\n"
    "cc_key 0x00000000000000ff\n"
    "cc_max_outstanding_mads 42\n"
    "cc_sw_cong_setting_control_map 0x15\r\n"
    "\tcc_sw_cong_setting_victim_mask   0x1F00000001   # ports 0, 32 to 36\n"
    "cc_sw_cong_setting_credit_mask 0x8\n"
    "cc_sw_cong_setting_threshold 0x0F\n"
    "cc_sw_cong_setting_packet_size 8\n"
    "cc_sw_cong_setting_credit_starvation_return_delay 2:100\n"
    "cc_sw_cong_setting_marking_rate 128\n"
    "cc_ca_cong_setting_port_control 0x0001\n"
    "cc_ca_cong_setting_control_map 0x0009\n"
    "cc_ca_cong_setting_ccti_timer 0 75\n"
    "cc_ca_cong_setting_ccti_increase 0 1\n"
    "cc_ca_cong_setting_ccti_timer 3 150\n"
    "cc_ca_cong_setting_trigger_threshold 3 5\n"
    "cc_ca_cong_setting_ccti_min 3 2\n"
    "cc_cct 0:0,0:2, 1:3 ,3:16383\n"
    "log_file /var/log/opensm.log\n";

TEST(OpensmConfig, ReadsTheSettingsOfASite) {
  const OpensmCongestionSettings s = read_opensm_settings("opensm.conf", kSite);
  EXPECT_TRUE(s.congestion_control);
  EXPECT_EQ(s.cc_key, 0xffu);
  EXPECT_EQ(s.max_outstanding_mads, 42u);
  EXPECT_EQ(s.switch_control_map, 0x15u);
  EXPECT_EQ(s.victim_mask.count(), 6u);
  EXPECT_TRUE(s.victim_mask[0] && s.victim_mask[32] && s.victim_mask[36] && !s.victim_mask[37]);
  EXPECT_EQ(s.credit_mask.to_ulong(), 8u);
  EXPECT_EQ(s.threshold, 15);
  EXPECT_EQ(s.packet_size, 8);
  EXPECT_EQ(s.credit_starvation_return_delay, (CctEntry{2, 100}));
  EXPECT_EQ(s.marking_rate, 128);
  EXPECT_TRUE(s.per_service_level());
  EXPECT_EQ(s.ca_control_map, 9);
  EXPECT_EQ(s.ca[0], (CaCongestionEntry{75, 1, 0, 0}));
  EXPECT_EQ(s.ca[3], (CaCongestionEntry{150, 0, 5, 2}));
  EXPECT_EQ(s.cct, (std::vector<CctEntry>{{0, 0}, {0, 2}, {1, 3}, {3, 16383}}));
}

TEST(OpensmConfig, DefaultsWhereNothingIsSaid) {
  EXPECT_EQ(read_opensm_settings("opensm.conf", "guid 0x1\n#cc_cct 0:1\n"), OpensmCongestionSettings{});
  EXPECT_EQ(read_opensm_settings("opensm.conf", ""), OpensmCongestionSettings{});
  EXPECT_TRUE(read_opensm_settings("opensm.conf", "cc_cct (null)").cct.empty());
}

TEST(OpensmConfig, TheLastOfTwoLinesCounts) {
  const auto s = read_opensm_settings("f", "cc_sw_cong_setting_marking_rate 1\ncc_sw_cong_setting_marking_rate 2\n");
  EXPECT_EQ(s.marking_rate, 2);
}

TEST(OpensmConfig, EntryOfTheTableIsInfinibandsSixteenBits) {
  EXPECT_EQ((CctEntry{3, 16383}).bits(), 0xffff);
  EXPECT_EQ((CctEntry{1, 3}).bits(), 0x4003);
  EXPECT_DOUBLE_EQ((CctEntry{1, 3}).packet_times(), 1.5);
}

std::string error_in(std::string_view text) {
  return error_of([&] { read_opensm_settings("site.conf", text); });
}

TEST(OpensmConfig, RefusesWhatCannotBeMeant) {
  EXPECT_EQ(error_in("\ncc_sw_cong_setting_threshold 16\n"),
            "site.conf:2: cc_sw_cong_setting_threshold: must be a whole number from 0 to 15, not 16");
  EXPECT_EQ(error_in("cc_sw_cong_setting_thresholt 1"),
            "site.conf:1: cc_sw_cong_setting_thresholt: is no key that OpenSM has for congestion control");
  EXPECT_EQ(error_in("congestion_control yes"), "site.conf:1: congestion_control: must be TRUE or FALSE, not yes");
  EXPECT_TRUE(says(error_in("cc_ca_cong_setting_ccti_timer 75"), "a service level and a value"));
  EXPECT_TRUE(says(error_in("cc_ca_cong_setting_ccti_timer 16 75"), "0 to 15"));
  EXPECT_TRUE(says(error_in("cc_ca_cong_setting_ccti_timer 0 65536"), "0 to 65535"));
  EXPECT_TRUE(says(error_in("cc_cct 4:1"), "0 to 3"));
  EXPECT_TRUE(says(error_in("cc_cct 0:16384"), "0 to 16383"));
  EXPECT_TRUE(says(error_in("cc_cct 0:1,,0:2"), "shift:multiplier"));
  EXPECT_TRUE(says(error_in("cc_cct 1"), "shift:multiplier"));
  EXPECT_TRUE(says(error_in("cc_cct"), "needs a value"));
  EXPECT_TRUE(says(error_in("cc_sw_cong_setting_victim_mask 0xg"), "hexadecimal"));
  EXPECT_TRUE(says(error_in("cc_sw_cong_setting_victim_mask 0x" + std::string(65, '1')), "1 to 64"));
}

TEST(OpensmConfig, ReplacesOnlyItsOwnLines) {
  OpensmCongestionSettings s = read_opensm_settings("f", kSite);
  s.marking_rate = 0;
  const std::string text = replace_opensm_settings(kSite, write_opensm_settings(s));
  EXPECT_EQ(read_opensm_settings("f", text), s);
  EXPECT_TRUE(text.starts_with("# a site's file\nguid 0x0000000000000001\nmax_op_vls 5\n\n"));
  EXPECT_TRUE(text.ends_with("log_file /var/log/opensm.log\n"));
  EXPECT_EQ(text.find("marking_rate"), text.rfind("marking_rate"));
  const std::string block = write_opensm_settings(s);
  EXPECT_EQ(read_opensm_settings("f", replace_opensm_settings("guid 0x1", block)), s);
  // Once more: nothing is left of the first time, nor does anything pile up.
  EXPECT_EQ(replace_opensm_settings(text, "cc_key 1\n"), replace_opensm_settings(kSite, "cc_key 1\n"));
  EXPECT_EQ(replace_opensm_settings(text, block), text);
}

TEST(OpensmConfig, KeepsWhatSomebodyHasWrittenBetweenItsLines) {
  std::string text = replace_opensm_settings("guid 0x1\n", "# remark\ncc_key 1\n");
  const std::size_t at = text.find("cc_key");
  text.insert(at, "sm_priority 3\n");
  EXPECT_TRUE(says(replace_opensm_settings(text, "cc_key 2\n"), "\nsm_priority 3\n"));
  // Without its end the block is not recognised: only its settings are taken out.
  text = text.substr(0, text.find("cc_key")) + "# mine\nlog_file x\n";
  const std::string half = replace_opensm_settings(text, "cc_key 2\n");
  for (const char* kept : {"guid 0x1\n", "sm_priority 3\n", "# mine\n", "log_file x\n"}) EXPECT_TRUE(says(half, kept));
}

RC_GTEST_PROP(OpensmConfig, WhatIsWrittenReadsBackTheSame, ()) {
  OpensmCongestionSettings s;
  s.congestion_control = *rc::gen::arbitrary<bool>();
  s.cc_key = *rc::gen::arbitrary<std::uint64_t>();
  s.max_outstanding_mads = *rc::gen::arbitrary<std::uint32_t>();
  s.switch_control_map = *rc::gen::inRange(0u, 32u);
  for (std::size_t port : *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 256))) {
    s.victim_mask.set(port);
    s.credit_mask.set(255 - port);
  }
  s.threshold = *rc::gen::inRange<std::uint8_t>(0, 16);
  s.packet_size = *rc::gen::arbitrary<std::uint8_t>();
  s.credit_starvation_threshold = *rc::gen::inRange<std::uint8_t>(0, 16);
  const auto entry = rc::gen::build<CctEntry>(
      rc::gen::set(&CctEntry::shift, rc::gen::inRange<std::uint8_t>(0, 4)),
      rc::gen::set(&CctEntry::multiplier, rc::gen::inRange<std::uint16_t>(0, 16384)));
  s.credit_starvation_return_delay = *entry;
  s.marking_rate = *rc::gen::arbitrary<std::uint16_t>();
  s.ca_port_control = *rc::gen::arbitrary<std::uint16_t>();
  s.ca_control_map = *rc::gen::arbitrary<std::uint16_t>();
  const auto level = *rc::gen::inRange<std::size_t>(0, 16);
  s.ca[level] = {*rc::gen::arbitrary<std::uint16_t>(), *rc::gen::arbitrary<std::uint8_t>(),
                 *rc::gen::arbitrary<std::uint8_t>(), *rc::gen::arbitrary<std::uint8_t>()};
  s.cct = *rc::gen::container<std::vector<CctEntry>>(entry);
  RC_ASSERT(read_opensm_settings("f", write_opensm_settings(s)) == s);
}

}  // namespace
}  // namespace weir
