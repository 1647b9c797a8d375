// Rate limiters of sources, one per connection that congestion has been reported for. A limiter spaces packets: after
// one of L bytes the next may go L / rate later. The rate may change in between, so the gate is computed from the last
// packet and the rate of the moment. `Point` is the scheme's own state of a limited connection; its rate() is in bit/s.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "base/units.h"
#include "packet/ids.h"

namespace weir {

template <class Point>
class RateLimiters {
 public:
  struct Limiter {
    Point point;
    Time last;                   // when its last packet started
    std::uint32_t last_bytes = 0;
    std::uint32_t timer = 0;     // number of the timer that counts; older ones are void
    ConnectionId connection;
    std::uint32_t host = 0;
  };

  void prepare(std::size_t connections, std::size_t hosts) {
    number_.assign(connections, kNone);
    active_at_.assign(hosts, 0);
  }
  Limiter* find(ConnectionId connection) {
    return number_[connection.index] == kNone ? nullptr : &limiters_[number_[connection.index]];
  }
  Limiter& add(ConnectionId connection, HostId host, Point point) {
    WEIR_CHECK(number_[connection.index] == kNone);
    std::uint32_t n = static_cast<std::uint32_t>(limiters_.size());
    if (free_.empty()) {
      limiters_.emplace_back();
    } else {
      n = free_.back();
      free_.pop_back();
    }
    number_[connection.index] = n;
    Limiter& limiter = limiters_[n];
    limiter.point = std::move(point);
    limiter.last_bytes = 0;
    limiter.connection = connection;
    limiter.host = host.index;
    limiter.timer = 0;
    ++active_;
    peak_ = std::max(peak_, ++active_at_[host.index]);
    return limiter;
  }
  void remove(ConnectionId connection) {
    const std::uint32_t n = number_[connection.index];
    free_.push_back(n);
    number_[connection.index] = kNone;
    --active_;
    --active_at_[limiters_[n].host];
  }

  // When the next packet may go.
  Time gate(ConnectionId connection) const {
    if (number_[connection.index] == kNone) return {};
    const Limiter& limiter = limiters_[number_[connection.index]];
    const double gap = static_cast<double>(limiter.last_bytes) * 8e12 / limiter.point.rate();
    return {limiter.last.ps + static_cast<std::int64_t>(gap)};
  }
  // A number for a timer of this limiter; timers with earlier numbers are void from now on.
  std::uint32_t new_timer(Limiter& limiter) { return limiter.timer = ++timers_; }
  static void sent(Limiter& limiter, Time now, std::uint32_t bytes) {
    limiter.last = now;
    limiter.last_bytes = bytes;
  }

  std::uint64_t active() const { return active_; }
  std::uint64_t peak() const { return peak_; }  // at one host
  std::size_t bytes_of_state() const {
    return (number_.capacity() + active_at_.capacity()) * sizeof(std::uint32_t) + limiters_.size() * sizeof(Limiter);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::uint32_t> number_;  // of the limiter of a connection
  std::deque<Limiter> limiters_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> active_at_;  // per host
  std::uint64_t active_ = 0;
  std::uint32_t peak_ = 0;
  std::uint32_t timers_ = 0;
};

}  // namespace weir
