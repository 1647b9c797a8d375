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
  std::vector<std::int64_t> queued;  // per channel: bytes that wait for it
  std::uint64_t waiting = 0, data_in_network = 0, data_at_hosts = 0;

  void each_field(auto&& visit) {
    for (auto* list : {&standing, &landing, &returning, &queued}) visit(*list);
    for (auto* sum : {&waiting, &data_in_network, &data_at_hosts}) visit(*sum);
  }
  static void require(bool condition, const char* what) {
    if (!condition) fail(__FILE__, __LINE__, what);
  }
};

// Everything is counted up, in all engines that share a run; then the counts are checked.
class Audit {
 public:
  explicit Audit(std::size_t channels = 0)
      : count_{std::vector<std::int64_t>(channels), std::vector<std::int64_t>(channels),
               std::vector<std::int64_t>(channels), std::vector<std::int64_t>(channels)},
        shown_(channels) {}

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
    e.space.audit(e);
    note_what_is_shown(e.fabric(), e.part);
    generated_ += e.sources.generated();
    injected_ += e.delivery.injected();
    received_ += e.delivery.received() + e.delivery.lost();
  }
  // What was found by another process.
  void add(const Audit& other) {
    const auto sum = [](auto& a, const auto& b) {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    };
    sum(count_.standing, other.count_.standing);
    sum(count_.landing, other.count_.landing);
    sum(count_.returning, other.count_.returning);
    sum(count_.queued, other.count_.queued);
    count_.waiting += other.count_.waiting;
    count_.data_in_network += other.count_.data_in_network;
    count_.data_at_hosts += other.count_.data_at_hosts;
    sum(shown_, other.shown_);
    generated_ += other.generated_;
    injected_ += other.injected_;
    received_ += other.received_;
  }
  void each_field(auto&& visit) {
    visit(count_);
    visit(shown_);
    for (auto* sum : {&generated_, &injected_, &received_}) visit(*sum);
  }
  void check() const {
    for (std::size_t c = 0; c < shown_.size(); ++c) {
      const Shown& shown = shown_[c];
      count_.require(!shown.queues || count_.queued[c] == shown.queued, "queued bytes of a link are miscounted");
      count_.require(!shown.gauged || count_.standing[c] == shown.standing,
                     "a gauge does not show what stands in its buffer");
      const std::int64_t found = count_.standing[c] + count_.landing[c] + count_.returning[c];
      count_.require(!shown.credited || shown.outstanding == found,
                     "credits, occupancy and packets in flight do not add up");
    }
    count_.require(count_.data_in_network == injected_ - received_,
                   "injected packets are not delivered or in the network");
    count_.require(count_.data_at_hosts == generated_ - injected_, "generated packets are not injected or waiting");
  }

 private:
  // What the records of a channel say; those of its sender and of its receiver may be in two engines.
  struct Shown {
    bool queues = false, gauged = false, credited = false;
    std::int64_t queued = 0, standing = 0, outstanding = 0;
    Shown& operator+=(const Shown& other) {
      queues |= other.queues;
      gauged |= other.gauged;
      credited |= other.credited;
      queued += other.queued;
      standing += other.standing;
      outstanding += other.outstanding;
      return *this;
    }
  };
  void note_what_is_shown(const FabricState& fabric, const Part& part) {
    fabric.used().each([&](std::uint32_t l, std::size_t) {
      const Link& link = fabric.link({l});
      const bool sends = part.owns(fabric.sender({l}));
      fabric.each_channel({l}, [&](ChannelId c) {
        Shown& shown = shown_[c.index];
        if (sends && !link.is(Link::kFromHost)) {
          shown.queues = true;
          shown.queued = fabric.channel(c).queued;
        }
        if (!link.is(Link::kConnected) || link.is(Link::kToHost)) return;
        if (part.owns(fabric.receiver({l}))) {
          shown.gauged = true;
          shown.standing = fabric.inputs().standing(c);
        }
        if (!link.is(Link::kTakesCredits)) return;
        shown.outstanding -= fabric.inputs().noted_returns(c);  // of a border, some at the sender, others there
        if (sends) note_credits(fabric, c, shown);
      });
    });
  }
  void note_credits(const FabricState& fabric, ChannelId c, Shown& shown) const {
    const std::int32_t credits = fabric.channel(c).credits;
    count_.require(credits >= 0 && credits <= fabric.capacity(c), "credits out of range");
    shown.credited = true;
    shown.outstanding += fabric.capacity(c) - credits;
  }

  AuditCount count_;
  std::vector<Shown> shown_;  // by channel
  std::uint64_t generated_ = 0, injected_ = 0, received_ = 0;  // data packets; what was lost has ended, too
};

template <class E>
void audit_everything(E& e) {
  Audit audit(e.fabric().channels());
  audit.add(e);
  audit.check();
}

}  // namespace weir
