// The state of links and buffers as flat tables. A *link* is one direction of a cable, named by the sending port; a
// *channel* is one lane of a link. Link and Channel belong to the node that sends, the gauge of a channel to the node
// that receives.
//
// Released buffer space is not an event of its own. When a packet starts to leave a buffer, the moment at which the
// sender will know of the free space is already determined; it is noted in the channel and counted when the sender next
// looks. Only a sender that is waiting gets an event.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/big_vector.h"
#include "base/check.h"
#include "network/topology.h"
#include "packet/config/config.h"
#include "packet/flow_control/occupancy.h"
#include "packet/waiting.h"

namespace weir {

// What sending needs.
struct alignas(64) Link {
  std::int64_t busy_until = 0;      // of all lanes that do not preempt; what was promised to the link included
  std::int64_t gap_end = 0;         // a stretch of idleness before the packets that were promised to it
  std::uint64_t ps_per_byte_q16 = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t sent_packets = 0;
  std::int64_t sent_time = 0;       // that the packets sent or promised take
  std::uint32_t latency = 0;        // head: propagation, and routing and crossing where a switch receives
  std::uint32_t gap = 0;            // how long that stretch is
  NodeId sender;
  std::uint32_t flags = 0;

  static constexpr std::uint32_t kByTail = 1;  // a packet has landed when its tail has
  static constexpr std::uint32_t kToHost = 2, kFromHost = 4, kDirty = 8, kFreePending = 16, kConnected = 32,
                                 kExpressPending = 64, kWaiting = 128,
                                 kExpressWaits = 256,  // may have packets in express lanes (preemptive switches)
                                 kTakesCredits = 512,  // sending takes of the channel's credits
                                 kCrosses = 1024;      // leads to another part of the fabric
  bool is(std::uint32_t flag) const { return (flags & flag) != 0; }
  void set(std::uint32_t flag) { flags |= flag; }
  void clear(std::uint32_t flag) { flags &= ~flag; }
  std::int64_t serialization(std::uint32_t bytes) const {
    return static_cast<std::int64_t>((ps_per_byte_q16 * bytes + 0x8000u) >> 16);
  }
  std::uint64_t bytes_in(std::int64_t span) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(span) << 16) /
                                      std::max<std::uint64_t>(1, ps_per_byte_q16));
  }
  // When a packet counts as landed that leaves between start and end. No branch: which it is can hardly be predicted.
  std::int64_t landing(std::int64_t start, std::int64_t end) const {
    return latency + start + ((end - start) & -static_cast<std::int64_t>(flags & kByTail));
  }
};
static_assert(sizeof(Link) == 64);

// The queue in front of a link, and what its sender knows of the buffer at the far end.
struct alignas(64) Channel {
  PacketList queue;                 // waiting for the link (first come, first served, or already arbitrated)
  std::int64_t queued_time = 0;     // that the packets waiting for this link will take
  std::int32_t credits = 0;         // free space at the far end
  std::uint32_t queued = 0;         // bytes waiting for this link
  std::int64_t release_at[2] = {0, 0};      // noted releases: when they count
  std::int32_t release_cost[2] = {0, 0};    // and how much; 0 = free place
  std::uint32_t return_delay = 0;   // of a release on its way to the sender
  std::uint16_t turn = 0;           // round robin: the input served last
  std::uint16_t flags = 0;

  static constexpr std::uint16_t kBlocked = 1, kPaused = 2, kStopSent = 4, kToHost = 8,
                                 kElsewhere = 16;  // its sender is in another part of the fabric
  bool is(std::uint16_t flag) const { return (flags & flag) != 0; }
  void set(std::uint16_t flag) { flags = static_cast<std::uint16_t>(flags | flag); }
  void clear(std::uint16_t flag) { flags = static_cast<std::uint16_t>(flags & ~flag); }

  // Counts the noted releases that are due.
  void fold(std::int64_t now) {
    for (int i = 0; i < 2; ++i) {  // without branches: whether a release is due can hardly be predicted
      const std::int32_t due = release_cost[i] & -static_cast<std::int32_t>(release_at[i] <= now);
      credits += due;
      release_cost[i] -= due;
    }
  }
  // Is there space by then? What is noted is counted when it matters.
  bool space_by(std::int32_t cost, std::int64_t when) {
    if (credits < cost) fold(when);
    return credits >= cost;
  }
  // Notes a release that counts from `at` on; false when there is no room for the note and it must become an event.
  [[gnu::always_inline]] bool note(std::int32_t cost, std::int64_t at, std::int64_t now) {
    fold(now);
    const auto place = static_cast<std::size_t>(release_cost[0] != 0);
    if (release_cost[place] != 0) return false;
    release_at[place] = at;
    release_cost[place] = cost;
    return true;
  }
};
static_assert(sizeof(Channel) == 64);

// What waiting for a link adds to.
struct OutputGauge {
  CostTime waited = 0;            // bytes x time, of packets that have started or were promised a start
  std::int64_t peak_backlog = 0;  // longest queue, as a time
};

// What only blocked links and reports touch.
struct LinkWait {
  std::int64_t since = -1;
  std::int64_t total = 0;

  // The wait that has not ended; it may have been foreseen and not begun.
  std::int64_t open(std::int64_t now) const { return since >= 0 && since < now ? now - since : 0; }
};

class FabricState {
 public:
  FabricState(const Topology& topology, const PacketConfig& config);

  Link& link(LinkId l) { return links_[l.index]; }
  const Link& link(LinkId l) const { return links_[l.index]; }
  Channel& channel(ChannelId c) { return channels_[c.index]; }
  const Channel& channel(ChannelId c) const { return channels_[c.index]; }
  LinkWait& wait(LinkId l) { return waits_[l.index]; }
  const LinkWait& wait(LinkId l) const { return waits_[l.index]; }
  InputGauges& inputs() { return inputs_; }
  const InputGauges& inputs() const { return inputs_; }
  OutputGauge& output(ChannelId c) { return outputs_[c.index]; }
  const OutputGauge& output(ChannelId c) const { return outputs_[c.index]; }
  NodeId receiver(LinkId l) const { return receivers_[l.index]; }

  ChannelId channel_of(LinkId link, Lane lane) const { return {(link.index << lane_shift_) | lane.index}; }
  LinkId link_of(ChannelId channel) const { return {channel.index >> lane_shift_}; }
  Lane lane_of(ChannelId channel) const { return {channel.index & ((1u << lane_shift_) - 1)}; }
  std::uint32_t links() const { return static_cast<std::uint32_t>(links_.size()); }
  std::uint32_t channels() const { return static_cast<std::uint32_t>(channels_.size()); }
  std::uint32_t lanes() const { return lanes_; }
  bool mixed_rates() const { return mixed_rates_; }
  std::int32_t capacity(ChannelId channel) const {
    return capacity_.empty() ? buffer_ : capacity_[link_of(channel).index];
  }
  template <class Act> void each_channel(LinkId link, const Act& act) const {
    for (std::uint32_t v = 0; v < lanes_; ++v) act(channel_of(link, {v}));
  }

  // What a packet takes of a buffer.
  [[gnu::always_inline]] std::int32_t cost(const Packet& p) const {
    switch (unit_) {
      case BufferUnit::packet_bytes: return p.size;
      case BufferUnit::payload_bytes: {  // a flow's token asks for the packet that will be cut from it
        const bool data = p.is(PacketKind::data) || p.is(PacketKind::flow_token);
        return data ? p.size - header_ : p.size;
      }
      case BufferUnit::packets: return 1;
    }
    return p.size;
  }

  // A packet of the channel has joined those that wait: how long will all of them take, the one on the wire included?
  // One that finds the link idle does not wait.
  void note_backlog(ChannelId channel, std::uint32_t size, std::int64_t now) {
    const Channel& c = channels_[channel.index];
    const std::int64_t rest = std::max<std::int64_t>(0, links_[link_of(channel).index].busy_until - now);
    if (rest == 0 && c.queued <= size) return;
    OutputGauge& gauge = outputs_[channel.index];
    gauge.peak_backlog = std::max(gauge.peak_backlog, rest + c.queued_time);
  }
  // Space the far buffer has promised or holds, noted releases excluded: for conservation checks.
  std::int32_t outstanding(ChannelId channel) const {
    const Channel& c = channels_[channel.index];
    return capacity(channel) - c.credits - c.release_cost[0] - c.release_cost[1];
  }

  std::size_t bytes_of_state() const {
    return links_.size() * sizeof(Link) + channels_.size() * sizeof(Channel) + waits_.size() * sizeof(LinkWait) +
           capacity_.size() * sizeof(std::int32_t) + inputs_.bytes_of_state() + outputs_.size() * sizeof(OutputGauge) +
           receivers_.size() * sizeof(NodeId);
  }

 private:
  BigVector<Link> links_;
  BigVector<Channel> channels_;
  BigVector<LinkWait> waits_;
  BigVector<OutputGauge> outputs_;      // by channel
  InputGauges inputs_;                  // by channel
  std::vector<NodeId> receivers_;       // by link
  std::vector<std::int32_t> capacity_;  // per link, only where links differ
  std::int32_t buffer_ = 0;
  std::int32_t header_ = 0;
  std::uint32_t lanes_ = 1, lane_shift_ = 0;
  BufferUnit unit_ = BufferUnit::packet_bytes;
  bool mixed_rates_ = false;
};

}  // namespace weir
