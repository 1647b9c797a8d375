// Priority flow control (PFC) over switches with one shared memory, as lossless Ethernet runs it. The receiver stops
// the lanes of its sender one by one; a frame with the state of all lanes goes over the link back, before packets that
// wait there, and at most one waits: it says what holds when it starts. (Real frames stop for a time and are repeated;
// here a stop lasts until the go.)
#pragma once
#include <bit>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/zero_table.h"
#include "packet/flow_control/flow_control_kind.h"
#include "packet/flow_control/headroom.h"
#include "packet/flow_control/shared_memory.h"
#include "packet/flow_control/stopping.h"

namespace weir {

class PriorityPause : public StoppingFlowControl {
 public:
  static const FlowControlKind kKind;

  PriorityPause(const SwitchConfig& config, const Topology& topology);

  template <class E>
  void lands(E& e, ChannelId channel, std::int32_t cost) {
    const std::int64_t now = e.clock().ps();
    const LinkId l = e.fabric().link_of(channel);
    InputBuffers& inputs = e.fabric().inputs();
    inputs.land(channel, cost, now);
    SharedMemory& memory = folded(e, l);
    MemoryUse& use = uses_[channel.index];
    const Room room = rooms_[l.index];
    memory.land(use, cost, room.reserve);
    if (use.headroom > room.headroom) overflow(e.topology(), l, e.clock().now(), room.headroom);
    if (inputs[channel].is(InputBuffer::kStopSent) || !memory.should_stop(use, room.reserve)) return;
    decide_stop(e, channel, now);
    send_frame(e, l);
  }
  template <class E>
  void leaves(E& e, ChannelId channel, std::int32_t cost, std::int64_t, std::int64_t end) {
    const LinkId l = e.fabric().link_of(channel);
    leave(e, channel, cost, end);
    memories_[e.fabric().receiver(l).index].leaves({end, channel, cost, rooms_[l.index].reserve});
  }
  // Space has come free behind a stopped sender.
  template <class E>
  void on_release(E& e, ChannelId channel, std::int32_t) {
    InputBuffer& buffer = e.fabric().inputs()[channel];
    if (!buffer.is(InputBuffer::kStopSent)) return;
    const LinkId l = e.fabric().link_of(channel);
    if (!folded(e, l).may_go_on(uses_[channel.index], rooms_[l.index].reserve, resume_)) return;
    buffer.clear(InputBuffer::kStopSent);
    send_frame(e, l);
  }
  // The frame that waited for this link starts.
  template <class E>
  void on_frame(E& e, LinkId back) {
    frame_waits_[back.index] = false;
    start_frame(e, back);
  }

  // Every byte that stands in a buffer is in a pool or in headroom, and what is shared adds up.
  template <class E>
  void audit(E& e) const {
    std::vector<std::int64_t> pool(memories_.size(), 0), leaving(uses_.size(), 0);
    for (const SharedMemory& memory : memories_)
      for (const SharedMemory::Leave& leave : memory.to_come()) leaving[leave.channel.index] += leave.cost;
    e.fabric().used().each([&](std::uint32_t l, std::size_t) {
      if (!e.fabric().link({l}).is(Link::kConnected) || !e.part.owns(e.fabric().receiver({l}))) return;
      e.fabric().each_channel({l}, [&](ChannelId c) {
        const MemoryUse& use = uses_[c.index];
        pool[e.fabric().receiver({l}).index] += use.shared(rooms_[l].reserve);
        if (use.pooled < 0 || use.headroom < 0 || use.headroom > rooms_[l].headroom ||
            use.pooled + use.headroom - leaving[c.index] != e.fabric().inputs().standing(c))
          fail(__FILE__, __LINE__, "pool and headroom do not add up to what stands in a buffer");
      });
    });
    for (std::size_t n = 0; n < memories_.size(); ++n)
      if (pool[n] != memories_[n].used() || pool[n] > memories_[n].shared())
        fail(__FILE__, __LINE__, "the shared memory of a switch does not add up");
  }
  std::size_t bytes_of_state() const {
    return memories_.size() * sizeof(SharedMemory) + uses_.size() * sizeof(MemoryUse) + rooms_.size() * sizeof(Room);
  }

 private:
  struct Room {
    std::int32_t reserve = 0, headroom = 0;
  };

  template <class E>
  SharedMemory& folded(E& e, LinkId l) {
    SharedMemory& memory = memories_[e.fabric().receiver(l).index];
    memory.fold(e.clock().ps(), [&](ChannelId c) -> MemoryUse& { return uses_[c.index]; });
    return memory;
  }
  // The state of a lane of link `l` has changed. The frame takes the link back as soon as it is free.
  template <class E>
  void send_frame(E& e, LinkId l) {
    const LinkId back = e.topology().to(l);
    if (frame_waits_[back.index]) return;
    Link& link = e.fabric().link(back);
    const std::int64_t now = e.clock().ps(), start = std::max(now, link.busy_until);
    const std::int64_t duration = e.fabric().kind(link).serialization(frame_);
    link.busy_until = start + duration;
    link.sent_time += duration;
    link.sent_bytes += frame_;
    if (start == now) return start_frame(e, back);
    frame_waits_[back.index] = true;
    e.clock().at({start}, EventKind::pause_frame, back.index);
  }
  template <class E>
  void start_frame(E& e, LinkId back) {
    const std::int64_t received = e.clock().ps() + e.fabric().kind(back).serialization(frame_);
    e.fabric().each_channel(e.topology().to(back), [&](ChannelId c) {
      const bool stop = e.fabric().inputs()[c].is(InputBuffer::kStopSent);
      if (stop == uses_[c.index].told_stop) return;
      uses_[c.index].told_stop = stop;
      tell_sender(e, c, received + e.fabric().inputs().return_delay(c), EventKind::pause, stop ? kStop : kGo);
    });
  }
  PriorityPause(const SwitchConfig& config, const PfcConfig& pfc, const Topology& topology);
  [[noreturn]] static void overflow(const Topology& topology, LinkId l, Time now, std::int32_t headroom);

  std::uint32_t frame_;
  std::int32_t resume_;
  std::vector<SharedMemory> memories_;  // by node
  std::vector<Room> rooms_;             // by link, of each lane
  ZeroTable<MemoryUse> uses_;           // by channel
  std::vector<char> frame_waits_;       // by link that it waits for
};

WEIR_FLOW_CONTROL(PriorityPause)

}  // namespace weir
