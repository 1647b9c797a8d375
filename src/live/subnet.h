// A topology as an InfiniBand subnet sees itself: nodes with numbered ports, whose attributes are kept the way they are
// shown. Adapters and switches come up as after power-on: links trained, nothing configured. Everything a manager
// writes is kept here; what it means for packets is read off by whoever moves them.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mad/congestion.h"
#include "mad/mad.h"
#include "network/fabric/identities.h"
#include "network/route_table.h"
#include "network/topology.h"

namespace weir::live {

using Attribute = std::array<std::uint8_t, mad::kSmpDataBytes>;

// A port of a node, by its number; port 0 is the switch itself.
struct NodePort {
  std::uint32_t node = 0;
  std::uint32_t port = 0;
  friend bool operator==(NodePort, NodePort) = default;
};

// What congestion control knows of a node. The tables of adapters are per port.
struct NodeCongestion {
  std::uint64_t key = 0;
  bool protect = false;
  std::uint16_t lease = 0, violations = 0;
  mad::SwitchCongestion of_switch;
  std::vector<mad::SwitchPortCongestion> ports;  // of a switch, by number
  struct Adapter {
    mad::AdapterCongestion setting;
    std::uint16_t limit = 0;
    std::vector<std::uint16_t> table;  // entries as written
    friend bool operator==(const Adapter&, const Adapter&) = default;
  };
  std::map<std::uint32_t, Adapter> adapters;  // by port
};

struct SubnetPort {
  PortId link;  // of the topology; invalid: no cable, or the switch itself
  Attribute info{};
  std::uint32_t downed = 0;  // how often its link went down
};

struct SubnetNode {
  static constexpr std::uint8_t kNoPort = 255;

  bool is_switch = false;
  SwitchId topology_switch;
  std::uint64_t guid = 0;
  std::string description;
  std::vector<SubnetPort> ports;  // by number, 0 included
  Attribute switch_info{};
  std::vector<std::uint8_t> forwarding;      // of a switch, by LID; shorter: kNoPort
  std::map<std::uint64_t, Attribute> tables;  // partitions, lanes and the like, by attribute, port and modifier
  NodeCongestion congestion;

  std::uint32_t last_port() const { return static_cast<std::uint32_t>(ports.size()) - 1; }
  std::uint8_t out_port(std::uint32_t lid) const { return lid < forwarding.size() ? forwarding[lid] : kNoPort; }
  static std::uint64_t table_key(std::uint16_t attribute, std::uint32_t port, std::uint32_t modifier) {
    return std::uint64_t{attribute} << 48 | std::uint64_t{port} << 32 | modifier;
  }
};

class Subnet {
 public:
  // `lanes`: of every link.
  Subnet(const Topology& topology, std::uint32_t lanes);

  const Topology& topology() const { return topology_; }
  std::uint32_t lanes() const { return lanes_; }  // of every link
  const Identities& identities() const { return identities_; }
  std::vector<SubnetNode>& nodes() { return nodes_; }
  const std::vector<SubnetNode>& nodes() const { return nodes_; }
  SubnetNode& node(NodePort at) { return nodes_[at.node]; }
  const SubnetNode& node(NodePort at) const { return nodes_[at.node]; }
  SubnetPort& port(NodePort at) { return nodes_[at.node].ports[at.port]; }
  const SubnetPort& port(NodePort at) const { return nodes_[at.node].ports[at.port]; }

  NodePort of(PortId link) const { return by_link_[link.index]; }
  NodePort of(HostId host) const { return of(topology_.host_port(host)); }
  NodePort of(SwitchId s) const { return {by_switch_[s.index], 0}; }
  // The host or switch of this name, or of this GUID in hexadecimal; an empty name is the first host.
  std::optional<NodePort> named(const std::string& name) const;

  std::uint32_t lid(NodePort at) const;  // of the port, or of the switch whose port it is: the first one, with LMC
  bool has_lid(NodePort at, std::uint32_t lid) const;
  std::uint8_t state(NodePort at) const;
  bool is_up(NodePort at) const;      // is there a link, and is it trained
  bool is_active(NodePort at) const;  // and may it carry more than subnet management
  std::optional<NodePort> peer(NodePort at) const;  // over a link that is up

  // Where a directed datagram that starts here ends; it notes the way back.
  std::optional<NodePort> walk(NodePort from, mad::Mad& request) const;
  // Where a datagram for this LID ends.
  std::optional<NodePort> walk(NodePort from, std::uint32_t lid, bool subnet_management) const;

  // The cable behind a port fails or comes back. Both ends notice; those of switches are returned.
  std::vector<NodePort> set_link(PortId link, bool up);
  // The same by the state of the port at one end; a link that was disabled there stays down.
  std::vector<NodePort> retrain(NodePort at);

  // LIDs, states and forwarding tables as a subnet manager would have left them with these routes. LIDs are those of
  // the file that the fabric was imported from, else numbers from 1: hosts, then switches.
  void configure(const RouteTable& routes);

  // They count changes: of what packets may do, of congestion settings and lane maps of the nodes in the lists, and of
  // arbitration tables of the ports in the list.
  std::uint64_t routes_version = 0;
  std::vector<std::uint32_t> congestion_changed, lane_maps_changed;
  std::vector<NodePort> arbitration_changed;
  bool arbitration_written = false;  // tables of it, by a tool

 private:
  void add_hosts();
  void add_switches();
  Attribute fresh_port(const SubnetNode& node, std::uint32_t number, PortId link) const;
  void lead_to_switches();
  const Attribute& info_with_lid(NodePort at) const { return port({at.node, node(at).is_switch ? 0 : at.port}).info; }
  void settle(NodePort at, bool up, std::vector<NodePort>& noticed);

  const Topology& topology_;
  Identities identities_;
  std::uint32_t lanes_;
  std::vector<SubnetNode> nodes_;
  std::vector<NodePort> by_link_;           // by port of the topology
  std::vector<std::uint32_t> by_switch_;    // node, by switch
  std::vector<bool> cut_, disabled_;        // by port of the topology: cable cut; disabled by its own port
};

}  // namespace weir::live
