// The buffered crossbar (organisation fifo-in-out): FIFO at every input, so that a packet that cannot move holds up
// those behind it; a transfer engages its input and its output for the time the crossbar needs; the output buffer feeds
// the link.
#pragma once
#include "packet/engine.h"

namespace weir {

template <class Family>
void PacketEngine<Family>::land_in_fifo(PacketIndex p, std::uint32_t channel) {
  CrossbarInput& in = crossbar_in_[channel];
  pool_[p].time = now_;
  const bool idle = in.fifo.empty();
  in.fifo.push_back(pool_, p);
  if (idle && !in.busy) request_crossbar(channel);
}

// The head of this input asks for its output.
template <class Family>
void PacketEngine<Family>::request_crossbar(std::uint32_t in_channel) {
  CrossbarInput& in = crossbar_in_[in_channel];
  const PacketIndex head = in.fifo.head;
  const Link& link = fabric_.link(fabric_.link_of(in_channel));
  const std::uint32_t out_link = route<false>(topology_.switch_of({fabric_.channel(in_channel).receiver}), head);
  in.wanted = fabric_.channel_of(out_link, pool_[head].lane());
  requests_.set(in.wanted, link.input);
  mark_crossbar(in.wanted);
}

template <class Family>
void PacketEngine<Family>::mark_crossbar(std::uint32_t out_channel) {
  CrossbarOutput& out = crossbar_out_[out_channel];
  if (out.dirty) return;
  out.dirty = true;
  dirty_crossbars_.push_back(out_channel);
}

template <class Family>
void PacketEngine<Family>::arbitrate_crossbar(std::uint32_t out_channel) {
  CrossbarOutput& out = crossbar_out_[out_channel];
  out.wants_space = false;
  if (out.busy) return;
  const std::uint32_t input = choose_input(out_channel);
  if (input == kNoInput) return;
  const std::uint32_t node = fabric_.link(fabric_.link_of(out_channel)).sender;
  const PortId from = topology_.from(topology_.port({node}, input));
  const std::uint32_t in_channel = fabric_.channel_of(from.index, fabric_.lane_of(out_channel));
  out.fold(now_);
  if (fabric_.cost(pool_[crossbar_in_[in_channel].fifo.head]) > out.free) {
    out.wants_space = true;
    recorder_.results().totals.lacked_space = true;
    if (fabric_.link(fabric_.link_of(out_channel)).busy_until > now_) offer(fabric_.link_of(out_channel));
    return;
  }
  fabric_.channel(out_channel).turn = static_cast<std::uint16_t>(input);
  requests_.clear(out_channel, input);
  grant(in_channel, out_channel);
}

template <class Family>
void PacketEngine<Family>::grant(std::uint32_t in_channel, std::uint32_t out_channel) {
  CrossbarInput& in = crossbar_in_[in_channel];
  CrossbarOutput& out = crossbar_out_[out_channel];
  const PacketIndex p = in.fifo.pop_front(pool_);
  Packet& packet = pool_[p];
  const std::int32_t cost = fabric_.cost(packet);
  in.wanted = kNoChannel;
  in.busy = out.busy = true;
  in.leaving = cost;
  out.free -= cost;
  if (out.free < out.least_free) out.least_free = out.free;
  const Link& in_link = fabric_.link(fabric_.link_of(in_channel));
  const Link& out_link = fabric_.link(fabric_.link_of(out_channel));
  const std::int64_t arriving = in_link.serialization(packet.size);
  const std::int64_t leaving = out_link.serialization(packet.size);
  // The crossbar is faster than the faster one of the two links.
  const auto crossing =
      static_cast<std::int64_t>(static_cast<double>(std::min(arriving, leaving)) / config_.switches.speedup + 0.5);
  // A packet that is still arriving cannot cross faster than it comes.
  std::int64_t tail = tail_first_ ? now_ : packet.time + arriving;
  if (preemptive_ && carried_[fabric_.link_of(in_channel)].packet == p)
    tail = std::max(tail, in_link.busy_until + in_link.latency);
  const std::int64_t end = std::max(now_ + crossing, tail);
  queue_.push({end}, EventKind::crossbar_free, in_channel, out_channel);
  const std::int64_t head_ready = now_ + config_.switches.switch_delay.ps;
  const std::int64_t steady = tail + config_.switches.switch_delay.ps - leaving;
  packet.time = std::max(head_ready, steady);
  if (!out.crossing.empty()) packet.time = std::max(packet.time, pool_[out.crossing.tail].time);
  const bool first = out.crossing.empty();
  out.crossing.push_back(pool_, p);
  if (first) queue_.push({packet.time}, EventKind::crossing, out_channel);
}

template <class Family>
void PacketEngine<Family>::on_crossbar_free(std::uint32_t in_channel, std::uint32_t out_channel) {
  CrossbarInput& in = crossbar_in_[in_channel];
  in.busy = false;
  leave_buffer<false>(in_channel, in.leaving, now_, now_);
  in.leaving = 0;
  crossbar_out_[out_channel].busy = false;
  if (!in.fifo.empty()) request_crossbar(in_channel);
  mark_crossbar(out_channel);
}

template <class Family>
void PacketEngine<Family>::on_crossing(std::uint32_t out_channel) {
  CrossbarOutput& out = crossbar_out_[out_channel];
  const PacketIndex p = out.crossing.pop_front(pool_);
  if (!out.crossing.empty()) queue_.push({pool_[out.crossing.head].time}, EventKind::crossing, out_channel);
  join_output<false>(p, out_channel);
}

}  // namespace weir
