// Puts packets of a connection back into order at the receiver and measures how many must be kept for it. Only
// connections that see a gap get an entry; in a fabric that keeps order this is a comparison per packet.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "measure/measurements.h"

namespace weir {

class Resequencer {
 public:
  void prepare(std::size_t connections, std::size_t hosts) {
    expected_.assign(connections, 0);
    held_by_.assign(hosts, 0);
  }
  bool active() const { return !expected_.empty(); }

  [[gnu::always_inline]] void fetch(std::uint32_t connection) const { __builtin_prefetch(&expected_[connection], 1); }
  // A packet for this host. True when it is the one that was expected.
  bool receive(std::uint32_t connection, std::uint32_t sequence, std::uint32_t host, std::int64_t now) {
    std::uint32_t& expected = expected_[connection];
    if (sequence == expected && (held_.empty() || !held_.contains(connection))) {
      ++expected;
      return true;
    }
    return settle(connection, sequence, host, now);
  }
  std::uint32_t expected(std::uint32_t connection) const { return expected_[connection]; }  // arrived in order so far
  std::uint64_t held() const { return held_count_; }
  // Packets held, integrated over time up to now: packets x ps.
  unsigned __int128 packet_time(std::int64_t now) {
    integrate(now);
    return area_;
  }

  // What another part of the fabric has seen up to `now`, at its own hosts.
  struct Seen {
    unsigned __int128 packet_time = 0;
    std::uint64_t out_of_order = 0, peak_packets = 0;
  };
  Seen seen(std::int64_t now) { return {packet_time(now), r_.out_of_order, r_.peak_packets}; }
  void absorb(const Seen& other, std::int64_t now) {
    integrate(now);
    area_ += other.packet_time;
    r_.out_of_order += other.out_of_order;
    r_.peak_packets = std::max(r_.peak_packets, other.peak_packets);
  }

  ResequencingResult result(std::int64_t now) {
    integrate(now);
    r_.mean_packets = now > 0 ? static_cast<double>(area_) / static_cast<double>(now) : 0;
    return r_;
  }
  std::size_t bytes_of_state() const { return (expected_.capacity() + held_by_.capacity()) * sizeof(std::uint32_t); }

 private:
  void integrate(std::int64_t now) {
    area_ += static_cast<unsigned __int128>(held_count_) * static_cast<std::uint64_t>(now - since_);
    since_ = now;
  }
  bool settle(std::uint32_t connection, std::uint32_t sequence, std::uint32_t host, std::int64_t now) {
    integrate(now);
    std::uint32_t& expected = expected_[connection];
    std::set<std::uint32_t>& early = held_[connection];
    const bool in_order = sequence == expected;
    if (in_order) {
      ++expected;
      while (!early.empty() && *early.begin() == expected) {
        early.erase(early.begin());
        --held_count_;
        --held_by_[host];
        ++expected;
      }
    } else {
      ++r_.out_of_order;
      early.insert(sequence);
      ++held_count_;
      r_.peak_packets = std::max<std::uint64_t>(r_.peak_packets, ++held_by_[host]);
    }
    if (early.empty()) held_.erase(connection);
    return in_order;
  }

  std::vector<std::uint32_t> expected_;
  std::map<std::uint32_t, std::set<std::uint32_t>> held_;
  std::vector<std::uint32_t> held_by_;  // per host
  std::uint64_t held_count_ = 0;        // by all
  std::int64_t since_ = 0;
  unsigned __int128 area_ = 0;
  ResequencingResult r_;
};

}  // namespace weir
