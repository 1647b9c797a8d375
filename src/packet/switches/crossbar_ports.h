// The two sides of a buffered crossbar. A transfer engages an input and an output; its end is known when it begins, and
// becomes an event only if somebody waits for it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/big_vector.h"
#include "network/topology.h"
#include "packet/clock/events.h"
#include "packet/ids.h"
#include "packet/links/fabric_state.h"
#include "packet/switches/arbitration.h"
#include "packet/waiting.h"

namespace weir {

struct alignas(32) CrossbarInput {
  static constexpr std::int64_t kIdle = -1;

  PacketList fifo;
  std::int64_t busy_until = kIdle;  // end of the transfer that engages it
  ChannelId wanted;                 // output channel that the head waits for
  ChannelId crosses_to;             // output of the last transfer
  std::uint32_t asks_as = 0;        // its number among those that may ask for an output
  std::uint16_t kind = 0;           // of the link that leads here
  bool end_asked = false;           // the end of the transfer will be an event
};

// An output buffer: what crosses to it, and what has left it or is sure to.
struct alignas(64) CrossbarOutput {
  static constexpr std::int64_t kIdle = -1, kNone = std::numeric_limits<std::int64_t>::max();
  static constexpr int kMost = 3;

  std::int64_t busy_until = kIdle;
  std::int64_t joins = 0;     // when the last packet that crossed does
  std::int64_t end[kMost] = {kNone, kNone, kNone};  // of packets on the link, or promised to it, in turn
  std::int32_t cost[kMost];
  std::int32_t free = 0;
  ChannelId from;             // input of the last transfer
  std::uint8_t leaving = 0;   // number of packets on the link, or promised to it
  std::uint8_t next = 0;      // place for another
  bool dirty = false;
  bool wants_space : 1 = false;
  bool space_asked : 1 = false;  // the end of the first packet on the link will be an event

  // Counts the packets that have left; without branches, since how many can hardly be predicted.
  void fold(std::int64_t now) {
    for (int i = 0; i < kMost; ++i) {
      const std::int64_t left = end[i] <= now ? -1 : 0;
      free += cost[i] & static_cast<std::int32_t>(left);
      end[i] |= left & kNone;
      leaving = static_cast<std::uint8_t>(leaving + left);
    }
  }
  void note(std::int64_t until, std::int32_t c) {
    end[next] = until;
    cost[next] = c;
    next = next + 1 == kMost ? 0 : static_cast<std::uint8_t>(next + 1);
    ++leaving;
  }
  std::int64_t first_end() const { return end[(next + kMost - leaving) % kMost]; }
  std::int32_t cost_of_leaving() const {
    std::int32_t sum = 0;
    for (int i = 0; i < kMost; ++i) sum += end[i] == kNone ? 0 : cost[i];
    return sum;
  }
};
static_assert(sizeof(CrossbarOutput) == 64);

// How long a packet takes to cross.
class CrossingTimes {
 public:
  explicit CrossingTimes(double speedup) : speedup_(speedup) {}

  // Of one that takes so long on the faster link: a division, which takes long, and packets have few sizes.
  std::int64_t of(std::int64_t on_link) {
    Known& known = known_[static_cast<std::uint64_t>(on_link) * 0x9e3779b97f4a7c15u >> 60];
    if (known.on_link != on_link) [[unlikely]]
      known = {on_link, static_cast<std::int64_t>(static_cast<double>(on_link) / speedup_ + 0.5)};
    return known.crossing;
  }

 private:
  struct Known {
    std::int64_t on_link = -1, crossing = 0;
  };

  double speedup_;
  Known known_[16];
};

// Different channels, in rising order. Of a few, each finds its place by itself: where it will be can hardly be
// predicted.
inline void sort_few(std::vector<ChannelId>& channels, std::vector<ChannelId>& room) {
  constexpr std::size_t kFew = 12;
  const std::size_t count = channels.size();
  if (count > kFew) return std::sort(channels.begin(), channels.end());
  room.resize(count);
  for (const ChannelId c : channels) {
    std::size_t place = 0;
    for (const ChannelId other : channels) place += other.index < c.index ? 1 : 0;
    room[place] = c;
  }
  channels.swap(room);
}

// Those of all crossbars, and who asks for which output.
class CrossbarPorts {
 public:
  CrossbarPorts(const Topology& topology, const FabricState& fabric, std::uint32_t lanes_that_mix,
                std::int32_t output_buffer)
      : requests_(fabric.channels(), (largest_radix(topology) + 1) * lanes_that_mix),
        inputs_(fabric.channels()),
        outputs_(fabric.channels()),
        crossing_(fabric.channels()) {
    for (CrossbarOutput& out : outputs_) out.free = output_buffer;
    for (std::uint32_t c = 0; c < inputs_.size(); ++c) {
      const PortId far = topology.to(fabric.link_of({c}));
      if (!far.valid()) continue;
      inputs_[c].kind = fabric.link(fabric.link_of({c})).kind;
      inputs_[c].asks_as = topology.local(far) * lanes_that_mix + fabric.lane_of({c}).index % lanes_that_mix;
    }
  }

  // A packet lands soon, or something happens.
  [[gnu::always_inline]] void fetch(const Packet& p) const {
    __builtin_prefetch(&inputs_[p.came_by.index], 1);
    if (p.takes.valid()) fetch_output(p.takes);
  }
  [[gnu::always_inline]] void fetch(const TimedEvent& event) const {
    if (event.kind() == EventKind::crossing) {
      __builtin_prefetch(&crossing_[event.entity()], 1);
    } else if (event.kind() == EventKind::crossbar_free) {
      __builtin_prefetch(&inputs_[event.entity()], 1);
      if (event.aux != kSpaceCame) fetch_output({event.aux});
    }
  }
  // And once more, when that is there.
  [[gnu::always_inline]] void fetch_more(const TimedEvent& event, const WaitingPackets& waiting) const {
    PacketSlot first;
    if (event.kind() == EventKind::crossing) first = crossing_[event.entity()].head;
    else if (event.kind() == EventKind::crossbar_free) first = inputs_[event.entity()].fifo.head;
    if (first.valid()) waiting.fetch(first);
  }
  std::size_t bytes_of_state() const {
    return requests_.bytes_of_state() + inputs_.size() * sizeof(CrossbarInput) +
           outputs_.size() * (sizeof(CrossbarOutput) + sizeof(PacketList));
  }

 protected:
  static constexpr std::uint32_t kSpaceCame = 0xffffffffu;

  RequestSets requests_;
  BigVector<CrossbarInput> inputs_;    // by channel
  BigVector<CrossbarOutput> outputs_;  // by channel
  std::vector<PacketList> crossing_;   // by output channel: granted, neither promised nor at the output

 private:
  [[gnu::always_inline]] void fetch_output(ChannelId c) const {
    __builtin_prefetch(&outputs_[c.index], 1);
    requests_.fetch(c);
  }
};

}  // namespace weir
