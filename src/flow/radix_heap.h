// A priority queue for keys that never fall below the last one taken, as saturation levels do in progressive filling.
// Entries lie in buckets by the highest bit in which their key differs from the last key taken; a bucket is
// redistributed when its turn comes, so an entry moves at most 64 times and in practice a few, always sequentially.
// Equal keys, of which fabrics with equal links have very many, cost O(1). Ties come out in a fixed order that depends
// on the pushes alone.
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
  void clear() {  // keeps the memory
    for (std::vector<Entry>& b : buckets_) b.clear();
    last_ = 0;
    size_ = 0;
  }
  // Keys are positive and finite. A key below the last one taken (rounding) counts as equal to it.
  void push(double key, std::uint32_t item) {
    const std::uint64_t bits = std::max(std::bit_cast<std::uint64_t>(key), last_);
    buckets_[bucket(bits)].push_back({std::bit_cast<double>(bits), item});
    ++size_;
  }
  // `soon(item)` is told of entries that are about to come out, so that the caller can prefetch what it will look at.
  template <class Soon>
  Entry pop(Soon soon) {
    if (buckets_[0].empty()) refill(soon);
    const Entry entry = buckets_[0].back();
    buckets_[0].pop_back();
    --size_;
    return entry;
  }

 private:
  std::size_t bucket(std::uint64_t bits) const { return static_cast<std::size_t>(std::bit_width(bits ^ last_)); }

  template <class Soon>
  void refill(Soon soon) {
    std::size_t b = 1;
    while (buckets_[b].empty()) ++b;
    std::vector<Entry>& from = buckets_[b];
    std::uint64_t smallest = ~0ull;
    for (const Entry& e : from) smallest = std::min(smallest, std::bit_cast<std::uint64_t>(e.key));
    last_ = smallest;
    const bool near = from.size() <= kNear;
    for (const Entry& e : from) {
      if (near) soon(e.item);
      buckets_[bucket(std::bit_cast<std::uint64_t>(e.key))].push_back(e);
    }
    from.clear();
  }

  static constexpr std::size_t kNear = 32;
  std::array<std::vector<Entry>, 65> buckets_;
  std::uint64_t last_ = 0;
  std::size_t size_ = 0;
};

}  // namespace weir
