// How many packets wait at the hosts.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>

#include "base/big_vector.h"
#include "base/ids.h"
#include "traffic/workload.h"

namespace weir {

// When packets start that were promised to their host's link, the latest of them: one after the other without a pause,
// so that the low halves of these moments are enough.
class PromisedStarts {
 public:
  // Is there a place for one more, at this moment?
  bool room(std::int64_t start, std::int64_t now) const {
    return start - now < kNear && (last_ < now || (after(next_, now) < 0 && start - last_ < kNear));
  }
  void put(std::int64_t start, std::int64_t now) {
    if (last_ < now) std::fill(std::begin(starts_), std::end(starts_), static_cast<std::uint32_t>(now - 1));
    starts_[next_] = static_cast<std::uint32_t>(start);
    next_ = (next_ + 1) % kPlaces;
    last_ = start;
  }
  // How many of them start now or later.
  std::uint32_t to_start(std::int64_t now) const {
    if (last_ < now) return 0;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < kPlaces; ++i) count += after(i, now) >= 0;
    return count;
  }

 private:
  static constexpr std::uint32_t kPlaces = 8;
  static constexpr std::int64_t kNear = std::numeric_limits<std::int32_t>::max() / kPlaces;

  std::int32_t after(std::uint32_t place, std::int64_t now) const {
    return static_cast<std::int32_t>(starts_[place] - static_cast<std::uint32_t>(now));
  }

  std::int64_t last_ = -1;
  std::uint32_t starts_[kPlaces] = {};
  std::uint32_t next_ = 0;  // place of the one that has started first
};

// Packets that wait at a host, or at all of them. Where nothing else matters, a packet starts before the end of the
// instant, when the link would be arbitrated; for those that come at the same instant it still waits.
struct Backlog {
  std::uint32_t packets = 0;
  std::uint32_t early = 0;  // started at `at` before its end
  std::int64_t at = -1;

  void note_early(std::int64_t now) {
    early = at == now ? early + 1 : 1;
    at = now;
  }
  std::uint32_t seen(std::int64_t now) const { return packets + (at == now ? early : 0); }
};

class Backlogs {
 public:
  explicit Backlogs(std::size_t hosts) : of_host_(hosts) {}

  // Of a host, besides those that were promised to its link.
  const Backlog& operator[](HostId host) const { return of_host_[host.index].queued; }
  std::uint64_t seen(std::int64_t now) const { return all_.seen(now); }  // at all hosts
  // One more waits at this host; returns how many do now.
  std::uint32_t count_in(HostId host, std::int64_t now) {
    ++all_.packets;
    OfHost& h = of_host_[host.index];
    ++h.queued.packets;
    return h.queued.seen(now) + h.promised.to_start(now);
  }
  void count_out(HostId host) {
    --all_.packets;
    --of_host_[host.index].queued.packets;
  }
  void note_early(HostId host, std::int64_t now) {
    of_host_[host.index].queued.note_early(now);
    all_.note_early(now);
  }
  // Packets that start at a moment to come, where nobody asks how many wait at all hosts.
  PromisedStarts& promised(HostId host) { return of_host_[host.index].promised; }
  std::size_t bytes_of_state() const { return of_host_.capacity() * sizeof(OfHost); }

 private:
  struct alignas(64) OfHost {
    Backlog queued;
    PromisedStarts promised;
  };

  BigVector<OfHost> of_host_;
  Backlog all_;
};

}  // namespace weir
