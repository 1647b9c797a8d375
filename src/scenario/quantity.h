// Quantities as people write them: "15ns", "2kB", "8Gbps", "66%". Decimals are scaled in integers, so that "0.1ns" is
// exactly 100 ps on every machine; what cannot be represented is refused, never rounded.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/units.h"

namespace weir {

// All of these throw InputError (without a position) that says what was expected, with an example.
Time parse_time(std::string_view text);        // ps, ns, us, ms, s, min
Bytes parse_bytes(std::string_view text);      // B, kB = 1000 B, KiB = 1024 B, ...; a plain integer is bytes
Rate parse_rate(std::string_view text);        // bps, kbps, ...; kb/s; kB/s = 8 kbps
double parse_metres(std::string_view text);    // mm, cm, m, km, ft; a plain number is metres
double parse_fraction(std::string_view text);  // "0.66" or "66%"

// A readable unit; the parser gives exactly the same quantity back.
std::string to_text(Time time);
std::string to_text(Rate rate);
std::string bytes_to_text(Bytes bytes);
// The shortest decimal that reads back as the same double; never "-0".
std::string number_to_text(double number);

// A decimal number as written: digits * 10^exponent, without loss. Ranges in sweeps step through these.
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
};
Decimal parse_decimal(std::string_view text);  // "0.25", "-3", "1e-3", "66%"
std::string to_text(Decimal decimal);

}  // namespace weir
