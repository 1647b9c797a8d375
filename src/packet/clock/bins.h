// Bins of records: each bin is a list of small chunks, all of them from one store. Appending writes to the end of the
// last chunk; a whole bin is read in one go and given back. Records never move while they are in a bin.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/big_vector.h"

namespace weir {

template <class Record>
class Bins {
 public:
  static constexpr std::uint32_t kChunk = 16;  // records
  struct Bin {
    std::uint32_t first = 0;  // chunk; 0 = none
    std::uint32_t end = 0;    // place behind the last record
    std::uint32_t count = 0;
  };

  // `expected`: records at a time. Memory is taken in blocks of a fraction of that.
  explicit Bins(std::uint64_t expected)
      : block_bits_(std::clamp(static_cast<std::uint32_t>(std::bit_width(expected)), 8u, 15u)),
        block_mask_((1u << block_bits_) - 1) {}

  // A new record at the end; returns its place. Before the first one of a bin, `begin` is called.
  template <class Begin>
  [[gnu::always_inline]] std::uint32_t append(Bin& bin, const Begin& begin) {
    std::uint32_t place = bin.end;
    if (place % kChunk == 0) [[unlikely]] {
      if (bin.count == 0) begin();
      place = extend(bin);
    }
    bin.end = place + 1;
    ++bin.count;
    return place;
  }
  Record& operator[](std::uint32_t place) { return starts_[place >> block_bits_][place & block_mask_]; }
  const Record& operator[](std::uint32_t place) const { return starts_[place >> block_bits_][place & block_mask_]; }

  // Each record comes twice: a few of them to `ahead`, then the same ones to `visit`.
  template <class Ahead, class Visit>
  [[gnu::always_inline]] void each_slot(const Bin& bin, const Ahead& ahead, const Visit& visit) const {
    std::uint32_t chunk = bin.first, left = bin.count;
    while (left > 0) {
      const std::uint32_t following = next_[chunk], here = left < kChunk ? left : kChunk;
      const Record* records = &(*this)[chunk * kChunk];
      if (following != 0) fetch(following);
      for (std::uint32_t i = 0; i < here; ++i) ahead(records[i]);
      for (std::uint32_t i = 0; i < here; ++i) visit(records[i], chunk * kChunk + i);
      left -= here;
      chunk = following;
    }
  }
  template <class Visit>
  void each(const Bin& bin, const Visit& visit) const {
    each_slot(bin, [](const Record&) {}, [&](const Record& record, std::uint32_t) { visit(record); });
  }
  void clear(Bin& bin) {
    if (bin.first != 0) {
      next_[(bin.end - 1) / kChunk] = free_;
      free_ = bin.first;
    }
    bin = {};
  }
  std::size_t bytes_of_state() const { return blocks_.size() * (sizeof(Record) << block_bits_) + next_.capacity() * 4; }

 private:
  void fetch(std::uint32_t chunk) const {
    const char* from = reinterpret_cast<const char*>(&(*this)[chunk * kChunk]);
    for (std::size_t i = 0; i < kChunk * sizeof(Record); i += 64) __builtin_prefetch(from + i);
  }
  [[gnu::noinline]] std::uint32_t extend(Bin& bin) {
    std::uint32_t chunk = free_;
    if (chunk != 0) {
      free_ = next_[chunk];
    } else {
      if (next_.empty()) next_.push_back(0);  // chunk 0 stands for none
      chunk = static_cast<std::uint32_t>(next_.size());
      next_.push_back(0);
      while (blocks_.size() <= (chunk * kChunk >> block_bits_)) {
        blocks_.emplace_back(std::size_t{1} << block_bits_);
        starts_.push_back(blocks_.back().data());
      }
    }
    next_[chunk] = 0;
    if (bin.count == 0) bin.first = chunk;
    else next_[(bin.end - 1) / kChunk] = chunk;
    return chunk * kChunk;
  }

  std::uint32_t block_bits_, block_mask_;
  std::vector<BigVector<Record>> blocks_;
  std::vector<Record*> starts_;      // of the blocks, close together
  std::vector<std::uint32_t> next_;  // per chunk: the following one of its bin, or of the free ones
  std::uint32_t free_ = 0;
};

}  // namespace weir
