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
  std::uint64_t order = ~std::uint64_t{0};  // time since the start of the bin, then kind and entity
  std::uint32_t aux = 0;    // of the event; what prepare() said of the packet
  std::uint32_t slot = 0;   // of the packet, kNone for events

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
    if (turn_.size() <= count) {
      turn_.resize(2 * count + 1);
      ordered_.resize(2 * count + 1);
    }
    return turn_.data();
  }
  void sort(int shift) {
    if (count_ > 1) {
      if (count_ <= kFew) scatter_few<1>(shift);
      else if (count_ <= kSome) scatter_few<4>(shift);
      else scatter(shift);
      turn_.swap(ordered_);
      finish();
    }
    next_ = turn_.data();
    end_ = next_ + count_;
    end_->order = kEnd;
  }

  bool empty() const { return next_ == end_; }
  const Turn& front() const { return *next_; }  // where there is none: one that comes after all others
  void pop() { ++next_; }
  template <class Visit> void for_each(const Visit& visit) const {
    for (const Turn* t = next_; t != end_; ++t) visit(*t);
  }
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};

 private:
  static constexpr std::size_t kFew = 32, kSome = 255;
  static constexpr std::size_t kMostMoves = 16;  // per entry

  // Nearly done: what shares a place, or an instant and an entity, may still have to change places. Where many share
  // one, that would take long.
  void finish() {
    Turn* turn = turn_.data();
    std::size_t moves = 0;
    for (std::size_t a = 1; a < count_; ++a) {
      if (turn[a - 1].order < turn[a].order) [[likely]] continue;
      const Turn t = turn[a];
      std::size_t i = a;
      for (; i > 0 && t < turn[i - 1]; --i) turn[i] = turn[i - 1];
      turn[i] = t;
      moves += a - i;
      if (moves > kMostMoves * count_) return std::sort(turn, turn + count_);
    }
  }

  // By time, which is spread rather evenly within a bin, into Lines x 64 places whose counts are bytes.
  template <int Lines>
  void scatter_few(int shift) {
    constexpr int kWords = 8 * Lines;
    constexpr std::uint64_t kEach = 0x0101010101010101u;
    const int down = std::max(0, shift + 32 - (Lines == 1 ? 6 : 8));
    alignas(64) std::uint8_t counts[64 * Lines] = {};
    const Turn* const turn = turn_.data();
    const std::size_t count = count_;
    for (std::size_t i = 0; i < count; ++i) ++counts[turn[i].order >> down];
    // Where each place begins: sums of bytes, eight at a time.
    std::uint64_t before = 0;
    for (int w = 0; w < kWords; ++w) {
      std::uint64_t word;
      std::memcpy(&word, counts + 8 * w, 8);
      const std::uint64_t sums = word * kEach, begins = (sums << 8) + before * kEach;
      std::memcpy(counts + 8 * w, &begins, 8);
      before += sums >> 56;
    }
    Turn* const ordered = ordered_.data();
    for (std::size_t i = 0; i < count; ++i) ordered[counts[turn[i].order >> down]++] = turn[i];
  }
  // The same for any number of them.
  void scatter(int shift) {
    int bits = 6;
    while ((std::size_t{1} << bits) < count_ && bits < 10) ++bits;
    const int down = std::max(0, shift + 32 - bits);
    counts_.assign((std::size_t{1} << bits) + 1, 0);
    for (std::size_t i = 0; i < count_; ++i) ++counts_[(turn_[i].order >> down) + 1];
    for (std::size_t i = 1; i < counts_.size(); ++i) counts_[i] += counts_[i - 1];
    for (std::size_t i = 0; i < count_; ++i) ordered_[counts_[turn_[i].order >> down]++] = turn_[i];
  }

  std::vector<Turn> turn_{1}, ordered_{1};  // the bin, and room to sort in
  std::size_t count_ = 0;
  Turn* next_ = turn_.data();
  Turn* end_ = next_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace weir
