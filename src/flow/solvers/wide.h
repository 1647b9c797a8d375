// Numbers wider than a double, for the rate solvers. A link's residual capacity is what is left after many
// subtractions; in double precision a flow of weight 1 beside flows of weight 10,000 would see the rounding of the
// others amplified by that ratio at every step of a chain of bottlenecks. Therefore sums are 128-bit fixed-point
// integers (exact, and independent of the order of additions), and a quotient is a pair of doubles (about 2^-100).
#pragma once
#include <cmath>
#include <cstdint>

namespace weir::wide {

__extension__ using Fixed = __int128;

// An unevaluated sum hi + lo with |lo| <= ulp(hi) / 2. Relies on strict IEEE arithmetic (-ffp-contract=off).
struct Pair {
  double hi = 0, lo = 0;
};

inline Pair quick_two_sum(double a, double b) {  // |a| >= |b|
  const double s = a + b;
  return {s, b - (s - a)};
}

inline Pair two_product(double a, double b) {
  constexpr double kSplit = 134217729.0;  // 2^27 + 1
  const double p = a * b;
  const double ta = kSplit * a, tb = kSplit * b;
  const double ah = ta - (ta - a), bh = tb - (tb - b);
  const double al = a - ah, bl = b - bh;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

inline Pair multiply(Pair a, double b) {
  const Pair p = two_product(a.hi, b);
  return quick_two_sum(p.hi, p.lo + a.lo * b);
}

inline Pair multiply(Pair a, Pair b) {
  const Pair p = two_product(a.hi, b.hi);
  return quick_two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

inline bool less(Pair a, Pair b) { return a.hi < b.hi || (!(b.hi < a.hi) && a.lo < b.lo); }

// A running sum of doubles that keeps what rounding cuts off.
class Sum {
 public:
  void add(double x) {
    const double s = hi_ + x;
    const double part = s - hi_;
    lo_ += (hi_ - (s - part)) + (x - part);
    hi_ = s;
  }
  double value() const { return hi_ + lo_; }

 private:
  double hi_ = 0, lo_ = 0;
};

// a / b with one correction step of the long division: relative error about 2^-100.
inline Pair divide(Pair a, Pair b) {
  const double quotient = a.hi / b.hi;
  const Pair product = multiply(b, quotient);
  const double rest =
      (a.hi - product.hi) + (a.lo - product.lo);  // the first difference is exact: both agree to few ulps
  return quick_two_sum(quotient, rest / b.hi);
}

// The value of a non-negative fixed-point number, in units of its last place.
inline Pair to_pair(Fixed x) {
  constexpr std::uint64_t kMask = (1ull << 43) - 1;
  const auto top = static_cast<double>(static_cast<std::int64_t>(x >> 86)) * 0x1p86;
  const auto middle =
      static_cast<double>(static_cast<std::int64_t>(static_cast<std::uint64_t>(x >> 43) & kMask)) * 0x1p43;
  const auto bottom = static_cast<double>(static_cast<std::int64_t>(static_cast<std::uint64_t>(x) & kMask));
  const Pair upper = quick_two_sum(top, middle);
  const Pair lower = quick_two_sum(upper.lo, bottom);
  const Pair sum = quick_two_sum(upper.hi, lower.hi);
  return {sum.hi, sum.lo + lower.lo};
}

inline double to_double(Fixed x) { return to_pair(x).hi; }

// Truncated to an integer; 0 <= value < 2^126.
inline Fixed to_fixed(Pair value) {
  const auto high = static_cast<std::int64_t>(value.hi * 0x1p-63);
  const double rest = value.hi - static_cast<double>(high) * 0x1p63;
  const auto low_high = static_cast<std::int64_t>(value.lo * 0x1p-20);
  const double low_rest = value.lo - static_cast<double>(low_high) * 0x1p20;
  return (static_cast<Fixed>(high) << 63) + static_cast<std::int64_t>(rest) + (static_cast<Fixed>(low_high) << 20) +
         static_cast<std::int64_t>(low_rest);
}

// 2^exponent units make one: chosen so that `largest` keeps clear of the sign bit, and multiplications by it are exact.
struct Scale {
  double units = 1, inverse = 1;

  static constexpr int kBits = 124;

  static Scale for_largest(double largest, int bits = kBits) {
    int exponent = 0;
    std::frexp(largest, &exponent);  // largest < 2^exponent
    return {std::ldexp(1.0, bits - exponent), std::ldexp(1.0, exponent - bits)};
  }
  Fixed fixed(double value) const { return to_fixed({value * units, 0}); }
  Fixed fixed(Pair value) const { return to_fixed({value.hi * units, value.lo * units}); }
};

}  // namespace weir::wide
