// The cold half of the histogram: merging, quantiles and listing the bins.
#include "measure/histogram.h"

#include <algorithm>

namespace weir {

std::uint64_t Histogram::bucket_low(std::size_t b) {
  constexpr std::size_t kSub = std::size_t{1} << kSubBits;
  if (b < kSub) return b;
  const std::size_t shift = (b >> kSubBits) - 1;
  return (kSub + (b & (kSub - 1))) << shift;
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t b = 0; b < counts_.size(); ++b) counts_[b] += other.counts_[b];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

std::vector<Histogram::Bin> Histogram::bins() const {
  std::vector<Bin> result;
  for (std::size_t b = 0; b < counts_.size(); ++b) {
    if (counts_[b] == 0) continue;
    // The last bucket would end at 2^64, which does not fit: its end is the largest value instead.
    const std::uint64_t high = b + 1 < kBuckets ? bucket_low(b + 1) : ~0ull;
    result.push_back({bucket_low(b), high, counts_[b]});
  }
  return result;
}

double Histogram::quantile(double q) const {
  if (count_ == 0) return 0;
  if (!(q > 0)) return static_cast<double>(min());
  if (q >= 1) return static_cast<double>(max());
  const double rank = q * static_cast<double>(count_);
  double before = 0;
  for (std::size_t b = 0; b < counts_.size(); ++b) {
    const auto here = static_cast<double>(counts_[b]);
    if (here == 0 || before + here < rank) {
      before += here;
      continue;
    }
    const auto low = static_cast<double>(bucket_low(b));
    const double high = b + 1 < kBuckets ? static_cast<double>(bucket_low(b + 1)) : static_cast<double>(~0ull);
    // A bucket of width one holds one value only: nothing to interpolate.
    const double value = high - low <= 1 ? low : low + (high - low) * (rank - before) / here;
    return std::clamp(value, static_cast<double>(min()), static_cast<double>(max()));
  }
  return static_cast<double>(max());
}

}  // namespace weir
