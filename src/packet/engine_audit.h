// Conservation, verified from scratch: every packet that was injected and not delivered stands somewhere, and the space that
// senders believe to be taken is exactly what stands in the buffer, is on the wire, or is on its way back as a release.
#pragma once
#include "packet/engine.h"

namespace weir {

template <class Family>
void PacketEngine<Family>::audit() {
  const auto require = [](bool condition, const char* what) {
    if (!condition) fail(__FILE__, __LINE__, what);
  };
  std::vector<std::int64_t> standing(fabric_.channel_of(fabric_.links(), 0), 0);
  std::uint64_t data = 0, all = 0;
  const auto count = [&](PacketIndex p, std::uint32_t buffer) {
    ++all;
    if (pool_[p].kind() == PacketKind::data) ++data;
    if (buffer != kNoChannel) standing[buffer] += fabric_.cost(pool_[p]);
  };
  const auto each = [&](const PacketList& list, const auto& act) {
    if (list.empty()) return;
    for (PacketIndex p = list.head;; p = pool_[p].next) {
      act(p);
      if (p == list.tail) break;
    }
  };
  std::uint64_t waiting_data = 0;
  const auto count_waiting = [&](PacketIndex p) {
    ++all;
    if (pool_[p].kind() == PacketKind::data) ++waiting_data;
  };

  for (std::uint32_t l = 0; l < fabric_.links(); ++l) {
    const Link& link = fabric_.link(l);
    for (std::uint32_t v = 0; v < fabric_.lanes(); ++v) {
      const std::uint32_t c = fabric_.channel_of(l, v);
      const Channel& channel = fabric_.channel(c);
      std::uint64_t queued = 0;
      const auto in_queue = [&](PacketIndex p) {
        queued += pool_[p].size;
        count(p, crossbar_ ? kNoChannel : pool_[p].came_by);
      };
      each(channel.queue, in_queue);
      if (voq_lists_ && !link.is(Link::kFromHost)) {
        const std::uint32_t radix = topology_.port_count({link.sender});
        for (std::uint32_t i = 0; i <= radix; ++i) each(virtual_queues_.at(link.sender, radix, i, topology_.local({l}), v), in_queue);
      }
      if (!link.is(Link::kFromHost)) require(queued == channel.queued, "queued bytes of a link are miscounted");
      each(channel.in_flight, [&](PacketIndex p) { count(p, pause_ ? kNoChannel : c); });
      if (crossbar_) {
        const CrossbarInput& in = crossbar_in_[c];
        std::int64_t inside = in.leaving;
        each(in.fifo, [&](PacketIndex p) {
          inside += fabric_.cost(pool_[p]);
          count(p, c);
        });
        standing[c] += in.leaving;
        require(inside <= in.occupied, "an input buffer holds more than it has counted");
        CrossbarOutput& out = crossbar_out_[c];
        std::int64_t in_output = out.leaving;
        each(out.crossing, [&](PacketIndex p) {
          in_output += fabric_.cost(pool_[p]);
          count(p, kNoChannel);
        });
        each(channel.queue, [&](PacketIndex p) { in_output += pool_[p].came_by == kNoChannel ? 0 : fabric_.cost(pool_[p]); });
        if (!link.is(Link::kFromHost))
          require(in_output == output_capacity() - out.free, "space of an output buffer is not conserved");
      }
    }
  }
  for (std::uint32_t q = 0; q < adapters_.queues(); ++q) each(adapters_.queue(q).packets, count_waiting);
  for (std::uint32_t h = 0; adapters_.limited() && h < topology_.hosts(); ++h) each(adapters_.overflow(h), count_waiting);

  // Packets that are held between landing and joining their output, and releases on their way as events.
  std::uint64_t held = 0, held_data = 0;
  std::vector<std::int64_t> returning(standing.size(), 0);
  queue_.for_each([&](const QueuedEvent& event) {
    if (event.kind() == EventKind::packet_ready) {
      const PacketIndex p = event.entity();
      ++held;
      if (pool_[p].kind() == PacketKind::data) ++held_data;
      standing[pool_[p].came_by] += fabric_.cost(pool_[p]);
    } else if (event.kind() == EventKind::credit) {
      returning[event.entity()] += event.aux;
    }
  });
  for (std::uint32_t c = 0; c < standing.size(); ++c) {
    const Link& link = fabric_.link(fabric_.link_of(c));
    if (!link.is(Link::kConnected) || link.is(Link::kToHost) || fabric_.lane_of(c) >= fabric_.lanes()) continue;
    const Channel& channel = fabric_.channel(c);
    require(channel.credits >= 0 && channel.credits <= fabric_.capacity(c), "credits out of range");
    require(fabric_.outstanding(c) == standing[c] + returning[c], "credits, occupancy and packets in flight do not add up");
  }
  require(all + held == pool_.alive(), "a packet is neither in a queue nor on a wire");
  require(data + held_data == data_injected_ - data_received_, "injected packets are not delivered or in the network");
  require(waiting_data == data_generated_ - data_injected_, "generated packets are not injected or waiting");
}

}  // namespace weir
