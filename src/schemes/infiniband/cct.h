// What a congestion control table means for an adapter: how long to wait between two packets of a flow, by CCTI. An
// entry has InfiniBand's 16 bits, a shift (2 bits) and a multiplier (14 bits); fractions of a packet time are kept, so
// that an entry can also stand for a wait shorter than one packet.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "control/opensm_config.h"

namespace weir {

inline constexpr std::uint32_t kMaxCctMultiplier = (1u << 14) - 1;
inline constexpr std::uint32_t kMaxCctShift = 3;

// Wait after a packet that takes `packet` on the link: packet x multiplier / 2^shift, rounded to nearest.
constexpr Time injection_wait(CctEntry entry, Time packet) {
  const std::int64_t half = (std::int64_t{1} << entry.shift) >> 1;
  return {(packet.ps * entry.multiplier + half) >> entry.shift};
}

// The nearest entry, with the largest shift (finest step) that can express it; waits beyond the range become the
// longest.
CctEntry nearest_cct_entry(double packet_times);

// "3", "0:3" or "2:13": multiplier, or shift and multiplier. An InputError says what is wrong with another text.
CctEntry parse_cct_entry(std::string_view text);

// Entry i waits i x `step` packet times, to the nearest entry.
std::vector<CctEntry> linear_cct(std::uint32_t entries, double step);

}  // namespace weir
