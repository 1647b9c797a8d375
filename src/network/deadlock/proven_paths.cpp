#include "network/deadlock/proven_paths.h"

#include <algorithm>
#include <optional>

#include "network/deadlock/channel_dependencies.h"
#include "network/deadlock/deadlock.h"

namespace weir {
namespace {

// May a packet that came over `in` leave over `out`?
class ProvenTurns {
 public:
  ProvenTurns(const Topology& topology, const RouteTable& routes, Dependencies which)
      : t_(topology), descent_(descent_by_ranks(topology, routes)) {
    if (!descent_) graph_.emplace(topology, routes, which);
  }
  // The proof by ranks knows nothing of links within a level.
  bool knows(RouteChannel c) const { return graph_ || !next_switch(t_, c.port).valid() || step(c.port) != 0; }
  // Both are known.
  bool allows(RouteChannel in, RouteChannel out) const {
    if (!next_switch(t_, out.port).valid()) return true;  // out of the fabric: nobody waits for what holds this channel
    if (graph_) return graph_->has(in, out);
    return !goes_down(in.port) || goes_down(out.port);  // the proof by ranks: never up again after going down
  }

 private:
  int step(PortId channel) const {
    return t_.level(t_.node(next_switch(t_, channel))) - t_.level(t_.node_of(channel));
  }
  bool goes_down(PortId channel) const { return (step(channel) > 0) == (*descent_ > 0); }

  const Topology& t_;
  std::optional<int> descent_;
  std::optional<ChannelDependencies> graph_;
};

// Channels between switches in the order in which they are found, each with the one that it was found from.
struct Search {
  std::vector<RouteChannel> order, from;
  std::vector<bool> found;
  std::uint32_t lanes;

  Search(const Topology& t, std::uint32_t lanes_of_routes)
      : from(t.ports() * lanes_of_routes), found(from.size(), false), lanes(lanes_of_routes) {}
  std::size_t number(RouteChannel c) const { return std::size_t{c.port.index} * lanes + c.lane.index; }
  void add(RouteChannel channel, RouteChannel found_from) {
    if (found[number(channel)]) return;
    found[number(channel)] = true;
    from[number(channel)] = found_from;
    order.push_back(channel);
  }
  std::vector<RouteStep> chain(RouteChannel channel) const {
    std::vector<RouteStep> path;
    for (; channel.port.valid(); channel = from[number(channel)])
      path.push_back(lanes == 1 ? RouteStep(channel.port) : RouteStep(channel.port, channel.lane));
    return path;
  }
  template <class Visit>
  void each_lane(PortId port, const Visit& visit) const {
    for (Lane lane{0}; lane.index < lanes; ++lane.index) visit(RouteChannel{port, lane});
  }
};

void find_ways_there(const Topology& t, const ProvenTurns& turns, SwitchId first, Search search, ProvenPaths& paths,
                     std::vector<bool>& reached) {
  reached[first.index] = true;
  const auto leave = [&](SwitchId s, RouteChannel in) {
    for (std::uint32_t k = 0; k < t.port_count(t.node(s)); ++k) {
      search.each_lane(t.port(t.node(s), k), [&](RouteChannel out) {
        if (!next_switch(t, out.port).valid() || !turns.knows(out)) return;
        if (!in.port.valid() || turns.allows(in, out)) search.add(out, in);
      });
    }
  };
  leave(first, {});
  for (std::size_t i = 0; i < search.order.size(); ++i) {
    const RouteChannel channel = search.order[i];
    const SwitchId s = next_switch(t, channel.port);
    if (!reached[s.index]) {
      reached[s.index] = true;
      paths.there[s.index] = search.chain(channel);
      std::reverse(paths.there[s.index].begin(), paths.there[s.index].end());
    }
    leave(s, channel);
  }
}

void find_ways_back(const Topology& t, const ProvenTurns& turns, PortId last, Search search, ProvenPaths& paths) {
  search.add({last}, {});
  for (std::size_t i = 0; i < search.order.size(); ++i) {
    const RouteChannel channel = search.order[i];
    const NodeId node = t.node_of(channel.port);
    std::vector<RouteStep>& back = paths.back[t.switch_of(node).index];
    if (back.empty()) back = search.chain(channel);
    for (std::uint32_t k = 0; k < t.port_count(node); ++k) {
      const PortId in = t.from(t.port(node, k));
      if (!in.valid() || t.is_host(t.node_of(in))) continue;
      search.each_lane(in, [&](RouteChannel before) {
        if (turns.knows(before) && turns.allows(before, channel)) search.add(before, channel);
      });
    }
  }
}

}  // namespace

ProvenPaths proven_paths(const Topology& topology, const RouteTable& routes, Dependencies which, HostId host) {
  ProvenPaths paths{std::vector<std::vector<RouteStep>>(topology.switches()),
                    std::vector<std::vector<RouteStep>>(topology.switches()), {}};
  const Search search(topology, routes.lanes().size());
  const ProvenTurns turns(topology, routes, which);
  const PortId port = topology.host_port(host);
  std::vector<bool> reached(topology.switches(), false);
  find_ways_there(topology, turns, next_switch(topology, port), search, paths, reached);
  find_ways_back(topology, turns, topology.from(port), search, paths);
  for (std::size_t s = 0; s < topology.switches(); ++s)
    paths.in_reach.push_back(reached[s] && !paths.back[s].empty());
  return paths;
}

}  // namespace weir
