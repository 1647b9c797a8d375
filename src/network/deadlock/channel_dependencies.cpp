// How the graph is collected from the routes.
#include "network/deadlock/channel_dependencies.h"

#include <algorithm>

namespace weir {

// Walks one destination after another through the switches its packets can reach. Where they may keep their lane, the
// lane on which they arrive matters: a place is a switch and that lane.
class DependencyCollector {
 public:
  DependencyCollector(const Topology& topology, const RouteTable& routes, Dependencies which,
                      ChannelDependencies& graph)
      : t_(topology),
        routes_(routes),
        which_(which),
        graph_(graph),
        reached_(topology.switches() * graph.lanes(), kFar),
        leaving_at_(topology.switches() * graph.lanes()) {}

  void collect(HostId destination) {
    queue_.clear();
    used_.clear();
    leaving_.clear();
    for (std::uint32_t h = 0; h < t_.hosts(); ++h) {
      if (h != destination.index) arrive({t_.host_port({h})}, destination);
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) leave(queue_[i], destination);
    for (const RouteChannel channel : used_) {
      const Place place{next_switch(t_, channel.port), channel.lane};
      graph_.add(graph_.id_of(channel), {leaving_.data() + leaving_at_[number(place)], graph_.words_at(place.at)});
    }
  }

 private:
  struct Place {
    SwitchId at;
    Lane lane;
  };
  std::size_t number(Place place) const { return std::size_t{place.at.index} * graph_.lanes() + place.lane.index; }

  void arrive(RouteChannel channel, HostId destination) {
    const Place place{next_switch(t_, channel.port), channel.lane};
    if (!place.at.valid()) return;
    if (!t_.is_host(t_.node_of(channel.port))) used_.push_back(channel);
    if (reached_[number(place)] == destination.index) return;
    reached_[number(place)] = destination.index;
    queue_.push_back(place);
  }

  void leave(Place place, HostId destination) {
    const std::uint32_t base = graph_.first_at(place.at);
    const std::size_t leaving = leaving_at_[number(place)] = leaving_.size();
    leaving_.resize(leaving_.size() + graph_.words_at(place.at), 0);
    const std::span<const RouteStep> all = routes_.candidates(place.at, {0}, destination, scratch_);
    // Where the source chooses the way up, all ways up are possible by default too.
    const bool only_first = which_ == Dependencies::default_ports && !routes_.is_up_by_source();
    for (const RouteStep step : all.first(only_first ? std::min<std::size_t>(1, all.size()) : all.size())) {
      const RouteChannel out{step.port(), step.keeps_lane() ? place.lane : step.lane()};
      const std::uint32_t bit = graph_.id_of(out).index - base;
      leaving_[leaving + bit / 64] |= std::uint64_t{1} << bit % 64;
      arrive(out, destination);
    }
  }

  const Topology& t_;
  const RouteTable& routes_;
  Dependencies which_;
  ChannelDependencies& graph_;
  std::vector<std::uint32_t> reached_;   // by place: last destination that reached it
  std::vector<std::size_t> leaving_at_;  // by place: where its bits are in leaving_
  std::vector<Place> queue_;
  std::vector<RouteChannel> used_;
  std::vector<std::uint64_t> leaving_;
  std::vector<RouteStep> scratch_;
};

ChannelDependencies::ChannelDependencies(const Topology& topology, const RouteTable& routes, Dependencies which)
    : t_(topology), lanes_(routes.lanes().size()), start_(channels() + 1, 0) {
  for (std::uint32_t c = 0; c < channels(); ++c) {
    const SwitchId next = next_switch(t_, channel_of({c}).port);
    start_[c + 1] = start_[c] + (next.valid() ? words_at(next) : 0);
  }
  bits_.assign(start_.back(), 0);
  DependencyCollector collector(topology, routes, which, *this);
  for (std::uint32_t d = 0; d < topology.hosts(); ++d) collector.collect({d});
}

}  // namespace weir
