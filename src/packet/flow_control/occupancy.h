// How full the input buffers are: what has landed at a switch and not left it, one gauge per channel, kept by the
// receiving side at the moments of change. Buffers count bytes, payload or packets; a packet's *cost* is its share.
//
// A departure is known before it happens: when a packet starts, it is clear when its tail will have left, and the fast
// path even decides starts ahead of time. Such leaves wait in the gauge until their time has come.
//
// Occupancy is a function of time: a peak counts if it lasts, however short, so that it does not depend on the order of
// what happens at one instant. What leaves at t has left for whoever looks at t, except where slots are freed by the
// head: a start is decided after all events of its instant, and what starts at t still stands there for them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/big_vector.h"
#include "packet/ids.h"

namespace weir {

using CostTime = __int128;  // bytes (or packets) x picoseconds

class InputGauges {
 public:
  InputGauges() = default;
  // `leave_at_head`: what leaves at an instant is still seen by all who look then; `asked_both`: by some of them.
  InputGauges(std::size_t channels, bool leave_at_head, bool asked_both)
      : gauges_(channels), not_yet_(leave_at_head ? 1 : 0), keep_(leave_at_head || asked_both ? 1 : 0) {}

  [[gnu::always_inline]] void land(ChannelId channel, std::int32_t cost, std::int64_t now) {
    Gauge& g = gauges_[channel.index];
    if (now > g.landed) {
      fold(g, channel, now);
      g.landed = now;
    }
    g.occupied += cost;
    g.area -= CostTime{cost} * now;
  }
  [[gnu::always_inline]] void leave(ChannelId channel, std::int32_t cost, std::int64_t at, std::int64_t now) {
    Gauge& g = gauges_[channel.index];
    g.area += CostTime{cost} * at;
    if (g.cost[0] != 0 && g.cost[1] != 0) fold(g, channel, now);
    const auto place = static_cast<std::size_t>(g.cost[0] != 0);
    if (g.cost[place] != 0) return keep_elsewhere(g, channel, {at, cost});
    g.at[place] = at;
    g.cost[place] = cost;
  }

  // `not_yet`: what leaves at this very instant has not left for whoever asks.
  std::int32_t occupied(ChannelId channel, std::int64_t now, bool not_yet = false) const {
    return gauges_[channel.index].occupied - due(channel, now - (not_yet ? 1 : not_yet_));
  }
  // With what leaves now already gone, also by the head.
  std::int32_t occupied_after(ChannelId channel, std::int64_t now) const {
    return gauges_[channel.index].occupied - due(channel, now);
  }
  // Up to `end`.
  std::int32_t peak(ChannelId channel, std::int64_t end) const {
    const Gauge& g = gauges_[channel.index];
    return end > g.landed ? std::max(g.peak, g.occupied - due(channel, g.landed)) : g.peak;
  }
  // Occupancy integrated from 0 to `end`.
  CostTime integral(ChannelId channel, std::int64_t end) const {
    const Gauge& g = gauges_[channel.index];
    CostTime area = g.area + CostTime{standing(channel)} * end;
    for_each_leave(channel, [&](std::int64_t at, std::int32_t cost) {
      if (at > end) area -= CostTime{cost} * (at - end);
    });
    return area;
  }
  // What stands there without its departure being known, for conservation checks.
  std::int32_t standing(ChannelId channel) const {
    return gauges_[channel.index].occupied - due(channel, std::numeric_limits<std::int64_t>::max());
  }
  // Leaves that are known and still to come: visit(at, cost).
  template <class Visit>
  void for_each_leave(ChannelId channel, Visit visit) const {
    const Gauge& g = gauges_[channel.index];
    for (int i = 0; i < 2; ++i)
      if (g.cost[i] != 0) visit(g.at[i], g.cost[i]);
    if (g.elsewhere != 0)
      for (const Leave& leave : elsewhere_[channel.index]) visit(leave.at, leave.cost);
  }
  void take_over(const InputGauges& other, ChannelId channel) {
    gauges_[channel.index] = other.gauges_[channel.index];
    if (other.elsewhere_.empty()) return;
    if (elsewhere_.empty()) elsewhere_.resize(gauges_.size());
    elsewhere_[channel.index] = other.elsewhere_[channel.index];
  }
  const void* record_of(ChannelId channel) const { return &gauges_[channel.index]; }
  std::size_t bytes_of_state() const {
    std::size_t elsewhere = elsewhere_.capacity() * sizeof(std::vector<Leave>);
    for (const std::vector<Leave>& heap : elsewhere_) elsewhere += heap.capacity() * sizeof(Leave);
    return gauges_.size() * sizeof(Gauge) + elsewhere;
  }

 private:
  struct alignas(64) Gauge {
    CostTime area = 0;            // cost x time of leaving, of all that are known, less cost x time of landing
    std::int64_t landed = 0;      // when the last packet did
    std::int64_t at[2] = {0, 0};  // leaves to come
    std::int32_t cost[2] = {0, 0};  // 0 = free place
    std::int32_t occupied = 0;    // leaves to come included
    std::int32_t peak = 0;        // before `landed`
    std::uint32_t elsewhere = 0;  // number of further leaves to come
  };
  static_assert(sizeof(Gauge) == 64);
  struct Leave {
    std::int64_t at;
    std::int32_t cost;
    friend bool operator<(const Leave& a, const Leave& b) { return a.at > b.at; }  // heaps have the largest on top
  };

  // Counts the leaves that are due. Where time has moved on since the last landing, what stood there at the end of that
  // instant has lasted and may be the peak.
  [[gnu::always_inline]] void fold(Gauge& g, ChannelId channel, std::int64_t now) {
    const std::int64_t until = now - keep_;
    std::int32_t all = 0, at_once = 0;  // at the instant of the last landing
    for (int i = 0; i < 2; ++i) {       // without branches: whether a leave is due can hardly be predicted
      const std::int32_t due = g.cost[i] & -static_cast<std::int32_t>(g.at[i] <= until);
      at_once += due & -static_cast<std::int32_t>(g.at[i] <= g.landed);
      all += due;
      g.cost[i] -= due;
    }
    if (g.elsewhere != 0) [[unlikely]] fold_elsewhere(g, channel, until, all, at_once);
    if (now > g.landed) g.peak = std::max(g.peak, g.occupied - at_once);
    g.occupied -= all;
  }
  void fold_elsewhere(Gauge& g, ChannelId channel, std::int64_t until, std::int32_t& all, std::int32_t& at_once);
  void keep_elsewhere(Gauge& g, ChannelId channel, const Leave& leave);

  std::int32_t due(ChannelId channel, std::int64_t until) const {
    std::int32_t sum = 0;
    for_each_leave(channel, [&](std::int64_t at, std::int32_t cost) { sum += at <= until ? cost : 0; });
    return sum;
  }

  BigVector<Gauge> gauges_;
  std::vector<std::vector<Leave>> elsewhere_;  // heaps, per channel, once the first gauge has no place left
  std::int64_t not_yet_ = 0;                   // 1 where leaves at t are not seen at t
  std::int64_t keep_ = 0;                      // 1 where leaves at t may not be counted before t is over
};

}  // namespace weir
