// Headroom as operators compute it for switches that keep packets in cells: everything that may be under way, each byte
// of it in the smallest packets, which fill their cells worst. Weir's own switches keep bytes, and need what headroom.h
// says.
#pragma once
#include <cmath>

#include "base/units.h"

namespace weir {

struct OperatorHeadroom {
  Rate rate;
  double metres = 0;
  Bytes lossless_mtu = 1024;   // of the priority that is stopped
  Bytes port_mtu = 9100;       // a packet of any priority that the frame waits for
  Bytes mac_phy = 819;         // under way between the MACs, beside the cable
  Bytes gearbox = 0;           // in each of two gearboxes
  Bytes response = 0;          // that the peer sends before it stops
  double cell_overhead = 2.25;  // cells of 144 B that hold 64

  static constexpr double kMetresPerSecond = 198e6;  // in fibre, as in vendors' tables: 5.05 ns for each metre
  static constexpr Bytes kQuantum = 64;              // 512 bit times

  double on_cable() const {
    return 2 * metres * static_cast<double>(rate.bits_per_second) / kMetresPerSecond / 8;
  }
  // Rounded up to KiB, as it is configured.
  Bytes bytes() const {
    const double under_way = static_cast<double>(port_mtu + mac_phy + 2 * gearbox + response) + on_cable();
    const double exact = static_cast<double>(lossless_mtu) + under_way * cell_overhead;
    return static_cast<Bytes>(std::ceil(exact / 1024)) * 1024;
  }
};

// Pause quanta within which Ethernet's standard lets a peer stop, by its rate.
inline Bytes standard_response_quanta(Rate rate) {
  if (rate.gigabits() <= 100) return 394;
  return rate.gigabits() <= 200 ? 453 : 905;
}

}  // namespace weir
