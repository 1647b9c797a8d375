// Dimension-order routes of a torus, computed: no table, one record per switch and one word per host. A packet corrects
// its coordinates one dimension after the other, the shorter way round each ring.
//
// Rings are cycles, so packets that follow each other round a ring could wait in a circle. Two lanes cut it at the link
// between the last position and the first, the dateline: a packet that has that link still ahead goes on lane 0, any
// other on lane 1. From lane 1 nothing leads back to lane 0 in the same ring, and lane 1 ends before the cut. Where a
// packet is and where it goes tell which of the two it is, so nothing needs to be remembered.
#pragma once
#include <cstdint>
#include <vector>

#include "network/route_step.h"
#include "network/topology.h"

namespace weir {

class DimensionOrder {
 public:
  DimensionOrder() = default;
  DimensionOrder(const Topology& torus, bool dateline);

  RouteStep step(SwitchId s, HostId destination) const;
  bool has_dateline() const { return dateline_; }
  std::size_t bytes_of_state() const {
    return places_.capacity() * sizeof(Place) + addresses_.capacity() * sizeof(Address);
  }

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
  RouteStep on(PortId port, std::uint32_t lane) const { return dateline_ ? RouteStep(port, Lane{lane}) : port; }

  bool dateline_ = true;
  std::vector<Place> places_;
  std::vector<Address> addresses_;
  std::vector<Dimension> dimensions_;
  std::uint8_t dimension_of_bit_[32] = {};
};

}  // namespace weir
