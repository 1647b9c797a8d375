// Conservation, verified from scratch: every packet that was injected and not delivered stands somewhere, the space
// that senders believe to be taken is exactly what stands in the buffer, is on the wire, or is on its way back as a
// release, and a buffer's gauge shows what stands in it.
#pragma once
#include <cstdint>
#include <vector>

#include "packet/clock.h"
#include "packet/fabric_state.h"
#include "packet/held.h"

namespace weir {

// What an audit has found so far.
struct AuditCount {
  // Per channel: in the buffer behind it; on the wire to it; on the way back as an event.
  std::vector<std::int64_t> standing, landing, returning;
  std::vector<std::uint64_t> queued;  // per channel: bytes that wait for it
  std::uint64_t waiting = 0, data_in_network = 0, data_at_hosts = 0;

  static void require(bool condition, const char* what) {
    if (!condition) fail(__FILE__, __LINE__, what);
  }
};

template <class E>
void audit_everything(E& e) {
  const std::size_t channels = e.fabric().channels();
  AuditCount count{std::vector<std::int64_t>(channels), std::vector<std::int64_t>(channels),
                   std::vector<std::int64_t>(channels), std::vector<std::uint64_t>(channels)};
  const auto in_network = [&](PacketSlot slot, ChannelId buffer) {
    const Packet& p = e.waiting[slot];
    ++count.waiting;
    count.data_in_network += p.is(PacketKind::data);
    if (buffer.valid()) count.standing[buffer.index] += e.fabric().cost(p);
  };
  e.switches.each_waiting(e, [&](PacketSlot slot, ChannelId buffer, ChannelId) { in_network(slot, buffer); });
  e.switches.each_queued(e, [&](PacketSlot slot, ChannelId c) { count.queued[c.index] += e.waiting[slot].size; });
  e.switches.held().each([&](const HeldPackets::Held& h) { in_network(h.packet, e.waiting[h.packet].came_by); });
  const auto at_host = [&](PacketSlot slot) {
    ++count.waiting;
    count.data_at_hosts += e.waiting[slot].is(PacketKind::data);
  };
  const std::uint64_t unkept = e.send_queues.each_waiting(e, at_host);
  count.waiting += unkept;
  count.data_at_hosts += unkept;
  e.setup.each_held(at_host);
  e.clock().for_each_packet([&](const Packet& p) {
    count.data_in_network += p.is(PacketKind::data);
    count.landing[p.came_by.index] += e.fabric().cost(p);
  });
  e.clock().for_each_event([&](const TimedEvent& event) {
    if (event.kind() == EventKind::credit) count.returning[event.entity()] += event.aux;
  });
  e.switches.audit(e, count);
  for (std::uint32_t c = 0; c < channels; ++c) {
    const Link& link = e.fabric().link(e.fabric().link_of({c}));
    count.require(link.is(Link::kFromHost) || count.queued[c] == e.fabric().channel({c}).queued,
                  "queued bytes of a link are miscounted");
    if (!link.is(Link::kConnected) || link.is(Link::kToHost) || e.fabric().lane_of({c}).index >= e.fabric().lanes())
      continue;
    count.require(e.fabric().inputs().standing({c}) == count.standing[c],
                  "a gauge does not show what stands in its buffer");
    if (!link.is(Link::kTakesCredits)) continue;
    const Channel& channel = e.fabric().channel({c});
    count.require(channel.credits >= 0 && channel.credits <= e.fabric().capacity({c}), "credits out of range");
    count.require(e.fabric().outstanding({c}) == count.standing[c] + count.landing[c] + count.returning[c],
                  "credits, occupancy and packets in flight do not add up");
  }
  count.require(count.waiting == e.waiting.count(), "a packet that waits is in no queue");
  count.require(count.data_in_network == e.delivery.injected() - e.delivery.received(),
                "injected packets are not delivered or in the network");
  count.require(count.data_at_hosts == e.sources.generated() - e.delivery.injected(),
                "generated packets are not injected or waiting");
}

}  // namespace weir
