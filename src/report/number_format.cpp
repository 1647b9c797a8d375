#include "report/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace weir {
namespace {

struct Unit {
  double size;
  const char* name;
};

// Three significant digits, without an exponent below a million.
std::string three_digits(double x) {
  const double size = std::fabs(x);
  if (size >= 1e6) return fmt::format("{:.3g}", x);
  if (size >= 99.95) return fmt::format("{:.0f}", x);
  if (size >= 9.995) return fmt::format("{:.1f}", x);
  return fmt::format("{:.2f}", x);
}

// The largest unit of which there is at least one after rounding: 999.9 ns is 1.00 us, not 1000 ns.
std::string with_unit(double value, std::span<const Unit> units) {
  if (!std::isfinite(value)) return "-";
  if (value == 0) return std::string("0 ") + units.front().name;
  const Unit* best = &units.front();
  for (const Unit& unit : units)
    if (std::fabs(value) >= 0.9995 * unit.size) best = &unit;
  return three_digits(value / best->size) + " " + best->name;
}

}  // namespace

std::string format_time(double ps) {
  static constexpr Unit kUnits[] = {{1, "ps"}, {1e3, "ns"}, {1e6, "us"}, {1e9, "ms"}, {1e12, "s"}};
  return with_unit(ps, kUnits);
}

std::string format_time(Time t) { return t == kNever ? "-" : format_time(static_cast<double>(t.ps)); }

std::string format_rate(double bits_per_second) {
  static constexpr Unit kUnits[] = {{1, "b/s"}, {1e3, "kb/s"}, {1e6, "Mb/s"}, {1e9, "Gb/s"}, {1e12, "Tb/s"}};
  return with_unit(bits_per_second, kUnits);
}

std::string format_bytes(double bytes) {
  static constexpr Unit kUnits[] = {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}};
  if (std::isfinite(bytes) && bytes == std::floor(bytes) && std::fabs(bytes) < 1000)
    return fmt::format("{:.0f} B", bytes);
  return with_unit(bytes, kUnits);
}

std::string format_count(std::uint64_t n) {
  if (n < 10'000) return fmt::format("{}", n);
  static constexpr Unit kUnits[] = {{1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}};
  std::string text = with_unit(static_cast<double>(n), kUnits);
  text.erase(text.find(' '), 1);
  return text;
}

std::string format_share(double share) {
  if (!std::isfinite(share)) return "-";
  const double percent = 100 * share;
  if (percent != 0 && std::fabs(percent) < 0.095) return fmt::format("{:.2g} %", percent);
  return fmt::format("{:.1f} %", percent);
}

std::string format_factor(double factor) { return std::isfinite(factor) ? three_digits(factor) + "x" : "-"; }

std::string format_slowdown(double slowdown) { return std::isfinite(slowdown) ? three_digits(slowdown) : "-"; }

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "-";
  const auto whole = static_cast<long long>(std::ceil(std::min(seconds, 1e15)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string format_mean(const Interval& interval, std::string (*format)(double)) {
  const std::string value = format(interval.mean);
  if (!interval.half_width || interval.mean == 0) return value;
  const double percent = 100 * *interval.half_width / std::abs(interval.mean);
  return fmt::format("{} ± {:.{}f} %", value, percent, percent < 9.95 ? 1 : 0);
}

}  // namespace weir
