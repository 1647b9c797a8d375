// Flow control by PAUSE with fixed thresholds on each input buffer: the receiver counts, and tells the sender to stop
// and to go on. Stops and goes take the delay of the link, and nothing of its bandwidth.
#pragma once
#include "packet/flow_control/flow_control_kind.h"
#include "packet/flow_control/stopping.h"

namespace weir {

struct PauseConfig {
  Bytes stop = 0, go = 0;  // occupancy at which the sender is stopped, and may go on
};

class PauseByThreshold : public StoppingFlowControl {
 public:
  static const FlowControlKind kKind;

  PauseByThreshold(const SwitchConfig& config, const Topology&);

  template <class E>
  [[gnu::always_inline]] void lands(E& e, ChannelId channel, std::int32_t cost) {
    e.fabric().inputs().land(channel, cost, e.clock().ps());
    check_stop(e, channel);
  }
  template <class E>
  [[gnu::always_inline]] void leaves(E& e, ChannelId channel, std::int32_t cost, std::int64_t start,
                                     std::int64_t end) {
    leave(e, channel, cost, at_head_ ? start : end);
  }
  // Space has come free behind a stopped sender.
  template <class E>
  void on_release(E& e, ChannelId channel, std::int32_t) {
    InputBuffers& inputs = e.fabric().inputs();
    InputBuffer& buffer = inputs[channel];
    if (buffer.is(InputBuffer::kStopSent) && inputs.occupied_after(channel, e.clock().ps()) <= go_) {
      buffer.clear(InputBuffer::kStopSent);
      tell(e, channel, kGo);
    }
  }
  template <class E> void on_frame(E&, LinkId) {}

  template <class E> void audit(E&) const {}
  std::size_t bytes_of_state() const { return 0; }

 private:
  template <class E>
  [[gnu::always_inline]] void check_stop(E& e, ChannelId channel) {
    const std::int64_t gone_by = e.clock().ps() - (e.leaves_later() ? 1 : 0);
    const std::int32_t occupied = e.fabric().inputs().occupied_after(channel, gone_by);
    if (occupied > std::min(stop_, e.fabric().capacity(channel))) [[unlikely]] stop(e, channel, occupied, gone_by);
  }
  template <class E>
  [[gnu::noinline]] void stop(E& e, ChannelId channel, std::int32_t occupied, std::int64_t gone_by) {
    if (occupied > e.fabric().capacity(channel)) fail(__FILE__, __LINE__, "a buffer overflowed under PAUSE");
    if (occupied <= stop_ || e.fabric().inputs()[channel].is(InputBuffer::kStopSent)) return;
    decide_stop(e, channel, gone_by);
    tell(e, channel, kStop);
  }
  template <class E>
  static void tell(E& e, ChannelId channel, std::uint32_t what) {
    tell_sender(e, channel, e.clock().ps() + e.fabric().inputs().return_delay(channel), EventKind::pause, what);
  }

  bool at_head_;
  std::int32_t stop_, go_;
};

WEIR_FLOW_CONTROL(PauseByThreshold)

}  // namespace weir
