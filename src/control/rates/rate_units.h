// The numbers that control packets carry. Rates are whole multiples of 2^-20 bit/s and weights are whole numbers, so
// that sums along a link are exact whatever the order in which flows come and go, and the ports of a fabric can never
// promise more than they have. A share (capacity per weight) is a fraction of two such numbers; shares are compared by
// cross-multiplication, never as rounded quotients.
#pragma once
#include <cstdint>

#include "base/units.h"

namespace weir {

using RateUnits = std::int64_t;     // of 2^-20 bit/s; a link may have up to 8 Tb/s
using RateWeight = std::uint64_t;   // of a flow, or the sum over the flows of a link; below 2^62
inline constexpr int kRateUnitBits = 20;

// What rate calculation may give away of a link when the share `reserved` of it is kept for other traffic.
inline RateUnits rate_units(Rate rate, double reserved = 0) {
  const auto whole = static_cast<double>(rate.bits_per_second) * (1 << kRateUnitBits);
  return static_cast<RateUnits>(whole * (1 - reserved));
}
inline double bits_per_second(RateUnits units) { return static_cast<double>(units) / (1 << kRateUnitBits); }

// Capacity per unit of weight: a normalised rate. Weight 0 makes it infinite.
struct Share {
  RateUnits capacity = 1;
  RateWeight weight = 0;

  static constexpr Share infinite() { return {1, 0}; }
  static constexpr Share none() { return {0, 1}; }
  bool is_infinite() const { return weight == 0; }

  // Rate of a flow of this weight, rounded down: flows never get more than the link has.
  RateUnits rate_of(RateWeight w) const {
    return static_cast<RateUnits>(static_cast<Product>(capacity) * w / weight);
  }
  friend bool operator<(const Share& a, const Share& b) { return a.product(b.weight) < b.product(a.weight); }
  friend bool operator==(const Share& a, const Share& b) { return !(a < b) && !(b < a); }

  // Equal or larger, or so little below that a step up would be the rounding of rates and nothing else. Two bottlenecks
  // with the same share in theory are then one step and not two. The machines rely on nothing but its transitivity with
  // <: a <= b <= c, and a reaches c, then a reaches b and b reaches c.
  bool reaches(const Share& goal) const {
    const Product own = product(goal.weight), wanted = goal.product(weight);
    return own >= wanted - (wanted >> kSameBits);
  }

 private:
  static constexpr int kSameBits = 40;
  __extension__ using Product = unsigned __int128;
  Product product(RateWeight w) const { return static_cast<Product>(capacity) * w; }
};

inline Share least(const Share& a, const Share& b) { return b < a ? b : a; }

}  // namespace weir
