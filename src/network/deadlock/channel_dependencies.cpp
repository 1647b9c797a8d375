// How the graph is collected from the routes.
#include "network/deadlock/channel_dependencies.h"

#include <algorithm>
#include <optional>

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
        reached_(topology.switches() * graph.lanes(), 0),
        leaving_at_(topology.switches() * graph.lanes()) {}

  void collect(HostId destination) {
    collect(destination, std::nullopt);
    const std::uint32_t midpoints = routes_.structure() != nullptr ? routes_.structure()->midpoints() : 0;
    for (std::uint32_t m = 0; m < midpoints; ++m) collect(destination, m);
  }

 private:
  struct Place {
    SwitchId at;
    Lane lane;
  };
  std::size_t number(Place place) const { return std::size_t{place.at.index} * graph_.lanes() + place.lane.index; }

  // Packets to one destination, those that make a detour over this midpoint or those that make none.
  void collect(HostId destination, std::optional<std::uint32_t> midpoint) {
    ++pass_;
    midpoint_ = midpoint;
    queue_.clear();
    used_.clear();
    leaving_.clear();
    for (std::uint32_t h = 0; h < t_.hosts(); ++h) {
      if (h != destination.index) arrive({t_.host_port({h})});
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) leave(queue_[i], destination);
    for (const RouteChannel channel : used_) {
      const Place place{next_switch(t_, channel.port), channel.lane};
      graph_.add(graph_.id_of(channel), {leaving_.data() + leaving_at_[number(place)], graph_.words_at(place.at)});
    }
  }

  void arrive(RouteChannel channel) {
    const Place place{next_switch(t_, channel.port), channel.lane};
    if (!place.at.valid()) return;
    if (!t_.is_host(t_.node_of(channel.port))) used_.push_back(channel);
    if (reached_[number(place)] == pass_) return;
    reached_[number(place)] = pass_;
    queue_.push_back(place);
  }

  void leave(Place place, HostId destination) {
    const std::uint32_t base = graph_.first_at(place.at);
    const std::size_t leaving = leaving_at_[number(place)] = leaving_.size();
    leaving_.resize(leaving_.size() + graph_.words_at(place.at), 0);
    if (midpoint_) scratch_.assign(1, routes_.structure()->detour_step(place.at, place.lane, destination, *midpoint_));
    const std::span<const RouteStep> all =
        midpoint_ ? scratch_ : routes_.candidates(place.at, {0}, destination, scratch_);
    // Where the source chooses the way up, all ways up are possible by default too.
    const bool only_first = which_ == Dependencies::default_ports && !routes_.is_up_by_source();
    for (const RouteStep step : all.first(only_first ? std::min<std::size_t>(1, all.size()) : all.size())) {
      const RouteChannel out{step.port(), step.lane_after(place.lane)};
      const std::uint32_t bit = graph_.id_of(out).index - base;
      leaving_[leaving + bit / 64] |= std::uint64_t{1} << bit % 64;
      arrive(out);
    }
  }

  const Topology& t_;
  const RouteTable& routes_;
  Dependencies which_;
  ChannelDependencies& graph_;
  std::uint64_t pass_ = 0;
  std::optional<std::uint32_t> midpoint_;
  std::vector<std::uint64_t> reached_;   // by place: the last pass that reached it
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
