// A priority queue for keys that never fall below the last one taken, as saturation levels do in progressive filling.
// Entries lie in buckets by the highest 6-bit digit in which their key differs from the last key taken, and by their
// value of that digit; a bucket is redistributed over lower digits when its turn comes, so an entry moves at most 11
// times and in practice about three times, always sequentially. Equal keys, of which fabrics with equal links have very
// many, cost O(1). Ties come out in a fixed order that depends on the pushes alone.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace weir {

class RadixHeap {
 public:
  struct Entry {
    double key;
    std::uint32_t item;
  };

  bool empty() const { return size_ == 0; }
  // Empties it, keeps the memory. No key will be below `floor`; the nearer it is to them, the fewer moves.
  void restart(double floor) {
    for (std::size_t digit = 0; digit < kDigits; ++digit)  // there are many buckets, and mostly none is filled
      for (; filled_[digit] != 0; filled_[digit] &= filled_[digit] - 1)
        buckets_[digit * kValues + static_cast<std::size_t>(std::countr_zero(filled_[digit]))].clear();
    equal_.clear();
    filled_digits_ = 0;
    last_ = std::bit_cast<std::uint64_t>(floor);
    size_ = 0;
  }
  // Keys are positive and finite. A key below the last one taken (rounding) counts as equal to it.
  void push(double key, std::uint32_t item) {
    place({std::bit_cast<double>(std::max(std::bit_cast<std::uint64_t>(key), last_)), item});
    ++size_;
  }
  // `soon(item)` is told of entries that are about to come out, so that the caller can prefetch what it will look at.
  template <class Soon>
  Entry pop(Soon soon) {
    if (equal_.empty()) refill(soon);
    const Entry entry = equal_.back();
    equal_.pop_back();
    --size_;
    return entry;
  }

 private:
  static constexpr unsigned kDigitBits = 6, kDigits = 11;
  static constexpr std::size_t kValues = std::size_t{1} << kDigitBits;
  static constexpr std::size_t kNear = 32;

  void place(const Entry& e) {
    const auto bits = std::bit_cast<std::uint64_t>(e.key);
    if (bits == last_) {
      equal_.push_back(e);
      return;
    }
    const unsigned digit = static_cast<unsigned>(std::bit_width(bits ^ last_) - 1) / kDigitBits;
    const std::size_t value = bits >> (digit * kDigitBits) & (kValues - 1);
    filled_digits_ |= 1u << digit;
    filled_[digit] |= std::uint64_t{1} << value;
    buckets_[digit * kValues + value].push_back(e);
  }

  template <class Soon>
  void refill(Soon soon) {
    const auto digit = static_cast<unsigned>(std::countr_zero(filled_digits_));
    const auto value = static_cast<unsigned>(std::countr_zero(filled_[digit]));
    std::vector<Entry>& from = buckets_[digit * kValues + value];
    filled_[digit] &= filled_[digit] - 1;
    if (filled_[digit] == 0) filled_digits_ &= filled_digits_ - 1;
    std::uint64_t smallest = ~0ull;
    for (const Entry& e : from) smallest = std::min(smallest, std::bit_cast<std::uint64_t>(e.key));
    last_ = smallest;
    const bool near = from.size() <= kNear;
    for (const Entry& e : from) {
      if (near) soon(e.item);
      place(e);  // always into another bucket: with the smallest as last key, they differ in lower digits only
    }
    from.clear();
  }

  std::array<std::vector<Entry>, kDigits * kValues> buckets_;
  std::vector<Entry> equal_;  // to the last key
  std::array<std::uint64_t, kDigits> filled_{};
  std::uint32_t filled_digits_ = 0;
  std::uint64_t last_ = 0;
  std::size_t size_ = 0;
};

}  // namespace weir
