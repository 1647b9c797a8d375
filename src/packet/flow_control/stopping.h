// What flow controls share whose receivers stop their senders by an event `pause`.
#pragma once
#include "packet/flow_control/to_sender.h"

namespace weir {

class StoppingFlowControl {
 public:
  template <class E>
  bool waits(E& e, ChannelId channel) const {
    return e.fabric().channel(channel).is(Channel::kPaused) &&
           e.fabric().inputs()[channel].is(InputBuffer::kStopSent);
  }
  template <class E>
  std::int32_t held(E& e, ChannelId channel) const {
    return e.fabric().inputs().occupied_after(channel, e.clock().ps());
  }

 protected:
  // The sender is to stop. From now on whatever leaves the buffer is an event, also what is known to leave after
  // `gone_by`: it may let the sender go on.
  template <class E>
  static void decide_stop(E& e, ChannelId channel, std::int64_t gone_by) {
    InputBuffers& inputs = e.fabric().inputs();
    inputs[channel].set(InputBuffer::kStopSent);
    inputs.each_leave_after(channel, gone_by, [&](std::int64_t at, std::int32_t) {
      e.clock().at({at}, EventKind::credit, channel.index);
    });
  }
  template <class E>
  [[gnu::always_inline]] static void leave(E& e, ChannelId channel, std::int32_t cost, std::int64_t at) {
    InputBuffers& inputs = e.fabric().inputs();
    inputs.leave(channel, cost, at, e.clock().ps(), false);
    if (inputs[channel].is(InputBuffer::kStopSent)) e.clock().at({at}, EventKind::credit, channel.index);
  }
};

}  // namespace weir
