// The entries of one bin, put in order: packets that land and events, by (time, kind, entity, aux).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "packet/clock/events.h"
#include "packet/packet.h"

namespace weir {

// One entry of a bin in its turn.
struct Turn {
  std::uint64_t order = ~std::uint64_t{0};  // time since the start of the bin, then kind and entity
  std::uint64_t what = 0;                   // the address of a packet, the aux of another event

  bool is_packet() const { return static_cast<std::uint32_t>(order) >> TimedEvent::kEntityBits == 0; }
  Packet& packet() const { return *reinterpret_cast<Packet*>(what); }
  TimedEvent event(std::int64_t start_of_bin) const {
    return {start_of_bin + static_cast<std::int64_t>(order >> 32), static_cast<std::uint32_t>(order),
            static_cast<std::uint32_t>(what)};
  }

  // Two packets never land on one channel at the same instant.
  friend bool operator<(const Turn& a, const Turn& b) {
    if (a.order != b.order) [[likely]] return a.order < b.order;
    return a.what < b.what;
  }
};
static_assert(EventKind::arrival == EventKind{});

class Turns {
 public:
  // Where entries of a bin are written, in any order; their times are counted meanwhile.
  struct Room {
    Turn* turn;
    std::uint8_t* counts;
    int down;

    [[gnu::always_inline]] void put(std::size_t place, const Turn& t) {
      turn[place] = t;
      ++counts[t.order >> down];
    }
  };

  // A bin is 2^shift ps long. It will be about as full as the last one.
  void begin_bin(int shift) {
    lines_ = count_ <= kFew ? 1 : 4;
    down_ = std::max(0, shift + 32 - (lines_ == 1 ? 6 : 8));
    count_ = 0;
    std::memset(counts_, 0, lines_ == 1 ? 64 : 256);
  }
  // What so many entries touch can be asked for all at once. Had the last bin no more?
  static constexpr std::size_t kFewToFetch = 128;
  bool few() const { return count_ <= kFewToFetch; }
  // For so many more; then sort() is called.
  Room more(std::size_t count) {
    const std::size_t first = count_;
    count_ += count;
    if (turn_.size() <= count_) [[unlikely]] {
      turn_.resize(2 * count_ + 1);
      ordered_.resize(2 * count_ + 1);
    }
    return {turn_.data() + first, counts_, down_};
  }
  void sort(int shift) {
    if (count_ > 1) {
      if (count_ > kSome) scatter(shift);
      else if (lines_ == 1) scatter_few<1>();
      else scatter_few<4>();
      turn_.swap(ordered_);
      finish();
    }
    next_ = turn_.data();
    end_ = next_ + count_;
    end_->order = kEnd;
  }

  bool empty() const { return next_ == end_; }
  // What so many entries touch does not stay in the cache until their bin is executed.
  bool crowded() const { return count_ > kCrowd; }
  const Turn& front() const { return *next_; }  // where there is none: one that comes after all others
  void pop() { ++next_; }
  // The one that comes after `places` others; null if there is none.
  const Turn* further(std::ptrdiff_t places) const { return end_ - next_ > places ? next_ + places : nullptr; }
  template <class Visit> void for_each(const Visit& visit) const {
    for (const Turn* t = next_; t != end_; ++t) visit(*t);
  }
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};

 private:
  static constexpr std::size_t kFew = 32, kSome = 255, kCrowd = 512;
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
  void scatter_few() {
    constexpr int kWords = 8 * Lines;
    constexpr std::uint64_t kEach = 0x0101010101010101u;
    // Where each place begins: sums of bytes, eight at a time.
    alignas(64) std::uint8_t begin[64 * Lines];
    std::uint64_t before = 0;
    for (int w = 0; w < kWords; ++w) {
      std::uint64_t word;
      std::memcpy(&word, counts_ + 8 * w, 8);
      const std::uint64_t sums = word * kEach, begins = (sums << 8) + before * kEach;
      std::memcpy(begin + 8 * w, &begins, 8);
      before += sums >> 56;
    }
    const Turn* const turn = turn_.data();
    Turn* const ordered = ordered_.data();
    const std::size_t count = count_;
    const int down = down_;
    for (std::size_t i = 0; i < count; ++i) ordered[begin[turn[i].order >> down]++] = turn[i];
  }
  // The same for any number of them.
  void scatter(int shift) {
    int bits = 6;
    while ((std::size_t{1} << bits) < count_ && bits < 10) ++bits;
    const int down = std::max(0, shift + 32 - bits);
    many_.assign((std::size_t{1} << bits) + 1, 0);
    for (std::size_t i = 0; i < count_; ++i) ++many_[(turn_[i].order >> down) + 1];
    std::size_t moves = 0;
    for (std::size_t i = 1; i < many_.size(); ++i) {
      moves += std::size_t{many_[i]} * many_[i] / 4;
      many_[i] += many_[i - 1];
    }
    if (moves > kMostMoves * count_) order_by_entity();
    for (std::size_t i = 0; i < count_; ++i) ordered_[many_[turn_[i].order >> down]++] = turn_[i];
  }
  // Where many nodes do the same at the same instants, time alone says little: kind and entity first, digit by digit;
  // what follows keeps that order.
  void order_by_entity() {
    constexpr int kDigits = 3, kBits = 11;
    constexpr std::size_t kValues = std::size_t{1} << kBits;
    const auto digit = [](const Turn& t, int d) { return (t.order & 0xffffffffu) >> (d * kBits) & (kValues - 1); };
    places_.assign(kDigits * kValues, 0);
    for (std::size_t i = 0; i < count_; ++i)
      for (int d = 0; d < kDigits; ++d) ++places_[static_cast<std::size_t>(d) * kValues + digit(turn_[i], d)];
    for (int d = 0; d < kDigits; ++d) {
      std::uint32_t* const place = places_.data() + static_cast<std::size_t>(d) * kValues;
      if (place[digit(turn_[0], d)] == count_) continue;  // all have the same
      std::uint32_t before = 0;
      for (std::size_t v = 0; v < kValues; ++v) before += std::exchange(place[v], before);
      for (std::size_t i = 0; i < count_; ++i) ordered_[place[digit(turn_[i], d)]++] = turn_[i];
      turn_.swap(ordered_);
    }
  }

  std::vector<Turn> turn_{1}, ordered_{1};  // the bin, and room to sort in
  std::size_t count_ = 0;
  Turn* next_ = turn_.data();
  Turn* end_ = next_;
  int lines_ = 1, down_ = 0;
  alignas(64) std::uint8_t counts_[256] = {};  // per place; they wrap where a bin has too many for them
  std::vector<std::uint32_t> many_, places_;
};

}  // namespace weir
