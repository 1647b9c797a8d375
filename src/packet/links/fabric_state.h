// The state of links and buffers as flat tables. A *link* is one direction of a cable, named by the sending port; a
// *channel* is one lane of a link. What links and channels keep (link_records.h) belongs to the node that sends, the
// input buffer behind a channel to the node that receives. The tables of a part of a fabric have the rows of the whole,
// and use those of the links that begin or end in it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "base/zero_table.h"
#include "network/topology.h"
#include "packet/config/config.h"
#include "packet/flow_control/input_buffers.h"
#include "packet/links/link_range.h"
#include "packet/links/link_records.h"
#include "packet/parts/part.h"

namespace weir {

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

// How often and for how long the receiver has stopped the sender of a channel.
struct PauseGauge {
  std::int64_t since = 0, total = 0;
  std::uint32_t stops = 0;
  bool stopped = false;

  std::int64_t by(std::int64_t now) const { return total + (stopped ? now - since : 0); }
};

class FabricState : public LinkRecords {
 public:
  FabricState(const Topology& topology, const PacketConfig& config, const Part& part = {});

  const LinkRanges& used() const { return used_; }  // links
  template <class Visit> void each_used_channel(const Visit& visit) const {
    used_.each([&](std::uint32_t l, std::size_t) { each_channel({l}, visit); });
  }
  LinkWait& wait(LinkId l) { return waits_[l.index]; }
  const LinkWait& wait(LinkId l) const { return waits_[l.index]; }
  InputBuffers& inputs() { return inputs_; }
  const InputBuffers& inputs() const { return inputs_; }
  OutputGauge& output(ChannelId c) { return outputs_[c.index]; }
  const OutputGauge& output(ChannelId c) const { return outputs_[c.index]; }
  NodeId sender(LinkId l) const { return senders_[l.index]; }
  NodeId receiver(LinkId l) const { return receivers_[l.index]; }
  bool is_host(NodeId n) const { return n.index < hosts_; }  // as the topology has them, close at hand
  SwitchId switch_of(NodeId n) const { return {n.index - hosts_}; }

  // ---- the sender's side of a buffer ----

  // A stop or a go has reached the sender.
  void note_pause(ChannelId c, bool stop, std::int64_t now) {
    PauseGauge& gauge = pauses_[c.index];
    if (stop == gauge.stopped) return;
    gauge.stopped = stop;
    if (stop) {
      ++gauge.stops;
      gauge.since = now;
    } else {
      gauge.total += now - gauge.since;
    }
  }
  bool pauses() const { return !pauses_.empty(); }  // may senders be stopped?
  const PauseGauge& pause(ChannelId c) const { return pauses_[c.index]; }

  // Is there space by then? What was released is counted when it matters.
  [[gnu::always_inline]] bool space_by(ChannelId channel, Channel& c, std::int32_t cost, std::int64_t when) {
    if (c.credits < cost) c.credits += inputs_.take_returned(channel, when);
    return c.credits >= cost;
  }
  // What the far buffer has promised or holds; what it has released, and the sender not counted, excluded.
  std::int32_t outstanding(ChannelId c) const {
    return capacity(c) - channel(c).credits - inputs_.noted_returns(c);
  }

  std::int32_t capacity(ChannelId channel) const {
    return capacity_.empty() ? buffer_ : capacity_[link_of(channel).index];
  }

  // What a packet takes of a buffer.
  [[gnu::always_inline]] std::int32_t cost(const Packet& p) const {
    if (unit_ != BufferUnit::payload_bytes) [[likely]] return (p.size & size_counts_) + each_;
    // A flow's token asks for the packet that will be cut from it.
    const bool data = p.is(PacketKind::data) || p.is(PacketKind::flow_token);
    return data ? p.size - header_ : p.size;
  }

  // A packet of the channel has joined those that wait: how long will all of them take, the one on the wire included?
  // One that finds the link idle does not wait.
  [[gnu::always_inline]] void note_backlog(const Outlet& out, std::uint32_t size, std::int64_t now) {
    const std::int64_t rest = std::max<std::int64_t>(0, out.link.busy_until - now);
    if (rest == 0 && out.lane.queued <= size) return;
    OutputGauge& gauge = outputs_[out.channel.index];
    gauge.peak_backlog = std::max(gauge.peak_backlog, rest + out.lane.queued_time);
  }

  std::size_t bytes_of_state() const {
    const std::size_t channels = used_.size() * (this->channels() / std::max(1u, links()));
    return used_.size() * (bytes_per_link() + sizeof(LinkWait)) +
           channels * (sizeof(InputBuffer) + sizeof(OutputGauge)) + inputs_.bytes_elsewhere() +
           capacity_.size() * sizeof(std::int32_t) + (senders_.size() + receivers_.size()) * sizeof(NodeId);
  }

 private:
  void begin_link(const Topology& topology, const PacketConfig& config, LinkId l);
  void connect(Link& link, const Topology& topology, const PacketConfig& config, LinkId l);

  LinkRanges used_;
  ZeroTable<LinkWait> waits_;
  ZeroTable<OutputGauge> outputs_;      // by channel
  InputBuffers inputs_;                 // by channel
  ZeroTable<PauseGauge> pauses_;        // by channel, where receivers stop senders
  std::vector<NodeId> senders_, receivers_;  // by link
  std::vector<std::int32_t> capacity_;  // per link, only where links differ
  std::uint32_t hosts_ = 0;
  std::int32_t buffer_ = 0;
  std::int32_t header_ = 0;
  BufferUnit unit_ = BufferUnit::packet_bytes;
  std::int32_t size_counts_, each_;     // all bits or 0; 0 or 1
};

}  // namespace weir
