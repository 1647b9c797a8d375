// The entries of one bin, put in order: packets that land and events, by (time, kind, entity, aux).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace weir {

// One entry of a bin in its turn.
struct Turn {
  std::uint64_t order;  // time since the start of the bin, then kind and entity
  std::uint32_t aux;    // of the event; what prepare() said of the packet
  std::uint32_t slot;   // of the packet, kNone for events

  friend bool operator<(const Turn& a, const Turn& b) {
    if (a.order != b.order) [[likely]] return a.order < b.order;
    return a.aux < b.aux;
  }
};

class Turns {
 public:
  // Room for so many; they are written there in any order, then sort() is called. `shift`: a bin is 2^shift ps long.
  Turn* begin_bin(std::size_t count) {
    count_ = count;
    next_ = 0;
    if (turn_.size() < count) {
      turn_.resize(2 * count);
      ordered_.resize(2 * count);
    }
    return turn_.data();
  }
  void sort(int shift) {
    if (count_ < 2) return;
    if (count_ <= kFew ? !scatter_few<1>(shift) : count_ <= kSome ? !scatter_few<4>(shift) : !scatter(shift))
      return std::sort(turn_.begin(), turn_.begin() + static_cast<std::ptrdiff_t>(count_));
    turn_.swap(ordered_);
    // Nearly done: what shares a place, or an instant and an entity, may still have to change places.
    Turn* turn = turn_.data();
    for (std::size_t a = 1; a < count_; ++a) {
      if (!(turn[a] < turn[a - 1])) [[likely]] continue;
      const Turn t = turn[a];
      std::size_t i = a;
      for (; i > 0 && t < turn[i - 1]; --i) turn[i] = turn[i - 1];
      turn[i] = t;
    }
  }

  bool empty() const { return next_ == count_; }
  const Turn& front() const { return turn_[next_]; }
  void pop() { ++next_; }
  template <class Visit> void for_each(const Visit& visit) const {
    for (std::size_t i = next_; i < count_; ++i) visit(turn_[i]);
  }

 private:
  static constexpr std::size_t kFew = 32, kSome = 255;
  static constexpr std::uint32_t kCrowded = 48;

  // By time, which is spread rather evenly within a bin, into Lines x 64 places whose counts are bytes. False if too
  // many share a place.
  template <int Lines>
  bool scatter_few(int shift) {
    constexpr int kWords = 8 * Lines;
    constexpr std::uint64_t kEach = 0x0101010101010101u;
    const int down = std::max(0, shift + 32 - (Lines == 1 ? 6 : 8));
    alignas(64) std::uint8_t counts[64 * Lines] = {};
    const Turn* turn = turn_.data();
    std::uint8_t most = 0;
    for (std::size_t i = 0; i < count_; ++i) most = std::max(most, ++counts[turn[i].order >> down]);
    if (most > kCrowded) return false;
    // Where each place begins: sums of bytes, eight at a time.
    std::uint64_t before = 0;
    for (int w = 0; w < kWords; ++w) {
      std::uint64_t word;
      std::memcpy(&word, counts + 8 * w, 8);
      const std::uint64_t sums = word * kEach, begins = (sums << 8) + before * kEach;
      std::memcpy(counts + 8 * w, &begins, 8);
      before += sums >> 56;
    }
    for (std::size_t i = 0; i < count_; ++i) ordered_[counts[turn[i].order >> down]++] = turn[i];
    return true;
  }
  // The same for any number of them.
  bool scatter(int shift) {
    int bits = 6;
    while ((std::size_t{1} << bits) < count_ && bits < 10) ++bits;
    const int down = std::max(0, shift + 32 - bits);
    counts_.assign((std::size_t{1} << bits) + 1, 0);
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < count_; ++i) most = std::max(most, ++counts_[(turn_[i].order >> down) + 1]);
    if (most > kCrowded) return false;
    for (std::size_t i = 1; i < counts_.size(); ++i) counts_[i] += counts_[i - 1];
    for (std::size_t i = 0; i < count_; ++i) ordered_[counts_[turn_[i].order >> down]++] = turn_[i];
    return true;
  }

  std::vector<Turn> turn_, ordered_;  // the bin, and room to sort in
  std::size_t count_ = 0, next_ = 0;
  std::vector<std::uint32_t> counts_;
};

}  // namespace weir
