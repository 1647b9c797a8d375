// Sources at rest. Where more packets wait at a host than anybody will look at soon, another one that a source makes
// only joins their end. Nobody can tell when that is done, as long as it is done before one of them leaves, and in the
// order of time. So such a source takes no events: what it has made is caught up before anything leaves its host, and
// at the end. That is most of the work where a fabric is overloaded.
#pragma once
#include <cstdint>
#include <vector>

#include "base/big_vector.h"
#include "packet/run_input.h"
#include "packet/scheme/hooks.h"

namespace weir {

// Is nobody told of packets that join a queue, and can so many not be made that the run ends with them (max_backlog)?
bool sources_may_rest(const RunInput& run, const SchemeTraits& scheme);
// Might this source draw its own host? Then a packet is delivered when it is made.
bool may_draw_itself(const SourceGroup& group, HostId host);

class RestingSources {
 public:
  RestingSources(const Workload& workload, std::size_t hosts, bool may_rest);

  bool may_rest() const { return !next_.empty(); }
  bool any() const { return count_ > 0; }
  bool any(HostId host) const { return count_ > 0 && of_host_[host.index] > 0; }

  // It makes its next packet at `next`, without an event.
  void rest(std::uint32_t source, HostId host, Time next) {
    next_[source] = next;
    ++of_host_[host.index];
    ++count_;
  }
  // Returns the time of its next packet.
  Time wake(std::uint32_t source, HostId host) {
    --of_host_[host.index];
    --count_;
    return std::exchange(next_[source], kNever);
  }
  Time next(std::uint32_t source) const { return next_[source]; }  // kNever of those that do not rest
  void set_next(std::uint32_t source, Time next) { next_[source] = next; }
  template <class Visit> void each_of(HostId host, const Visit& visit) const {
    for (std::uint32_t s = first_[host.index]; s < first_[host.index + 1]; ++s)
      if (next_[s] != kNever) visit(s);
  }
  // Something will happen at this host soon. And once more, when that is there: fetch(source).
  [[gnu::always_inline]] void fetch(HostId host) const {
    if (!any()) return;
    __builtin_prefetch(&of_host_[host.index], 1);
    __builtin_prefetch(&first_[host.index]);
  }
  template <class Fetch>
  [[gnu::always_inline]] void fetch_more(HostId host, const Fetch& fetch) const {
    if (!any(host)) return;
    for (std::uint32_t s = first_[host.index]; s < first_[host.index + 1]; ++s) {
      __builtin_prefetch(&next_[s], 1);
      fetch(s);
    }
  }
  std::size_t hosts() const { return of_host_.size(); }
  std::size_t bytes_of_state() const {
    return next_.capacity() * sizeof(Time) + (of_host_.capacity() + first_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  BigVector<Time> next_;                // per source
  std::vector<std::uint32_t> of_host_;  // how many rest there
  std::vector<std::uint32_t> first_;    // per host: its first source
  std::uint64_t count_ = 0;
};

}  // namespace weir
