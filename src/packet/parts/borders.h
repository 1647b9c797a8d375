// The borders between parts of a fabric (part.h) in its tables.
#pragma once
#include "packet/links/fabric_state.h"
#include "packet/parts/part.h"

namespace weir {

inline void mark_borders(FabricState& fabric, const Part& part) {
  if (part.is_whole()) return;
  fabric.used().each([&](std::uint32_t l, std::size_t) {
    Link& link = fabric.link({l});
    if (!link.is(Link::kConnected)) return;
    const bool sends = part.owns(fabric.sender({l})), receives = part.owns(fabric.receiver({l}));
    if (sends && !receives) link.set(Link::kCrosses);
    if (sends || !receives) return;
    fabric.each_channel({l}, [&](ChannelId c) { fabric.inputs()[c].set(InputBuffer::kSenderElsewhere); });
  });
}

}  // namespace weir
