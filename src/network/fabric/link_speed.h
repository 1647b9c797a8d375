// What InfiniBand calls a link: so many lanes at such a speed, "4xFDR10". The rate of a link is what it carries of
// data, after the line code: 8b/10b up to QDR, 64b/66b from FDR10 on; from HDR on the nominal rate is the data rate.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace weir {

enum class LaneSpeed : std::uint8_t { sdr, ddr, qdr, fdr10, fdr, edr, hdr, ndr, xdr };

struct LinkSpeed {
  std::uint8_t lanes = 4;  // 1, 2, 4, 8 or 12
  LaneSpeed lane = LaneSpeed::sdr;

  friend bool operator==(LinkSpeed, LinkSpeed) = default;
  Rate rate() const;         // of data, rounded to whole bits per second
  std::string text() const;  // "4xFDR10"
};

std::string_view lane_name(LaneSpeed lane);

// "4xSDR", in any case, "FDR-10" too; nothing where it is no speed that InfiniBand has.
std::optional<LinkSpeed> parse_link_speed(std::string_view text);

// The speed with this rate: with four lanes if there is one, else with the fewest; nothing where there is none.
std::optional<LinkSpeed> link_speed_of(Rate rate);

}  // namespace weir
