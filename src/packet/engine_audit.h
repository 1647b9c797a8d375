// Conservation, verified from scratch: every packet that was injected and not delivered stands somewhere, and the space
// that senders believe to be taken is exactly what stands in the buffer, is on the wire, or is on its way back as a
// release.
#pragma once
#include "packet/engine.h"

namespace weir {

// What an audit has found so far.
struct AuditCount {
  const FabricState& fabric;
  const PacketPool& pool;
  // Per channel: in the buffer behind it or on the way to it; landed there; on the way back as an event.
  std::vector<std::int64_t> standing, landed, returning;
  std::uint64_t all = 0, data = 0, waiting_data = 0;

  static void require(bool condition, const char* what) {
    if (!condition) fail(__FILE__, __LINE__, what);
  }
  template <class Act>
  void each(const PacketList& list, const Act& act) const {
    for (PacketIndex p = list.head; !list.empty(); p = pool[p].next) {
      act(p);
      if (p == list.tail) break;
    }
  }
  void in_network(PacketIndex p, std::uint32_t buffer) {
    ++all;
    if (pool[p].kind() == PacketKind::data) ++data;
    if (buffer != kNoChannel) standing[buffer] += fabric.cost(pool[p]);
  }
  void in_buffer(PacketIndex p, std::uint32_t buffer) {
    in_network(p, buffer);
    if (buffer != kNoChannel) landed[buffer] += fabric.cost(pool[p]);
  }
  void at_host(PacketIndex p) {
    ++all;
    if (pool[p].kind() == PacketKind::data) ++waiting_data;
  }
};

template <class Family>
void PacketEngine<Family>::audit() {
  const std::uint32_t channels = fabric_.channel_of(fabric_.links(), 0);
  const std::vector<std::int64_t> none(channels, 0);
  AuditCount count{fabric_, pool_, none, none, none};
  for (std::uint32_t l = 0; l < fabric_.links(); ++l)
    for (std::uint32_t v = 0; v < fabric_.lanes(); ++v) audit_channel(l, v, count);
  const auto at_host = [&](PacketIndex p) { count.at_host(p); };
  for (std::uint32_t q = 0; q < adapters_.queues(); ++q) count.each(adapters_.queue(q).packets, at_host);
  for (std::uint32_t h = 0; adapters_.limited() && h < topology_.hosts(); ++h)
    count.each(adapters_.overflow(h), at_host);
  flow_connections_.for_each_held(at_host);

  // Packets on the wire, packets that are held between landing and joining their output, and releases on their way.
  held_.for_each([&](PacketIndex p) { count.in_buffer(p, pool_[p].came_by); });
  queue_.for_each([&](const QueuedEvent& event) {
    if (event.kind() == EventKind::arrival) count.in_network(event.aux, pause_ ? kNoChannel : event.entity());
    else if (event.kind() == EventKind::credit) count.returning[event.entity()] += event.aux;
  });
  for (std::uint32_t c = 0; c < channels; ++c) {
    const Link& link = fabric_.link(fabric_.link_of(c));
    if (!link.is(Link::kConnected) || link.is(Link::kToHost) || fabric_.lane_of(c) >= fabric_.lanes()) continue;
    const Channel& channel = fabric_.channel(c);
    count.require(channel.credits >= 0 && channel.credits <= fabric_.capacity(c), "credits out of range");
    count.require(fabric_.outstanding(c) == count.standing[c] + count.returning[c],
                  "credits, occupancy and packets in flight do not add up");
    count.require(fabric_.inputs().standing(c) == count.landed[c], "the occupancy of a buffer is miscounted");
  }
  count.require(count.all == pool_.alive(), "a packet is neither in a queue nor on a wire");
  count.require(count.data == data_injected_ - data_received_, "injected packets are not delivered or in the network");
  count.require(count.waiting_data == data_generated_ - data_injected_,
                "generated packets are not injected or waiting");
}

template <class Family>
void PacketEngine<Family>::audit_channel(std::uint32_t l, std::uint32_t lane, AuditCount& count) {
  const Link& link = fabric_.link(l);
  const std::uint32_t c = fabric_.channel_of(l, lane);
  const Channel& channel = fabric_.channel(c);
  std::uint64_t queued = 0;
  const auto in_queue = [&](PacketIndex p) {
    queued += pool_[p].size;
    count.in_buffer(p, crossbar_ ? kNoChannel : pool_[p].came_by);
  };
  count.each(channel.queue, in_queue);
  if (voq_lists_ && !link.is(Link::kFromHost)) {
    const std::uint32_t radix = topology_.port_count({link.sender});
    for (std::uint32_t i = 0; i <= radix; ++i)
      count.each(virtual_queues_.at(link.sender, radix, i, topology_.local({l}), lane), in_queue);
  }
  if (!link.is(Link::kFromHost)) count.require(queued == channel.queued, "queued bytes of a link are miscounted");
  if (!crossbar_) return;

  const CrossbarInput& in = crossbar_in_[c];
  count.each(in.fifo, [&](PacketIndex p) { count.in_buffer(p, c); });
  count.standing[c] += in.leaving;
  count.landed[c] += in.leaving;
  const CrossbarOutput& out = crossbar_out_[c];
  std::int64_t in_output = out.leaving;
  count.each(out.crossing, [&](PacketIndex p) {
    in_output += fabric_.cost(pool_[p]);
    count.in_network(p, kNoChannel);
  });
  count.each(channel.queue,
             [&](PacketIndex p) { in_output += pool_[p].came_by == kNoChannel ? 0 : fabric_.cost(pool_[p]); });
  if (!link.is(Link::kFromHost))
    count.require(in_output == output_capacity() - out.free, "space of an output buffer is not conserved");
}

}  // namespace weir
