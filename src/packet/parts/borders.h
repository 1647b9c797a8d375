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
    if (sends || !receives) continue;
    fabric.each_channel({l}, [&](ChannelId c) { fabric.inputs()[c].set(InputBuffer::kSenderElsewhere); });
  }
}

// What `part` has kept of its nodes goes into `whole`: links by the sender, buffers by the receiver.
inline void take_over(FabricState& whole, FabricState& of_part, const Part& part) {
  for (std::uint32_t l = 0; l < whole.links(); ++l) {
    if (!of_part.link({l}).is(Link::kConnected)) continue;
    const bool sends = part.owns(whole.sender({l})), receives = part.owns(whole.receiver({l}));
    if (sends) whole.take_over(of_part, {l});
    whole.each_channel({l}, [&](ChannelId c) {
      // What comes back over a border is noted at the sender, in a record that only the receiver fills otherwise.
      if (sends != receives) whole.channel(c).credits += (sends ? of_part : whole).inputs().noted_returns(c);
      if (receives) whole.inputs().take_over(of_part.inputs(), c);
    });
  }
}

}  // namespace weir
