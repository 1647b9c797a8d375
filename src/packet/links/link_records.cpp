#include "packet/links/link_records.h"

#include <bit>
#include <limits>

#include "base/error.h"

namespace weir {

LinkRecords::LinkRecords(std::size_t links, std::uint32_t lanes, bool has_gaps)
    : gaps_(has_gaps ? links : std::size_t{0}),
      links_(static_cast<std::uint32_t>(links)),
      lanes_(lanes),
      lane_shift_(static_cast<std::uint32_t>(std::bit_width(lanes - 1))),
      lane_mask_((1u << lane_shift_) - 1),
      stride_(std::size_t{2} << lane_shift_) {
  records_ = ZeroTable<Record>(links * stride_);
}

LinkKind kind_of_link(const Topology& topology, const SwitchConfig& switches, PortId port) {
  const LinkProperties& properties = topology.link(port);
  const bool to_host = topology.is_host(topology.node_of(topology.to(port)));
  // A buffered crossbar adds its own delay when the packet crosses.
  const bool crossbar = switches.organisation->crossbar;
  const Time inside = to_host ? Time{} : crossbar ? switches.route_delay : switches.route_delay + switches.switch_delay;
  return {.ps_per_byte_q16 = properties.rate.ps_per_byte_q16(),
          .latency = static_cast<std::uint32_t>((properties.delay + inside).ps),
          .by_tail = to_host || switches.switching == Switching::store_and_forward};
}

bool rates_differ(const Topology& topology) {
  std::uint64_t first = 0;
  for (PortId p{0}; p.index < topology.ports(); ++p.index) {
    if (!topology.to(p).valid()) continue;
    const std::uint64_t rate = topology.link(p).rate.ps_per_byte_q16();
    if (first != 0 && rate != first) return true;
    first = rate;
  }
  return false;
}

std::uint16_t LinkRecords::number_of(const LinkKind& kind) {
  const auto known = std::find(kinds_.rbegin(), kinds_.rend(), kind);  // neighbours are alike
  if (known != kinds_.rend()) return static_cast<std::uint16_t>(kinds_.rend() - known - 1);
  if (kinds_.size() > std::numeric_limits<std::uint16_t>::max())
    throw InputError("this fabric has more than 65,536 kinds of links that differ in rate or delay");
  kinds_.push_back(kind);
  return static_cast<std::uint16_t>(kinds_.size() - 1);
}

}  // namespace weir
