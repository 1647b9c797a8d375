// Quantities: exact values, messages, and round trips through text.
#include "scenario/quantity.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "error_of.h"
#include "says.h"

namespace weir {
namespace {

std::string time_error(std::string_view text) {
  return error_of([&] { parse_time(text); });
}

TEST(Quantity, TimesAreExact) {
  EXPECT_EQ(parse_time("15ns").ps, 15'000);
  EXPECT_EQ(parse_time("2 s").ps, 2'000'000'000'000);
  EXPECT_EQ(parse_time(" 1.5us ").ps, 1'500'000);
  EXPECT_EQ(parse_time("1.5\xc2\xb5s").ps, 1'500'000);
  EXPECT_EQ(parse_time("1.5\xce\xbcs").ps, 1'500'000);
  EXPECT_EQ(parse_time("0.1ns").ps, 100);
  EXPECT_EQ(parse_time("0.3ms").ps, 300'000'000);
  EXPECT_EQ(parse_time("1min").ps, 60'000'000'000'000);
  EXPECT_EQ(parse_time(".5ns").ps, 500);
  EXPECT_EQ(parse_time("1e-3us").ps, 1'000);
  EXPECT_EQ(parse_time("1E+3ps").ps, 1'000);
  EXPECT_EQ(parse_time("-1.5ns").ps, -1'500);
  EXPECT_EQ(parse_time("0").ps, 0);
  EXPECT_EQ(parse_time("0.000000000000000000000000000ns").ps, 0);
  EXPECT_EQ(parse_time("1.000000000000000000000000000ns").ps, 1'000);
  EXPECT_EQ(parse_time("9223372.036854775807s").ps, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_time("-9223372036854775808ps").ps, std::numeric_limits<std::int64_t>::min());
}

TEST(Quantity, BytesKnowDecimalAndBinaryUnits) {
  EXPECT_EQ(parse_bytes("2kB"), 2000);
  EXPECT_EQ(parse_bytes("1KiB"), 1024);
  EXPECT_EQ(parse_bytes("300B"), 300);
  EXPECT_EQ(parse_bytes("300"), 300);
  EXPECT_EQ(parse_bytes("1.5MB"), 1'500'000);
  EXPECT_EQ(parse_bytes("1.5MiB"), 1'572'864);
  EXPECT_EQ(parse_bytes("4GB"), 4'000'000'000);
  EXPECT_EQ(parse_bytes("0.5 GiB"), 536'870'912);
}

TEST(Quantity, RatesInBitsAndBytes) {
  EXPECT_EQ(parse_rate("8Gbps").bits_per_second, 8'000'000'000);
  EXPECT_EQ(parse_rate("8 Gb/s").bits_per_second, 8'000'000'000);
  EXPECT_EQ(parse_rate("8 Gbit/s").bits_per_second, 8'000'000'000);
  EXPECT_EQ(parse_rate("1187.5MB/s").bits_per_second, 9'500'000'000);
  EXPECT_EQ(parse_rate("1KiB/s").bits_per_second, 8'192);
  EXPECT_EQ(parse_rate("2.5kbps").bits_per_second, 2'500);
  EXPECT_EQ(parse_rate("0.125B/s").bits_per_second, 1);
}

TEST(Quantity, LengthsAreMetresUnlessTheySay) {
  EXPECT_EQ(parse_metres("40"), 40);
  EXPECT_EQ(parse_metres("40m"), 40);
  EXPECT_EQ(parse_metres("2 km"), 2000);
  EXPECT_EQ(parse_metres("150cm"), 1.5);
  EXPECT_EQ(parse_metres("100ft"), 30.48);
  EXPECT_EQ(error_of([] { parse_metres("40ns"); }), R"(`40ns` is a time; a length such as "40m" is needed)");
  EXPECT_EQ(error_of([] { parse_metres("40M"); }), "`40M`: there is no unit `M`; did you mean `m`?");
}

TEST(Quantity, FractionsAreTheSameBitsWithAndWithoutPercent) {
  EXPECT_EQ(parse_fraction("66%"), 0.66);
  EXPECT_EQ(parse_fraction("0.66"), 0.66);
  EXPECT_EQ(parse_fraction("0.1 %"), 0.001);
  EXPECT_EQ(parse_fraction("1e2%"), 1.0);
  EXPECT_EQ(parse_fraction("0%"), 0.0);
}

TEST(Quantity, ErrorsSayWhatIsNeeded) {
  EXPECT_EQ(time_error("8Gbps"), R"(`8Gbps` is a rate; a time such as "15ns" is needed)");
  EXPECT_EQ(time_error("2kB"), R"(`2kB` is a number of bytes; a time such as "15ns" is needed)");
  EXPECT_EQ(time_error("5%"), R"(`5%` is a fraction; a time such as "15ns" is needed)");
  EXPECT_EQ(time_error("15"), R"(`15` has no unit; a time such as "15ns" is needed)");
  EXPECT_EQ(time_error("fast"), R"(`fast` is not a time; a time such as "15ns" is needed)");
  EXPECT_EQ(time_error(""), R"(`` is not a time; a time such as "15ns" is needed)");
  EXPECT_EQ(time_error("15nss"), "`15nss`: there is no unit `nss`; did you mean `ns`?");
  EXPECT_EQ(time_error("100 cycles"),
            R"(`100 cycles`: there is no unit `cycles`; a time such as "15ns" is needed )"
            "(units: ps, ns, us, ms, s, min)");
  EXPECT_EQ(time_error("0.5ps"), "`0.5ps` is finer than 1 ps, the smallest step of time");
  EXPECT_EQ(time_error("0.0001ns"), "`0.0001ns` is finer than 1 ps, the smallest step of time");
  EXPECT_EQ(time_error("1e30s"), "`1e30s` is more than weir can count");
  EXPECT_EQ(time_error("9223372.036854775808s"), "`9223372.036854775808s` is more than weir can count");
  EXPECT_EQ(time_error("1e99999999999s"), "`1e99999999999s` is more than weir can count");
  EXPECT_NE(time_error("123456789012345678901234567890ps"), "no error");
  EXPECT_NE(time_error("1.2.3ns"), "no error");
  EXPECT_NE(time_error("--1ns"), "no error");
  EXPECT_EQ(error_of([] { parse_rate("10gbps"); }), "`10gbps`: there is no unit `gbps`; did you mean `Gbps`?");
  EXPECT_EQ(error_of([] { parse_rate("15ns"); }), R"(`15ns` is a time; a rate such as "8Gbps" is needed)");
  EXPECT_EQ(error_of([] { parse_bytes("1.5B"); }), "`1.5B` is finer than 1 byte");
  EXPECT_EQ(error_of([] { parse_bytes("1KB"); }),
            "`1KB`: there is no unit `KB`; write kB for 1000 bytes, or KiB for 1024");
  EXPECT_EQ(error_of([] { parse_rate("1.5bps"); }), "`1.5bps` is finer than 1 bit/s");
  EXPECT_EQ(error_of([] { parse_fraction("15ns"); }), R"(`15ns` is a time; a number such as 0.66 or "66%" is needed)");
  EXPECT_NE(error_of([] { parse_fraction("1e999"); }), "no error");
}

TEST(Quantity, TextChoosesAReadableUnit) {
  EXPECT_EQ(to_text(Time{15'000}), "15ns");
  EXPECT_EQ(to_text(Time{1'500'000}), "1.5us");
  EXPECT_EQ(to_text(Time{0}), "0s");
  EXPECT_EQ(to_text(Time{2'000'000'000'000}), "2s");
  EXPECT_EQ(to_text(Time{1'000'001}), "1.000001us");
  EXPECT_EQ(to_text(Time{-1'500}), "-1.5ns");
  EXPECT_EQ(to_text(Rate{9'500'000'000}), "9.5Gbps");
  EXPECT_EQ(to_text(Rate{0}), "0bps");
  EXPECT_EQ(bytes_to_text(2000), "2kB");
  EXPECT_EQ(bytes_to_text(1024), "1KiB");
  EXPECT_EQ(bytes_to_text(1500), "1500B");
  EXPECT_EQ(bytes_to_text(128'000), "128kB");
  EXPECT_EQ(bytes_to_text(65'536), "64KiB");
  EXPECT_EQ(bytes_to_text(65'535), "65.535kB");
  EXPECT_EQ(bytes_to_text(0), "0B");
  EXPECT_EQ(number_to_text(-0.0), "0");
  EXPECT_EQ(number_to_text(0.1), "0.1");
}

TEST(Quantity, DecimalsKeepWhatWasWritten) {
  EXPECT_EQ(to_text(parse_decimal("0.30")), "0.3");
  EXPECT_EQ(to_text(parse_decimal("66%")), "0.66");
  EXPECT_EQ(to_text(parse_decimal("-0.05")), "-0.05");
  EXPECT_EQ(to_text(parse_decimal("120")), "120");
  EXPECT_EQ(to_text(parse_decimal("1e-3")), "0.001");
  EXPECT_EQ(to_text(Decimal{100, -2}), "1");
  EXPECT_EQ(to_text(Decimal{0, -3}), "0");
}

// Values of every magnitude, not only those near the limits.
std::int64_t any_magnitude() {
  const auto bits = *rc::gen::inRange(0, 64);
  const auto raw = *rc::gen::arbitrary<std::int64_t>();
  const std::int64_t round = *rc::gen::element<std::int64_t>(1, 10, 1000, 1024, 1'000'000, 1'048'576);
  const std::int64_t value = raw >> bits;
  std::int64_t product = 0;
  return __builtin_mul_overflow(value, round, &product) ? value : product;
}

RC_GTEST_PROP(QuantityProperty, TextReadsBackExactly, ()) {
  const std::int64_t value = any_magnitude();
  RC_ASSERT(parse_time(to_text(Time{value})).ps == value);
  RC_ASSERT(parse_rate(to_text(Rate{value})).bits_per_second == value);
  RC_ASSERT(parse_bytes(bytes_to_text(value)) == value);
}

RC_GTEST_PROP(QuantityProperty, NumbersReadBackExactly, (double value)) {
  RC_PRE(std::isfinite(value));
  RC_ASSERT(parse_fraction(number_to_text(value)) == value);
}

RC_GTEST_PROP(QuantityProperty, ArbitraryTextThrowsOnlyInputErrors, (const std::string& tail)) {
  const std::string text = *rc::gen::element<std::string>("", "1", "1.5", "-", "1e", "1e5") + tail;
  for (const auto& parse :
       {+[](std::string_view t) { parse_time(t); }, +[](std::string_view t) { parse_bytes(t); },
        +[](std::string_view t) { parse_rate(t); }, +[](std::string_view t) { parse_fraction(t); }}) {
    error_of([&] { parse(text); });  // any other exception ends the test
  }
}

TEST(Quantity, HintsForWhatWasMeant) {
  EXPECT_TRUE(says(error_of([] { parse_rate("100G"); }), "there is no unit `G`; did you mean `Gbps`?"));
  EXPECT_TRUE(says(error_of([] { parse_rate("100Gb"); }), "there is no unit `Gb`; did you mean `Gbps`?"));
  EXPECT_TRUE(says(error_of([] { parse_time("40m"); }), "a cable of this length has a delay of 200ns"));
  EXPECT_TRUE(says(error_of([] { parse_time("0.5km"); }), "has a delay of 2.5us"));
  EXPECT_FALSE(says(error_of([] { parse_time("40kB"); }), "has a delay of"));
}

}  // namespace
}  // namespace weir
