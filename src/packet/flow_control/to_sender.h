// What a receiver of packets tells their sender, who may be in another part of the fabric.
#pragma once
#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"

namespace weir {

template <class E>
void tell_sender(E& e, ChannelId channel, std::int64_t at, EventKind kind, std::uint32_t aux) {
  if (e.fabric().inputs()[channel].is(InputBuffer::kSenderElsewhere))
    e.part.post({at, TimedEvent::pack(kind, channel.index), aux}, e.fabric().sender(e.fabric().link_of(channel)));
  else e.clock().at({at}, kind, channel.index, aux);
}

}  // namespace weir
