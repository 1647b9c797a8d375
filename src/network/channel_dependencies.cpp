// How the graph is collected from the routes.
#include "network/channel_dependencies.h"

#include <algorithm>

namespace weir {

// Walks one destination after another through the switches its packets can reach.
class DependencyCollector {
 public:
  DependencyCollector(const Topology& topology, const RouteTable& routes, Dependencies which)
      : t_(topology),
        routes_(routes),
        which_(which),
        reached_(topology.switches(), kFar),
        leaving_at_(topology.switches()) {}

  void collect(HostId destination, ChannelDependencies& graph) {
    queue_.clear();
    used_.clear();
    leaving_.clear();
    for (std::uint32_t h = 0; h < t_.hosts(); ++h) {
      if (h != destination.index) arrive(t_.host_port({h}), destination);
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) leave(queue_[i], destination);
    for (PortId channel : used_) {
      const SwitchId s = next_switch(t_, channel);
      const std::size_t words = (t_.port_count(t_.node(s)) + 63) / 64;
      graph.add(channel, {leaving_.data() + leaving_at_[s.index], words});
    }
  }

 private:
  void arrive(PortId channel, HostId destination) {
    const SwitchId s = next_switch(t_, channel);
    if (!s.valid()) return;
    if (!t_.is_host(t_.node_of(channel))) used_.push_back(channel);
    if (reached_[s.index] == destination.index) return;
    reached_[s.index] = destination.index;
    queue_.push_back(s);
  }

  void leave(SwitchId s, HostId destination) {
    const NodeId node = t_.node(s);
    const std::uint32_t base = t_.first_port(node).index;
    leaving_at_[s.index] = leaving_.size();
    leaving_.resize(leaving_.size() + (t_.port_count(node) + 63) / 64, 0);
    const std::span<const PortId> all = routes_.candidates(s, {0}, destination, scratch_);
    // Where the source chooses the way up, all ways up are possible by default too.
    const bool only_first = which_ == Dependencies::default_ports && !routes_.is_up_by_source();
    for (PortId out : all.first(only_first ? std::min<std::size_t>(1, all.size()) : all.size())) {
      const std::uint32_t local = out.index - base;
      leaving_[leaving_at_[s.index] + local / 64] |= std::uint64_t{1} << local % 64;
      arrive(out, destination);
    }
  }

  const Topology& t_;
  const RouteTable& routes_;
  Dependencies which_;
  std::vector<std::uint32_t> reached_;   // last destination that reached the switch
  std::vector<std::size_t> leaving_at_;  // place of its bits in leaving_
  std::vector<SwitchId> queue_;
  std::vector<PortId> used_;
  std::vector<std::uint64_t> leaving_;
  std::vector<PortId> scratch_;
};

ChannelDependencies::ChannelDependencies(const Topology& topology, const RouteTable& routes, Dependencies which)
    : t_(topology), start_(topology.ports() + 1, 0) {
  for (std::uint32_t p = 0; p < t_.ports(); ++p) {
    const SwitchId next = next_switch(t_, {p});
    const std::uint32_t ports = next.valid() ? t_.port_count(t_.node(next)) : 0;
    start_[p + 1] = start_[p] + (ports + 63) / 64;
  }
  bits_.assign(start_.back(), 0);
  DependencyCollector collector(topology, routes, which);
  for (std::uint32_t d = 0; d < topology.hosts(); ++d) collector.collect({d}, *this);
}

}  // namespace weir
