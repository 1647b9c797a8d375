// The end of time. Picoseconds in 64 bits count to 9.2e6 seconds; what a user's numbers add up to must not run over.
#pragma once
#include "base/units.h"

namespace weir {

// 4.6e6 seconds, some 53 days. What would happen later never happens; a packet's times can still be added to it.
inline constexpr Time kLatest{std::int64_t{1} << 62};

// `span` after `from`; neither is negative, and either may be kNever.
constexpr Time later(Time from, Time span) { return from.ps > kLatest.ps - span.ps ? kNever : from + span; }

// A calculated time, cut to whole picoseconds; not negative.
constexpr Time whole_ps(double ps) {
  return ps < static_cast<double>(kLatest.ps) ? Time{static_cast<std::int64_t>(ps)} : kNever;
}

}  // namespace weir
