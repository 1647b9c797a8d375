// The records of links and channels. What a hop touches lies close together: a link beside the channels of its lanes,
// on a fabric of one lane in the same cache line. What the links of a fabric have in common is kept once.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/zero_table.h"
#include "network/topology.h"
#include "packet/config/config.h"
#include "packet/ids.h"
#include "packet/waiting.h"

namespace weir {

// What sending needs.
struct Link {
  std::int64_t busy_until = 0;      // of all lanes that do not preempt; what was promised to the link included
  std::uint64_t sent_bytes = 0;
  std::int64_t sent_time = 0;       // that the packets sent or promised take
  std::uint32_t sent_packets = 0;   // wraps: LinkRecords::sent_packets()
  std::uint16_t kind = 0;           // LinkRecords::kind()
  std::uint16_t flags = 0;

  static constexpr std::uint16_t kToHost = 1, kFromHost = 2, kDirty = 4, kFreePending = 8, kConnected = 16,
                                 kExpressPending = 32, kWaiting = 64,
                                 kExpressWaits = 128,  // may have packets in express lanes (preemptive switches)
                                 kTakesCredits = 256,  // sending takes of the channel's credits
                                 kCrosses = 512;       // leads to another part of the fabric
  bool is(std::uint16_t flag) const { return (flags & flag) != 0; }
  void set(std::uint16_t flag) { flags = static_cast<std::uint16_t>(flags | flag); }
  void clear(std::uint16_t flag) { flags = static_cast<std::uint16_t>(flags & ~flag); }
};

// What links of one kind have in common.
struct LinkKind {
  std::uint64_t ps_per_byte_q16 = 0;
  std::uint32_t latency = 0;  // head: propagation, and routing and crossing where a switch receives
  bool by_tail = false;       // a packet has landed when its tail has

  std::int64_t serialization(std::uint32_t bytes) const {
    return static_cast<std::int64_t>((ps_per_byte_q16 * bytes + 0x8000u) >> 16);
  }
  std::uint64_t bytes_in(std::int64_t span) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(span) << 16) /
                                      std::max<std::uint64_t>(1, ps_per_byte_q16));
  }
  // When a packet counts as landed that leaves between start and end. No branch: which it is can hardly be predicted.
  std::int64_t landing(std::int64_t start, std::int64_t end) const { return latency + (by_tail ? end : start); }
  friend bool operator==(const LinkKind&, const LinkKind&) = default;
};

// Of the cable at this port, which must be connected.
LinkKind kind_of_link(const Topology& topology, const SwitchConfig& switches, PortId port);
bool rates_differ(const Topology& topology);  // between links

// The queue in front of a link, and what its sender knows of the buffer at the far end.
struct Channel {
  PacketList queue;                 // waiting for the link (first come, first served, or already arbitrated)
  std::int64_t queued_time = 0;     // that the packets waiting for this link will take
  std::int32_t credits = 0;         // free space at the far end, but for what InputBuffers::take_returned() has
  std::uint32_t queued = 0;         // bytes waiting for this link
  SwitchId leads_to;                // at the far end; none: a host is there
  std::uint16_t turn = 0;           // round robin: the input served last
  std::uint16_t flags = 0;

  static constexpr std::uint16_t kBlocked = 1, kPaused = 2, kUnlimited = 4;
  bool is(std::uint16_t flag) const { return (flags & flag) != 0; }
  void set(std::uint16_t flag) { flags = static_cast<std::uint16_t>(flags | flag); }
  void clear(std::uint16_t flag) { flags = static_cast<std::uint16_t>(flags & ~flag); }
};

// A stretch of idleness before the packets that were promised to a link.
struct LinkGap {
  std::int64_t end = 0, length = 0;
};

// The sending end of a channel: its records, looked up once.
struct Outlet {
  LinkId l;
  ChannelId channel;
  Link& link;
  Channel& lane;
  const LinkKind& kind;
};

class LinkRecords {
 public:
  LinkRecords(std::size_t links, std::uint32_t lanes, bool has_gaps);
  // Before a link is used.
  void begin(LinkId l) {
    link(l) = {};
    for (std::uint32_t v = 0; v < 1u << lane_shift_; ++v) channel(channel_of(l, {v})) = {};
  }

  // Where a caller knows that there is one lane, the compiler is told, and nothing is looked up for that.
  [[gnu::always_inline]] void assume_one_lane() const {
    if (lanes_ != 1 || lane_shift_ != 0 || lane_mask_ != 0 || stride_ != 2) __builtin_unreachable();
  }
  ChannelId channel_of(LinkId link, Lane lane) const { return {(link.index << lane_shift_) | lane.index}; }
  LinkId link_of(ChannelId channel) const { return {channel.index >> lane_shift_}; }
  Lane lane_of(ChannelId channel) const { return {channel.index & lane_mask_}; }
  std::uint32_t links() const { return links_; }
  std::uint32_t channels() const { return links_ << lane_shift_; }
  std::uint32_t lanes() const { return lanes_; }
  template <class Act> void each_channel(LinkId link, const Act& act) const {
    for (std::uint32_t v = 0; v < lanes_; ++v) act(channel_of(link, {v}));
  }

  Link& link(LinkId l) { return records_[l.index * stride_].link; }
  const Link& link(LinkId l) const { return records_[l.index * stride_].link; }
  Channel& channel(ChannelId c) { return records_[place_of(c)].channel; }
  const Channel& channel(ChannelId c) const { return records_[place_of(c)].channel; }
  const LinkKind& kind(const Link& link) const { return kinds_[link.kind]; }
  const LinkKind& kind(LinkId l) const { return kinds_[link(l).kind]; }
  const LinkKind& kind(std::uint16_t number) const { return kinds_[number]; }
  // On a fabric of one lane.
  [[gnu::always_inline]] Outlet only_outlet(ChannelId c) {
    Record* const first = &records_[std::size_t{c.index} * 2];
    return {{c.index}, c, first->link, first[1].channel, kinds_[first->link.kind]};
  }
  [[gnu::always_inline]] Outlet outlet(ChannelId c) {
    Record* const first = &records_[std::size_t{c.index - (c.index & lane_mask_)} * 2];
    return {link_of(c), c, first->link, first[1 + (c.index & lane_mask_)].channel, kinds_[first->link.kind]};
  }
  LinkGap gap(LinkId l) const { return gaps_.empty() ? LinkGap{} : gaps_[l.index]; }
  void set_gap(LinkId l, LinkGap gap) { gaps_[l.index] = gap; }

  // A packet starts onto the link, or is promised to it.
  [[gnu::always_inline]] std::uint32_t count_sent(LinkId l, Link& link, std::uint32_t bytes, std::int64_t duration) {
    link.sent_bytes += bytes;
    link.sent_time += duration;
    if (++link.sent_packets == 0) [[unlikely]] ++wraps_[l.index];
    return link.sent_packets;
  }
  // It has not started.
  void take_back(LinkId l, std::uint32_t bytes) {
    Link& link = this->link(l);
    const std::int64_t duration = kind(link).serialization(bytes);
    link.sent_bytes -= bytes;
    link.sent_time -= duration;
    link.busy_until -= duration;  // they were promised one after the other
    if (link.sent_packets-- == 0) --wraps_[l.index];
  }
  std::uint64_t sent_packets(LinkId l) const {
    const auto wrapped = wraps_.find(l.index);
    return link(l).sent_packets + (wrapped == wraps_.end() ? 0 : wrapped->second << 32);
  }
  std::size_t bytes_per_link() const {
    return sizeof(Record) * stride_ + (gaps_.empty() ? 0 : sizeof(LinkGap));
  }

 protected:
  std::uint16_t number_of(const LinkKind& kind);

 private:
  union alignas(32) Record {
    Link link;
    Channel channel;
    Record() : link() {}
  };
  static_assert(sizeof(Record) == 32);

  std::size_t place_of(ChannelId c) const { return 2 * std::size_t{c.index} + 1 - (c.index & lane_mask_); }
  ZeroTable<Record> records_;           // a link, then its channels, twice as many as there are numbers for lanes
  std::vector<LinkKind> kinds_;
  ZeroTable<LinkGap> gaps_;             // by link, where packets are promised to links that are idle until then
  std::map<std::uint32_t, std::uint64_t> wraps_;  // by link: how often its number of packets has wrapped
  std::uint32_t links_, lanes_, lane_shift_, lane_mask_;
  std::size_t stride_;  // records per link
};

}  // namespace weir
