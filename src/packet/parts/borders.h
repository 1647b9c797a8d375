// The borders between parts of a fabric (part.h) in its tables, and how the tables of two parts become one.
#pragma once
#include "packet/links/fabric_state.h"
#include "packet/parts/part.h"

namespace weir {

inline void mark_borders(FabricState& fabric, const Part& part) {
  if (part.is_whole()) return;
  for (std::uint32_t l = 0; l < fabric.links(); ++l) {
    Link& link = fabric.link({l});
    if (!link.is(Link::kConnected)) continue;
    const bool sends = part.owns(fabric.sender({l})), receives = part.owns(fabric.receiver({l}));
    if (sends && !receives) link.set(Link::kCrosses);
    if (receives && !sends) fabric.each_channel({l}, [&](ChannelId c) { fabric.inputs()[c].set(InputBuffer::kSenderElsewhere); });
  }
}

// What `part` has kept of its nodes goes into `whole`: links by the sender, buffers by the receiver.
inline void take_over(FabricState& whole, FabricState& of_part, const Part& part) {
  for (std::uint32_t l = 0; l < whole.links(); ++l) {
    if (!of_part.link({l}).is(Link::kConnected)) continue;
    if (part.owns(whole.sender({l}))) whole.take_over(of_part, {l});
    if (part.owns(whole.receiver({l})))
      whole.each_channel({l}, [&](ChannelId c) { whole.inputs().take_over(of_part.inputs(), c); });
  }
}

}  // namespace weir
