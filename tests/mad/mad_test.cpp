// The layout of management datagrams, byte by byte.
#include "mad/mad.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "mad/congestion.h"
#include "mad/performance.h"
#include "mad/smp_fields.h"

namespace weir::mad {
namespace {

TEST(Fields, BitsCountFromTheMostSignificantOne) {
  std::array<std::uint8_t, 4> data{0x12, 0x34, 0x56, 0x78};
  EXPECT_EQ(get(data, {0, 4}), 0x1u);
  EXPECT_EQ(get(data, {4, 8}), 0x23u);
  EXPECT_EQ(get(data, {8, 16}), 0x3456u);
  put(data, {4, 8}, 0x1ff);  // the upper bits are lost
  EXPECT_EQ(data, (std::array<std::uint8_t, 4>{0x1f, 0xf4, 0x56, 0x78}));
  put(data, {31, 1}, 1);
  EXPECT_EQ(data[3], 0x79);
}

RC_GTEST_PROP(Fields, what_is_put_is_got_and_nothing_else_changes, ()) {
  const auto bit = *rc::gen::inRange<std::uint16_t>(0, 120);
  const auto bits = *rc::gen::inRange<std::uint16_t>(1, static_cast<std::uint16_t>(std::min(64, 128 - bit) + 1));
  const auto data = *rc::gen::container<std::vector<std::uint8_t>>(16, rc::gen::arbitrary<std::uint8_t>());
  const auto value = *rc::gen::arbitrary<std::uint64_t>();
  auto changed = data;
  put(changed, {bit, bits}, value);
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  RC_ASSERT(get(changed, {bit, bits}) == (value & mask));
  put(changed, {bit, bits}, get(data, {bit, bits}));
  RC_ASSERT(changed == data);
}

TEST(MadHeader, EveryByteInItsPlace) {
  Mad m;
  m.set_class(Class::subnet_directed, 1);
  m.set_method(Method::get);
  m.set_status(0x8001);
  m.set_hops(1, 3);
  m.set_transaction(0x0102030405060708);
  m.set_attribute(smp::kPortInfo, 0x11223344);
  m.set_key(0xa1a2a3a4a5a6a7a8);
  m.set_permissive_lids();
  const std::array<std::uint8_t, 36> expected{1,    0x81, 1,    1,    0x80, 1,    1,    3,    1,    2,    3, 4,
                                              5,    6,    7,    8,    0,    0x15, 0,    0,    0x11, 0x22, 0x33, 0x44,
                                              0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xff, 0xff, 0xff, 0xff};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), m.bytes().begin()));
  EXPECT_EQ(m.data().data(), m.bytes().data() + 64);
  EXPECT_EQ(m.data().size(), 64u);
  EXPECT_EQ(m.transaction(), 0x0102030405060708u);
  EXPECT_FALSE(m.is_response());
}

TEST(MadHeader, TheCongestionLogBeginsBehindTheKey) {
  Mad m;
  m.set_class(Class::congestion_control, kCongestionVersion);
  m.set_attribute(cc::kCongestionLog, 0);
  EXPECT_EQ(m.data().data(), m.bytes().data() + 32);
  EXPECT_EQ(m.data().size(), 224u);
  m.set_attribute(cc::kTable, 0);
  EXPECT_EQ(m.data().data(), m.bytes().data() + 64);
  EXPECT_EQ(m.data().size(), 192u);
}

TEST(PortInfo, FieldsFill64BytesWithoutOverlap) {
  namespace f = port_info;
  const Field all[] = {f::kManagementKey, f::kGidPrefix, f::kLid, f::kMasterLid, f::kCapabilities, f::kDiagnostics,
      f::kKeyLease, f::kLocalPort, f::kWidthEnabled, f::kWidthSupported, f::kWidthActive, f::kSpeedSupported, f::kState,
      f::kPhysicalState, f::kDownDefault, f::kKeyProtection, f::kLmc, f::kSpeedActive, f::kSpeedEnabled,
      f::kNeighborMtu, f::kMasterSl, f::kLaneCapacity, f::kInitType, f::kHighLimit, f::kArbitrationHigh,
      f::kArbitrationLow, f::kInitReply, f::kMtuCapacity, f::kStallCount, f::kHeadOfQueueLife, f::kOperationalLanes,
      f::kEnforcement, f::kKeyViolations, f::kPartitionViolations, f::kQueueKeyViolations, f::kGuidCapacity,
      f::kReregister, f::kSubnetTimeout, f::kResponseTime, f::kPhysicalErrors, f::kOverrunErrors, f::kCreditHint,
      f::kRoundTrip, f::kCapabilities2, f::kExtSpeedActive, f::kExtSpeedSupported, f::kExtSpeedEnabled};
  std::array<std::uint8_t, 64> data{};
  unsigned bits = 0;
  for (const Field field : all) {
    EXPECT_EQ(get(data, field), 0u);
    put(data, field, ~std::uint64_t{0});
    bits += field.bits;
  }
  unsigned set = 0;
  for (const std::uint8_t byte : data) set += static_cast<unsigned>(std::popcount(byte));
  EXPECT_EQ(set, bits);
}

PortCounters sample() { return {0x1'0000'0001, 2, 3, 4, 5, 0x12345, 7, 300, 9, 10, 11}; }

TEST(Counters, The32BitOnesStopAtTheirMaximum) {
  std::array<std::uint8_t, 192> data{};
  encode_counters(sample(), data);
  EXPECT_EQ(get_bytes(data, 24, 4), 0xffffffffu);
  EXPECT_EQ(get_bytes(data, 28, 4), 2u);
  EXPECT_EQ(get_bytes(data, 32, 4), 3u);
  EXPECT_EQ(get_bytes(data, 36, 4), 4u);
  EXPECT_EQ(get_bytes(data, 40, 4), 5u);
  EXPECT_EQ(get_bytes(data, 14, 2), 0xffffu);  // discards
  EXPECT_EQ(data[7], 0xff);                    // link downed
  EXPECT_EQ(get_bytes(data, 12, 2), 7u);       // relay errors
}

TEST(Counters, The64BitOnesKeepEverything) {
  std::array<std::uint8_t, 192> data{};
  encode_counters_extended(sample(), data);
  EXPECT_EQ(get_bytes(data, 8, 8), 0x1'0000'0001u);
  EXPECT_EQ(get_bytes(data, 168, 8), 5u);
  PortCounters again;
  decode_counters_extended(data, again);
  PortCounters expected = sample();
  expected.xmit_congested = expected.rcv_fecn = expected.rcv_becn = 0;  // attributes of their own
  EXPECT_EQ(again, expected);
}

TEST(Congestion, SwitchSetting) {
  SwitchCongestion s;
  s.control_map = 0x1f;
  s.victim_mask.set(0).set(9).set(255);
  s.credit_mask.set(1);
  s.threshold = 0xf;
  s.packet_size = 8;
  s.starvation_threshold = 3;
  s.starvation_return = 0x4102;
  s.marking_rate = 0x0203;
  std::array<std::uint8_t, 192> data{};
  encode(s, data);
  EXPECT_EQ(get_bytes(data, 0, 4), 0x1fu);
  EXPECT_EQ(data[4], 0x80);       // port 255
  EXPECT_EQ(data[35], 0x01);      // port 0
  EXPECT_EQ(data[34], 0x02);      // port 9
  EXPECT_EQ(data[67], 0x02);      // credit mask, port 1
  EXPECT_EQ(data[68], 0xf0);      // threshold in the upper half
  EXPECT_EQ(data[69], 8);
  EXPECT_EQ(data[70], 0x30);
  EXPECT_EQ(get_bytes(data, 72, 2), 0x4102u);
  EXPECT_EQ(get_bytes(data, 74, 2), 0x0203u);
  SwitchCongestion again;
  decode(data, again);
  EXPECT_EQ(again, s);
}

TEST(Congestion, SwitchPortSetting) {
  std::array<std::uint8_t, 4> element{};
  encode(SwitchPortCongestion{true, false, 0xa, 7, 0x1234}, element);
  EXPECT_EQ(element, (std::array<std::uint8_t, 4>{0x8a, 7, 0x12, 0x34}));
  encode(SwitchPortCongestion{true, true, 1, 0, 0}, element);
  EXPECT_EQ(element, (std::array<std::uint8_t, 4>{0xc1, 0, 0, 0}));
  SwitchPortCongestion again;
  decode(element, again);
  EXPECT_EQ(again, (SwitchPortCongestion{true, true, 1, 0, 0}));
}

TEST(Congestion, AdapterSettingAndTable) {
  AdapterCongestion s;
  s.port_control = 1;
  s.control_map = 0x8001;
  s.entries[15] = {0x0102, 3, 4, 5};
  std::array<std::uint8_t, 192> data{};
  encode(s, data);
  EXPECT_EQ(get_bytes(data, 0, 4), 0x00018001u);
  EXPECT_EQ(get_bytes(data, 4 + 15 * 8, 5), 0x0102030405u);
  AdapterCongestion again;
  decode(data, again);
  EXPECT_EQ(again, s);

  TableBlock t;
  t.limit = 127;
  std::iota(t.entries.begin(), t.entries.end(), std::uint16_t{0x4000});
  data.fill(0);
  encode(t, data);
  EXPECT_EQ(get_bytes(data, 0, 4), 127u << 16);
  EXPECT_EQ(get_bytes(data, 4, 2), 0x4000u);
  EXPECT_EQ(get_bytes(data, 4 + 2 * 63, 2), 0x403fu);
  TableBlock back;
  decode(data, back);
  EXPECT_EQ(back, t);
}

}  // namespace
}  // namespace weir::mad
