// The channel dependency graph of a set of routes: vertices are channels, each a lane of a link direction, and there is
// an edge from a to b when some packet that arrives over a may leave over b. Without a cycle in it no packets can wait
// for each other in a circle (deadlock.cpp), nor can others that turn only where it has an edge (proven_paths.cpp).
// Packets never leave their block of lanes (route_step.h), so one block stands for all.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "network/hops.h"
#include "network/network.h"

namespace weir {

using RouteChannelId = Id<struct RouteChannelTag>;  // lane by lane, port by port

class ChannelDependencies {
 public:
  // For every destination only over the channels on which its packets can arrive. Cost: destinations x (channels used +
  // switches reached).
  ChannelDependencies(const Topology& topology, const RouteTable& routes, Dependencies which);

  template <class Visit>
  void for_each_next(RouteChannelId channel, Visit visit) const {
    if (start_[channel.index] == start_[channel.index + 1]) return;
    const std::uint32_t base = first_at(next_switch(t_, channel_of(channel).port));
    for (std::uint32_t i = 0; start_[channel.index] + i < start_[channel.index + 1]; ++i) {
      for (std::uint64_t w = bits_[start_[channel.index] + i]; w != 0; w &= w - 1)
        visit(RouteChannelId{base + 64 * i + static_cast<std::uint32_t>(std::countr_zero(w))});
    }
  }
  // `out` is a channel of the switch that `in` leads to.
  bool has(RouteChannel in, RouteChannel out) const {
    const std::uint32_t bit = id_of(out).index - first_at(t_.switch_of(t_.node_of(out.port)));
    return (bits_[start_[id_of(in).index] + bit / 64] >> bit % 64 & 1) != 0;
  }
  std::size_t channels() const { return t_.ports() * lanes_; }
  std::uint32_t lanes() const { return lanes_; }
  RouteChannelId id_of(RouteChannel c) const { return {c.port.index * lanes_ + c.lane.index}; }
  RouteChannel channel_of(RouteChannelId id) const { return {{id.index / lanes_}, {id.index % lanes_}}; }

 private:
  std::uint32_t first_at(SwitchId s) const { return t_.first_port(t_.node(s)).index * lanes_; }
  std::size_t words_at(SwitchId s) const { return (std::size_t{t_.port_count(t_.node(s))} * lanes_ + 63) / 64; }
  void add(RouteChannelId channel, std::span<const std::uint64_t> leaving) {
    std::uint64_t* word = bits_.data() + start_[channel.index];
    for (std::uint64_t w : leaving) *word++ |= w;
  }
  friend class DependencyCollector;

  const Topology& t_;
  std::uint32_t lanes_;
  std::vector<std::size_t> start_;   // by channel, in bits_
  std::vector<std::uint64_t> bits_;  // successors, as bits over the channels of the switch that the channel leads to
};

}  // namespace weir
