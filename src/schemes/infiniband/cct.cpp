#include "schemes/infiniband/cct.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"

namespace weir {

CctEntry nearest_cct_entry(double packet_times) {
  for (std::uint32_t shift = kMaxCctShift + 1; shift-- > 0;) {
    const double multiplier = std::round(std::max(0.0, packet_times) * (1u << shift));
    if (multiplier <= kMaxCctMultiplier)
      return {static_cast<std::uint8_t>(shift), static_cast<std::uint16_t>(multiplier)};
  }
  return {0, static_cast<std::uint16_t>(kMaxCctMultiplier)};
}

CctEntry parse_cct_entry(std::string_view text) {
  const auto number = [&](std::string_view part, std::uint32_t most) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || end != part.data() + part.size() || value > most)
      throw InputError(
          fmt::format("`{}` is no entry of a congestion control table: write a multiplier from 0 to {}, or "
                      "shift:multiplier with a shift from 0 to {}",
                      text, kMaxCctMultiplier, kMaxCctShift));
    return value;
  };
  const std::size_t colon = text.find(':');
  const std::uint32_t shift = colon == std::string_view::npos ? 0 : number(text.substr(0, colon), kMaxCctShift);
  const std::uint32_t multiplier =
      number(colon == std::string_view::npos ? text : text.substr(colon + 1), kMaxCctMultiplier);
  return {static_cast<std::uint8_t>(shift), static_cast<std::uint16_t>(multiplier)};
}

std::vector<CctEntry> linear_cct(std::uint32_t entries, double step) {
  std::vector<CctEntry> table;
  for (std::uint32_t i = 0; i < entries; ++i) table.push_back(nearest_cct_entry(i * step));
  return table;
}

}  // namespace weir
