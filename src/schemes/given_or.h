// What a scenario gives for a key, or a default that was calculated for its fabric.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "base/units.h"
#include "scenario/scenario.h"

namespace weir {

inline Bytes bytes_or(const Section& s, const char* key, Bytes fallback) {
  return s.has(key) ? s.bytes(key) : fallback;
}
inline double rate_or(const Section& s, const char* key, double fallback) {
  return s.has(key) ? static_cast<double>(s.rate(key).bits_per_second) : fallback;
}
inline Time time_or(const Section& s, const char* key, double fallback_seconds) {
  if (s.has(key)) return s.time(key);
  return {std::max<std::int64_t>(1, std::llround(fallback_seconds * 1e12))};
}
inline std::uint32_t integer_or(const Section& s, const char* key, std::uint32_t fallback) {
  return s.has(key) ? static_cast<std::uint32_t>(s.integer(key)) : fallback;
}

// Keys that several schemes share, and those of one.
template <std::size_t N, std::size_t M>
constexpr std::array<ParamSpec, N + M> joined_params(const std::array<ParamSpec, N>& a,
                                                     const std::array<ParamSpec, M>& b) {
  std::array<ParamSpec, N + M> all{};
  std::copy(a.begin(), a.end(), all.begin());
  std::copy(b.begin(), b.end(), all.begin() + N);
  return all;
}

}  // namespace weir
