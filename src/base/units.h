// Physical quantities. Time is an integer count of picoseconds, so that equal instants compare equal and results never
// depend on rounding order. A Rate turns bytes into time with a fixed-point factor: exact for every rate whose
// picoseconds per byte are a whole number (8, 10, 25, 32, 40, 100 Gb/s ...), and the same bits everywhere for the rest.
#pragma once
#include <compare>
#include <cstdint>
#include <limits>

namespace weir {

struct Time {
  std::int64_t ps = 0;

  friend constexpr auto operator<=>(Time, Time) = default;
  constexpr Time& operator+=(Time o) { ps += o.ps; return *this; }
  constexpr Time& operator-=(Time o) { ps -= o.ps; return *this; }
  friend constexpr Time operator+(Time a, Time b) { return {a.ps + b.ps}; }
  friend constexpr Time operator-(Time a, Time b) { return {a.ps - b.ps}; }
  friend constexpr Time operator*(Time a, std::int64_t n) { return {a.ps * n}; }
  friend constexpr Time operator*(std::int64_t n, Time a) { return {a.ps * n}; }
  friend constexpr Time operator/(Time a, std::int64_t n) { return {a.ps / n}; }
  friend constexpr std::int64_t operator/(Time a, Time b) { return a.ps / b.ps; }
  constexpr double seconds() const { return static_cast<double>(ps) * 1e-12; }
  constexpr double nanoseconds() const { return static_cast<double>(ps) * 1e-3; }
};

// Of a cable, in fibre and copper, rounded as people who write scenarios do.
inline constexpr Time kDelayOfMetre{5'000};

inline constexpr Time kNever{std::numeric_limits<std::int64_t>::max()};

namespace literals {
constexpr Time operator""_ps(unsigned long long n) { return {static_cast<std::int64_t>(n)}; }
constexpr Time operator""_ns(unsigned long long n) { return {static_cast<std::int64_t>(n) * 1'000}; }
constexpr Time operator""_us(unsigned long long n) { return {static_cast<std::int64_t>(n) * 1'000'000}; }
constexpr Time operator""_ms(unsigned long long n) { return {static_cast<std::int64_t>(n) * 1'000'000'000}; }
constexpr Time operator""_s(unsigned long long n) { return {static_cast<std::int64_t>(n) * 1'000'000'000'000}; }
}  // namespace literals

using Bytes = std::int64_t;

struct Rate {
  std::int64_t bits_per_second = 0;

  friend constexpr auto operator<=>(Rate, Rate) = default;
  constexpr double bytes_per_second() const { return static_cast<double>(bits_per_second) / 8.0; }
  constexpr double gigabits() const { return static_cast<double>(bits_per_second) * 1e-9; }

  // Picoseconds per byte in units of 2^-16 ps, rounded to nearest.
  constexpr std::uint64_t ps_per_byte_q16() const {
    const unsigned __int128 numerator = static_cast<unsigned __int128>(8'000'000'000'000ull) << 16;
    const auto rate = static_cast<unsigned __int128>(bits_per_second);
    return static_cast<std::uint64_t>((numerator + rate / 2) / rate);
  }
  constexpr Time time_for(Bytes bytes) const { return scaled(ps_per_byte_q16(), bytes); }
  static constexpr Time scaled(std::uint64_t ps_per_byte_q16, Bytes bytes) {
    const auto product = static_cast<unsigned __int128>(ps_per_byte_q16) * static_cast<std::uint64_t>(bytes);
    return {static_cast<std::int64_t>((product + 0x8000u) >> 16)};
  }
};

}  // namespace weir
