// Width and speed of a link as PortInfo shows them. A rate that no InfiniBand link has is shown as the fastest one that
// it contains.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "base/units.h"
#include "network/fabric/link_speed.h"

namespace weir::live {

void put_speed(std::span<std::uint8_t> port_info, Rate rate);
LinkSpeed shown_speed(Rate rate);
// What a port shows; nothing where its link is down or of no known speed. FDR10 looks like QDR here.
std::optional<LinkSpeed> speed_of(std::span<const std::uint8_t> port_info);

// The attribute in which some vendors' devices tell FDR10 from QDR.
void put_extended_speed(std::span<std::uint8_t> extended_port_info, Rate rate);
bool is_fdr10(std::span<const std::uint8_t> extended_port_info);

}  // namespace weir::live
