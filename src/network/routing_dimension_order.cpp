// Sets up the records of dimension-order routes.
#include <string>
#include <utility>

#include "base/error.h"
#include "network/dimension_order.h"
#include "network/digits.h"
#include "network/routings.h"
#include "network/torus.h"

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

RouteTable dimension_order_routes(const Topology& topology, bool dateline) {
  if (topology.shape() != Shape::torus)
    throw InputError("routing `dor` corrects one dimension of a `torus` after the other; on this topology use `auto`");
  return RouteTable::by_dimension("dor", DimensionOrder(topology, dateline));
}

}  // namespace weir
