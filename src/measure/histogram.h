// A latency histogram with bounded relative error and constant cost: 64 sub-buckets per power of two (values are
// right to 1.6 %), exact count, sum, minimum and maximum. Adding is branch-light; merging is addition.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "measure/time_sum.h"

namespace weir {

class Histogram {
 public:
  void add(std::uint64_t value) {
    ++counts_[bucket(value)];
    ++count_;
    sum_ += value;
    if (value < min_) min_ = value;
    if (value > max_) max_ = value;
  }
  void merge(const Histogram& other);
  std::uint64_t count() const { return count_; }
  double mean() const { return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_); }
  std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
  std::uint64_t max() const { return max_; }
  // Value below which a share q of the samples lies (interpolated inside a bucket, clamped to [min, max]).
  double quantile(double q) const;
  struct Bin {
    std::uint64_t low, high, count;  // [low, high)
  };
  std::vector<Bin> bins() const;  // non-empty ones

  void each_field(auto&& visit) {
    visit(counts_);
    visit(count_);
    visit(min_);
    visit(max_);
    visit(sum_);
  }

 private:
  static constexpr int kSubBits = 6;
  static constexpr std::size_t kBuckets = (64 - kSubBits + 1) << kSubBits;
  static std::size_t bucket(std::uint64_t v) {
    if (v < (1u << kSubBits)) return v;
    const int shift = 63 - std::countl_zero(v) - kSubBits;
    return (static_cast<std::size_t>(shift + 1) << kSubBits) + ((v >> shift) & ((1u << kSubBits) - 1));
  }
  static std::uint64_t bucket_low(std::size_t b);
  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(kBuckets, 0);
  std::uint64_t count_ = 0, min_ = ~0ull, max_ = 0;
  TimeSum sum_;
};

}  // namespace weir
