// The shortest ways of a dragonfly+: up to a spine, over a cable to the destination's group, and down; and detours over
// a third group, where a packet that lands at a spine without a cable to the destination's group goes down to a leaf
// and up to one that has it.
//
// Without detours nobody goes up after having gone down or between groups, so one lane is enough. With detours a global
// cable takes the packet one lane up. Ranks, lane by lane: down, up, then the global cables to the next lane; on lane
// 0, up and then down, since nobody goes on after having gone down there.
#include <algorithm>
#include <memory>

#include "network/routings/grouped_routes.h"
#include "network/routings/routings.h"
#include "network/topologies/dragonfly_plan.h"

namespace weir {

namespace {

class DragonflyPlusRoutes : public GroupedRoutes<DragonflyPlusPlan> {
 public:
  DragonflyPlusRoutes(const Topology& t, bool detours) : GroupedRoutes(t, detours) {}

  RouteStep step(SwitchId s, HostId destination) const override {
    const SwitchId to = plan_.switch_of(destination);
    const std::uint32_t group = plan_.group_of(s);
    if (group != plan_.group_of(to)) return leave(s, group, plan_.group_of(to), destination.index);
    if (s == to) return deliver(s, destination);
    if (plan_.is_spine(s)) return port(s, plan_.down_port(plan_.leaf_of(to)));
    return port(s, plan_.up_port(destination.index % plan_.shape().spines));
  }
  void candidates(SwitchId s, HostId destination, std::vector<RouteStep>& steps) const override {
    steps.assign(1, step(s, destination));
    const auto add = [&](RouteStep way) {
      if (std::find(steps.begin(), steps.end(), way) == steps.end()) steps.push_back(way);
    };
    const SwitchId to = plan_.switch_of(destination);
    const std::uint32_t group = plan_.group_of(s), other = plan_.group_of(to);
    if (group != other) {
      for (std::uint32_t cable = 0; cable < plan_.links().cables_of_pair(); ++cable) {
        const std::uint32_t out = plan_.links().port_to(group, other, cable);
        if (!plan_.is_spine(s)) add(port(s, plan_.up_port(plan_.spine_with(out))));
        else if (plan_.has_port(s, out)) add(global(s, out));
      }
    } else if (!plan_.is_spine(s) && s != to) {
      for (std::uint32_t i = 0; i < plan_.shape().spines; ++i) add(port(s, plan_.up_port(i)));
    }
  }
  bool has_alternatives() const override { return plan_.shape().spines > 1; }
  std::uint32_t lanes() const override { return detours_ ? 3 : 1; }
  std::uint32_t hops(SwitchId s, HostId destination) const override {
    const SwitchId to = plan_.switch_of(destination);
    if (plan_.group_of(s) != plan_.group_of(to)) return 3;
    return s == to ? 0 : 2;
  }
  std::uint32_t detour_hops(SwitchId s, HostId destination, std::uint32_t midpoint) const override {
    const std::uint32_t group = plan_.group_of(s), last = plan_.group_of(plan_.switch_of(destination));
    const std::uint32_t out = port_for(s, group, midpoint, destination.index);
    const std::uint32_t in = plan_.links().port_to(midpoint, group, plan_.links().cable_of(out));
    const SwitchId landing = plan_.spine(midpoint, plan_.spine_with(in));
    return has_cable(landing, last) ? 4 : 6;
  }

 private:
  RouteStep global(SwitchId s, std::uint32_t out) const {
    const PortId p = port(s, plan_.global_port(out));
    return detours_ ? RouteStep::one_lane_up(p) : RouteStep(p);
  }
  RouteStep deliver(SwitchId s, HostId destination) const {
    const PortId p = port(s, destination.index % plan_.shape().hosts);
    return detours_ ? RouteStep(p, Lane{0}) : RouteStep(p);
  }
  bool has_cable(SwitchId spine, std::uint32_t other) const {
    return plan_.has_port(spine, port_for(spine, plan_.group_of(spine), other, 0));
  }
  RouteStep leave(SwitchId s, std::uint32_t group, std::uint32_t other, std::uint32_t number) const override {
    const std::uint32_t out = port_for(s, group, other, number);
    if (!plan_.is_spine(s)) return port(s, plan_.up_port(plan_.spine_with(out)));
    if (plan_.has_port(s, out)) return global(s, out);
    return port(s, plan_.down_port(number % plan_.shape().leaves));
  }
};

}  // namespace

RouteTable dragonfly_plus_routes(const Topology& topology, bool detours) {
  return RouteTable::structured("minimal", std::make_shared<DragonflyPlusRoutes>(topology, detours));
}

}  // namespace weir
