// Breadth-first search against the direction of the links, from a destination's switch to everybody who can reach it.
#include "network/hops.h"

#include <algorithm>
#include <string>

#include "base/error.h"

namespace weir {

std::vector<std::vector<HostId>> hosts_by_switch(const Topology& topology) {
  std::vector<std::vector<HostId>> hosts(topology.switches());
  for (std::uint32_t h = 0; h < topology.hosts(); ++h) {
    const NodeId node = topology.node_of(topology.from(topology.host_port({h})));
    if (topology.is_host(node))
      throw InputError("host " + topology.name(topology.node(HostId{h})) + " is connected to a host, not to a switch");
    hosts[topology.switch_of(node).index].push_back({h});
  }
  return hosts;
}

SwitchId next_switch(const Topology& topology, PortId sender) {
  const PortId arrival = topology.to(sender);
  if (!arrival.valid()) return {};
  const NodeId node = topology.node_of(arrival);
  return topology.is_host(node) ? SwitchId{} : topology.switch_of(node);
}

bool has_no_cable(const Topology& topology, SwitchId s) {
  const NodeId node = topology.node(s);
  for (std::uint32_t i = 0; i < topology.port_count(node); ++i)
    if (topology.to(topology.port(node, i)).valid() || topology.from(topology.port(node, i)).valid()) return false;
  return true;
}

bool is_full_duplex(const Topology& topology) {
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    if (topology.to({p}) != topology.from({p})) return false;
  }
  return true;
}

std::vector<std::uint32_t> hops_to(const Topology& topology, SwitchId target) {
  std::vector<std::uint32_t> hops(topology.switches(), kFar);
  std::vector<SwitchId> queue{target};
  hops[target.index] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const SwitchId here = queue[i];
    const NodeId node = topology.node(here);
    for (std::uint32_t local = 0; local < topology.port_count(node); ++local) {
      const PortId sender = topology.from(topology.port(node, local));
      if (!sender.valid() || topology.is_host(topology.node_of(sender))) continue;
      const SwitchId before = topology.switch_of(topology.node_of(sender));
      if (hops[before.index] != kFar) continue;
      hops[before.index] = hops[here.index] + 1;
      queue.push_back(before);
    }
  }
  return hops;
}

std::vector<SwitchId> far_to_near(std::span<const std::uint32_t> length) {
  std::vector<SwitchId> order;
  for (std::uint32_t s = 0; s < length.size(); ++s) {
    if (length[s] != kFar) order.push_back({s});
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](SwitchId a, SwitchId b) { return length[a.index] > length[b.index]; });
  return order;
}

namespace {

// The smaller part of the switches with hosts: those that have a way to the destination, or those that have none.
std::string cut_off(const Topology& topology, std::span<const std::uint32_t> length) {
  constexpr std::size_t kMostShown = 4;
  std::vector<std::string> near, far;
  const auto hosts = hosts_by_switch(topology);
  for (std::uint32_t s = 0; s < hosts.size(); ++s)
    if (!hosts[s].empty()) (length[s] == kFar ? far : near).push_back(topology.name(topology.node(SwitchId{s})));
  const std::vector<std::string>& cut = near.size() < far.size() ? near : far;
  std::string text;
  for (std::size_t i = 0; i < std::min(cut.size(), kMostShown); ++i) text += (i == 0 ? "" : ", ") + cut[i];
  return text + (cut.size() > kMostShown ? ", ..." : "");
}

}  // namespace

void require_reachable(const Topology& topology, std::span<const std::uint32_t> length, HostId destination,
                       std::string_view routing) {
  for (std::uint32_t h = 0; h < topology.hosts(); ++h) {
    const SwitchId entry = next_switch(topology, topology.host_port({h}));
    if (h == destination.index || (entry.valid() && length[entry.index] != kFar)) continue;
    if (topology.has_lost_cables())
      throw InputError("[failures] cuts off " + cut_off(topology, length) + ": no path is left from host " +
                       topology.name(topology.node(HostId{h})) + " to host " +
                       topology.name(topology.node(destination)) + ", and all hosts must be connected");
    throw InputError("routing `" + std::string(routing) + "` finds no path from host " +
                     topology.name(topology.node(HostId{h})) + " to host " + topology.name(topology.node(destination)) +
                     "; the links must connect all hosts");
  }
}

}  // namespace weir
