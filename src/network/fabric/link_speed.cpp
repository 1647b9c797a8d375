#include "network/fabric/link_speed.h"

#include <array>
#include <cctype>
#include <charconv>

namespace weir {

namespace {

// Signalling rate of a lane in kbit/s and the share of it that is data.
struct LaneRate {
  LaneSpeed speed;
  std::string_view name;
  std::int64_t signal_kbps;
  std::int64_t data, coded;
};
constexpr std::array kLanes{
    LaneRate{LaneSpeed::sdr, "SDR", 2'500'000, 8, 10},       LaneRate{LaneSpeed::ddr, "DDR", 5'000'000, 8, 10},
    LaneRate{LaneSpeed::qdr, "QDR", 10'000'000, 8, 10},      LaneRate{LaneSpeed::fdr10, "FDR10", 10'312'500, 64, 66},
    LaneRate{LaneSpeed::fdr, "FDR", 14'062'500, 64, 66},     LaneRate{LaneSpeed::edr, "EDR", 25'781'250, 64, 66},
    LaneRate{LaneSpeed::hdr, "HDR", 50'000'000, 1, 1},       LaneRate{LaneSpeed::ndr, "NDR", 100'000'000, 1, 1},
    LaneRate{LaneSpeed::xdr, "XDR", 200'000'000, 1, 1},
};
constexpr std::array<std::uint8_t, 5> kWidths{4, 1, 2, 8, 12};  // in the order in which a rate looks for its speed

const LaneRate& lane_of(LaneSpeed speed) { return kLanes[static_cast<std::size_t>(speed)]; }

}  // namespace

std::string_view lane_name(LaneSpeed lane) { return lane_of(lane).name; }

Rate LinkSpeed::rate() const {
  const LaneRate& l = lane_of(lane);
  return {(lanes * l.signal_kbps * 1000 * l.data + l.coded / 2) / l.coded};
}

std::string LinkSpeed::text() const { return std::to_string(lanes) + "x" + std::string(lane_name(lane)); }

std::optional<LinkSpeed> parse_link_speed(std::string_view text) {
  unsigned lanes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), lanes);
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc() || rest.empty() || (rest[0] != 'x' && rest[0] != 'X')) return std::nullopt;
  std::string name;
  for (char c : rest.substr(1)) {
    if (c != '-') name += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  for (std::uint8_t width : kWidths) {
    if (width != lanes) continue;
    for (const LaneRate& lane : kLanes) {
      if (lane.name == name) return LinkSpeed{width, lane.speed};
    }
  }
  return std::nullopt;
}

std::optional<LinkSpeed> link_speed_of(Rate rate) {
  for (std::uint8_t width : kWidths) {
    for (const LaneRate& lane : kLanes) {
      const LinkSpeed speed{width, lane.speed};
      if (speed.rate() == rate) return speed;
    }
  }
  return std::nullopt;
}

}  // namespace weir
