// Route selection for whole flows by contention (Zdornov & Birk 2009, chapter 3): when a flow starts, each switch on
// its way picks the port that the fewest flows (or the least weight) cross now; the flow keeps that route until it
// ends.
//
// On the way up a tree all up ports are candidates. Among equally loaded ones the default port wins (static priority),
// which keeps flows for different destinations apart on the way down, or one drawn by the switch. On the way down they
// may move sideways in a modified tree (network/routings/horizontal_hops.h), and the default port always wins ties; of
// two equally good sides the left one does, or one drawn. On any other fabric the candidates are those of the route
// table. A switch remembers a choice other than the default port in the port route cache (PRC) of the input port; when
// that is full it uses the default port, so a flow is never refused.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/random.h"
#include "network/route_table.h"
#include "network/routings/port_selector.h"
#include "network/topology.h"

namespace weir {

struct FlowRoutingPolicy {
  static constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();
  enum class Measure : std::uint8_t { flows, weight };
  enum class Ties : std::uint8_t { chance, default_port };  // in a tree

  bool adaptive = false;                     // false: default ports everywhere
  HorizontalPolicy horizontal;               // modified trees only
  std::uint32_t cache_entries = kUnlimited;  // of each input port's PRC
  Measure measure = Measure::flows;
  Ties ties = Ties::default_port;

  static FlowRoutingPolicy fixed() { return {}; }
  static FlowRoutingPolicy ascent() { return {true, {}, kUnlimited, Measure::flows, Ties::default_port}; }
  static FlowRoutingPolicy forced(std::uint32_t most_hops = HorizontalPolicy::kUnlimited) {
    return {true, {HorizontalPolicy::Direction::forced, most_hops}, kUnlimited, Measure::flows, Ties::default_port};
  }
  static FlowRoutingPolicy free(std::uint32_t most_hops = HorizontalPolicy::kUnlimited) {
    return {true, {HorizontalPolicy::Direction::free, most_hops}, kUnlimited, Measure::flows, Ties::default_port};
  }
};

class FlowRouter {
 public:
  // The tables must outlive the router. Horizontal movement on anything but a modified tree is an InputError.
  FlowRouter(const Topology& topology, const RouteTable& routes, FlowRoutingPolicy policy, std::uint64_t seed = 1);

  // Appends the link directions (sending ports) from source to destination to `path` and counts the flow on them. A
  // flow to its own host crosses no link.
  void set_up(HostId source, HostId destination, double weight, std::vector<std::uint32_t>& path);
  // Undoes a set_up with the same arguments and the path it gave.
  void tear_down(HostId source, HostId destination, double weight, std::span<const std::uint32_t> path);
  void restart(std::uint64_t seed);  // as new

  std::uint32_t flows_on(PortId port) const { return loads_[port.index].flows; }
  double weight_on(PortId port) const { return loads_[port.index].weight; }
  std::uint32_t cached_at(PortId input) const { return cached_[input.index]; }
  const Topology& topology() const { return *topology_; }

 private:
  struct Load {
    double weight = 0;
    std::uint32_t flows = 0;
  };

  PortId choose(SwitchId s, HostId source, HostId destination, PortId usual, HorizontalState& state);
  double measured(PortId p) const {
    const Load& l = loads_[p.index];
    return policy_.measure == FlowRoutingPolicy::Measure::flows ? l.flows : l.weight;
  }
  void count(PortId p, double weight);

  const Topology* topology_;
  const RouteTable* routes_;
  FlowRoutingPolicy policy_;
  PortSelector selector_;
  std::vector<Load> loads_;            // per sending port
  std::vector<std::uint32_t> cached_;  // per input port: PRC entries in use
  std::vector<RandomStream> draws_;    // per switch
};

}  // namespace weir
