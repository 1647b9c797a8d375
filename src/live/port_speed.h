// Width and speed of a link as PortInfo shows them. A rate that no InfiniBand link has is shown as the fastest one that
// it contains.
#pragma once
#include <cstdint>
#include <span>

#include "base/units.h"
#include "network/fabric/link_speed.h"

namespace weir::live {

void put_speed(std::span<std::uint8_t> port_info, Rate rate);
// What a port shows; nothing where its link is down or of no known speed.
LinkSpeed shown_speed(Rate rate);
Rate rate_of(std::span<const std::uint8_t> port_info);

}  // namespace weir::live
