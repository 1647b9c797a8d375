// Dimension order on a HyperX: one hop corrects a coordinate, dimension after dimension. Detours go over any switch.
#include <memory>

#include "network/routings/routings.h"
#include "network/routings/structured_routes.h"
#include "network/topologies/hyperx_plan.h"

namespace weir {

namespace {

class HyperXOrder : public StructuredRoutes {
 public:
  HyperXOrder(const Topology& t, bool detours) : plan_(t), detours_(detours) {
    for (std::uint32_t s = 0; s < t.switches(); ++s) first_port_.push_back(t.first_port(t.node(SwitchId{s})).index);
  }

  RouteStep step(SwitchId s, HostId destination) const override {
    const SwitchId to{destination.index / plan_.hosts_per_switch()};
    return s == to ? delivery(s, destination) : towards(s, to, 0);
  }
  // A hop in every dimension still to be corrected would be as short, but only the order of dimensions is free of
  // cycles on one lane.
  std::uint32_t lanes() const override { return detours_ ? 2 : 1; }
  // Ranks: lanes, and within a lane the dimensions. A detour has lane 1 behind its midpoint.
  bool proves_no_cycle() const override { return true; }
  std::size_t bytes_of_state() const override { return first_port_.capacity() * sizeof(std::uint32_t); }

  std::uint32_t midpoints() const override { return detours_ ? plan_.switches() : 0; }
  std::optional<std::uint32_t> midpoint(SwitchId, HostId, std::uint64_t random) const override {
    return below(plan_.switches(), random);
  }
  RouteStep detour_step(SwitchId s, Lane lane, HostId destination, std::uint32_t midpoint) const override {
    if (lane.index == 0 && s.index != midpoint) return towards(s, {midpoint}, 0);
    const SwitchId to{destination.index / plan_.hosts_per_switch()};
    return s == to ? delivery(s, destination) : towards(s, to, 1);
  }
  std::uint32_t hops(SwitchId s, HostId destination) const override {
    return distance(s, {destination.index / plan_.hosts_per_switch()});
  }
  std::uint32_t detour_hops(SwitchId s, HostId destination, std::uint32_t midpoint) const override {
    return distance(s, {midpoint}) + hops({midpoint}, destination);
  }

 private:
  RouteStep on(PortId port, std::uint32_t lane) const { return detours_ ? RouteStep(port, Lane{lane}) : port; }
  RouteStep delivery(SwitchId s, HostId h) const {
    return on({first_port_[s.index] + h.index % plan_.hosts_per_switch()}, 0);
  }
  RouteStep towards(SwitchId s, SwitchId to, std::uint32_t lane) const {
    std::uint32_t i = 0;
    while (plan_.coordinate(s, i) == plan_.coordinate(to, i)) ++i;
    return on({first_port_[s.index] + plan_.port(i, plan_.coordinate(s, i), plan_.coordinate(to, i))}, lane);
  }
  std::uint32_t distance(SwitchId a, SwitchId b) const {
    std::uint32_t differ = 0;
    for (std::uint32_t i = 0; i < plan_.dimensions(); ++i) differ += plan_.coordinate(a, i) != plan_.coordinate(b, i);
    return differ;
  }

  HyperXPlan plan_;
  bool detours_;
  std::vector<std::uint32_t> first_port_;
};

}  // namespace

RouteTable hyperx_routes(const Topology& topology, bool detours) {
  return RouteTable::structured("dor", std::make_shared<HyperXOrder>(topology, detours));
}

}  // namespace weir
