// What the routes of a dragonfly and of a dragonfly+ have in common: groups that global cables join, and detours over a
// third group. `Plan` is one of those of dragonfly_plan.h.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "network/routings/structured_routes.h"
#include "network/topology.h"

namespace weir {

template <class Plan>
class GroupedRoutes : public StructuredRoutes {
 public:
  bool proves_no_cycle() const override { return true; }
  std::size_t bytes_of_state() const override { return first_port_.capacity() * sizeof(std::uint32_t); }

  std::uint32_t midpoints() const override { return detours_ ? plan_.shape().groups : 0; }
  // Any group but those of source and destination. Within a group there are no detours.
  std::optional<std::uint32_t> midpoint(SwitchId s, HostId destination, std::uint64_t random) const override {
    const std::uint32_t a = plan_.group_of(s), b = plan_.group_of(plan_.switch_of(destination));
    if (a == b || plan_.shape().groups == 2) return std::nullopt;
    std::uint32_t group = below(plan_.shape().groups - 2, random);
    if (group >= std::min(a, b)) ++group;
    if (group >= std::max(a, b)) ++group;
    return group;
  }
  RouteStep detour_step(SwitchId s, Lane lane, HostId destination, std::uint32_t midpoint) const override {
    const std::uint32_t group = plan_.group_of(s);
    if (lane.index > 0 || group == midpoint) return step(s, destination);
    return leave(s, group, midpoint, destination.index);
  }

 protected:
  GroupedRoutes(const Topology& t, bool detours) : plan_(t), detours_(detours) {
    for (std::uint32_t s = 0; s < t.switches(); ++s) first_port_.push_back(t.first_port(t.node(SwitchId{s})).index);
  }

  // The step out of `group`, in which the switch stands, towards another one.
  virtual RouteStep leave(SwitchId s, std::uint32_t group, std::uint32_t other, std::uint32_t number) const = 0;

  PortId port(SwitchId s, std::uint32_t local) const { return {first_port_[s.index] + local}; }
  // The global port by which packets leave for another group: one of the switch itself, else the one that the number
  // picks.
  std::uint32_t port_for(SwitchId s, std::uint32_t group, std::uint32_t other, std::uint32_t number) const {
    const std::uint32_t cables = plan_.links().cables_of_pair();
    for (std::uint32_t i = 0; i < cables; ++i) {
      const std::uint32_t out = plan_.links().port_to(group, other, (number + i) % cables);
      if (plan_.has_port(s, out)) return out;
    }
    return plan_.links().port_to(group, other, number % cables);
  }

  Plan plan_;
  bool detours_;

 private:
  std::vector<std::uint32_t> first_port_;
};

}  // namespace weir
