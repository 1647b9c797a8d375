// Sets up the records of dimension-order routes, and reads them; the routing `dor`.
#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "network/digits.h"
#include "network/routings/dimension_order.h"
#include "network/routings/routing_kind.h"
#include "network/routings/routings.h"
#include "network/topologies/torus_plan.h"

namespace weir {

DimensionOrder::DimensionOrder(const Topology& torus, bool dateline, bool detours)
    : wraps_(torus.shape() == Shape::torus), dateline_(dateline && wraps_), detours_(detours) {
  const TorusPlan plan(torus);
  std::uint32_t bit = 0;
  for (std::uint32_t i = 0; i < plan.dimensions(); ++i) {
    Dimension d;
    d.size = plan.size(i);
    d.shift = bit;
    d.mask = bit_range(0, bits_per_digit(d.size));
    d.up_port = plan.up_port(i);
    d.down_port = plan.down_port(i);
    d.own_parity = 1u << bit;
    for (Dimension& before : dimensions_) before.later_parity |= d.own_parity;
    for (const std::uint32_t end = bit + bits_per_digit(d.size); bit < end; ++bit)
      dimension_of_bit_[bit] = static_cast<std::uint8_t>(i);
    dimensions_.push_back(d);
  }
  for (std::uint32_t s = 0; s < torus.switches(); ++s) {
    Place place{0, torus.first_port(torus.node(SwitchId{s})).index};
    for (std::uint32_t i = 0; i < plan.dimensions(); ++i)
      place.coordinates |= plan.coordinate({s}, i) << dimensions_[i].shift;
    places_.push_back(place);
  }
  for (std::uint32_t h = 0; h < torus.hosts(); ++h)
    addresses_.push_back({places_[h / plan.hosts_per_switch()].coordinates, h % plan.hosts_per_switch()});
}

RouteStep DimensionOrder::towards(const Place& at, std::uint32_t coordinates, std::uint32_t base) const {
  const std::uint32_t differ = at.coordinates ^ coordinates;
  const Dimension& d = dimensions_[dimension_of_bit_[std::countr_zero(differ)]];
  const std::uint32_t x = at.coordinates >> d.shift & d.mask, y = coordinates >> d.shift & d.mask;
  if (!wraps_) return on(at.first_port + (y > x ? d.up_port : d.down_port), base);
  const std::uint32_t ahead = y > x ? y - x : y + d.size - x;  // hops upwards
  // Ties are shared out by a parity that half of all pairs have.
  const std::uint32_t parity = (at.coordinates & d.own_parity) | (coordinates & d.later_parity);
  const bool tie_goes_up = std::popcount(parity) % 2 == 0;
  const bool up = 2 * ahead == d.size ? tie_goes_up : 2 * ahead < d.size;
  const std::uint32_t behind_the_dateline = dateline_ && up == (y > x) ? 1 : 0;
  return on(at.first_port + (up ? d.up_port : d.down_port), base + behind_the_dateline);
}

RouteStep DimensionOrder::step(SwitchId s, HostId destination) const {
  const Place& at = places_[s.index];
  const Address& to = addresses_[destination.index];
  if (at.coordinates == to.coordinates) return on(at.first_port + to.port, 0);
  return towards(at, to.coordinates, 0);
}

std::optional<std::uint32_t> DimensionOrder::midpoint(SwitchId, HostId, std::uint64_t random) const {
  return below(static_cast<std::uint32_t>(places_.size()), random);
}

RouteStep DimensionOrder::detour_step(SwitchId s, Lane lane, HostId destination, std::uint32_t midpoint) const {
  const Place& at = places_[s.index];
  const bool is_past = lane.index >= per_phase() || s.index == midpoint;
  if (!is_past) return towards(at, places_[midpoint].coordinates, 0);
  const Address& to = addresses_[destination.index];
  if (at.coordinates == to.coordinates) return on(at.first_port + to.port, 0);
  return towards(at, to.coordinates, per_phase());
}

std::uint32_t DimensionOrder::distance(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t sum = 0;
  for (const Dimension& d : dimensions_) {
    const std::uint32_t x = a >> d.shift & d.mask, y = b >> d.shift & d.mask;
    const std::uint32_t straight = x > y ? x - y : y - x;
    sum += wraps_ ? std::min(straight, d.size - straight) : straight;
  }
  return sum;
}

std::uint32_t DimensionOrder::hops(SwitchId s, HostId destination) const {
  return distance(places_[s.index].coordinates, addresses_[destination.index].coordinates);
}

std::uint32_t DimensionOrder::detour_hops(SwitchId s, HostId destination, std::uint32_t midpoint) const {
  const std::uint32_t between = places_[midpoint].coordinates;
  return distance(places_[s.index].coordinates, between) +
         distance(between, addresses_[destination.index].coordinates);
}

RouteTable dimension_order_routes(const Topology& topology, bool dateline, bool detours) {
  if (topology.shape() == Shape::torus || topology.shape() == Shape::mesh)
    return RouteTable::structured("dor", std::make_shared<DimensionOrder>(topology, dateline, detours));
  if (topology.shape() == Shape::hyperx) return hyperx_routes(topology, detours);
  throw InputError(
      "routing `dor` (dimension order) works only on the topologies `torus`, `mesh` and `hyperx`; use `auto` here");
}

namespace {

constexpr std::string_view kRingLaneChoices[] = {"dateline", "none"};
constexpr ParamSpec kDimensionOrderParams[] = {
    {.name = "lanes",
     .type = ParamType::choice,
     .fallback = "\"dateline\"",
     .help = "dateline: packets change to a second lane at one point of each ring, which prevents deadlock; none: "
             "packets keep their lane, and rings of four or more switches can deadlock; meshes and hyperx need no "
             "dateline",
     .choices = kRingLaneChoices},
};

}  // namespace

extern const RoutingKind dimension_order_routing{
    {"dor",
     "dimension-order routing on a torus (in the shorter direction of each ring; needs switch.lanes = 2), mesh or "
     "hyperx",
     kDimensionOrderParams, "[routing]\nkind = \"dor\"\n"},
    [](const RoutingRequest& r) {
      return dimension_order_routes(r.topology, r.section.chooses("lanes", "dateline"), r.detours);
    },
    [](const Topology& topology, bool detours) -> std::optional<RouteTable> {
      const Shape shape = topology.shape();
      if (shape != Shape::torus && shape != Shape::mesh && shape != Shape::hyperx) return std::nullopt;
      return dimension_order_routes(topology, true, detours);
    }};

}  // namespace weir
