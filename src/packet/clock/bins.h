// Bins of records: each bin is a list of small chunks, all of them from one store. Appending writes to the end of the
// last chunk; a whole bin is read in one go and given back. Records never move while they are in a bin.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/big_vector.h"

namespace weir {

template <class Record>
class Bins {
  static constexpr std::size_t kRecords = 15, kChunkBytes = (kRecords + 1) * sizeof(Record);
  static_assert(std::has_single_bit(kChunkBytes));

  // It begins at a multiple of its size, so that the end of the last record tells whether it is full.
  struct alignas(kChunkBytes) Chunk {
    Chunk* next = nullptr;  // of its bin, or of the free ones
    alignas(sizeof(Record)) Record records[kRecords] = {};
  };
  static_assert(sizeof(Chunk) == kChunkBytes);

 public:
  struct Bin {
    Chunk* first = nullptr;
    Record* end = nullptr;  // behind the last record
  };

  // Walks along a bin that may still grow.
  struct Cursor {
    Record* at = nullptr;  // the next record; none yet
  };

  // `expected`: records at a time. Memory is taken in blocks of a fraction of that.
  explicit Bins(std::uint64_t expected)
      : block_((std::size_t{1} << std::clamp(static_cast<int>(std::bit_width(expected)), 8, 15)) / (kRecords + 1)) {}

  // A new record at the end. Before the first one of a bin, `begin` is called.
  template <class Begin>
  [[gnu::always_inline]] Record& append(Bin& bin, const Begin& begin) {
    Record* place = bin.end;
    if (reinterpret_cast<std::uintptr_t>(place) % kChunkBytes == 0) [[unlikely]] {
      if (bin.first == nullptr) begin();
      place = extend(bin);
    }
    bin.end = place + 1;
    __builtin_prefetch(place + 1, 1);
    return *place;
  }

  // visit(records, how many), for each stretch of them.
  template <class Visit>
  [[gnu::always_inline]] static void each_stretch(const Bin& bin, const Visit& visit) {
    for (Chunk* chunk = bin.first; chunk != nullptr; chunk = chunk->next) {
      if (chunk->next == nullptr) return visit(chunk->records, static_cast<std::size_t>(bin.end - chunk->records));
      fetch(chunk->next);
      visit(chunk->records, kRecords);
    }
  }
  template <class Visit>
  static void each(const Bin& bin, const Visit& visit) {
    each_stretch(bin, [&](const Record* records, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) visit(records[i]);
    });
  }
  // Are there no more than so many, where the last chunk counts as full?
  static bool at_most(const Bin& bin, std::size_t count) {
    std::size_t seen = 0;
    for (const Chunk* chunk = bin.first; chunk != nullptr && seen <= count; chunk = chunk->next) seen += kRecords;
    return seen <= count;
  }
  // It will be walked along soon.
  static void fetch_first(const Bin& bin) {
    if (bin.first != nullptr) fetch(bin.first);
  }
  // visit(record) for the next one; false if there is none by now.
  template <class Visit>
  [[gnu::always_inline]] static bool step(const Bin& bin, Cursor& cursor, const Visit& visit) {
    if (cursor.at == bin.end) return false;
    if (reinterpret_cast<std::uintptr_t>(cursor.at) % kChunkBytes == 0) [[unlikely]] {
      const Chunk* const chunk = cursor.at == nullptr ? bin.first : chunk_before(cursor.at)->next;
      if (chunk->next != nullptr) fetch(chunk->next);
      cursor.at = const_cast<Record*>(chunk->records);
    }
    visit(*cursor.at++);
    return true;
  }
  void clear(Bin& bin) {
    if (bin.first != nullptr) {
      last_of(bin)->next = free_;
      free_ = bin.first;
    }
    bin = {};
  }
  std::size_t bytes_of_state() const { return blocks_.size() * block_ * sizeof(Chunk); }

 private:
  static Chunk* last_of(const Bin& bin) { return chunk_before(bin.end); }
  static Chunk* chunk_before(const Record* end) {
    return reinterpret_cast<Chunk*>((reinterpret_cast<std::uintptr_t>(end) - 1) / kChunkBytes * kChunkBytes);
  }
  [[gnu::always_inline]] static void fetch(const Chunk* chunk) {
    const char* from = reinterpret_cast<const char*>(chunk);
    for (std::size_t i = 0; i < sizeof(Chunk); i += 64) __builtin_prefetch(from + i);
  }
  [[gnu::noinline]] Record* extend(Bin& bin) {
    if (free_ == nullptr) grow();
    Chunk* const chunk = free_;
    free_ = chunk->next;
    chunk->next = nullptr;
    if (bin.first == nullptr) bin.first = chunk;
    else last_of(bin)->next = chunk;
    return chunk->records;
  }
  void grow() {
    blocks_.emplace_back(block_);
    for (Chunk& chunk : blocks_.back()) chunk.next = &chunk + 1;
    blocks_.back().back().next = nullptr;
    free_ = blocks_.back().data();
  }

  std::size_t block_;  // chunks
  std::vector<BigVector<Chunk>> blocks_;
  Chunk* free_ = nullptr;
};

}  // namespace weir
