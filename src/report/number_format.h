// Numbers as people read them: three significant digits and a unit. Nothing that is not a number is ever printed: a
// missing or infinite value is "-".
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "measure/interval.h"

namespace weir {

std::string format_time(double ps);               // "12.3 us"
std::string format_time(Time t);                  // kNever: "-"
std::string format_rate(double bits_per_second);  // "7.98 Gb/s"
std::string format_bytes(double bytes);           // "1.50 kB", powers of 1000
std::string format_count(std::uint64_t n);        // "9999", "1.25M"
std::string format_share(double share);           // 0.931 -> "93.1 %"
std::string format_factor(double factor);         // "210x"
std::string format_slowdown(double slowdown);     // "1.03"
std::string format_duration(double seconds);      // "12 s", "3 min 05 s", "2 h 07 min": whole seconds, rounded up

// "7.98 Gb/s ± 0.4 %"; without an interval the mean alone.
std::string format_mean(const Interval& interval, std::string (*format)(double));

// The same for values that may not exist.
template <class T, class Format>
std::string or_dash(const std::optional<T>& value, Format format) {
  return value ? format(*value) : std::string("-");
}

}  // namespace weir
