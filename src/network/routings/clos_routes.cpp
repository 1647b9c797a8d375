// The shortest ways of a Clos fabric: up to the lowest level that has the destination below it, then down. All ways up
// are allowed, and on the way down all cables of a bundle. By default destinations are spread over them, each with one
// way from anywhere.
//
// Where cables are lost, the same holds for what is left: of the ways up, those are allowed that still lead down to the
// destination, over as few links as possible. A default way that is whole stays; the others are spread over what is
// left.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "network/routings/routing_kind.h"
#include "network/routings/routings.h"
#include "network/routings/structured_routes.h"
#include "network/topologies/clos_plan.h"

namespace weir {

namespace {

class ClosRoutes : public StructuredRoutes {
 public:
  explicit ClosRoutes(const Topology& t) : plan_(t) {
    for (std::uint32_t s = 0; s < t.switches(); ++s) {
      const ClosPlan::Place p = plan_.place({s});
      at_.push_back({t.first_port(t.node(SwitchId{s})).index, p.level, p.subtree});
    }
    for (std::uint32_t l = 0; l < plan_.levels(); ++l) has_alternatives_ = has_alternatives_ || plan_.up_ports(l) > 1;
  }

  RouteStep step(SwitchId s, HostId destination) const override {
    const Ways ways = ways_from(s, destination);
    return PortId{ways.first + ways.usual};
  }
  void candidates(SwitchId s, HostId destination, std::vector<RouteStep>& steps) const override {
    const Ways ways = ways_from(s, destination);
    steps.assign(1, PortId{ways.first + ways.usual});
    for (std::uint32_t i = 0; i < ways.count; ++i)
      if (i != ways.usual) steps.push_back(PortId{ways.first + i});
  }
  bool has_alternatives() const override { return has_alternatives_; }
  std::uint32_t lanes() const override { return 1; }
  // Ranks: upwards by level, then downwards by level. Nobody goes up after having gone down, as only switches above the
  // destination are reached on the way down.
  bool proves_no_cycle() const override { return true; }
  std::size_t bytes_of_state() const override { return at_.capacity() * sizeof(At); }

 protected:
  struct At {
    std::uint32_t first_port, level, subtree;
  };
  struct Ways {
    std::uint32_t first, count, usual;  // ports
  };
  Ways ways_from(SwitchId s, HostId destination) const {
    const At& at = at_[s.index];
    const std::uint32_t leaf = plan_.leaf_of(destination);
    return plan_.subtree(at.level, leaf) == at.subtree ? ways_down(at, destination) : ways_up(at, destination);
  }
  Ways ways_down(const At& at, HostId destination) const {
    if (at.level == 0) return {at.first_port + plan_.port_of(destination), 1, 0};
    const std::uint32_t bundle = plan_.bundle(at.level - 1);
    return {at.first_port + plan_.child_towards(at.level, plan_.leaf_of(destination)) * bundle, bundle,
            number_of(destination) / plan_.replicas(at.level) % bundle};
  }
  Ways ways_up(const At& at, HostId destination) const {
    const std::uint32_t up = plan_.up(at.level), bundle = plan_.bundle(at.level);
    const std::uint32_t spread = number_of(destination) / plan_.replicas(at.level);
    return {at.first_port + plan_.down_ports(at.level), up * bundle, spread % up * bundle + spread / up % bundle};
  }
  // Leaf by leaf.
  std::uint32_t number_of(HostId host) const { return plan_.leaf_of(host) * plan_.down(0) + plan_.port_of(host); }

  ClosPlan plan_;
  std::vector<At> at_;

 private:
  bool has_alternatives_ = false;
};

class ClosRoutesAroundLosses final : public ClosRoutes {
 public:
  explicit ClosRoutesAroundLosses(const Topology& t) : ClosRoutes(t), there_(t.ports()) {
    for (std::uint32_t p = 0; p < t.ports(); ++p) there_[p] = t.to({p}).valid();
    links_.assign(t.switches() * std::size_t{plan_.leaves()}, kNone);
    for (std::uint32_t s = 0; s < at_.size(); ++s) find_down({s});  // from the leaves up, as switches are numbered
    for (std::uint32_t s = static_cast<std::uint32_t>(at_.size()); s-- > 0;) find_up({s});
  }

  // Two leaves without a way up and down between them.
  std::optional<std::pair<SwitchId, SwitchId>> parted() const {
    for (std::uint32_t a = 0; a < plan_.leaves(); ++a)
      for (std::uint32_t b = 0; b < plan_.leaves(); ++b)
        if (links_to({a}, b) == kNone) return std::pair(SwitchId{a}, SwitchId{b});
    return std::nullopt;
  }

  RouteStep step(SwitchId s, HostId destination) const override {
    const std::uint32_t leaf = plan_.leaf_of(destination);
    if (links_to(s, leaf) == kNone) return {};  // nobody comes here on the way to that leaf
    const Ways ways = ways_left(s, destination);
    if (leads_on(s, ways.first + ways.usual, leaf)) return PortId{ways.first + ways.usual};
    std::uint32_t left = 0;
    for (std::uint32_t i = 0; i < ways.count; ++i) left += leads_on(s, ways.first + i, leaf);
    std::uint32_t chosen = number_of(destination) / ways.count % left;
    std::uint32_t port = ways.first;
    while (!leads_on(s, port, leaf) || chosen-- > 0) ++port;
    return PortId{port};
  }
  void candidates(SwitchId s, HostId destination, std::vector<RouteStep>& steps) const override {
    const std::uint32_t leaf = plan_.leaf_of(destination);
    steps.clear();
    if (links_to(s, leaf) == kNone) return;
    const Ways ways = ways_left(s, destination);
    const PortId usual = step(s, destination).port();
    steps.assign(1, usual);
    for (std::uint32_t port = ways.first; port < ways.first + ways.count; ++port)
      if (port != usual.index && leads_on(s, port, leaf)) steps.push_back(PortId{port});
  }
  std::size_t bytes_of_state() const override {
    return ClosRoutes::bytes_of_state() + links_.capacity() + there_.capacity() / 8;
  }

 private:
  static constexpr std::uint8_t kNone = 255;

  // Links from a switch to a leaf, up and then down.
  std::uint8_t links_to(SwitchId s, std::uint32_t leaf) const { return links_[place_of(s, leaf)]; }
  std::uint8_t& links_to(SwitchId s, std::uint32_t leaf) { return links_[place_of(s, leaf)]; }
  std::size_t place_of(SwitchId s, std::uint32_t leaf) const { return s.index * std::size_t{plan_.leaves()} + leaf; }
  // Only down it is as many links as there are levels.
  bool goes_down(SwitchId s, std::uint32_t leaf) const { return links_to(s, leaf) == at_[s.index].level; }
  Ways ways_left(SwitchId s, HostId destination) const {
    const At& at = at_[s.index];
    return goes_down(s, plan_.leaf_of(destination)) ? ways_down(at, destination) : ways_up(at, destination);
  }
  SwitchId parent(SwitchId s, std::uint32_t port) const {
    const At& at = at_[s.index];
    const std::uint32_t j = (port - at.first_port - plan_.down_ports(at.level)) / plan_.bundle(at.level);
    return plan_.at(plan_.parent(plan_.place(s), j));
  }
  // The cable at this port is there, and the way behind it is one of the shortest.
  bool leads_on(SwitchId s, std::uint32_t port, std::uint32_t leaf) const {
    return there_[port] && (goes_down(s, leaf) || links_to(parent(s, port), leaf) + 1 == links_to(s, leaf));
  }

  void find_down(SwitchId s) {
    const At& at = at_[s.index];
    if (at.level == 0) {
      links_to(s, s.index) = 0;
      return;
    }
    const std::uint32_t bundle = plan_.bundle(at.level - 1);
    const ClosPlan::Place place = plan_.place(s);
    for (std::uint32_t child = 0; child < plan_.down(at.level); ++child) {
      const auto cables = there_.begin() + at.first_port + child * bundle;
      if (std::find(cables, cables + bundle, true) == cables + bundle) continue;
      const ClosPlan::Place below = plan_.child(place, child);
      const std::uint32_t count = plan_.leaves_below(below.level), first = below.subtree * count;
      for (std::uint32_t leaf = first; leaf < first + count; ++leaf)
        if (goes_down(plan_.at(below), leaf)) links_to(s, leaf) = static_cast<std::uint8_t>(at.level);
    }
  }
  void find_up(SwitchId s) {
    const At& at = at_[s.index];
    if (at.level + 1 == plan_.levels()) return;
    const std::uint32_t first = at.first_port + plan_.down_ports(at.level);
    for (std::uint32_t port = first; port < first + plan_.up_ports(at.level); ++port) {
      if (!there_[port]) continue;
      const SwitchId above = parent(s, port);
      for (std::uint32_t leaf = 0; leaf < plan_.leaves(); ++leaf) {
        const std::uint8_t behind = links_to(above, leaf);
        if (!goes_down(s, leaf) && behind != kNone)
          links_to(s, leaf) = std::min<std::uint8_t>(links_to(s, leaf), static_cast<std::uint8_t>(behind + 1));
      }
    }
  }

  std::vector<bool> there_;          // by port: it has a cable
  std::vector<std::uint8_t> links_;  // by switch and leaf
};

bool is_clos_with_losses(const Topology& topology) {
  return topology.built_as() == Shape::clos && topology.has_lost_cables();
}

std::optional<RouteTable> clos_around_losses(const Topology& topology) {
  auto routes = std::make_shared<ClosRoutesAroundLosses>(topology);
  if (routes->parted()) return std::nullopt;
  return RouteTable::structured("minimal", std::move(routes));
}

std::optional<RouteTable> minimal_routes(const Topology& topology, bool detours) {
  if (is_clos_with_losses(topology)) return clos_around_losses(topology);
  switch (topology.shape()) {
    case Shape::clos:
      return clos_routes(topology);
    case Shape::dragonfly:
      return dragonfly_routes(topology, detours);
    case Shape::dragonfly_plus:
      return dragonfly_plus_routes(topology, detours);
    case Shape::torus:
    case Shape::mesh:
    case Shape::hyperx:
      return dimension_order_routes(topology, true, detours);
    default:
      return std::nullopt;
  }
}

RouteTable configure_minimal(const RoutingRequest& request) {
  const Topology& topology = request.topology;
  if (auto routes = minimal_routes(topology, request.detours)) return *std::move(routes);
  if (is_clos_with_losses(topology)) {
    const auto [a, b] = *ClosRoutesAroundLosses(topology).parted();
    throw InputError(
        fmt::format("routing `minimal` goes up, then down; with these cables missing there is no such path from {} to "
                    "{}; use `auto`, which finds another one",
                    topology.name(topology.node(a)), topology.name(topology.node(b))));
  }
  throw InputError(
      "routing `minimal` follows the structure of a leaf-spine, clos or rail-optimised fabric, or of a dragonfly, "
      "dragonfly+, torus, mesh or hyperx that has all its cables; on this topology use `auto`");
}

}  // namespace

RouteTable clos_routes(const Topology& topology) {
  return RouteTable::structured("minimal", std::make_shared<ClosRoutes>(topology));
}

extern const RoutingKind minimal_routing{{"minimal",
                                          "all shortest paths, on leaf-spine and other fabrics that weir generates. "
                                          "Virtual lanes needed: 2 on a dragonfly; with detours (choice valiant or "
                                          "ugal) 3 on a dragonfly or dragonfly+",
                                          {},
                                          "[routing]\nkind = \"minimal\"\n"},
                                         configure_minimal,
                                         minimal_routes};

}  // namespace weir
