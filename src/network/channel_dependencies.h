// The channel dependency graph of a set of routes: vertices are link directions, and there is an edge from a to b when
// some packet that arrives over a may leave over b. Without a cycle in it no packets can wait for each other in a
// circle (deadlock.cpp), nor can others that turn only where it has an edge (proven_paths.cpp).
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "network/hops.h"
#include "network/network.h"

namespace weir {

class ChannelDependencies {
 public:
  // For every destination only over the channels on which its packets can arrive. Cost: destinations x (channels used +
  // switches reached).
  ChannelDependencies(const Topology& topology, const RouteTable& routes, Dependencies which);

  template <class Visit>
  void for_each_next(PortId channel, Visit visit) const {
    if (start_[channel.index] == start_[channel.index + 1]) return;
    const std::uint32_t base = t_.first_port(t_.node(next_switch(t_, channel))).index;
    for (std::uint32_t i = 0; start_[channel.index] + i < start_[channel.index + 1]; ++i) {
      for (std::uint64_t w = bits_[start_[channel.index] + i]; w != 0; w &= w - 1)
        visit(PortId{base + 64 * i + static_cast<std::uint32_t>(std::countr_zero(w))});
    }
  }
  // `out` is a port of the switch that `in` leads to.
  bool has(PortId in, PortId out) const {
    const std::uint32_t local = t_.local(out);
    return (bits_[start_[in.index] + local / 64] >> local % 64 & 1) != 0;
  }
  std::size_t channels() const { return t_.ports(); }

 private:
  void add(PortId channel, std::span<const std::uint64_t> leaving) {
    std::uint64_t* word = bits_.data() + start_[channel.index];
    for (std::uint64_t w : leaving) *word++ |= w;
  }
  friend class DependencyCollector;

  const Topology& t_;
  std::vector<std::size_t> start_;   // by channel, in bits_
  std::vector<std::uint64_t> bits_;  // successors, as bits over the ports of the switch that the channel leads to
};

}  // namespace weir
