// A fabric as immutable tables. Nodes are hosts [0, H) followed by switches. Every node has ports; a port can send (its
// output direction) and receive. `to(p)` is the port at which what p sends arrives; `from(p)` the port whose sendings
// arrive at p. On full-duplex cables both are the same port; in a unidirectional MIN they differ. A link direction is
// named by the port that sends into it, so one index serves for output ports, links and (through from()) input buffers.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/units.h"

namespace weir {

struct LinkProperties {
  Rate rate;
  Time delay;        // propagation
  Bytes buffer = 0;  // input buffer at the receiving end; 0 = the scenario's default
};

// What a fabric's own tools know a node by; zeros where the source has none. A host stands for one port of an adapter,
// so it has the identity of that port.
struct NodeIdentity {
  std::uint64_t guid = 0;       // of the adapter or switch
  std::uint64_t port_guid = 0;  // of the adapter's port
  std::uint32_t lid = 0;
};

enum class Shape {
  graph, tree, unidirectional_min, bidirectional_min, clos, torus, mesh, hyperx, dragonfly, dragonfly_plus
};

class Topology {
 public:
  std::size_t hosts() const { return host_count_; }
  std::size_t switches() const { return first_port_.size() - 1 - host_count_; }
  std::size_t nodes() const { return first_port_.size() - 1; }
  std::size_t ports() const { return to_.size(); }

  bool is_host(NodeId n) const { return n.index < host_count_; }
  HostId host(NodeId n) const { return {n.index}; }
  SwitchId switch_of(NodeId n) const { return {n.index - static_cast<std::uint32_t>(host_count_)}; }
  NodeId node(HostId h) const { return {h.index}; }
  NodeId node(SwitchId s) const { return {s.index + static_cast<std::uint32_t>(host_count_)}; }

  PortId first_port(NodeId n) const { return {first_port_[n.index]}; }
  std::uint32_t port_count(NodeId n) const { return first_port_[n.index + 1] - first_port_[n.index]; }
  PortId port(NodeId n, std::uint32_t local) const { return {first_port_[n.index] + local}; }
  std::uint32_t local(PortId p) const { return p.index - first_port_[node_of(p).index]; }
  NodeId node_of(PortId p) const { return {owner_[p.index]}; }
  PortId host_port(HostId h) const { return {h.index}; }  // every host has exactly one port, and hosts come first
  HostId host_at(PortId p) const { return {p.index}; }            // whose port this is

  PortId to(PortId p) const { return to_[p.index]; }      // invalid where nothing is connected
  PortId from(PortId p) const { return from_[p.index]; }
  const LinkProperties& link(PortId sender) const { return links_[sender.index]; }  // of the direction leaving `sender`

  const std::string& name(NodeId n) const { return names_[n.index]; }
  std::span<const std::string> host_names() const { return {names_.data(), host_count_}; }
  std::string port_name(PortId p) const;  // "S1:15", with the port's label where the source had one
  std::uint32_t port_label(PortId p) const { return labels_[p.index]; }
  NodeIdentity identity(NodeId n) const { return identities_.empty() ? NodeIdentity{} : identities_[n.index]; }

  // For drawing and for routing that knows the structure. level: distance class of the node (hosts -1; leaf or
  // first-stage switches 0). position: place within the level.
  Shape shape() const { return shape_; }
  bool has_levels() const {
    return shape_ == Shape::tree || shape_ == Shape::unidirectional_min || shape_ == Shape::bidirectional_min ||
           shape_ == Shape::clos;
  }
  // What it was built as, with cables lost or not: for drawings, and for routes that look at every cable.
  Shape built_as() const { return built_as_; }
  int level(NodeId n) const { return levels_[n.index]; }
  std::uint32_t position(NodeId n) const { return positions_[n.index]; }

  // k and n of trees and multistage networks, 0 otherwise; horizontal width of a modified tree; the numbers that the
  // plan of what it was built as is made of (topologies/*_plan.h).
  std::uint32_t arity() const { return arity_; }
  std::uint32_t stages() const { return stages_; }
  std::uint32_t horizontal_width() const { return horizontal_width_; }
  std::span<const std::uint32_t> sizes() const { return sizes_; }
  bool has_lost_cables() const { return has_lost_cables_; }

  // The same fabric without these cables; both directions go. Its structure cannot be relied on any more: it is a
  // graph.
  Topology without(std::span<const PortId> cables) const;
  // The same without the hosts that have no cable; those behind them move up. A graph.
  Topology without_lost_hosts() const;
  // The same with these cables at a fraction of their rate.
  Topology slowed(std::span<const PortId> cables, double fraction) const;

 private:
  friend class TopologyBuilder;
  std::size_t host_count_ = 0;
  std::vector<std::uint32_t> first_port_{0};
  std::vector<std::uint32_t> owner_;
  std::vector<PortId> to_, from_;
  std::vector<LinkProperties> links_;
  std::vector<std::uint32_t> labels_;
  std::vector<std::string> names_;
  std::vector<NodeIdentity> identities_;  // by node; empty where nobody has any
  std::vector<int> levels_;
  std::vector<std::uint32_t> positions_;
  Shape shape_ = Shape::graph, built_as_ = Shape::graph;
  std::uint32_t arity_ = 0, stages_ = 0, horizontal_width_ = 0;
  std::vector<std::uint32_t> sizes_;
  bool has_lost_cables_ = false;
};

// Adds hosts, then switches, then ports and cables; build() freezes. Misuse (a port connected twice, a host with no
// port) is an InputError with a sentence that names the node.
class TopologyBuilder {
 public:
  HostId add_host(std::string name);
  SwitchId add_switch(std::string name, std::uint32_t ports, int level = 0, std::uint32_t position = 0);
  // Ports are addressed by (node, local index); hosts have local port 0 only.
  struct End {
    bool is_host;
    std::uint32_t node;   // host or switch number
    std::uint32_t local;  // local port index
  };
  static End at(HostId h) { return {true, h.index, 0}; }
  static End at(SwitchId s, std::uint32_t local) { return {false, s.index, local}; }
  void connect(End a, End b, LinkProperties both);                       // full duplex
  void connect_one_way(End sender, End receiver, LinkProperties link);   // one direction only
  void set_label(End end, std::uint32_t label);
  void set_identity(End node, NodeIdentity identity) { identities_.push_back({node, identity}); }
  void set_shape(Shape shape, std::uint32_t arity, std::uint32_t stages, std::uint32_t horizontal_width = 0);
  void set_sizes(std::vector<std::uint32_t> sizes) { sizes_ = std::move(sizes); }
  Topology build() &&;

 private:
  struct NewSwitch {
    std::string name;
    std::uint32_t ports;
    int level;
    std::uint32_t position;
  };
  struct Cable {
    End sender, receiver;
    LinkProperties link;
  };
  struct Label {
    End end;
    std::uint32_t label;
  };
  struct Identity {
    End node;
    NodeIdentity identity;
  };
  Topology nodes_and_ports();  // takes the names
  static PortId resolve(const Topology& t, const End& end);
  static void lay(const Cable& cable, Topology& t);

  std::vector<std::string> hosts_;
  std::vector<NewSwitch> switches_;
  std::vector<Cable> cables_;
  std::vector<Label> labels_;
  std::vector<Identity> identities_;
  Shape shape_ = Shape::graph;
  std::uint32_t arity_ = 0, stages_ = 0, horizontal_width_ = 0;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace weir
