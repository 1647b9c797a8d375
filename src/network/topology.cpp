// Turns what a builder collected into the flat tables of a Topology. All checks of consistency live here, so that no
// later layer has to ask whether a port exists, is used twice, or belongs to a host without a cable.
#include "network/topology.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace weir {

std::string Topology::port_name(PortId p) const {
  return name(node_of(p)) + ":" + std::to_string(labels_[p.index]);
}

Topology Topology::without(std::span<const PortId> cables) const {
  Topology result = *this;
  const auto cut = [&](PortId sender) {
    const PortId receiver = to(sender);
    if (receiver.valid()) result.to_[sender.index] = result.from_[receiver.index] = PortId{};
  };
  for (const PortId p : cables) {
    const PortId other = to(p);
    cut(p);
    if (other.valid() && to(other) == p) cut(other);
  }
  if (!cables.empty()) {
    result.shape_ = Shape::graph;
    result.arity_ = result.stages_ = result.horizontal_width_ = 0;
    result.has_lost_cables_ = true;
  }
  return result;
}

Topology Topology::without_lost_hosts() const {
  TopologyBuilder builder;
  std::vector<HostId> kept(hosts());  // by host as it was
  for (std::uint32_t h = 0; h < hosts(); ++h)
    if (to(host_port({h})).valid()) kept[h] = builder.add_host(name(NodeId{h}));
  for (std::uint32_t s = 0; s < switches(); ++s) {
    const NodeId n = node(SwitchId{s});
    builder.add_switch(name(n), port_count(n), level(n), position(n));
  }
  const auto end = [&](PortId p) {
    const NodeId n = node_of(p);
    return is_host(n) ? TopologyBuilder::at(kept[n.index]) : TopologyBuilder::at(switch_of(n), local(p));
  };
  const auto is_lost = [&](NodeId n) { return is_host(n) && !kept[n.index].valid(); };
  for (std::uint32_t p = 0; p < ports(); ++p) {
    if (is_lost(node_of({p}))) continue;
    builder.set_label(end({p}), labels_[p]);
    if (to({p}).valid()) builder.connect_one_way(end({p}), end(to({p})), link({p}));
  }
  for (std::uint32_t n = 0; n < identities_.size(); ++n)
    if (!is_lost({n})) builder.set_identity(end(first_port({n})), identities_[n]);
  Topology result = std::move(builder).build();
  result.has_lost_cables_ = has_lost_cables_;
  return result;
}

Topology Topology::slowed(std::span<const PortId> cables, double fraction) const {
  Topology result = *this;
  const auto slow = [&](PortId sender) {
    const double rate = static_cast<double>(link(sender).rate.bits_per_second) * fraction;
    result.links_[sender.index].rate = Rate{std::max<std::int64_t>(1, std::llround(rate))};
  };
  for (const PortId p : cables) {
    slow(p);
    if (to(p).valid() && to(to(p)) == p) slow(to(p));
  }
  return result;
}

HostId TopologyBuilder::add_host(std::string name) {
  hosts_.push_back(std::move(name));
  return {static_cast<std::uint32_t>(hosts_.size() - 1)};
}

SwitchId TopologyBuilder::add_switch(std::string name, std::uint32_t ports, int level, std::uint32_t position) {
  switches_.push_back({std::move(name), ports, level, position});
  return {static_cast<std::uint32_t>(switches_.size() - 1)};
}

void TopologyBuilder::connect(End a, End b, LinkProperties both) {
  cables_.push_back({a, b, both});
  cables_.push_back({b, a, both});
}

void TopologyBuilder::connect_one_way(End sender, End receiver, LinkProperties link) {
  cables_.push_back({sender, receiver, link});
}

void TopologyBuilder::set_label(End end, std::uint32_t label) { labels_.push_back({end, label}); }

void TopologyBuilder::set_shape(Shape shape, std::uint32_t arity, std::uint32_t stages, std::uint32_t width) {
  shape_ = shape;
  arity_ = arity;
  stages_ = stages;
  horizontal_width_ = width;
}

namespace {

[[noreturn]] void refuse(const std::string& node, const std::string& what) { throw InputError(node + " " + what); }

}  // namespace

Topology TopologyBuilder::build() && {
  Topology t = nodes_and_ports();
  for (const Label& label : labels_) t.labels_[resolve(t, label.end).index] = label.label;
  if (!identities_.empty()) t.identities_.resize(t.nodes());
  for (const Identity& i : identities_) t.identities_[t.node_of(resolve(t, i.node)).index] = i.identity;
  for (const Cable& cable : cables_) lay(cable, t);
  for (std::uint32_t h = 0; h < t.hosts(); ++h) {
    if (!t.to_[h].valid() || !t.from_[h].valid()) refuse(t.names_[h], "is not connected in both directions");
  }
  return t;
}

Topology TopologyBuilder::nodes_and_ports() {
  Topology t;
  t.host_count_ = hosts_.size();
  t.shape_ = t.built_as_ = shape_;
  t.sizes_ = sizes_;
  t.arity_ = arity_;
  t.stages_ = stages_;
  t.horizontal_width_ = horizontal_width_;
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    t.first_port_.push_back(static_cast<std::uint32_t>(h + 1));
    t.names_.push_back(std::move(hosts_[h]));
    t.levels_.push_back(-1);
    t.positions_.push_back(static_cast<std::uint32_t>(h));
  }
  std::uint64_t ports = hosts_.size();
  for (NewSwitch& s : switches_) {
    ports += s.ports;
    if (ports >= PortId::kNone) throw InputError("the topology has more than 2^32 - 1 ports");
    t.first_port_.push_back(static_cast<std::uint32_t>(ports));
    t.names_.push_back(std::move(s.name));
    t.levels_.push_back(s.level);
    t.positions_.push_back(s.position);
  }
  t.owner_.resize(ports);
  t.labels_.resize(ports);
  for (std::uint32_t n = 0; n < t.nodes(); ++n) {
    for (std::uint32_t p = t.first_port_[n]; p < t.first_port_[n + 1]; ++p) {
      t.owner_[p] = n;
      t.labels_[p] = p - t.first_port_[n];
    }
  }
  t.to_.resize(ports);
  t.from_.resize(ports);
  t.links_.resize(ports);
  return t;
}

PortId TopologyBuilder::resolve(const Topology& t, const End& end) {
  const std::size_t count = end.is_host ? t.hosts() : t.switches();
  if (end.node >= count)
    throw InputError(std::string("a cable ends at ") + (end.is_host ? "host " : "switch ") +
                     std::to_string(end.node) + ", but there are only " + std::to_string(count));
  const NodeId node = end.is_host ? t.node(HostId{end.node}) : t.node(SwitchId{end.node});
  if (end.local >= t.port_count(node))
    refuse(t.name(node), "has " + std::to_string(t.port_count(node)) +
                             " ports, numbered from 0; a cable names port " + std::to_string(end.local));
  return t.port(node, end.local);
}

void TopologyBuilder::lay(const Cable& cable, Topology& t) {
  const PortId sender = resolve(t, cable.sender);
  const PortId receiver = resolve(t, cable.receiver);
  if (t.to_[sender.index].valid()) refuse(t.port_name(sender), "is connected twice");
  if (t.from_[receiver.index].valid()) refuse(t.port_name(receiver), "is connected twice");
  if (t.node_of(sender) == t.node_of(receiver) && t.is_host(t.node_of(sender)))
    refuse(t.name(t.node_of(sender)), "is connected to itself");
  if (cable.link.rate.bits_per_second <= 0)
    refuse(t.port_name(sender), "has a link without a rate; it must be above 0");
  if (cable.link.delay < Time{}) refuse(t.port_name(sender), "has a link with a negative delay");
  t.to_[sender.index] = receiver;
  t.from_[receiver.index] = sender;
  t.links_[sender.index] = cable.link;
}

}  // namespace weir
