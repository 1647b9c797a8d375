// Flow control by credits, as InfiniBand has it: the sender counts the free space at the far end, and every release
// travels back to it.
#pragma once
#include "packet/flow_control/flow_control_kind.h"
#include "packet/flow_control/to_sender.h"

namespace weir {

class Credits {
 public:
  static constexpr FlowControlKind kKind{.spec = {.name = "credits"}, .by_credits = true};

  Credits(const SwitchConfig& config, const Topology&) : at_head_(config.release_at_head) {}

  template <class E>
  [[gnu::always_inline]] void lands(E& e, ChannelId channel, std::int32_t cost) {
    e.fabric().inputs().land(channel, cost, e.clock().ps());
  }
  template <class E>
  [[gnu::always_inline]] void leaves(E& e, ChannelId channel, std::int32_t cost, std::int64_t start,
                                     std::int64_t end) {
    const std::int64_t at = at_head_ ? start : end;
    InputBuffers& inputs = e.fabric().inputs();
    const bool note = !inputs[channel].is(InputBuffer::kReturnsAreEvents);
    if (inputs.leave(channel, cost, at, e.clock().ps(), note)) [[likely]] return;
    release(e, channel, cost, at + inputs.return_delay(channel));
  }
  // The sender does not find the released space by itself: it is told.
  template <class E>
  [[gnu::noinline]] static void release(E& e, ChannelId channel, std::int32_t cost, std::int64_t known) {
    tell_sender(e, channel, known, EventKind::credit, static_cast<std::uint32_t>(cost));
  }

  // A release has reached a sender that waits.
  template <class E>
  void on_release(E& e, ChannelId channel, std::int32_t cost) {
    Channel& c = e.fabric().channel(channel);
    c.credits += cost;
    if (!c.is(Channel::kBlocked)) return;
    const LinkId l = e.fabric().link_of(channel);
    return e.fabric().link(l).is(Link::kFromHost) ? e.offer(l) : e.switches.space_came(e, channel);
  }
  template <class E> void on_frame(E&, LinkId) {}

  template <class E>
  bool waits(E& e, ChannelId channel) const {
    return e.fabric().channel(channel).is(Channel::kBlocked);
  }
  template <class E>
  std::int32_t held(E& e, ChannelId channel) const {
    return e.fabric().outstanding(channel);
  }
  template <class E> void audit(E&) const {}
  std::size_t bytes_of_state() const { return 0; }

 private:
  bool at_head_;
};

WEIR_FLOW_CONTROL(Credits)

}  // namespace weir
