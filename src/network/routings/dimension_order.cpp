// Sets up the records of dimension-order routes, and reads them.
#include <bit>
#include <string>
#include <utility>

#include "base/error.h"
#include "network/digits.h"
#include "network/routings/dimension_order.h"
#include "network/routings/routing_kind.h"
#include "network/routings/routings.h"
#include "network/topologies/torus_ports.h"

namespace weir {

DimensionOrder::DimensionOrder(const Topology& torus, bool dateline) : dateline_(dateline) {
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

// Not inline: it would crowd the registers of the loop that looks up the ways of all packets.
RouteStep DimensionOrder::step(SwitchId s, HostId destination) const {
  const Place& at = places_[s.index];
  const Address& to = addresses_[destination.index];
  const std::uint32_t differ = at.coordinates ^ to.coordinates;
  if (differ == 0) return on({at.first_port + to.port}, 0);
  const Dimension& d = dimensions_[dimension_of_bit_[std::countr_zero(differ)]];
  const std::uint32_t x = at.coordinates >> d.shift & d.mask, y = to.coordinates >> d.shift & d.mask;
  const std::uint32_t ahead = y > x ? y - x : y + d.size - x;  // hops upwards
  // Ties are shared out by a parity that half of all pairs have.
  const std::uint32_t parity = (at.coordinates & d.own_parity) | (to.coordinates & d.later_parity);
  const bool tie_goes_up = std::popcount(parity) % 2 == 0;
  const bool up = 2 * ahead == d.size ? tie_goes_up : 2 * ahead < d.size;
  return on({at.first_port + (up ? d.up_port : d.down_port)}, up == (y > x) ? 1 : 0);
}

RouteTable dimension_order_routes(const Topology& topology, bool dateline) {
  if (topology.shape() != Shape::torus)
    throw InputError("routing `dor` corrects one dimension of a `torus` after the other; on this topology use `auto`");
  return RouteTable::by_dimension("dor", DimensionOrder(topology, dateline));
}

namespace {

constexpr std::string_view kRingLaneChoices[] = {"dateline", "none"};
constexpr ParamSpec kDimensionOrderParams[] = {
    {.name = "lanes",
     .type = ParamType::choice,
     .fallback = "\"dateline\"",
     .help = "dateline: two lanes cut every ring, so that packets cannot wait for each other in a circle; none: "
             "packets keep their lane, and rings of four switches and more can deadlock",
     .choices = kRingLaneChoices},
};

}  // namespace

extern const RoutingKind dimension_order_routing{
    {"dor", "dimension order on a torus, the shorter way round each ring; needs switch.lanes = 2",
     kDimensionOrderParams, "[routing]\nkind = \"dor\"\n"},
    [](const Section& s, const Topology& topology) {
      return dimension_order_routes(topology, s.text("lanes") == "dateline");
    },
    [](const Topology& topology) {
      return topology.shape() == Shape::torus ? std::optional(dimension_order_routes(topology)) : std::nullopt;
    }};

}  // namespace weir
