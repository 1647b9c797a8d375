// Dimension-order routes of a torus or mesh, computed: no table, one record per switch and one word per host. A packet
// corrects its coordinates one dimension after the other, on a torus the shorter way round each ring.
//
// Rings are cycles, so packets that follow each other round a ring could wait in a circle. Two lanes cut it at the link
// between the last position and the first, the dateline: a packet that has that link still ahead goes on lane 0, any
// other on lane 1. From lane 1 nothing leads back to lane 0 in the same ring, and lane 1 ends before the cut. Where a
// packet is and where it goes tell which of the two it is, so nothing needs to be remembered. A mesh has no rings and
// needs no lanes.
//
// Detours go over any switch, and have these lanes once for the way to the midpoint and once more, above, for the rest.
#pragma once
#include <cstdint>
#include <vector>

#include "network/routings/structured_routes.h"
#include "network/topology.h"

namespace weir {

class DimensionOrder : public StructuredRoutes {
 public:
  DimensionOrder(const Topology& grid, bool dateline, bool detours = false);

  RouteStep step(SwitchId s, HostId destination) const override;
  std::uint32_t lanes() const override { return detours_ ? 2 * per_phase() : per_phase(); }
  bool proves_no_cycle() const override { return !wraps_ || dateline_; }
  std::size_t bytes_of_state() const override {
    return places_.capacity() * sizeof(Place) + addresses_.capacity() * sizeof(Address);
  }
  bool has_dateline() const { return dateline_; }

  std::uint32_t midpoints() const override { return detours_ ? static_cast<std::uint32_t>(places_.size()) : 0; }
  std::optional<std::uint32_t> midpoint(SwitchId s, HostId destination, std::uint64_t random) const override;
  RouteStep detour_step(SwitchId s, Lane lane, HostId destination, std::uint32_t midpoint) const override;
  std::uint32_t hops(SwitchId s, HostId destination) const override;
  std::uint32_t detour_hops(SwitchId s, HostId destination, std::uint32_t midpoint) const override;

 private:
  // Coordinates are packed, the first dimension in the lowest bits.
  struct Place {
    std::uint32_t coordinates = 0, first_port = 0;
  };
  struct Address {
    std::uint32_t coordinates = 0, port = 0;  // of its switch
  };
  struct Dimension {
    std::uint32_t size = 0, mask = 0, shift = 0, up_port = 0, down_port = 0;
    std::uint32_t own_parity = 0, later_parity = 0;  // lowest bits: of this coordinate, of those still to be corrected
  };
  std::uint32_t per_phase() const { return dateline_ ? 2 : 1; }
  RouteStep on(std::uint32_t port, std::uint32_t lane) const {
    return dateline_ || detours_ ? RouteStep(PortId{port}, Lane{lane}) : PortId{port};
  }
  // One hop nearer to other coordinates, on the lanes from `base` on.
  RouteStep towards(const Place& at, std::uint32_t coordinates, std::uint32_t base) const;
  std::uint32_t distance(std::uint32_t a, std::uint32_t b) const;

  bool wraps_ = true, dateline_ = true, detours_ = false;
  std::vector<Place> places_;
  std::vector<Address> addresses_;
  std::vector<Dimension> dimensions_;
  std::uint8_t dimension_of_bit_[32] = {};
};

}  // namespace weir
