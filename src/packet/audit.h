// Conservation, verified from scratch: every packet that was injected and not delivered stands somewhere, the space
// that senders believe to be taken is exactly what stands in the buffer, is on the wire, or is on its way back as a
// release, and a buffer's gauge shows what stands in it.
#pragma once
#include <cstdint>
#include <vector>

#include "packet/clock/clock.h"
#include "packet/links/fabric_state.h"
#include "packet/switches/held.h"

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

// Everything is counted up, in all engines that share a run; then the counts are checked.
class Audit {
 public:
  explicit Audit(std::size_t channels)
      : count_{std::vector<std::int64_t>(channels), std::vector<std::int64_t>(channels),
               std::vector<std::int64_t>(channels), std::vector<std::uint64_t>(channels)} {}

  template <class E>
  void add(E& e) {
    const std::uint64_t before = count_.waiting;
    const auto in_network = [&](PacketSlot slot, ChannelId buffer) {
      const Packet& p = e.waiting[slot];
      ++count_.waiting;
      count_.data_in_network += p.is(PacketKind::data);
      if (buffer.valid()) count_.standing[buffer.index] += e.fabric().cost(p);
    };
    e.switches.each_waiting(e, [&](PacketSlot slot, ChannelId buffer, ChannelId) { in_network(slot, buffer); });
    e.switches.each_queued(e, [&](PacketSlot slot, ChannelId c) { count_.queued[c.index] += e.waiting[slot].size; });
    e.switches.held().each([&](const HeldPackets::Held& h) { in_network(h.packet, e.waiting[h.packet].came_by); });
    const auto at_host = [&](PacketSlot slot) {
      ++count_.waiting;
      count_.data_at_hosts += e.waiting[slot].is(PacketKind::data);
    };
    const std::uint64_t unkept = e.send_queues.each_waiting(e, at_host);
    count_.waiting += unkept;
    count_.data_at_hosts += unkept;
    e.setup.each_held(at_host);
    count_.require(count_.waiting - before == e.waiting.count(), "a packet that waits is in no queue");
    e.clock().for_each_packet([&](const Packet& p) {
      count_.data_in_network += p.is(PacketKind::data);
      count_.landing[p.came_by.index] += e.fabric().cost(p);
    });
    e.clock().for_each_event([&](const TimedEvent& event) {
      if (event.kind() == EventKind::credit) count_.returning[event.entity()] += event.aux;
    });
    e.switches.audit(e, count_);
    generated_ += e.sources.generated();
    injected_ += e.delivery.injected();
    received_ += e.delivery.received() + e.delivery.lost();
  }
  void check(const FabricState& fabric) const {
    for (std::uint32_t c = 0; c < fabric.channels(); ++c) {
      const Link& link = fabric.link(fabric.link_of({c}));
      count_.require(link.is(Link::kFromHost) || count_.queued[c] == fabric.channel({c}).queued,
                     "queued bytes of a link are miscounted");
      if (!link.is(Link::kConnected) || link.is(Link::kToHost) || fabric.lane_of({c}).index >= fabric.lanes())
        continue;
      count_.require(fabric.inputs().standing({c}) == count_.standing[c],
                     "a gauge does not show what stands in its buffer");
      if (!link.is(Link::kTakesCredits)) continue;
      const Channel& channel = fabric.channel({c});
      count_.require(channel.credits >= 0 && channel.credits <= fabric.capacity({c}), "credits out of range");
      count_.require(fabric.outstanding({c}) == count_.standing[c] + count_.landing[c] + count_.returning[c],
                     "credits, occupancy and packets in flight do not add up");
    }
    count_.require(count_.data_in_network == injected_ - received_,
                   "injected packets are not delivered or in the network");
    count_.require(count_.data_at_hosts == generated_ - injected_, "generated packets are not injected or waiting");
  }

 private:
  AuditCount count_;
  std::uint64_t generated_ = 0, injected_ = 0, received_ = 0;  // data packets; what was lost has ended, too
};

template <class E>
void audit_everything(E& e) {
  Audit audit(e.fabric().channels());
  audit.add(e);
  audit.check(e.fabric());
}

}  // namespace weir
