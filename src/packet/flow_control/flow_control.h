// Flow control: who may send into which buffer. A sender only ever asks may_send(), and a receiver only ever reports
// lands() and leaves(); what happens in between is the flow control's own. flow_controls.h has the list. One is a type
// with
//   lands(e, channel, cost)                a packet has landed in the buffer behind a channel
//   leaves(e, channel, cost, start, end)   a packet leaves it between start and end
//   on_release(e, channel, cost)           event `credit`
//   on_frame(e, link)                      event `pause_frame`
//   waits(e, channel), held(e, channel)    for the search for deadlocks: does the sender wait for space that nobody has
//                                          on the way to it; what the receiver or the way to it holds, if that is known
//   audit(e), bytes_of_state()
//   kKind                                  its record (flow_control_kind.h)
// One by credits frees space when its packet leaves, as switch.release says: the cut of a fabric counts on it.
// It stops its sender by taking its credits (Channel::credits), or by an event `pause`.
#pragma once
#include "base/one_of.h"
#include "packet/clock/clock.h"
#include "packet/flow_control/flow_controls.h"
#include "packet/links/fabric_state.h"

namespace weir {

class BufferSpace {
 public:
  BufferSpace(const SwitchConfig& config, const Topology& topology)
      : own_(make_one_of<FlowControls>(*config.flow_control, config, topology)) {}

  bool lacked() const { return lacked_; }  // some sender has waited, or prepared to wait, for space

  // ---- the sender's side ----

  // May a packet of this cost go? If not, the channel waits: it will be offered again when space is reported.
  template <class E>
  [[gnu::always_inline]] bool may_send(E& e, ChannelId channel, std::int32_t cost) {
    Channel& c = e.fabric().channel(channel);
    if (c.is(Channel::kUnlimited)) return true;
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
    e.fabric().note_pause(channel, stop, e.clock().ps());
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
  // A release that another part of the fabric has posted will be known here, to the sender.
  template <class E>
  void comes_back(E& e, ChannelId channel, std::int32_t cost, std::int64_t known) {
    if (!e.fabric().inputs().note_return(channel, cost, known, e.clock().ps()))
      e.clock().at({known}, EventKind::credit, channel.index, static_cast<std::uint32_t>(cost));
  }

  // ---- the receiver's side ----

  template <class E>
  [[gnu::always_inline]] void lands(E& e, ChannelId channel, std::int32_t cost) {
    with(own_, [&](auto& own) __attribute__((always_inline)) { own.lands(e, channel, cost); });
  }
  template <class E>
  [[gnu::always_inline]] void leaves(E& e, ChannelId channel, std::int32_t cost, std::int64_t start,
                                     std::int64_t end) {
    with(own_, [&](auto& own) __attribute__((always_inline)) { own.leaves(e, channel, cost, start, end); });
  }
  template <class E>
  void on_release(E& e, ChannelId channel, std::int32_t cost) {
    with(own_, [&](auto& own) { own.on_release(e, channel, cost); });
  }
  template <class E>
  void on_frame(E& e, LinkId link) {
    with(own_, [&](auto& own) { own.on_frame(e, link); });
  }
  template <class E>
  bool waits(E& e, ChannelId channel) const {
    return with(own_, [&](const auto& own) { return own.waits(e, channel); });
  }
  template <class E>
  std::int32_t held(E& e, ChannelId channel) const {
    return with(own_, [&](const auto& own) { return own.held(e, channel); });
  }
  template <class E>
  void audit(E& e) const {
    with(own_, [&](const auto& own) { own.audit(e); });
  }
  std::size_t bytes_of_state() const {
    return with(own_, [](const auto& own) { return own.bytes_of_state(); });
  }

 private:
  FlowControls own_;
  bool lacked_ = false;
};

}  // namespace weir
