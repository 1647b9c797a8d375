// How many packets wait at the hosts.
#pragma once
#include <cstddef>
#include <cstdint>

#include "base/big_vector.h"
#include "base/ids.h"
#include "traffic/workload.h"

namespace weir {

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

  const Backlog& operator[](HostId host) const { return of_host_[host.index]; }
  std::uint64_t seen(std::int64_t now) const { return all_.seen(now); }  // at all hosts
  // One more waits at this host; returns how many do now.
  std::uint32_t count_in(HostId host, std::int64_t now) {
    ++all_.packets;
    ++of_host_[host.index].packets;
    return of_host_[host.index].seen(now);
  }
  void count_out(HostId host) {
    --all_.packets;
    --of_host_[host.index].packets;
  }
  void note_early(HostId host, std::int64_t now) {
    of_host_[host.index].note_early(now);
    all_.note_early(now);
  }
  std::size_t bytes_of_state() const { return of_host_.capacity() * sizeof(Backlog); }

 private:
  BigVector<Backlog> of_host_;
  Backlog all_;
};

}  // namespace weir
