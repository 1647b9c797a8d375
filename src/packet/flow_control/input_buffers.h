// The input buffers of switches: one record per channel, kept at the node that receives. It knows how full the buffer
// is, what will leave it and when, and which of the released space the sender has not counted yet. Buffers count bytes,
// payload or packets; a packet's *cost* is its share.
//
// A departure is known before it happens: when a packet starts, it is clear when its tail will have left, and the fast
// path even decides starts ahead of time. From then on it is also clear when the sender will know of the space. Both
// wait in the record until their time has come; neither is an event, unless the sender waits for the space.
//
// Occupancy is a function of time: a peak counts if it lasts, however short, so that it does not depend on the order of
// what happens at one instant. What leaves at t has left for whoever looks at t, except where slots are freed by the
// head: a start is decided after all events of its instant, and what starts at t still stands there for them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "base/zero_table.h"
#include "packet/flow_control/leave_places.h"
#include "packet/ids.h"

namespace weir {

using CostTime = __int128;  // bytes (or packets) x picoseconds

// The record of one channel: a cache line.
struct alignas(64) InputBuffer {
  std::int64_t area = 0;            // InputBuffers::integral(): its low half
  std::int64_t landed = 0;          // when the last packet did
  std::int32_t standing = 0;        // without its departure being known
  std::int32_t peak = 0;            // before `landed`
  std::int32_t returned = 0;        // space that the sender may count by now
  std::uint16_t return_delay = 0;   // of a release on its way to the sender: which of the delays that there are
  std::uint8_t flags = 0;
  std::uint8_t next = 0;            // place, in turn
  LeavePlaces<4> places;            // departures; `landed` is their base

  static constexpr std::uint8_t kSenderWaits = 1,      // every release must wake it
                                kSenderElsewhere = 2,  // in another part of the fabric
                                kLongWay = 4,          // back to the sender: too long for the places below
                                kStopSent = 8,         // under PAUSE
                                kMore = 16,            // some departures are in the second record
                                kElsewhere = 32;       // and some are not there either
  static constexpr std::uint8_t kReturnsAreEvents = kSenderWaits | kSenderElsewhere | kLongWay;
  bool is(std::uint8_t flag) const { return (flags & flag) != 0; }
  void set(std::uint8_t flag) { flags = static_cast<std::uint8_t>(flags | flag); }
  void clear(std::uint8_t flag) { flags = static_cast<std::uint8_t>(flags & ~flag); }

  std::int32_t leaves_after(std::int32_t moment) const { return places.leaves_after(moment, landed); }
};
static_assert(sizeof(InputBuffer) == 64);

// A second record, which only busy buffers use, with the same base.
struct alignas(64) MoreLeaves {
  LeavePlaces<8> places;
};
static_assert(sizeof(MoreLeaves) == 64);

class InputBuffers {
 public:
  InputBuffers() = default;
  // `leave_at_head`: what leaves at an instant is still seen by all who look then; `asked_both`: by some of them.
  // `notes_returns`: senders count what was released.
  InputBuffers(std::size_t channels, bool leave_at_head, bool asked_both, bool notes_returns = true)
      : buffers_(channels),
        more_(channels),
        not_yet_(leave_at_head ? 1 : 0),
        keep_(leave_at_head || asked_both ? 1 : 0),
        notes_returns_(notes_returns) {
    delays_.push_back({0, keep_});
  }

  InputBuffer& operator[](ChannelId channel) { return buffers_[channel.index]; }
  const InputBuffer& operator[](ChannelId channel) const { return buffers_[channel.index]; }
  // Before a buffer is used: how long the sender does not know of a release.
  void begin(ChannelId channel, std::int64_t return_delay);
  std::int64_t return_delay(ChannelId channel) const { return delay_of(buffers_[channel.index]).known; }

  [[gnu::always_inline]] void land(ChannelId channel, std::int32_t cost, std::int64_t now) {
    InputBuffer& b = buffers_[channel.index];
    arrive(b, channel, now);
    b.standing += cost;
    add_area(b, channel, -cost, now);
  }
  // A packet leaves at a moment to come. `returns`: the sender is to find the released space; false if it does not, or
  // if there is no place to note that.
  [[gnu::always_inline]] bool leave(ChannelId channel, std::int32_t cost, std::int64_t when, std::int64_t now,
                                    bool returns) {
    InputBuffer& b = buffers_[channel.index];
    add_area(b, channel, cost, when);
    const bool noted = depart(b, channel, cost, when, now, returns);
    b.standing -= cost;
    return noted;
  }
  // A packet lands, and it is clear at once when it will leave. False if the sender does not find the released space.
  [[gnu::always_inline]] bool pass(ChannelId channel, std::int32_t cost, std::int64_t now, std::int64_t when) {
    InputBuffer& b = buffers_[channel.index];
    const std::size_t place = b.next;
    const bool returns = !b.is(InputBuffer::kSenderElsewhere);
    if ((b.flags & ~InputBuffer::kSenderElsewhere) != 0 || (now ^ b.landed) >> kEpochBits != 0 ||
        when - now > kLongest || !is_free(b, place, now))
      [[unlikely]] return pass_slowly(b, channel, cost, now, when);
    b.peak = std::max(b.peak, b.standing + b.leaves_after(0));
    b.landed = now;
    add_area(b, channel, cost, when - now);
    take_place(b, place, when, cost, returns ? cost : 0);
    return returns;
  }
  // At the sender, where the buffer itself is kept in another part of the fabric: a release that will be known at a
  // moment to come. False if there is no place to note that.
  bool note_return(ChannelId channel, std::int32_t cost, std::int64_t known, std::int64_t now) {
    InputBuffer& b = buffers_[channel.index];
    if (b.is(InputBuffer::kReturnsAreEvents)) return false;
    arrive(b, channel, now);  // nothing lands here: what the times refer to
    const std::int64_t left = known - return_delay(channel);
    if (!is_free(b, b.next, now) || left - b.landed > kLongest) [[unlikely]]
      return put(b, channel, left, 0, cost, now);
    take_place(b, b.next, left, 0, cost);
    return true;
  }
  // What the sender finds by `when`, to be counted once.
  std::int32_t take_returned(ChannelId channel, std::int64_t when) {
    InputBuffer& b = buffers_[channel.index];
    const std::int64_t until = when - b.landed - return_delay(channel);
    std::int32_t sum = b.returned + b.places.take_returned(until, b.landed);
    b.returned = 0;
    if (b.is(InputBuffer::kMore)) sum += more_[channel.index].places.take_returned(until, b.landed);
    return sum;
  }
  std::int32_t returned_by(ChannelId channel, std::int64_t when) const {
    const InputBuffer& b = buffers_[channel.index];
    const std::int64_t until = when - b.landed - return_delay(channel);
    const std::int32_t sum = b.returned + b.places.returned(until, b.landed);
    return b.is(InputBuffer::kMore) ? sum + more_[channel.index].places.returned(until, b.landed) : sum;
  }
  // Returns that the sender does not know of yet are no longer noted, but handed out: visit(time, cost).
  template <class Visit>
  void hand_out_returns(ChannelId channel, const Visit& visit) {
    InputBuffer& b = buffers_[channel.index];
    const auto hand_out = [&](auto& places) {
      for (std::size_t i = 0; i < std::size(places.returns); ++i) {
        const std::int64_t left = b.landed + places.offset(i, b.landed);
        if (places.returns[i] != 0) visit(left + return_delay(channel), std::int32_t{places.returns[i]});
        places.returns[i] = 0;
      }
    };
    hand_out(b.places);
    if (b.is(InputBuffer::kMore)) hand_out(more_[channel.index].places);
  }
  // Released, or about to be, and not counted by the sender.
  std::int32_t noted_returns(ChannelId channel) const {
    const InputBuffer& b = buffers_[channel.index];
    return returned_by(channel, b.landed + return_delay(channel) + kLongest);
  }

  // `not_yet`: what leaves at this very instant has not left for whoever asks.
  std::int32_t occupied(ChannelId channel, std::int64_t now, bool not_yet = false) const {
    return occupied_after(channel, now - (not_yet ? 1 : not_yet_));
  }
  // With what leaves now already gone, also by the head.
  std::int32_t occupied_after(ChannelId channel, std::int64_t now) const {
    const InputBuffer& b = buffers_[channel.index];
    constexpr std::int64_t kFar = std::numeric_limits<std::int32_t>::max();
    const auto moment = static_cast<std::int32_t>(std::min(now - b.landed, kFar));
    const std::int32_t near = b.standing + b.leaves_after(moment);
    if (!b.is(InputBuffer::kMore)) [[likely]] return near;
    return near + more_[channel.index].places.leaves_after(moment, b.landed) + kept_after(b, channel, now);
  }
  // Up to `end`.
  std::int32_t peak(ChannelId channel, std::int64_t end) const {
    const InputBuffer& b = buffers_[channel.index];
    return end > b.landed ? std::max(b.peak, occupied_after(channel, b.landed)) : b.peak;
  }
  // Occupancy integrated from 0 to `end`.
  CostTime integral(ChannelId channel, std::int64_t end) const {
    const InputBuffer& b = buffers_[channel.index];
    CostTime area = b.area;
    if (!carries_.empty()) area += CostTime{carries_[channel.index]} << 64;
    area += CostTime{b.standing} * end;
    each_leave_after(channel, end, [&](std::int64_t at, std::int32_t cost) { area -= CostTime{cost} * (at - end); });
    return area;
  }
  // What stands there without its departure being known, for conservation checks.
  std::int32_t standing(ChannelId channel) const { return buffers_[channel.index].standing; }
  // Leaves that are known and come after `moment`, which is not before the last landing: visit(at, cost).
  template <class Visit>
  void each_leave_after(ChannelId channel, std::int64_t moment, Visit visit) const {
    const InputBuffer& b = buffers_[channel.index];
    const auto visit_all = [&](const auto& places) {
      for (std::size_t i = 0; i < std::size(places.leaves); ++i) {
        const std::int64_t at = b.landed + places.offset(i, b.landed);
        if (places.leaves[i] != 0 && at > moment) visit(at, std::int32_t{places.leaves[i]});
      }
    };
    visit_all(b.places);
    if (b.is(InputBuffer::kMore)) visit_all(more_[channel.index].places);
    if (!b.is(InputBuffer::kElsewhere)) return;
    for (const Leave& leave : elsewhere_[channel.index])
      if (leave.at > moment) visit(leave.at, leave.cost);
  }
  std::size_t bytes_elsewhere() const;  // of state that the records have no place for
  // It will be used soon. And again, when its record is there.
  [[gnu::always_inline]] void fetch(ChannelId channel) const { __builtin_prefetch(&buffers_[channel.index], 1); }
  [[gnu::always_inline]] void fetch_more(ChannelId channel) const {
    if (buffers_[channel.index].is(InputBuffer::kMore)) __builtin_prefetch(&more_[channel.index], 1);
  }

 private:
  struct Leave {
    std::int64_t at;
    std::int32_t cost;
    friend bool operator<(const Leave& a, const Leave& b) { return a.at > b.at; }  // heaps have the largest on top
  };
  // How long after a departure the sender knows of it, and its place can be given to another.
  struct Delay {
    std::int64_t known, forgotten;
  };

  const Delay& delay_of(const InputBuffer& b) const { return delays_[b.return_delay]; }

  [[gnu::noinline]] bool pass_slowly(InputBuffer& b, ChannelId channel, std::int32_t cost, std::int64_t now,
                                     std::int64_t when) {
    arrive(b, channel, now);
    add_area(b, channel, cost, when - now);
    return depart(b, channel, cost, when, now, !b.is(InputBuffer::kReturnsAreEvents));
  }
  // A packet lands. What stood there at the end of the instant of the last landing has lasted and may be the peak.
  [[gnu::always_inline]] void arrive(InputBuffer& b, ChannelId channel, std::int64_t now) {
    if ((now ^ b.landed) >> kEpochBits != 0 || b.is(InputBuffer::kElsewhere)) [[unlikely]] clear_up(b, channel, now);
    else if (b.is(InputBuffer::kMore)) arrive_with_more(b, channel, now);
    else if (now > b.landed) [[likely]] b.peak = std::max(b.peak, b.standing + b.leaves_after(0));
    b.landed = now;
  }
  [[gnu::always_inline]] bool depart(InputBuffer& b, ChannelId channel, std::int32_t cost, std::int64_t when,
                                     std::int64_t now, bool returns) {
    if (!is_free(b, b.next, now) || when - b.landed > kLongest) [[unlikely]] {
      if (put(b, channel, when, cost, returns ? cost : 0, now)) return returns;
      keep_elsewhere(b, channel, {when, cost}, now);
      return false;
    }
    keep_peak(b, channel, b.places.offset(b.next, b.landed));
    take_place(b, b.next, when, cost, returns ? cost : 0);
    return returns;
  }
  // A place is given to another. Without a landing since, what left meanwhile still counts for the peak.
  [[gnu::always_inline]] void keep_peak(InputBuffer& b, ChannelId channel, std::int32_t offset) {
    if (offset > 0) b.peak = std::max(b.peak, occupied_after(channel, b.landed));
  }
  [[gnu::always_inline]] bool is_free(const InputBuffer& b, std::size_t place, std::int64_t now) const {
    return b.places.offset(place, now) <= -delay_of(b).forgotten;
  }
  // A departure into any place of either record; false if there is none.
  bool put(InputBuffer& b, ChannelId channel, std::int64_t when, std::int32_t leaves, std::int32_t returns,
           std::int64_t now);
  [[gnu::always_inline]] static void take_place(InputBuffer& b, std::size_t place, std::int64_t when,
                                                std::int32_t leaves, std::int32_t returns) {
    b.returned += b.places.take(place, when, leaves, returns);
    b.next = static_cast<std::uint8_t>((place + 1) % kPlaces);
  }

  // Adds up cost x time of leaving, of all leaves that are known, less cost x time of landing. 64 bits are enough for
  // all but very long runs of very large buffers; carries are counted.
  [[gnu::always_inline]] void add_area(InputBuffer& b, ChannelId channel, std::int32_t cost, std::int64_t time) {
    std::int64_t product, sum;
    if (__builtin_mul_overflow(std::int64_t{cost}, time, &product)) [[unlikely]]
      return add_large_area(b, channel, CostTime{cost} * time);
    if (__builtin_add_overflow(b.area, product, &sum)) [[unlikely]]
      return add_large_area(b, channel, CostTime{cost} * time);
    b.area = sum;
  }
  void add_large_area(InputBuffer& b, ChannelId channel, CostTime area);
  void clear_up(InputBuffer& b, ChannelId channel, std::int64_t now);
  void arrive_with_more(InputBuffer& b, ChannelId channel, std::int64_t now);
  void begin_more(InputBuffer& b, ChannelId channel, std::int64_t now);
  void keep_elsewhere(InputBuffer& b, ChannelId channel, const Leave& leave, std::int64_t now);
  std::int32_t kept_after(const InputBuffer& b, ChannelId channel, std::int64_t moment) const;

  // So that times in places stay within 2^31 ps of `landed`: places are cleared up now and then.
  static constexpr int kEpochBits = 29;
  static constexpr std::size_t kPlaces = 4;
  static constexpr std::int64_t kLongest = std::numeric_limits<std::int32_t>::max();

  ZeroTable<InputBuffer> buffers_;
  ZeroTable<MoreLeaves> more_;
  std::vector<Delay> delays_;                  // of returns: those that there are
  std::vector<std::vector<Leave>> elsewhere_;  // heaps, per channel, once the first buffer has no place left
  std::vector<std::int64_t> carries_;          // per channel, of areas, once there is one
  std::int64_t not_yet_ = 0;                   // 1 where leaves at t are not seen at t
  std::int64_t keep_ = 0;                      // 1 where leaves at t may not be forgotten before t is over
  bool notes_returns_ = true;
};

}  // namespace weir
