// The shortest ways of a Clos fabric: up to the lowest level that has the destination below it, then down. All ways up
// are allowed, and on the way down all cables of a bundle. By default destinations are spread over them, each with one
// way from anywhere.
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

 private:
  struct At {
    std::uint32_t first_port, level, subtree;
  };
  struct Ways {
    std::uint32_t first, count, usual;  // ports
  };
  Ways ways_from(SwitchId s, HostId destination) const {
    const At& at = at_[s.index];
    const std::uint32_t leaf = plan_.leaf_of(destination), port = plan_.port_of(destination);
    const std::uint32_t number = leaf * plan_.down(0) + port;  // of the destination, leaf by leaf
    if (plan_.subtree(at.level, leaf) == at.subtree) {
      if (at.level == 0) return {at.first_port + port, 1, 0};
      const std::uint32_t bundle = plan_.bundle(at.level - 1);
      return {at.first_port + plan_.child_towards(at.level, leaf) * bundle, bundle,
              number / plan_.replicas(at.level) % bundle};
    }
    const std::uint32_t up = plan_.up(at.level), bundle = plan_.bundle(at.level);
    const std::uint32_t spread = number / plan_.replicas(at.level);
    return {at.first_port + plan_.down_ports(at.level), up * bundle, spread % up * bundle + spread / up % bundle};
  }

  ClosPlan plan_;
  std::vector<At> at_;
  bool has_alternatives_ = false;
};

std::optional<RouteTable> minimal_routes(const Topology& topology, bool detours) {
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

RouteTable configure_minimal(const Section& section, const Topology& topology) {
  if (auto routes = minimal_routes(topology, wants_detours(section))) return *std::move(routes);
  throw InputError(
      "routing `minimal` follows the structure of a leaf-spine, clos, rail-optimised, dragonfly, dragonfly+, torus, "
      "mesh "
      "or hyperx fabric that has all its cables; on this topology use `auto`");
}

}  // namespace

RouteTable clos_routes(const Topology& topology) {
  return RouteTable::structured("minimal", std::make_shared<ClosRoutes>(topology));
}

extern const RoutingKind minimal_routing{
    {"minimal",
     "the shortest ways of a fabric whose structure is known, on the lanes that they need: 2 for a dragonfly, with "
     "detours (choice valiant or ugal) 3 for a dragonfly or dragonfly+",
     {},
     "[routing]\nkind = \"minimal\"\n"},
    configure_minimal,
    minimal_routes};

}  // namespace weir
