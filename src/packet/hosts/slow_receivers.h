// Adapters that take packets in more slowly than their link brings them: the usual source of pause storms. A receive
// buffer stands between link and host, and flow control treats it like an input of a switch. A packet counts as
// received when it has landed there.
#pragma once
#include <algorithm>
#include <vector>

#include "packet/links/fabric_state.h"

namespace weir {

class SlowReceivers {
 public:
  SlowReceivers(const AdapterConfig& config, std::size_t hosts)
      : ps_per_byte_q16_(config.receive_rate.bits_per_second > 0 ? config.receive_rate.ps_per_byte_q16() : 0),
        taken_until_(ps_per_byte_q16_ > 0 ? hosts : 0) {}
  bool active() const { return !taken_until_.empty(); }

  template <class E>
  void take(E& e, const Packet& p) {
    if (e.fabric().channel(p.came_by).is(Channel::kUnlimited)) return;  // this one is as fast as its link
    const std::int32_t cost = e.fabric().cost(p);
    e.space.lands(e, p.came_by, cost);
    std::int64_t& until = taken_until_[e.fabric().receiver(e.fabric().link_of(p.came_by)).index];
    const std::int64_t start = std::max(e.clock().ps(), until);
    until = start + Rate::scaled(ps_per_byte_q16_, p.size).ps;
    e.space.leaves(e, p.came_by, cost, start, until);
  }

 private:
  std::uint64_t ps_per_byte_q16_;
  std::vector<std::int64_t> taken_until_;  // by host
};

}  // namespace weir
