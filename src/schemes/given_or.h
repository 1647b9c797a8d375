// What a scenario gives for a key, or a default that was calculated for its fabric. The default is noted, so that a
// result can tell it.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/units.h"
#include "scenario/quantity.h"
#include "scenario/scenario.h"

namespace weir {

inline void note_calculated(const Section& s, const char* key, std::string value) {
  if (s.calculated != nullptr) s.calculated->emplace_back(key, std::move(value));
}
inline std::string quoted_text(const std::string& quantity) { return '"' + quantity + '"'; }

inline Bytes bytes_or(const Section& s, const char* key, Bytes fallback) {
  if (s.has(key)) return s.bytes(key);
  note_calculated(s, key, quoted_text(bytes_to_text(fallback)));
  return fallback;
}
inline double rate_or(const Section& s, const char* key, double fallback) {
  if (s.has(key)) return static_cast<double>(s.rate(key).bits_per_second);
  note_calculated(s, key, quoted_text(to_text(Rate{std::llround(fallback)})));
  return fallback;
}
inline Time time_or(const Section& s, const char* key, Time fallback) {
  if (s.has(key)) return s.time(key);
  note_calculated(s, key, quoted_text(to_text(fallback)));
  return fallback;
}
inline Time time_or(const Section& s, const char* key, double fallback_seconds) {
  return time_or(s, key, Time{std::max<std::int64_t>(1, std::llround(fallback_seconds * 1e12))});
}
inline std::uint32_t integer_or(const Section& s, const char* key, std::uint32_t fallback) {
  if (s.has(key)) return static_cast<std::uint32_t>(s.integer(key));
  note_calculated(s, key, std::to_string(fallback));
  return fallback;
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
