// Time and rates carry every result: an error of one picosecond per packet would grow into a wrong order of events. The
// reference here is exact integer arithmetic in 128 bits.
#include "base/units.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace weir {
namespace {

using namespace literals;

constexpr std::int64_t kGiga = 1'000'000'000;

constexpr Rate gbps(std::int64_t n) { return Rate{n * kGiga}; }

TEST(Time, LiteralsScaleByThousands) {
  EXPECT_EQ((7_ps).ps, 7);
  EXPECT_EQ((7_ns).ps, 7'000);
  EXPECT_EQ((7_us).ps, 7'000'000);
  EXPECT_EQ((7_ms).ps, 7'000'000'000);
  EXPECT_EQ((7_s).ps, 7'000'000'000'000);
  EXPECT_EQ(1000_ns, 1_us);
}

TEST(Time, Arithmetic) {
  EXPECT_EQ(3_ns + 4_ps, 3004_ps);
  EXPECT_EQ(3_ns - 4_ns, Time{-1000});
  EXPECT_EQ(5_ns * 3, 15_ns);
  EXPECT_EQ(3 * 5_ns, 15_ns);
  EXPECT_EQ(7_ps / 2, 3_ps);
  EXPECT_EQ(1_us / 300_ns, 3);
  Time t = 10_ns;
  t += 5_ns;
  t -= 1_ns;
  EXPECT_EQ(t, 14_ns);
  EXPECT_DOUBLE_EQ((1500_ps).nanoseconds(), 1.5);
  EXPECT_DOUBLE_EQ((250_ms).seconds(), 0.25);
}

TEST(Time, NeverIsLaterThanAnyInstant) {
  EXPECT_LT(100_s * 86'400, kNever);
  EXPECT_LT(Time{}, kNever);
  EXPECT_LT(Time{-1}, Time{});
}

struct ExactRate {
  std::int64_t gigabits, ps_per_byte;
};

class ExactRates : public testing::TestWithParam<ExactRate> {};

// Rates whose picoseconds per byte are whole: not one picosecond may be lost, whatever the length.
TEST_P(ExactRates, TimeIsBytesTimesPicosecondsPerByte) {
  const auto [gigabits, ps_per_byte] = GetParam();
  const Rate rate = gbps(gigabits);
  EXPECT_EQ(rate.ps_per_byte_q16(), static_cast<std::uint64_t>(ps_per_byte) << 16);
  for (const Bytes bytes : {0l, 1l, 7l, 64l, 300l, 1000l, 1500l, 2048l, 9000l, 1l << 20, 3l << 40})
    EXPECT_EQ(rate.time_for(bytes).ps, bytes * ps_per_byte) << bytes << " bytes at " << gigabits << " Gb/s";
}

INSTANTIATE_TEST_SUITE_P(Rate, ExactRates,
                         testing::Values(ExactRate{1, 8000}, ExactRate{8, 1000}, ExactRate{10, 800}, ExactRate{25, 320},
                                         ExactRate{32, 250}, ExactRate{40, 200}, ExactRate{100, 80}, ExactRate{200, 40},
                                         ExactRate{400, 20}),
                         [](const auto& param) { return std::to_string(param.param.gigabits) + "Gbps"; });

TEST(Rate, FrameOf1500BytesAt10Gbps) { EXPECT_EQ(gbps(10).time_for(1500), 1'200'000_ps); }

TEST(Rate, FractionsOfAPicosecondThatFit) {
  EXPECT_EQ(gbps(64).time_for(1), 125_ps);
  EXPECT_EQ(gbps(128).time_for(1), 63_ps) << "62.5 rounds up";
  EXPECT_EQ(gbps(128).time_for(2), 125_ps);
  EXPECT_EQ(Rate{9'500'000'000}.time_for(19), 16'000_ps) << "1187.5 MB/s: 19 bytes take exactly 16 ns";
}

// 56 Gb/s is 1000/7 ps per byte, 142.857...: never exact, always the nearest picosecond for packets.
TEST(Rate, FiftySixGigabitsRoundToTheNearestPicosecond) {
  EXPECT_EQ(gbps(56).ps_per_byte_q16(), 9'362'286u);
  EXPECT_EQ(gbps(56).time_for(1), 143_ps);
  EXPECT_EQ(gbps(56).time_for(3), 429_ps);
  EXPECT_EQ(gbps(56).time_for(7), 1'000_ps);
  EXPECT_EQ(gbps(56).time_for(2048), 292'571_ps);
  for (Bytes bytes = 0; bytes <= 9216; ++bytes)
    ASSERT_EQ(gbps(56).time_for(bytes).ps, (2 * 1000 * bytes + 7) / 14) << bytes << " bytes";
}

// |result - exact| <= 1/2 ps from the last rounding + bytes * 2^-17 ps from the rounded factor; all scaled to integers.
RC_GTEST_PROP(Rate, IsWithinItsBoundOfTheExactTime, ()) {
  const auto bits = *rc::gen::inRange<std::int64_t>(1'000'000, 1'600 * kGiga);
  const auto bytes = *rc::gen::inRange<Bytes>(0, 1 << 30);
  const auto got = static_cast<__int128>(Rate{bits}.time_for(bytes).ps) * bits;
  const auto exact = static_cast<__int128>(bytes) * 8'000'000'000'000;
  const __int128 error = got < exact ? exact - got : got - exact;
  RC_ASSERT(error * (1 << 17) <= static_cast<__int128>(bits) * ((1 << 16) + bytes));
}

RC_GTEST_PROP(Rate, MoreBytesNeverTakeLessTime, ()) {
  const Rate rate{*rc::gen::inRange<std::int64_t>(1'000'000, 1'600 * kGiga)};
  const auto a = *rc::gen::inRange<Bytes>(0, 1 << 30);
  const auto more = *rc::gen::inRange<Bytes>(0, 1 << 20);
  RC_ASSERT(rate.time_for(a) <= rate.time_for(a + more));
}

TEST(Rate, ALongTransferDoesNotOverflow) {
  EXPECT_EQ(Rate{1'000'000}.time_for(1'000'000'000'000).ps, 8'000'000'000'000'000'000);
  EXPECT_DOUBLE_EQ(gbps(10).bytes_per_second(), 1.25e9);
  EXPECT_DOUBLE_EQ(Rate{2'500'000'000}.gigabits(), 2.5);
}

static_assert(gbps(8).time_for(1) == 1_ns, "usable at compile time");
static_assert(gbps(8) < gbps(10));

}  // namespace
}  // namespace weir
