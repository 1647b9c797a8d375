// What is measured of a link: how long it was busy, what it has carried, what stands before it.
#pragma once
#include <algorithm>
#include <cstdint>

#include "packet/links/fabric_state.h"

namespace weir {

// How long it has still to transmit what was put onto it.
inline std::int64_t rest_of(const FabricState& fabric, LinkId l, std::int64_t now) {
  const std::int64_t rest = std::max<std::int64_t>(0, fabric.link(l).busy_until - now);
  const LinkGap gap = fabric.gap(l);
  return std::max<std::int64_t>(0, rest - std::clamp<std::int64_t>(gap.end - now, 0, gap.length));
}
// How long it has been transmitting by now.
inline std::int64_t busy_by(const FabricState& fabric, LinkId l, std::int64_t now) {
  return std::max<std::int64_t>(0, fabric.link(l).sent_time - rest_of(fabric, l, now));
}
// Bytes that have left through it by now.
inline std::uint64_t sent_by(const FabricState& fabric, LinkId l, std::int64_t now) {
  const Link& link = fabric.link(l);
  return link.sent_bytes - std::min(link.sent_bytes, fabric.kind(link).bytes_in(rest_of(fabric, l, now)));
}
// What stands before it: queued, or promised to it, the rest of the packet on the wire included.
inline std::uint64_t backlog_bytes(const FabricState& fabric, ChannelId channel, std::int64_t now) {
  const LinkId l = fabric.link_of(channel);
  return fabric.channel(channel).queued + fabric.kind(l).bytes_in(rest_of(fabric, l, now));
}
inline std::uint64_t peak_backlog_bytes(const FabricState& fabric, ChannelId channel) {
  return fabric.kind(fabric.link_of(channel)).bytes_in(fabric.output(channel).peak_backlog);
}

}  // namespace weir
