// Numbers from repeated runs: mean, extremes, and a 95 % confidence interval of the mean.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace weir {

// For samples of any size, kept in a few numbers. Normal approximation, so for many numbers; interval.h has Student's t
// for the few repetitions of a run. The interval is 0 for fewer than two numbers.
class Sample {
 public:
  void add(double x) {
    ++count_;
    const double before = x - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (x - mean_);
    min_ = count_ == 1 ? x : std::min(min_, x);
    max_ = count_ == 1 ? x : std::max(max_, x);
  }
  std::size_t count() const { return count_; }
  double mean() const { return mean_; }
  double min() const { return min_; }
  double max() const { return max_; }
  double half_width() const {
    if (count_ < 2) return 0;
    const auto n = static_cast<double>(count_);
    return 1.959963984540054 * std::sqrt(squares_ / (n - 1) / n);
  }

 private:
  std::size_t count_ = 0;
  double mean_ = 0, squares_ = 0, min_ = 0, max_ = 0;
};

}  // namespace weir
