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
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "base/zero_table.h"
#include "packet/ids.h"

namespace weir {

using CostTime = __int128;  // bytes (or packets) x picoseconds

// The record of one channel: a cache line.
struct alignas(64) InputBuffer {
  static constexpr std::size_t kPlaces = 4;

  std::int64_t area = 0;            // InputBuffers::integral(): its low half
  std::int64_t landed = 0;          // when the last packet did
  std::int32_t occupied = 0;        // leaves to come included
  std::int32_t peak = 0;            // before `landed`
  std::int32_t returned = 0;        // space that the sender may count by now
  std::uint16_t return_delay = 0;   // of a release on its way to the sender: which of the delays that there are
  std::uint8_t flags = 0;
  std::uint8_t unfolded = 0;        // landings since leaves and returns that were due have been counted
  std::uint32_t at[kPlaces] = {};   // leaves to come: the low bits of their time, which is within 2^31 ps of `landed`
  std::uint16_t leaves[kPlaces] = {};   // what leaves then; 0 once it is no longer in `occupied`
  std::uint16_t returns[kPlaces] = {};  // what the sender will know of a while later; 0 once it is in `returned`

  static constexpr std::uint8_t kSenderWaits = 1,      // every release must wake it
                                kSenderElsewhere = 2,  // in another part of the fabric
                                kLongWay = 4,          // back to the sender: too long for the places below
                                kStopSent = 8,         // under PAUSE
                                kMore = 16;            // leaves to come for which there was no place
  static constexpr std::uint8_t kReturnsAreEvents = kSenderWaits | kSenderElsewhere | kLongWay;
  bool is(std::uint8_t flag) const { return (flags & flag) != 0; }
  void set(std::uint8_t flag) { flags = static_cast<std::uint8_t>(flags | flag); }
  void clear(std::uint8_t flag) { flags = static_cast<std::uint8_t>(flags & ~flag); }

  // Relative to `landed`.
  std::int32_t offset(std::size_t place) const {
    return static_cast<std::int32_t>(at[place] - static_cast<std::uint32_t>(landed));
  }
  std::int64_t time(std::size_t place) const { return landed + offset(place); }
  // A place for another leave at this time; kPlaces if there is none.
  [[gnu::always_inline]] std::size_t free_place(std::int64_t when) const {
    constexpr std::uint64_t kEach = 0x0001000100010001u;
    std::uint64_t a, b;
    std::memcpy(&a, leaves, sizeof a);
    std::memcpy(&b, returns, sizeof b);
    const std::uint64_t taken = a | b;
    const std::uint64_t free = (taken - kEach) & ~taken & (kEach << 15);  // the lowest of them is true
    if (free == 0 || when - landed > std::numeric_limits<std::int32_t>::max()) [[unlikely]] return kPlaces;
    return static_cast<std::size_t>(std::countr_zero(free)) / 16;
  }
};
static_assert(sizeof(InputBuffer) == 64 && std::endian::native == std::endian::little);

class InputBuffers {
 public:
  InputBuffers() = default;
  // `leave_at_head`: what leaves at an instant is still seen by all who look then; `asked_both`: by some of them.
  InputBuffers(std::size_t channels, bool leave_at_head, bool asked_both)
      : buffers_(channels), not_yet_(leave_at_head ? 1 : 0), keep_(leave_at_head || asked_both ? 1 : 0) {}

  InputBuffer& operator[](ChannelId channel) { return buffers_[channel.index]; }
  const InputBuffer& operator[](ChannelId channel) const { return buffers_[channel.index]; }
  // Before a buffer is used: how long the sender does not know of a release.
  void begin(ChannelId channel, std::int64_t return_delay);
  std::int64_t return_delay(ChannelId channel) const { return delays_[buffers_[channel.index].return_delay]; }

  // What has left since is counted when it matters: no new peak can be there before `occupied` has passed the last one.
  [[gnu::always_inline]] void land(ChannelId channel, std::int32_t cost, std::int64_t now) {
    InputBuffer& b = buffers_[channel.index];
    const std::int64_t passed = now - b.landed;
    if (passed > 0) {
      if (b.occupied <= b.peak && passed < kShortly && b.unfolded < kMostUnfolded) ++b.unfolded;
      else fold(b, channel, now);
      b.landed = now;
    }
    b.occupied += cost;
    add_area(b, channel, -cost, now);
  }
  // A packet leaves at a moment to come. `returns`: the sender is to find the released space; false if it does not, or
  // if there is no place to note that.
  [[gnu::always_inline]] bool leave(ChannelId channel, std::int32_t cost, std::int64_t when, std::int64_t now,
                                    bool returns) {
    InputBuffer& b = buffers_[channel.index];
    add_area(b, channel, cost, when);
    std::size_t place = b.free_place(when);
    if (place == InputBuffer::kPlaces) [[unlikely]] {
      fold(b, channel, now);
      place = b.free_place(when);
      if (place == InputBuffer::kPlaces) {
        keep_elsewhere(b, channel, {when, cost});
        return false;
      }
    }
    b.at[place] = static_cast<std::uint32_t>(when);
    b.leaves[place] = static_cast<std::uint16_t>(cost);
    b.returns[place] = static_cast<std::uint16_t>(returns ? cost : 0);
    return returns;
  }
  // At the sender, where the buffer itself is kept in another part of the fabric: a release that will be known at a
  // moment to come. False if there is no place to note that.
  bool note_return(ChannelId channel, std::int32_t cost, std::int64_t known, std::int64_t now) {
    InputBuffer& b = buffers_[channel.index];
    if (b.is(InputBuffer::kReturnsAreEvents)) return false;
    fold(b, channel, now);
    b.landed = now;  // nothing lands here: what the times refer to
    const std::int64_t left = known - return_delay(channel);
    const std::size_t place = b.free_place(left);
    if (place == InputBuffer::kPlaces) return false;
    b.at[place] = static_cast<std::uint32_t>(left);
    b.returns[place] = static_cast<std::uint16_t>(cost);
    return true;
  }
  // What the sender finds by `when`, to be counted once.
  std::int32_t take_returned(ChannelId channel, std::int64_t when) {
    InputBuffer& b = buffers_[channel.index];
    const std::int64_t until = when - b.landed - return_delay(channel);
    std::int32_t sum = b.returned;
    b.returned = 0;
    for (std::size_t i = 0; i < InputBuffer::kPlaces; ++i) {
      if (b.offset(i) > until) continue;
      sum += b.returns[i];
      b.returns[i] = 0;
    }
    return sum;
  }
  std::int32_t returned_by(ChannelId channel, std::int64_t when) const {
    const InputBuffer& b = buffers_[channel.index];
    const std::int64_t until = when - b.landed - return_delay(channel);
    std::int32_t sum = b.returned;
    for (std::size_t i = 0; i < InputBuffer::kPlaces; ++i) sum += b.offset(i) <= until ? b.returns[i] : 0;
    return sum;
  }
  // Returns that the sender does not know of yet are no longer noted, but handed out: visit(time, cost).
  template <class Visit>
  void hand_out_returns(ChannelId channel, const Visit& visit) {
    InputBuffer& b = buffers_[channel.index];
    for (std::size_t i = 0; i < InputBuffer::kPlaces; ++i) {
      if (b.returns[i] != 0) visit(b.time(i) + return_delay(channel), std::int32_t{b.returns[i]});
      b.returns[i] = 0;
    }
  }
  // Released, or about to be, and not counted by the sender.
  std::int32_t noted_returns(ChannelId channel) const {
    const InputBuffer& b = buffers_[channel.index];
    std::int32_t sum = b.returned;
    for (const std::uint16_t cost : b.returns) sum += cost;
    return sum;
  }

  // `not_yet`: what leaves at this very instant has not left for whoever asks.
  std::int32_t occupied(ChannelId channel, std::int64_t now, bool not_yet = false) const {
    return buffers_[channel.index].occupied - due(channel, now - (not_yet ? 1 : not_yet_));
  }
  // With what leaves now already gone, also by the head.
  std::int32_t occupied_after(ChannelId channel, std::int64_t now) const {
    return buffers_[channel.index].occupied - due(channel, now);
  }
  // Up to `end`.
  std::int32_t peak(ChannelId channel, std::int64_t end) const {
    const InputBuffer& b = buffers_[channel.index];
    return end > b.landed ? std::max(b.peak, b.occupied - due(channel, b.landed)) : b.peak;
  }
  // Occupancy integrated from 0 to `end`.
  CostTime integral(ChannelId channel, std::int64_t end) const {
    const InputBuffer& b = buffers_[channel.index];
    CostTime area = b.area;
    if (!carries_.empty()) area += CostTime{carries_[channel.index]} << 64;
    area += CostTime{standing(channel)} * end;
    for_each_leave(channel, [&](std::int64_t at, std::int32_t cost) {
      if (at > end) area -= CostTime{cost} * (at - end);
    });
    return area;
  }
  // What stands there without its departure being known, for conservation checks.
  std::int32_t standing(ChannelId channel) const {
    return buffers_[channel.index].occupied - due(channel, std::numeric_limits<std::int64_t>::max());
  }
  // Leaves that are known and still to come: visit(at, cost).
  template <class Visit>
  void for_each_leave(ChannelId channel, Visit visit) const {
    const InputBuffer& b = buffers_[channel.index];
    for (std::size_t i = 0; i < InputBuffer::kPlaces; ++i)
      if (b.leaves[i] != 0) visit(b.time(i), std::int32_t{b.leaves[i]});
    if (b.is(InputBuffer::kMore))
      for (const Leave& leave : elsewhere_[channel.index]) visit(leave.at, leave.cost);
  }
  std::size_t bytes_elsewhere() const;  // of state that the records have no place for

 private:
  struct Leave {
    std::int64_t at;
    std::int32_t cost;
    friend bool operator<(const Leave& a, const Leave& b) { return a.at > b.at; }  // heaps have the largest on top
  };

  // Adds up cost x time of leaving, of all leaves that are known, less cost x time of landing. 64 bits are enough for
  // all but very long runs of very large buffers; carries are counted.
  [[gnu::always_inline]] void add_area(InputBuffer& b, ChannelId channel, std::int32_t cost, std::int64_t time) {
    std::int64_t product, sum;
    const bool large = __builtin_mul_overflow(std::int64_t{cost}, time, &product);
    if (__builtin_add_overflow(b.area, product, &sum) || large) [[unlikely]]
      return add_large_area(b, channel, CostTime{cost} * time);
    b.area = sum;
  }
  void add_large_area(InputBuffer& b, ChannelId channel, CostTime area);

  // All places at once, 16 bits for each: those whose time is not after `until`, relative to `landed`.
  [[gnu::always_inline]] static std::uint64_t places_by(const InputBuffer& b, std::int32_t until) {
    using Times [[gnu::vector_size(16)]] = std::uint32_t;
    using Offsets [[gnu::vector_size(16)]] = std::int32_t;
    using Halves [[gnu::vector_size(8)]] = std::int16_t;
    Times at;
    std::memcpy(&at, b.at, sizeof at);
    const auto offset = reinterpret_cast<Offsets>(at - static_cast<std::uint32_t>(b.landed));
    return std::bit_cast<std::uint64_t>(__builtin_convertvector(offset <= until, Halves));
  }
  [[gnu::always_inline]] static std::int32_t sum(std::uint64_t costs) {
    constexpr std::uint64_t kOthers = 0x0000ffff0000ffffu;
    const std::uint64_t pairs = (costs & kOthers) + (costs >> 16 & kOthers);
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(pairs) + static_cast<std::uint32_t>(pairs >> 32));
  }

  // Counts the leaves and the returns that are due. Where time has moved on since the last landing, what stood there at
  // the end of that instant has lasted and may be the peak.
  [[gnu::always_inline]] void fold(InputBuffer& b, ChannelId channel, std::int64_t now) {
    constexpr std::int64_t kFar = std::numeric_limits<std::int32_t>::max();
    const auto until = static_cast<std::int32_t>(std::min(now - b.landed - keep_, kFar));
    const auto back = static_cast<std::int32_t>(std::min(now - b.landed - delays_[b.return_delay], kFar));
    std::uint64_t leaves, returns;
    std::memcpy(&leaves, b.leaves, sizeof leaves);
    std::memcpy(&returns, b.returns, sizeof returns);
    const std::uint64_t due = leaves & places_by(b, until), returned = returns & places_by(b, back);
    std::int32_t all = sum(due), at_once = sum(due & places_by(b, 0));  // at the instant of the last landing
    leaves ^= due;
    returns ^= returned;
    std::memcpy(b.leaves, &leaves, sizeof leaves);
    std::memcpy(b.returns, &returns, sizeof returns);
    b.returned += sum(returned);
    if (b.is(InputBuffer::kMore)) [[unlikely]] fold_elsewhere(b, channel, now - keep_, all, at_once);
    if (now > b.landed) b.peak = std::max(b.peak, b.occupied - at_once);
    b.occupied -= all;
    b.unfolded = 0;
  }
  void fold_elsewhere(InputBuffer& b, ChannelId channel, std::int64_t until, std::int32_t& all,
                      std::int32_t& at_once);
  void keep_elsewhere(InputBuffer& b, ChannelId channel, const Leave& leave);

  std::int32_t due(ChannelId channel, std::int64_t until) const {
    std::int32_t sum = 0;
    for_each_leave(channel, [&](std::int64_t at, std::int32_t cost) { sum += at <= until ? cost : 0; });
    return sum;
  }

  // So that times in places stay within 2^31 ps of `landed` until they are counted.
  static constexpr std::int64_t kShortly = std::int64_t{1} << 27;
  static constexpr std::uint8_t kMostUnfolded = 7;

  ZeroTable<InputBuffer> buffers_;
  std::vector<std::int64_t> delays_{0};        // of returns: those that there are
  std::vector<std::vector<Leave>> elsewhere_;  // heaps, per channel, once the first buffer has no place left
  std::vector<std::int64_t> carries_;          // per channel, of areas, once there is one
  std::int64_t not_yet_ = 0;                   // 1 where leaves at t are not seen at t
  std::int64_t keep_ = 0;                      // 1 where leaves at t may not be counted before t is over
};

}  // namespace weir
