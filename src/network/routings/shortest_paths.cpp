// Per destination a directed graph of links without cycles, for adaptive routing on any graph. A total order of the
// switches, nearest first, is found for every destination switch; each link then leads from the later to the earlier
// switch, so whatever a switch chooses, the packet comes nearer in that order and arrives.
//
// Which order? Ordering by distance alone forbids detours that begin with a step to a switch which is no nearer, and
// those are the ways around a hot link. So only the switches that lie on some shortest path of some host (the core) are
// ordered by distance; between equally distant ones the link leads away from the one that carries more hosts, which has
// more use for a second way. All other switches carry no host of their own and are free: a chain of them between two
// core switches (an ear) is laid just above its nearer end and so becomes a detour from its farther end and from every
// other switch that touches it. What hangs on a single switch is no way to anywhere and is ordered by distance after
// all others. Hosts' own default ports remain on shortest paths.
//
// Detours::two_way keeps only those ears from whose nearer end some shortest way leads on without coming nearer again
// to the switch where the detour branched off. A notification from behind such a detour can return along it; on any
// other, data would go where no news of congestion ever comes back, and adaptive routing would prefer it for that.
#include <algorithm>
#include <tuple>
#include <utility>

#include "network/hops.h"
#include "network/routings/routing_kind.h"
#include "network/routings/routings.h"
#include "network/routings/stored_routes.h"

namespace weir {

namespace {

class OrderTowards {
 public:
  OrderTowards(const Topology& topology, const std::vector<std::uint32_t>& hosts_at, SwitchId target, bool two_way)
      : t_(topology), hosts_at_(hosts_at), hops_(hops_to(topology, target)), place_(topology.switches(), kFar),
        two_way_(two_way) {}

  // Place of every switch that can reach the target; kFar for the others.
  std::vector<std::uint32_t> find() && {
    add_core();
    while (add_ear()) {
    }
    add_remaining();
    return std::move(place_);
  }

 private:
  bool is_ordered(SwitchId s) const { return place_[s.index] != kFar; }

  void renumber() {
    for (std::uint32_t i = 0; i < order_.size(); ++i) place_[order_[i].index] = i;
  }

  void add_core() {
    std::vector<bool> in_core(t_.switches(), false);
    std::vector<std::uint32_t> carried = hosts_at_;
    for (SwitchId s : far_to_near(hops_)) {
      in_core[s.index] = in_core[s.index] || hosts_at_[s.index] > 0 || hops_[s.index] == 0;
      if (!in_core[s.index]) continue;
      order_.push_back(s);
      bool is_first = true;
      for_each_neighbour(t_, s, [&](SwitchId next) {
        if (hops_[next.index] + 1 != hops_[s.index]) return;
        in_core[next.index] = true;
        if (std::exchange(is_first, false)) carried[next.index] += carried[s.index];
      });
    }
    std::sort(order_.begin(), order_.end(), [&](SwitchId a, SwitchId b) {
      return std::tuple(hops_[a.index], carried[a.index], a) < std::tuple(hops_[b.index], carried[b.index], b);
    });
    renumber();
  }

  // Finds the lowest-numbered free component that touches two ordered switches and lays one ear through it.
  bool add_ear() {
    std::vector<bool> seen(t_.switches(), false);
    for (std::uint32_t s = 0; s < t_.switches(); ++s) {
      if (seen[s] || is_ordered({s}) || hops_[s] == kFar) continue;
      std::vector<SwitchId> attachments;
      visit_component({s}, seen, [&](SwitchId attachment) { attachments.push_back(attachment); });
      std::sort(attachments.begin(), attachments.end(),
                [&](SwitchId a, SwitchId b) { return place_[a.index] < place_[b.index]; });
      attachments.erase(std::unique(attachments.begin(), attachments.end()), attachments.end());
      for (const SwitchId near : attachments) {
        const std::vector<bool> from = starts_towards(near, attachments);
        if (std::find(from.begin(), from.end(), true) == from.end()) continue;
        lay_ear(near, {s}, from);
        return true;
      }
    }
    return false;
  }

  // By switch: attachments from which an ear may lead to `near`.
  std::vector<bool> starts_towards(SwitchId near, const std::vector<SwitchId>& attachments) const {
    std::vector<bool> from(t_.switches(), false);
    for (const SwitchId a : attachments)
      from[a.index] = place_[a.index] > place_[near.index] && (!two_way_ || leads_away(near, hops_to(t_, a)));
    return from;
  }

  // Is there a shortest way from `s` to the target that never comes nearer to where `distance` is measured from?
  bool leads_away(SwitchId s, const std::vector<std::uint32_t>& distance) const {
    std::vector<SwitchId> reached{s};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const SwitchId here = reached[i];
      if (hops_[here.index] == 0) return true;
      for_each_neighbour(t_, here, [&](SwitchId next) {
        const bool onward = hops_[next.index] + 1 == hops_[here.index];
        if (!onward || distance[next.index] < distance[here.index]) return;
        if (std::find(reached.begin(), reached.end(), next) == reached.end()) reached.push_back(next);
      });
    }
    return false;
  }

  template <class Visit>
  void visit_component(SwitchId start, std::vector<bool>& seen, Visit visit_attachment) const {
    std::vector<SwitchId> queue{start};
    seen[start.index] = true;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for_each_neighbour(t_, queue[i], [&](SwitchId next) {
        if (is_ordered(next)) return visit_attachment(next);
        if (!seen[next.index]) queue.push_back(next);
        seen[next.index] = true;
      });
    }
  }

  // The shortest way from `nearest` through the free switches of the component of `inside` to a switch of `from`.
  void lay_ear(SwitchId nearest, SwitchId inside, const std::vector<bool>& from) {
    std::vector<bool> in_component(t_.switches(), false);
    visit_component(inside, in_component, [](SwitchId) {});
    std::vector<SwitchId> before(t_.switches());
    std::vector<SwitchId> queue{nearest};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const SwitchId here = queue[i];
      bool is_end = false;
      for_each_neighbour(t_, here, [&](SwitchId next) {
        is_end = is_end || (here != nearest && from[next.index]);
        if (!in_component[next.index] || before[next.index].valid()) return;
        before[next.index] = here;
        queue.push_back(next);
      });
      if (!is_end) continue;
      for (SwitchId s = here; s != nearest; s = before[s.index])
        order_.insert(order_.begin() + place_[nearest.index] + 1, s);
      return renumber();
    }
  }

  void add_remaining() {
    std::vector<SwitchId> rest;
    for (std::uint32_t s = 0; s < t_.switches(); ++s) {
      if (hops_[s] != kFar && !is_ordered({s})) rest.push_back({s});
    }
    std::sort(rest.begin(), rest.end(),
              [&](SwitchId a, SwitchId b) { return std::tuple(hops_[a.index], a) < std::tuple(hops_[b.index], b); });
    order_.insert(order_.end(), rest.begin(), rest.end());
    renumber();
  }

  const Topology& t_;
  const std::vector<std::uint32_t>& hosts_at_;
  std::vector<std::uint32_t> hops_;
  std::vector<std::uint32_t> place_;
  std::vector<SwitchId> order_;
  bool two_way_;
};

struct Way {
  std::uint32_t length;
  PortId port;
  friend auto operator<=>(const Way&, const Way&) = default;
};

// Sorts by the length of the shortest way that the directed graph allows. `place` orders the switches; a step is
// allowed to every earlier one.
std::vector<std::vector<RouteStep>> ordered_candidates(const Topology& t, const std::vector<std::uint32_t>& place) {
  std::vector<SwitchId> near_to_far = far_to_near(place);
  std::reverse(near_to_far.begin(), near_to_far.end());
  std::vector<std::uint32_t> length(t.switches(), kFar);
  std::vector<std::vector<RouteStep>> candidates(t.switches());
  std::vector<Way> ways;
  for (SwitchId s : near_to_far) {
    ways.clear();
    const NodeId node = t.node(s);
    for (std::uint32_t local = 0; local < t.port_count(node); ++local) {
      const PortId port = t.port(node, local);
      const SwitchId next = next_switch(t, port);
      if (next.valid() && place[next.index] < place[s.index] && length[next.index] != kFar)
        ways.push_back({length[next.index] + 1, port});
    }
    std::sort(ways.begin(), ways.end());
    for (const Way& way : ways) candidates[s.index].push_back(way.port);
    length[s.index] = ways.empty() ? 0 : ways[0].length;
  }
  return candidates;
}

}  // namespace

RouteTable shortest_path_routes(const Topology& topology, Detours detours) {
  const auto hosts = hosts_by_switch(topology);
  std::vector<std::uint32_t> hosts_at(topology.switches());
  for (std::uint32_t h = 0; h < topology.hosts(); ++h) {
    const SwitchId entry = next_switch(topology, topology.host_port({h}));
    ++hosts_at[entry.index];
  }
  // A unidirectional network has no way back, so there is nothing to order anew.
  const bool has_detours = detours != Detours::none && topology.shape() != Shape::unidirectional_min;
  StoredRoutes routes("shortest-paths", topology.switches(), topology.hosts());
  for (std::uint32_t target = 0; target < topology.switches(); ++target) {
    if (hosts[target].empty()) continue;
    const std::vector<std::uint32_t> place =
        has_detours ? OrderTowards(topology, hosts_at, {target}, detours == Detours::two_way).find()
                    : hops_to(topology, {target});
    const auto candidates = ordered_candidates(topology, place);
    for (HostId destination : hosts[target]) {
      require_reachable(topology, place, destination, "shortest-paths");
      for (std::uint32_t s = 0; s < topology.switches(); ++s) routes.set({s}, destination, candidates[s]);
      routes.set({target}, destination, topology.from(topology.host_port(destination)));
    }
  }
  return std::move(routes).build();
}

namespace {

constexpr std::string_view kDetourChoices[] = {"none", "all", "two-way"};
constexpr ParamSpec kShortestPathsParams[] = {
    {.name = "detours",
     .type = ParamType::choice,
     .fallback = "\"all\"",
     .help =
         "alternatives in addition to the shortest paths: none; all: longer paths, too, as long as routes to each "
         "destination stay free of loops; two-way: of these, only paths on which notifications can travel back",
     .choices = kDetourChoices},
};

}  // namespace

extern const RoutingKind shortest_path_routing{
    {"shortest-paths",
     "on any graph, all shortest paths to each destination; for adaptive routing. By default also longer paths that "
     "form no loop; detours = \"none\" switches these off",
     kShortestPathsParams, "[routing]\nkind = \"shortest-paths\"\ndetours = \"none\"\n"},
    [](const RoutingRequest& r) {
      return shortest_path_routes(r.topology, r.section.choice<Detours>("detours"));
    }};

}  // namespace weir
