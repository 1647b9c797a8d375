#include "live/port_speed.h"

#include "mad/smp_fields.h"

namespace weir::live {

namespace {

namespace port_info = mad::port_info;

struct WidthCode {
  std::uint8_t lanes, code;
};
constexpr WidthCode kWidthCodes[] = {{4, 2}, {1, 1}, {8, 4}, {12, 8}, {2, 16}};  // of equals the first is shown
// Speeds that have a code in PortInfo; `ext` is in the extended fields. FDR10 has that of QDR, which therefore comes
// first: what tells them apart is ExtendedPortInfo.
struct SpeedCode {
  LaneSpeed lane;
  std::uint8_t code, ext;
};
constexpr SpeedCode kSpeedCodes[] = {{LaneSpeed::sdr, 1, 0}, {LaneSpeed::ddr, 2, 0}, {LaneSpeed::qdr, 4, 0},
                                     {LaneSpeed::fdr10, 4, 0}, {LaneSpeed::fdr, 4, 1}, {LaneSpeed::edr, 4, 2},
                                     {LaneSpeed::hdr, 4, 4}, {LaneSpeed::ndr, 4, 8}};

std::uint8_t width_code(std::uint8_t lanes) {
  for (const WidthCode w : kWidthCodes)
    if (w.lanes == lanes) return w.code;
  return 2;
}

}  // namespace

LinkSpeed shown_speed(Rate rate) {
  LinkSpeed best{1, LaneSpeed::sdr};
  if (const auto exact = link_speed_of(rate)) {
    for (const SpeedCode s : kSpeedCodes)
      if (s.lane == exact->lane) return *exact;
  }
  for (const WidthCode w : kWidthCodes)
    for (const SpeedCode s : kSpeedCodes) {
      const LinkSpeed speed{w.lanes, s.lane};
      if (speed.rate() <= rate && best.rate() < speed.rate()) best = speed;
    }
  return best;
}

void put_speed(std::span<std::uint8_t> info, Rate rate) {
  const LinkSpeed speed = shown_speed(rate);
  const std::uint8_t width = width_code(speed.lanes);
  mad::put(info, port_info::kWidthActive, width);
  mad::put(info, port_info::kWidthSupported, width | 1);
  mad::put(info, port_info::kWidthEnabled, width | 1);
  for (const SpeedCode s : kSpeedCodes) {
    if (s.lane != speed.lane) continue;
    mad::put(info, port_info::kSpeedActive, s.code);
    mad::put(info, port_info::kSpeedSupported, s.code * 2u - 1);
    mad::put(info, port_info::kSpeedEnabled, s.code * 2u - 1);
    mad::put(info, port_info::kExtSpeedActive, s.ext);
    mad::put(info, port_info::kExtSpeedSupported, s.ext == 0 ? 0 : s.ext * 2u - 1);
    mad::put(info, port_info::kExtSpeedEnabled, s.ext == 0 ? 0 : s.ext * 2u - 1);
  }
}

void put_extended_speed(std::span<std::uint8_t> extended, Rate rate) {
  const std::uint8_t code = shown_speed(rate).lane == LaneSpeed::fdr10 ? mad::extended_port_info::kFdr10 : 0;
  for (const mad::Field f : {mad::extended_port_info::kSpeedSupported, mad::extended_port_info::kSpeedEnabled,
                             mad::extended_port_info::kSpeedActive})
    mad::put(extended, f, code);
}

std::optional<LinkSpeed> speed_of(std::span<const std::uint8_t> info) {
  const auto width = mad::get(info, port_info::kWidthActive);
  const auto code = mad::get(info, port_info::kSpeedActive), ext = mad::get(info, port_info::kExtSpeedActive);
  for (const WidthCode w : kWidthCodes)
    for (const SpeedCode s : kSpeedCodes)
      if (w.code == width && s.ext == ext && (ext != 0 || s.code == code)) return LinkSpeed{w.lanes, s.lane};
  return std::nullopt;
}

bool is_fdr10(std::span<const std::uint8_t> extended) {
  return (mad::get(extended, mad::extended_port_info::kSpeedActive) & mad::extended_port_info::kFdr10) != 0;
}

}  // namespace weir::live
