// What repetitions tell: the mean of a number over runs with different seeds, and how far the true mean may be from it.
// The values of different seeds are independent and their number is small, so the interval is Student's.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

namespace weir {

struct Interval {
  std::size_t values = 0;
  double mean = 0;                   // 0 without values
  std::optional<double> stdev;       // of a single value, from two values on
  std::optional<double> half_width;  // the interval is mean - half_width to mean + half_width, from two values on
  double least = 0;                  // the lowest value, or 0 if that is lower

  // Of few skewed values the interval may reach below zero; where no value is negative, the mean is not either.
  std::optional<double> low() const;
  std::optional<double> high() const;

  // Not wider than so large a part of the mean, to either side. Two equal values are as narrow as can be.
  bool narrow(double share) const;
};

// `confidence` such as 0.95. The values are taken in the order given, so that equal values give equal bits.
Interval interval_of(std::span<const double> values, double confidence);

// The t with P(|T| <= t) = confidence for Student's distribution with so many (1 or more) degrees of freedom.
double student_t(double confidence, std::size_t freedom);

}  // namespace weir
