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
    const bool sends = part.owns(link.sender), receives = part.owns(fabric.receiver({l}));
    if (sends && !receives) link.set(Link::kCrosses);
    if (receives && !sends) fabric.each_channel({l}, [&](ChannelId c) { fabric.channel(c).set(Channel::kElsewhere); });
  }
}

// What `part` has kept of its nodes goes into `whole`: links by the sender, buffers by the receiver.
inline void take_over(FabricState& whole, FabricState& of_part, const Part& part) {
  for (std::uint32_t l = 0; l < whole.links(); ++l) {
    const Link& link = of_part.link({l});
    if (!link.is(Link::kConnected)) continue;
    if (part.owns(link.sender)) {
      whole.link({l}) = link;
      whole.wait({l}) = of_part.wait({l});
      whole.each_channel({l}, [&](ChannelId c) {
        whole.channel(c) = of_part.channel(c);
        whole.channel(c).queue = {};  // those packets lie in the pool of the part
        whole.output(c) = of_part.output(c);
      });
    }
    if (part.owns(whole.receiver({l})))
      whole.each_channel({l}, [&](ChannelId c) { whole.inputs().take_over(of_part.inputs(), c); });
  }
}

}  // namespace weir
