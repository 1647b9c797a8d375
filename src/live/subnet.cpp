#include "live/subnet.h"

#include <fmt/format.h>

#include <algorithm>

#include "live/port_speed.h"
#include "mad/smp_fields.h"
#include "network/hops.h"

namespace weir::live {

namespace {

using mad::get;
using mad::put;
namespace port_info = mad::port_info;
namespace switch_info = mad::switch_info;

constexpr std::uint32_t kLinearCapacity = 0xc000;
constexpr std::uint32_t kMtu4096 = 5, kMtu2048 = 4;

std::uint32_t lane_code(std::uint32_t lanes) { return lanes <= 1 ? 1 : lanes <= 2 ? 2 : lanes <= 4 ? 3 : 4; }

}  // namespace

Subnet::Subnet(const Topology& topology, std::uint32_t lanes)
    : topology_(topology), identities_(topology), lanes_(lanes), by_link_(topology.ports()),
      cut_(topology.ports(), false), disabled_(topology.ports(), false) {
  add_switches();
  add_hosts();
}

void Subnet::add_switches() {
  for (std::uint32_t s = 0; s < topology_.switches(); ++s) {
    const NodeId from = topology_.node(SwitchId{s});
    SubnetNode node;
    node.is_switch = true;
    node.topology_switch = {s};
    node.guid = identities_.guid(from);
    node.description = topology_.name(from);
    node.ports.resize(std::max(1u, identities_.highest_number(from)) + 1);
    by_switch_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    for (std::uint32_t local = 0; local < topology_.port_count(from); ++local) {
      const PortId link = topology_.port(from, local);
      by_link_[link.index] = {by_switch_.back(), identities_.number(link)};
      if (topology_.to(link).valid()) node.ports[identities_.number(link)].link = link;
    }
    for (std::uint32_t n = 0; n < node.ports.size(); ++n) node.ports[n].info = fresh_port(node, n, node.ports[n].link);
    put(node.switch_info, switch_info::kLinearCapacity, kLinearCapacity);
    put(node.switch_info, switch_info::kMulticastCapacity, 0x400);
    put(node.switch_info, switch_info::kPartitionsEnforced, 32);
    put(node.switch_info, switch_info::kEnhancedPort0, 1);
    node.congestion.ports.resize(node.ports.size());
    nodes_.push_back(std::move(node));
  }
}

// Hosts with the same GUID are ports of one adapter.
void Subnet::add_hosts() {
  std::map<std::uint64_t, std::uint32_t> adapters;
  for (std::uint32_t h = 0; h < topology_.hosts(); ++h) {
    const PortId link = topology_.host_port({h});
    const std::uint64_t guid = identities_.guid({h});
    const auto [place, is_new] = adapters.try_emplace(guid, static_cast<std::uint32_t>(nodes_.size()));
    if (is_new) {
      SubnetNode& node = nodes_.emplace_back();
      node.guid = guid;
      node.description = topology_.name({h});
      node.ports.resize(1);
    }
    SubnetNode& node = nodes_[place->second];
    const std::uint32_t number = identities_.number(link);
    if (!is_new && node.description.ends_with(fmt::format("/P{}", node.last_port())))
      node.description.resize(node.description.rfind("/P"));
    while (node.ports.size() <= number) {
      const auto next = static_cast<std::uint32_t>(node.ports.size());
      node.ports.emplace_back().info = fresh_port(node, next, {});
    }
    node.ports[number].link = link;
    node.ports[number].info = fresh_port(node, number, link);
    by_link_[link.index] = {place->second, number};
  }
}

Attribute Subnet::fresh_port(const SubnetNode& node, std::uint32_t number, PortId link) const {
  Attribute info{};
  const bool itself = node.is_switch && number == 0;
  const bool up = itself || link.valid();
  put(info, port_info::kState, itself ? port_info::kActive : up ? port_info::kInit : port_info::kDown);
  put(info, port_info::kPhysicalState, up ? port_info::kPhysicalUp : port_info::kPhysicalPolling);
  put(info, port_info::kDownDefault, 2);
  put(info, port_info::kMtuCapacity, kMtu4096);
  put(info, port_info::kNeighborMtu, kMtu2048);
  put(info, port_info::kLaneCapacity, lane_code(lanes_));
  put(info, port_info::kOperationalLanes, lane_code(lanes_));  // opensm writes tables for the lanes that it finds
  put(info, port_info::kArbitrationHigh, 8);
  put(info, port_info::kArbitrationLow, 8);
  put(info, port_info::kGuidCapacity, 1);
  put(info, port_info::kLocalPort, number);
  put(info, port_info::kGidPrefix, 0xfe80'0000'0000'0000ull);
  std::uint32_t can = port_info::kCapTrap | port_info::kCapSlMap | port_info::kCapExtendedSpeeds;
  if (!node.is_switch) can |= port_info::kCapAutoMigrate | port_info::kCapReregister;
  if (!node.is_switch || number == 0) put(info, port_info::kCapabilities, can);
  put_speed(info, link.valid() ? topology_.link(link).rate : Rate{});
  return info;
}

std::optional<NodePort> Subnet::named(const std::string& name) const {
  if (name.empty()) return of(HostId{0});
  for (std::uint32_t h = 0; h < topology_.hosts(); ++h)
    if (topology_.name({h}) == name) return of(HostId{h});
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    const std::string guid = fmt::format("{:016x}", nodes_[n].guid);
    const char* letter = nodes_[n].is_switch ? "S-" : "H-";
    if (nodes_[n].description == name || guid == name || letter + guid == name || "0x" + guid == name)
      return NodePort{n, nodes_[n].is_switch ? 0u : 1u};
  }
  return std::nullopt;
}

std::uint32_t Subnet::lid(NodePort at) const {
  return static_cast<std::uint32_t>(get(info_with_lid(at), port_info::kLid));
}
bool Subnet::has_lid(NodePort at, std::uint32_t lid) const {
  const std::uint32_t first = this->lid(at);
  return first != 0 && lid >= first && lid - first < 1u << get(info_with_lid(at), port_info::kLmc);
}

std::uint8_t Subnet::state(NodePort at) const {
  return static_cast<std::uint8_t>(get(port(at).info, port_info::kState));
}
bool Subnet::is_up(NodePort at) const { return port(at).link.valid() && state(at) != port_info::kDown; }
bool Subnet::is_active(NodePort at) const { return is_up(at) && state(at) == port_info::kActive; }

std::optional<NodePort> Subnet::peer(NodePort at) const {
  if (at.port >= node(at).ports.size() || !is_up(at)) return std::nullopt;
  return of(topology_.to(port(at).link));
}

std::optional<NodePort> Subnet::walk(NodePort from, mad::Mad& request) const {
  NodePort here = from;
  const std::uint32_t hops = request.hop_count();
  if (hops > mad::kMostHops) return std::nullopt;
  for (std::uint32_t hop = 1; hop <= hops; ++hop) {
    if (hop > 1 && !node(here).is_switch) return std::nullopt;  // adapters pass nothing on
    const auto next = peer({here.node, request.path(hop)});
    if (!next) return std::nullopt;
    request.return_path(hop) = static_cast<std::uint8_t>(next->port);
    here = *next;
  }
  if (hops == 0 && node(here).is_switch) here.port = 0;
  return here;
}

std::optional<NodePort> Subnet::walk(NodePort from, std::uint32_t lid, bool subnet_management) const {
  if (lid == 0 || lid == mad::kPermissiveLid || has_lid(from, lid)) return from;
  const auto may_pass = [&](NodePort at) { return subnet_management ? is_up(at) : is_active(at); };
  NodePort here = from;
  const std::size_t most = topology_.switches() + 1;  // all of them, and the host at the end
  for (std::size_t hops = 0; hops <= most; ++hops) {
    if (node(here).is_switch) {
      if (has_lid(here, lid)) return NodePort{here.node, 0};
      here.port = node(here).out_port(lid);
    } else if (has_lid(here, lid)) {
      return here;
    } else if (hops > 0) {
      return std::nullopt;
    }
    if (here.port >= node(here).ports.size() || !may_pass(here)) return std::nullopt;
    const auto next = peer(here);
    if (!next) return std::nullopt;
    here = *next;
  }
  return std::nullopt;
}

void Subnet::settle(NodePort at, bool up, std::vector<NodePort>& noticed) {
  SubnetPort& p = port(at);
  if ((state(at) != port_info::kDown) == up) return;
  if (!up) ++p.downed;
  put(p.info, port_info::kState, up ? port_info::kInit : port_info::kDown);
  const bool off = !up && disabled_[p.link.index];
  put(p.info, port_info::kPhysicalState,
      up ? port_info::kPhysicalUp : off ? port_info::kPhysicalDisabled : port_info::kPhysicalPolling);
  ++routes_version;
  SubnetNode& owner = node(at);
  if (!owner.is_switch) return;
  put(owner.switch_info, switch_info::kStateChange, 1);
  noticed.push_back(at);
}

std::vector<NodePort> Subnet::set_link(PortId link, bool up) {
  cut_[link.index] = cut_[topology_.to(link).index] = !up;
  return retrain(of(link));
}

std::vector<NodePort> Subnet::retrain(NodePort at) {
  std::vector<NodePort> noticed;
  const PortId link = port(at).link;
  if (!link.valid()) return noticed;
  const auto wants_off = [&](NodePort end) {
    return get(port(end).info, port_info::kPhysicalState) == port_info::kPhysicalDisabled;
  };
  const NodePort other = of(topology_.to(link));
  disabled_[link.index] = wants_off(at);
  disabled_[topology_.to(link).index] = wants_off(other);
  const bool up = !cut_[link.index] && !wants_off(at) && !wants_off(other);
  settle(at, up, noticed);
  settle(other, up, noticed);
  return noticed;
}

// The routes are those of hosts; datagrams for switches take the first of the shortest ways.
void Subnet::lead_to_switches() {
  for (std::uint32_t target = 0; target < topology_.switches(); ++target) {
    const std::vector<std::uint32_t> hops = hops_to(topology_, {target});
    const std::uint32_t lid = this->lid(of(SwitchId{target}));
    for (std::uint32_t s = 0; s < topology_.switches(); ++s) {
      const NodeId from = topology_.node(SwitchId{s});
      for (std::uint32_t local = 0; local < topology_.port_count(from) && s != target; ++local) {
        const PortId link = topology_.port(from, local);
        const SwitchId next = next_switch(topology_, link);
        if (!next.valid() || hops[next.index] == kFar || hops[next.index] + 1 != hops[s]) continue;
        nodes_[by_switch_[s]].forwarding[lid] = static_cast<std::uint8_t>(identities_.number(link));
        break;
      }
    }
  }
}

void Subnet::configure(const RouteTable& routes) {
  const auto hosts = static_cast<std::uint32_t>(topology_.hosts());
  const std::vector<std::uint32_t> lids = complete_lids(topology_);
  const std::uint32_t last = *std::max_element(lids.begin(), lids.end());
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    SubnetNode& node = nodes_[n];
    for (std::uint32_t p = 0; p < node.ports.size(); ++p) {
      if (node.ports[p].link.valid()) put(node.ports[p].info, port_info::kState, port_info::kActive);
      put(node.ports[p].info, port_info::kMasterLid, lids[0]);
    }
    if (!node.is_switch) continue;
    const std::uint32_t own = lids[topology_.node(node.topology_switch).index];
    put(node.ports[0].info, port_info::kLid, own);
    put(node.switch_info, switch_info::kLinearTop, last);
    node.forwarding.assign(last + 1, SubnetNode::kNoPort);
    for (std::uint32_t h = 0; h < hosts; ++h)
      if (routes.reachable(node.topology_switch, {h}))
        node.forwarding[lids[h]] = static_cast<std::uint8_t>(
            identities_.number(routes.default_port(node.topology_switch, {h}, {h})));
    node.forwarding[own] = 0;
  }
  for (std::uint32_t h = 0; h < hosts; ++h) put(port(of(HostId{h})).info, port_info::kLid, lids[h]);
  lead_to_switches();
  ++routes_version;
}

}  // namespace weir::live
