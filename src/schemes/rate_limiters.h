// Rate limiters of sources, one per connection that congestion has been reported for. A limiter spaces packets: after
// one of L bytes the next may go L / rate later. The rate may change in between, so the gate is computed from the last
// packet and the rate of the moment. `Point` is the scheme's own state of a limited connection; its rate() is in bit/s.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/units.h"
#include "packet/scheme/scheme_state.h"

namespace weir {

template <class Point>
class RateLimiters {
 public:
  struct Limiter {
    Point point;
    Time last;                   // when its last packet started
    std::uint32_t last_bytes = 0;
    Time timer = kNever;         // when the timer that counts is due; others are void
    ConnectionId connection;
  };

  explicit RateLimiters(SchemeState& owner) : number_(owner, kNone), hosts_(owner) {}

  // Of a connection of this host, until the next one is added there; nullptr if it has none.
  Limiter* find(HostId host, ConnectionId connection) {
    const std::uint32_t n = number_[connection];
    return n == kNone ? nullptr : &hosts_[host].limiters[n];
  }
  // Of a connection that has a limiter: its place at the host, until it is removed.
  std::uint32_t number(ConnectionId connection) const { return number_[connection]; }
  // Into the cache.
  void fetch(HostId host, ConnectionId connection) const {
    const std::uint32_t n = number_[connection];
    if (n == kNone) return;
    const char* const first = reinterpret_cast<const char*>(&hosts_[host].limiters[n]);
    __builtin_prefetch(first, 1);
    __builtin_prefetch(first + sizeof(Limiter) - 1, 1);
  }
  Limiter& add(HostId host, ConnectionId connection, Point point) {
    WEIR_CHECK(number_[connection] == kNone);
    AtHost& here = hosts_[host];
    std::uint32_t n = static_cast<std::uint32_t>(here.limiters.size());
    if (here.free.empty()) {
      here.limiters.emplace_back();
    } else {
      n = here.free.back();
      here.free.pop_back();
    }
    number_[connection] = n;
    here.peak = std::max(here.peak, here.active());
    Limiter& limiter = here.limiters[n];
    limiter.point = std::move(point);
    limiter.last_bytes = 0;
    limiter.connection = connection;
    limiter.timer = kNever;
    return limiter;
  }
  void remove(HostId host, ConnectionId connection) {
    hosts_[host].free.push_back(std::exchange(number_[connection], kNone));
  }

  // When the next packet may go.
  static Time gate(const Limiter& limiter) {
    const double gap = static_cast<double>(limiter.last_bytes) * 8e12 / limiter.point.rate();
    return {limiter.last.ps + static_cast<std::int64_t>(gap)};
  }
  static void sent(Limiter& limiter, Time now, std::uint32_t bytes) {
    limiter.last = now;
    limiter.last_bytes = bytes;
  }

  std::uint64_t active() const {
    std::uint64_t sum = 0;
    for (const AtHost& host : hosts_) sum += host.active();
    return sum;
  }
  std::uint64_t peak() const {  // at one host
    std::uint32_t most = 0;
    for (const AtHost& host : hosts_) most = std::max(most, host.peak);
    return most;
  }
  std::size_t bytes_beside_tables() const {
    std::size_t sum = 0;
    for (const AtHost& host : hosts_) sum += host.limiters.capacity() * sizeof(Limiter);
    return sum;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct AtHost {
    std::vector<Limiter> limiters;
    std::vector<std::uint32_t> free;
    std::uint32_t peak = 0;

    std::uint32_t active() const { return static_cast<std::uint32_t>(limiters.size() - free.size()); }
    // What is left of it at the end of a run: how many there are.
    void each_field(auto&& visit) {
      std::size_t count = limiters.size();
      visit(count);
      limiters.resize(count);
      visit(free);
      visit(peak);
    }
  };

  ConnectionTable<std::uint32_t> number_;  // of the limiter of a connection, at its host
  HostTable<AtHost> hosts_;
};

}  // namespace weir
