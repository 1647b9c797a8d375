#include "measure/interval.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weir {
namespace {

// P(|T| <= t) with t = sqrt(freedom) tan(angle). For whole degrees of freedom the integral is a finite sum over powers
// of the cosine: even ones from 1, odd ones from the cosine itself.
double inner_probability(double angle, std::size_t freedom) {
  const double sine = std::sin(angle), cosine = std::cos(angle);
  const bool odd = freedom % 2 == 1;
  double term = odd ? cosine : 1.0, sum = 0;
  for (std::size_t i = odd ? 3 : 2; i <= freedom; i += 2) {
    sum += term;
    term *= cosine * cosine * static_cast<double>(i - 1) / static_cast<double>(i);
  }
  return odd ? (angle + sine * sum) * 2 / std::numbers::pi : sine * sum;
}

}  // namespace

double student_t(double confidence, std::size_t freedom) {
  double low = 0, high = std::numbers::pi / 2;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (inner_probability(middle, freedom) < confidence ? low : high) = middle;
  }
  return std::sqrt(static_cast<double>(freedom)) * std::tan((low + high) / 2);
}

std::optional<double> Interval::low() const {
  if (!half_width) return {};
  const double end = mean - *half_width;
  return least < 0 ? end : std::max(end, 0.0);
}

std::optional<double> Interval::high() const {
  if (!half_width) return {};
  return mean + *half_width;
}

bool Interval::narrow(double share) const { return half_width && *half_width <= share * std::abs(mean); }

Interval interval_of(std::span<const double> values, double confidence) {
  Interval result;
  result.values = values.size();
  if (values.empty()) return result;
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  for (const double value : values) result.least = std::min(result.least, value);
  result.mean = sum / count;
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.stdev = std::sqrt(squares / (count - 1));
  result.half_width = student_t(confidence, values.size() - 1) * *result.stdev / std::sqrt(count);
  return result;
}

}  // namespace weir
