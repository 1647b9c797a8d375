// Up*/down* routing for any graph of full-duplex links. All switches are put in one total order, roots first; a
// direction towards an earlier switch goes up. A packet goes down as soon as some way leads only down to its
// destination, else up, so no dependency ever leads from a down channel to an up channel, and each kind follows the
// order: there is no cycle.
#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.h"
#include "network/hops.h"
#include "network/routings/destination_spread.h"
#include "network/routings/routing_kind.h"
#include "network/routings/routings.h"
#include "network/routings/stored_routes.h"
#include "network/topologies/tree_levels.h"
#include "scenario/suggest.h"

namespace weir {

namespace {

// The switch whose farthest switch is nearest, the lowest number first, among those that host 0 can reach.
SwitchId centre(const Topology& topology) {
  const SwitchId start = next_switch(topology, topology.host_port({0}));
  const std::vector<std::uint32_t> component = hops_to(topology, start);
  SwitchId best = start;
  std::uint32_t best_distance = kFar;
  for (std::uint32_t s = 0; s < topology.switches(); ++s) {
    if (component[s] == kFar) continue;
    std::uint32_t farthest = 0;
    for (std::uint32_t hops : hops_to(topology, {s})) {
      if (hops != kFar) farthest = std::max(farthest, hops);
    }
    if (farthest < best_distance) {
      best = {s};
      best_distance = farthest;
    }
  }
  return best;
}

std::vector<std::uint32_t> ranks(const Topology& topology, std::optional<SwitchId> root) {
  if (root) return hops_to(topology, *root);
  std::vector<std::uint32_t> result(topology.switches());
  if (!topology.has_levels()) {
    const TreeLevels tree = tree_levels(topology);
    if (!tree.is_tree) return hops_to(topology, centre(topology));
    for (std::uint32_t s = 0; s < result.size(); ++s)
      result[s] = tree.level[s] == kFar ? tree.levels : tree.levels - 1 - tree.level[s];
    return result;
  }
  for (std::uint32_t s = 0; s < result.size(); ++s)
    result[s] = topology.stages() - 1 - static_cast<std::uint32_t>(topology.level(topology.node(SwitchId{s})));
  return result;
}

// Towards one switch: links on the way that goes down as early as it can, and whether a switch goes down.
struct Ways {
  std::vector<std::uint32_t> length;
  std::vector<bool> goes_down;
};

class UpDown {
 public:
  UpDown(const Topology& topology, std::optional<SwitchId> root) : t_(topology), place_(up_down_order(topology, root)) {
    by_place_.resize(place_.size());
    for (std::uint32_t s = 0; s < place_.size(); ++s) by_place_[place_[s]] = {s};
  }

  Ways towards(SwitchId target) const {
    Ways ways{std::vector<std::uint32_t>(t_.switches(), kFar), std::vector<bool>(t_.switches(), false)};
    mark_down_only(target, ways);
    // Up neighbours come earlier in the order, so their lengths are known.
    for (SwitchId s : by_place_) {
      if (ways.goes_down[s.index]) continue;
      for_each_next(s, [&](PortId, SwitchId next) {
        const std::uint32_t length = ways.length[next.index];
        if (is_up(s, next) && length != kFar) ways.length[s.index] = std::min(ways.length[s.index], length + 1);
      });
    }
    return ways;
  }

  void equal_ports(SwitchId s, const Ways& ways, std::vector<PortId>& ports) const {
    ports.clear();
    for_each_next(s, [&](PortId port, SwitchId next) {
      const bool right_way = ways.goes_down[s.index] ? !is_up(s, next) && ways.goes_down[next.index] : is_up(s, next);
      if (right_way && ways.length[next.index] + 1 == ways.length[s.index]) ports.push_back(port);
    });
  }

 private:
  bool is_up(SwitchId from, SwitchId to) const { return place_[to.index] < place_[from.index]; }

  template <class Visit>
  void for_each_next(SwitchId s, Visit visit) const {
    const NodeId node = t_.node(s);
    for (std::uint32_t local = 0; local < t_.port_count(node); ++local) {
      const SwitchId next = next_switch(t_, t_.port(node, local));
      if (next.valid() && next != s) visit(t_.port(node, local), next);
    }
  }

  void mark_down_only(SwitchId target, Ways& ways) const {
    std::vector<SwitchId> queue{target};
    ways.length[target.index] = 0;
    ways.goes_down[target.index] = true;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const SwitchId here = queue[i];
      for_each_next(here, [&](PortId, SwitchId above) {
        if (!is_up(here, above) || ways.goes_down[above.index]) return;
        ways.goes_down[above.index] = true;
        ways.length[above.index] = ways.length[here.index] + 1;
        queue.push_back(above);
      });
    }
  }

  const Topology& t_;
  std::vector<std::uint32_t> place_;
  std::vector<SwitchId> by_place_;
};

}  // namespace

std::vector<std::uint32_t> up_down_order(const Topology& topology, std::optional<SwitchId> root) {
  const std::vector<std::uint32_t> rank = ranks(topology, root);
  std::vector<std::uint32_t> sorted(rank.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) { return rank[a] < rank[b]; });
  std::vector<std::uint32_t> place(rank.size());
  for (std::uint32_t i = 0; i < sorted.size(); ++i) place[sorted[i]] = i;
  return place;
}

RouteTable up_down_routes(const Topology& topology, UpDownOptions options) {
  if (!is_full_duplex(topology))
    throw InputError(
        "routing `up-down` needs full-duplex links; on a unidirectional network use `digits`, `min-hop` or "
        "`shortest-paths`");
  const auto hosts = hosts_by_switch(topology);
  const UpDown up_down(topology, options.root);
  StoredRoutes routes("up-down", topology.switches(), topology.hosts());
  DestinationSpread chooser(topology, options.spread);
  std::vector<PortId> equals;
  std::vector<RouteStep> candidates;
  for (std::uint32_t target = 0; target < topology.switches(); ++target) {
    if (hosts[target].empty()) continue;
    const Ways ways = up_down.towards({target});
    const std::vector<SwitchId> order = far_to_near(ways.length);
    for (HostId destination : hosts[target]) {
      require_reachable(topology, ways.length, destination, "up-down");
      chooser.start_destination(destination);
      for (SwitchId s : order) {
        up_down.equal_ports(s, ways, equals);
        if (s.index == target) equals = {topology.from(topology.host_port(destination))};
        const PortId chosen = chooser.choose(s, equals);
        if (!options.alternatives) equals.clear();
        candidates.assign(1, chosen);
        for (const PortId p : equals)
          if (p != chosen) candidates.push_back(p);
        routes.set(s, destination, candidates);
      }
    }
  }
  return std::move(routes).build();
}

namespace {

constexpr ParamSpec kUpDownParams[] = {
    {"root", ParamType::text, kUnset,
     "name of the root switch; if absent, the top level of a tree or bmin, else the switch nearest to all others"},
    {"spread", ParamType::flag, "true", "spread destinations over equally short paths; otherwise the lowest port is "
                                        "used"},
    {"alternatives", ParamType::flag, "false",
     "allow all equally short paths, for a routing.choice that spreads packets or flows; kind = \"auto\" does so if "
     "cables are missing"},
};

std::optional<SwitchId> read_root(const Section& section, const Topology& topology) {
  if (!section.has("root")) return std::nullopt;
  const std::string& name = section.text("root");
  std::vector<std::string_view> names;
  for (std::uint32_t s = 0; s < topology.switches(); ++s) {
    names.push_back(topology.name(topology.node(SwitchId{s})));
    if (names.back() == name) return SwitchId{s};
  }
  if (names.size() > 20) names.resize(20);
  section.refuse("root", "there is no switch named " + name + suggestion(name, names, "the switches are"));
}

}  // namespace

extern const RoutingKind up_down_routing{
    {"up-down", "up*/down* routing: a path never goes up after down, so there is no deadlock; for full-duplex "
                "links", kUpDownParams,
     "[routing]\nkind = \"up-down\"\n"},
    [](const RoutingRequest& r) {
      const Section& s = r.section;
      return up_down_routes(r.topology, {read_root(s, r.topology), s.flag("spread"), s.flag("alternatives")});
    },
    [](const Topology& topology, bool) {
      return std::optional(up_down_routes(topology, {{}, true, topology.has_lost_cables()}));
    }};

}  // namespace weir
