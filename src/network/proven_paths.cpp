#include "network/proven_paths.h"

#include <algorithm>
#include <optional>

#include "network/channel_dependencies.h"
#include "network/deadlock.h"

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
  bool knows(PortId channel) const { return graph_ || !next_switch(t_, channel).valid() || step(channel) != 0; }
  // Both are known.
  bool allows(PortId in, PortId out) const {
    if (!next_switch(t_, out).valid()) return true;  // out of the fabric: nobody waits for what holds this channel
    if (graph_) return graph_->has(in, out);
    return !goes_down(in) || goes_down(out);  // the proof by ranks: never up again after going down
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
  std::vector<PortId> order, from;
  std::vector<bool> found;

  explicit Search(const Topology& t) : from(t.ports()), found(t.ports(), false) {}
  void add(PortId channel, PortId found_from) {
    if (found[channel.index]) return;
    found[channel.index] = true;
    from[channel.index] = found_from;
    order.push_back(channel);
  }
  std::vector<PortId> chain(PortId channel) const {
    std::vector<PortId> path;
    for (; channel.valid(); channel = from[channel.index]) path.push_back(channel);
    return path;
  }
};

void find_ways_there(const Topology& t, const ProvenTurns& turns, SwitchId first, ProvenPaths& paths,
                     std::vector<bool>& reached) {
  Search search(t);
  reached[first.index] = true;
  const auto leave = [&](SwitchId s, PortId in) {
    for (std::uint32_t k = 0; k < t.port_count(t.node(s)); ++k) {
      const PortId out = t.port(t.node(s), k);
      if (!next_switch(t, out).valid() || !turns.knows(out)) continue;
      if (!in.valid() || turns.allows(in, out)) search.add(out, in);
    }
  };
  leave(first, {});
  for (std::size_t i = 0; i < search.order.size(); ++i) {
    const PortId channel = search.order[i];
    const SwitchId s = next_switch(t, channel);
    if (!reached[s.index]) {
      reached[s.index] = true;
      paths.there[s.index] = search.chain(channel);
      std::reverse(paths.there[s.index].begin(), paths.there[s.index].end());
    }
    leave(s, channel);
  }
}

void find_ways_back(const Topology& t, const ProvenTurns& turns, PortId last, ProvenPaths& paths) {
  Search search(t);
  search.add(last, {});
  for (std::size_t i = 0; i < search.order.size(); ++i) {
    const PortId channel = search.order[i];
    const NodeId node = t.node_of(channel);
    std::vector<PortId>& back = paths.back[t.switch_of(node).index];
    if (back.empty()) back = search.chain(channel);
    for (std::uint32_t k = 0; k < t.port_count(node); ++k) {
      const PortId in = t.from(t.port(node, k));
      if (!in.valid() || t.is_host(t.node_of(in)) || !turns.knows(in)) continue;
      if (turns.allows(in, channel)) search.add(in, channel);
    }
  }
}

}  // namespace

ProvenPaths proven_paths(const Topology& topology, const RouteTable& routes, Dependencies which, HostId host) {
  ProvenPaths paths{std::vector<std::vector<PortId>>(topology.switches()),
                    std::vector<std::vector<PortId>>(topology.switches()), {}};
  const ProvenTurns turns(topology, routes, which);
  const PortId port = topology.host_port(host);
  std::vector<bool> reached(topology.switches(), false);
  find_ways_there(topology, turns, next_switch(topology, port), paths, reached);
  find_ways_back(topology, turns, topology.from(port), paths);
  for (std::size_t s = 0; s < topology.switches(); ++s)
    paths.in_reach.push_back(reached[s] && !paths.back[s].empty());
  return paths;
}

}  // namespace weir
