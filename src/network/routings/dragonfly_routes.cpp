// The shortest ways of a dragonfly: to a router of the own group that has a cable to the destination's group, over it,
// and to the destination's router; and detours over a third group.
//
// A global cable takes the packet one lane up, so its lane is the number of global cables it has crossed. Ranks: local
// cables of lane 0, global of lane 1, local of lane 1, global of lane 2, local of lane 2. A packet takes at most one
// local cable between two global ones, so every step leads to a higher rank.
#include <algorithm>
#include <memory>

#include "network/routings/grouped_routes.h"
#include "network/routings/routings.h"
#include "network/topologies/dragonfly_plan.h"

namespace weir {

namespace {

class DragonflyRoutes : public GroupedRoutes<DragonflyPlan> {
 public:
  DragonflyRoutes(const Topology& t, bool detours) : GroupedRoutes(t, detours) {}

  RouteStep step(SwitchId s, HostId destination) const override {
    const SwitchId to = plan_.switch_of(destination);
    const std::uint32_t group = plan_.group_of(s);
    if (group != plan_.group_of(to)) return leave(s, group, plan_.group_of(to), destination.index);
    return deliver(s, to, destination);
  }
  void candidates(SwitchId s, HostId destination, std::vector<RouteStep>& steps) const override {
    const RouteStep usual = step(s, destination);
    steps.assign(1, usual);
    const std::uint32_t group = plan_.group_of(s), other = plan_.group_of(plan_.switch_of(destination));
    if (group == other) return;
    for (std::uint32_t cable = 0; cable < plan_.links().cables_of_pair(); ++cable) {
      const RouteStep way = towards_port(s, plan_.links().port_to(group, other, cable));
      // Where a cable to the group is at hand, one that is a hop away is not among the shortest ways.
      if (way.raises_lane() == usual.raises_lane() && std::find(steps.begin(), steps.end(), way) == steps.end())
        steps.push_back(way);
    }
  }
  bool has_alternatives() const override { return plan_.links().cables_of_pair() > 1; }
  std::uint32_t lanes() const override { return detours_ ? 3 : 2; }
  std::uint32_t hops(SwitchId s, HostId destination) const override {
    return way(s, plan_.switch_of(destination), destination.index);
  }
  std::uint32_t detour_hops(SwitchId s, HostId destination, std::uint32_t midpoint) const override {
    const SwitchId landing = behind(s, midpoint, destination.index);
    return 1 + (is_at(s, midpoint) ? 0 : 1) + way(landing, plan_.switch_of(destination), destination.index);
  }

 private:
  RouteStep deliver(SwitchId s, SwitchId to, HostId destination) const {
    if (s == to) return {port(s, destination.index % plan_.shape().hosts), Lane{0}};
    return port(s, plan_.local_port(plan_.router_of(s), plan_.router_of(to)));
  }
  // Over the global port of the group, from its router; elsewhere to that router.
  RouteStep towards_port(SwitchId s, std::uint32_t out) const {
    if (plan_.has_port(s, out)) return RouteStep::one_lane_up(port(s, plan_.global_port(out)));
    return port(s, plan_.local_port(plan_.router_of(s), plan_.router_with(out)));
  }
  RouteStep leave(SwitchId s, std::uint32_t group, std::uint32_t other, std::uint32_t number) const override {
    return towards_port(s, port_for(s, group, other, number));
  }
  bool is_at(SwitchId s, std::uint32_t other, std::uint32_t number = 0) const {
    return plan_.has_port(s, port_for(s, plan_.group_of(s), other, number));
  }
  // Where the cable to another group ends.
  SwitchId behind(SwitchId s, std::uint32_t other, std::uint32_t number) const {
    const std::uint32_t group = plan_.group_of(s), out = port_for(s, group, other, number);
    const std::uint32_t there = plan_.links().port_to(other, group, plan_.links().cable_of(out));
    return plan_.at(other, plan_.router_with(there));
  }
  std::uint32_t way(SwitchId s, SwitchId to, std::uint32_t number) const {
    const std::uint32_t other = plan_.group_of(to);
    if (plan_.group_of(s) == other) return s == to ? 0 : 1;
    return 1 + (is_at(s, other) ? 0 : 1) + (behind(s, other, number) == to ? 0 : 1);
  }
};

}  // namespace

RouteTable dragonfly_routes(const Topology& topology, bool detours) {
  return RouteTable::structured("minimal", std::make_shared<DragonflyRoutes>(topology, detours));
}

}  // namespace weir
