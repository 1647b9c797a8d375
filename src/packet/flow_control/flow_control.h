// Flow control: who may send into which buffer. Under credits the sender counts the free space at the far end, and
// every release travels back to it. Under PAUSE the receiver counts, and tells the sender to stop and to go on. Either
// way a sender only ever asks may_send(), and a receiver only ever reports lands() and leaves().
#pragma once
#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"

namespace weir {

class BufferSpace {
 public:
  explicit BufferSpace(const SwitchConfig& config)
      : pause_(config.flow_control == FlowControl::pause),
        at_head_(config.release_at_head),
        stop_(static_cast<std::int32_t>(std::min<Bytes>(config.pause_stop, 1 << 30))),
        go_(static_cast<std::int32_t>(std::min<Bytes>(config.pause_go, 1 << 30))) {}

  bool lacked() const { return lacked_; }  // some sender has waited, or prepared to wait, for space

  // ---- the sender's side ----

  // May a packet of this cost go? If not, the channel waits: it will be offered again when space is reported.
  template <class E>
  [[gnu::always_inline]] bool may_send(E& e, ChannelId channel, std::int32_t cost) {
    Channel& c = e.fabric().channel(channel);
    if (c.is(Channel::kToHost)) return true;
    if (!c.is(Channel::kPaused)) {
      if (e.fabric().space_by(channel, c, cost, e.clock().ps())) {
        if (c.is(Channel::kBlocked)) {
          unblock(e, channel, c);
          e.scheme.on_fed(e, channel);
        }
        return true;
      }
      block(e, channel);
    }
    const LinkId l = e.fabric().link_of(channel);
    Link& link = e.fabric().link(l);
    if (!link.is(Link::kWaiting) && link.busy_until <= e.clock().ps()) {  // an interruptible link is asked while busy
      link.set(Link::kWaiting);
      e.fabric().wait(l).since = e.clock().ps();
    }
    return false;
  }
  // From now on every release must wake this channel.
  template <class E>
  void block(E& e, ChannelId channel) {
    Channel& c = e.fabric().channel(channel);
    if (c.is(Channel::kBlocked)) return;
    c.set(Channel::kBlocked);
    lacked_ = true;
    InputBuffers& inputs = e.fabric().inputs();
    inputs[channel].set(InputBuffer::kSenderWaits);
    inputs.hand_out_returns(channel, [&](std::int64_t known, std::int32_t cost) {
      e.clock().at({known}, EventKind::credit, channel.index, static_cast<std::uint32_t>(cost));
    });
    e.scheme.on_starved(e, channel);
  }
  template <class E>
  static void unblock(E& e, ChannelId channel, Channel& c) {
    c.clear(Channel::kBlocked);
    e.fabric().inputs()[channel].clear(InputBuffer::kSenderWaits);
  }
  template <class E>
  void on_pause(E& e, ChannelId channel, bool stop) {
    Channel& c = e.fabric().channel(channel);
    if (stop) {
      c.set(Channel::kPaused);
      lacked_ = true;
      e.scheme.on_starved(e, channel);
    } else {
      c.clear(Channel::kPaused);
      e.scheme.on_fed(e, channel);
      e.offer(e.fabric().link_of(channel));
    }
  }

  // ---- the receiver's side ----

  template <class E>
  [[gnu::always_inline]] void lands(E& e, ChannelId channel, std::int32_t cost) {
    e.fabric().inputs().land(channel, cost, e.clock().ps());
    if (pause_) check_stop(e, channel);
  }
  // A packet leaves the buffer behind `channel` between start and end.
  template <class E>
  [[gnu::always_inline]] void leaves(E& e, ChannelId channel, std::int32_t cost, std::int64_t start,
                                     std::int64_t end) {
    const std::int64_t at = at_head_ ? start : end, now = e.clock().ps();
    InputBuffers& inputs = e.fabric().inputs();
    const InputBuffer& buffer = inputs[channel];
    const bool note = !pause_ && !buffer.is(InputBuffer::kReturnsAreEvents);
    if (inputs.leave(channel, cost, at, now, note)) [[likely]] return;
    if (!pause_) release(e, channel, cost, at + inputs.return_delay(channel));
    else if (buffer.is(InputBuffer::kStopSent)) e.clock().at({at}, EventKind::credit, channel.index);
  }

  // A release that another part of the fabric has posted will be known here, to the sender.
  template <class E>
  void comes_back(E& e, ChannelId channel, std::int32_t cost, std::int64_t known) {
    if (!e.fabric().inputs().note_return(channel, cost, known, e.clock().ps()))
      e.clock().at({known}, EventKind::credit, channel.index, static_cast<std::uint32_t>(cost));
  }

  // Under credits, a release has reached a sender that waits; under PAUSE, space has come free behind a stopped sender.
  template <class E>
  void on_release(E& e, ChannelId channel, std::int32_t cost) {
    if (!pause_) {
      Channel& c = e.fabric().channel(channel);
      c.credits += cost;
      if (!c.is(Channel::kBlocked)) return;
      const LinkId l = e.fabric().link_of(channel);
      return e.fabric().link(l).is(Link::kFromHost) ? e.offer(l) : e.switches.space_came(e, channel);
    }
    InputBuffers& inputs = e.fabric().inputs();
    InputBuffer& buffer = inputs[channel];
    if (buffer.is(InputBuffer::kStopSent) && inputs.occupied_after(channel, e.clock().ps()) <= go_) {
      buffer.clear(InputBuffer::kStopSent);
      tell(e, channel, kGo);
    }
  }

  // For the search for deadlocks: does the sender wait for space that nobody has on the way to it?
  template <class E>
  bool waits(E& e, ChannelId channel) const {
    const Channel& c = e.fabric().channel(channel);
    return pause_ ? c.is(Channel::kPaused) && e.fabric().inputs()[channel].is(InputBuffer::kStopSent)
                  : c.is(Channel::kBlocked);
  }
  // What the receiver or the way to it holds, as far as flow control knows.
  template <class E>
  std::int32_t held(E& e, ChannelId channel) const {
    return pause_ ? e.fabric().inputs().occupied_after(channel, e.clock().ps()) : e.fabric().outstanding(channel);
  }
  bool counts_wire() const { return !pause_; }  // does held() include packets on the wire?

 private:
  template <class E>
  [[gnu::noinline]] void check_stop(E& e, ChannelId channel) {
    InputBuffer& buffer = e.fabric().inputs()[channel];
    const std::int64_t gone_by = e.clock().ps() - (e.leaves_later() ? 1 : 0);
    const std::int32_t occupied = e.fabric().inputs().occupied_after(channel, gone_by);
    if (occupied > e.fabric().capacity(channel)) fail(__FILE__, __LINE__, "a buffer overflowed under PAUSE");
    if (occupied <= stop_ || buffer.is(InputBuffer::kStopSent)) return;
    buffer.set(InputBuffer::kStopSent);
    e.fabric().inputs().for_each_leave(channel, [&](std::int64_t at, std::int32_t) {
      if (at > gone_by) e.clock().at({at}, EventKind::credit, channel.index);
    });
    tell(e, channel, kStop);
  }
  // A stop or go travels to the sender.
  template <class E>
  static void tell(E& e, ChannelId channel, std::uint32_t what) {
    tell_sender(e, channel, e.clock().ps() + e.fabric().inputs().return_delay(channel), EventKind::pause, what);
  }
  template <class E>
  [[gnu::noinline]] static void release(E& e, ChannelId channel, std::int32_t cost, std::int64_t known) {
    tell_sender(e, channel, known, EventKind::credit, static_cast<std::uint32_t>(cost));
  }
  // The sender may be in another part of the fabric.
  template <class E>
  static void tell_sender(E& e, ChannelId channel, std::int64_t at, EventKind kind, std::uint32_t aux) {
    if (e.fabric().inputs()[channel].is(InputBuffer::kSenderElsewhere))
      e.part.post({at, TimedEvent::pack(kind, channel.index), aux}, e.fabric().sender(e.fabric().link_of(channel)));
    else e.clock().at({at}, kind, channel.index, aux);
  }

  bool pause_, at_head_, lacked_ = false;
  std::int32_t stop_, go_;
};

}  // namespace weir
