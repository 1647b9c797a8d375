// Distances between switches, which every routing for general graphs starts from. Link directions are followed one by
// one, so one-way networks are measured correctly too.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "network/topology.h"

namespace weir {

inline constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

// Hosts by the switch that delivers to them, in order of host number.
std::vector<std::vector<HostId>> hosts_by_switch(const Topology& topology);

// Links from every switch to `target`; kFar where there is no way.
std::vector<std::uint32_t> hops_to(const Topology& topology, SwitchId target);

// The switch at the far end of a port that sends, or an invalid id for a host or an unconnected port.
SwitchId next_switch(const Topology& topology, PortId sender);

// The switches that a switch sends to, in the order of its ports: once for each cable, and never itself.
template <class Visit>
void for_each_neighbour(const Topology& topology, SwitchId s, Visit visit) {
  const NodeId node = topology.node(s);
  for (std::uint32_t i = 0; i < topology.port_count(node); ++i) {
    const SwitchId next = next_switch(topology, topology.port(node, i));
    if (next.valid() && next != s) visit(next);
  }
}

// A switch that is dead, or not connected yet.
bool has_no_cable(const Topology& topology, SwitchId s);

// Whether every cable carries both directions.
bool is_full_duplex(const Topology& topology);

// Switches with a finite length, longest first; equal ones by number.
std::vector<SwitchId> far_to_near(std::span<const std::uint32_t> length);

// Every host must have a way to `destination`: an InputError names the first that has none, and the switches that lost
// cables have cut off.
void require_reachable(const Topology& topology, std::span<const std::uint32_t> length, HostId destination,
                       std::string_view routing);

}  // namespace weir
