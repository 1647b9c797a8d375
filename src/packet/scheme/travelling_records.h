// Records that travel with packets that have no room for them: telemetry, for example. A record lies at the host that
// the packet comes from, and the packet carries its number. Whoever holds the packet owns the record, and nobody else
// touches it: its source host takes one and sends the packet off, switches on the way write into it, and the
// acknowledgement, a copy of the packet, brings the number back to the source, which reads the record and gives it
// back. Packets pass between threads at the end of a window, and the records with them; so there are no races. For
// that, a record never moves: chunks are added, each twice as large as the one before, and the table of chunks has
// its full size from the start. Where several processes share a run, a record is copied from one to the next with its
// packet, to the same place (SchemeHooks::send_along()).
//
// What switches must read (how much is written already, for example) is better carried by the packet itself, which is
// at hand: writing to a record that is not in the cache takes no time, reading it does. A record touches as few cache
// lines as it can.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/lasting_memory.h"
#include "packet/scheme/scheme_state.h"

namespace weir {

// A record is an array of items, as many in each; their number is known when the run is set up. What is in a record
// that was just taken is left over from somebody.
template <class Item>
class TravellingRecords final : public StateTable {
 public:
  static_assert(std::is_trivially_copyable_v<Item>);
  using Number = std::uint32_t;
  static constexpr Number kNone = 0xffffffffu;

  // A table that is not needed stays empty.
  TravellingRecords(SchemeState& owner, std::uint32_t items, bool needed = true)
      : StateTable(owner), needed_(needed), items_(items), stride_(room_for(items * sizeof(Item))) {}

  // ---- at the source ----
  Number take(HostView here) {
    Pool& pool = pools_[here.here().index];
    if (!pool.free.empty()) {
      const Number number = pool.free.back();
      pool.free.pop_back();
      return number;
    }
    add_chunk(pool, place_of(pool.made).chunk);
    return pool.made++;
  }
  void give_back(HostView here, Number number) { pools_[here.here().index].free.push_back(number); }
  // A record of this number, which another table has given, here too.
  void accompany(HostView here, Number number) { add_chunk(pools_[here.here().index], place_of(number).chunk); }

  // ---- for whoever holds the packet; `source`: of the packet, not of its acknowledgement ----
  Item* at(HostId source, Number number) const {
    const Place place = place_of(number);
    return reinterpret_cast<Item*>(pools_[source.index].chunks[place.chunk] + place.offset * stride_);
  }
  // Into the cache; only as a hint, before the packet is there.
  void fetch(HostId source, Number number) const {
    const char* const first = reinterpret_cast<const char*>(at(source, number));
    __builtin_prefetch(first);
    if (stride_ > LastingMemory::kLine) __builtin_prefetch(first + items_ * sizeof(Item) - 1);
  }
  std::uint32_t items() const { return items_; }

  // ---- with a packet to another process: the items that are written ----
  void put(HostId source, Number number, std::uint32_t written, BytesOut& out) const {
    out.put_all(at(source, number), written);
  }
  void get(HostId source, Number number, std::uint32_t written, BytesIn& in) {
    add_chunk(pools_[source.index], place_of(number).chunk);
    in.get_all(at(source, number), written);
  }

  // Records of the hosts of this process that exist, in use or not; at the end of a run.
  std::uint64_t made() const {
    std::uint64_t sum = 0;
    for (const Pool& pool : pools_) sum += pool.made;
    return sum;
  }
  std::size_t bytes() const override {
    std::size_t sum = pools_.size() * sizeof(Pool);
    for (const Pool& pool : pools_)
      for (std::uint32_t chunk = 0; chunk < kChunks; ++chunk)
        if (pool.chunks[chunk] != nullptr) sum += chunk_size(chunk) * stride_;
    return sum;
  }

 private:
  static constexpr std::uint32_t kFirst = 16;   // records of the first chunk
  static constexpr std::uint32_t kChunks = 28;  // enough for all numbers

  struct Pool {
    std::array<std::byte*, kChunks> chunks{};
    std::vector<Number> free;
    Number made = 0;
  };
  struct Place {
    std::uint32_t chunk;
    std::size_t offset;
  };

  // A part of a cache line, or whole ones.
  static constexpr std::size_t room_for(std::size_t bytes) {
    constexpr std::size_t line = LastingMemory::kLine;
    return bytes < line ? std::bit_ceil(bytes) : (bytes + line - 1) / line * line;
  }
  static constexpr std::size_t chunk_size(std::uint32_t chunk) { return std::size_t{kFirst} << chunk; }
  static constexpr Place place_of(Number number) {
    const std::uint64_t shifted = std::uint64_t{number} + kFirst;
    const auto chunk = static_cast<std::uint32_t>(std::bit_width(shifted / kFirst)) - 1;
    return {chunk, shifted - chunk_size(chunk)};
  }
  void add_chunk(Pool& pool, std::uint32_t chunk) {
    if (pool.chunks[chunk] == nullptr) pool.chunks[chunk] = memory_.take(chunk_size(chunk) * stride_);
  }

  bool in_one_process() const override { return false; }
  void prepare(EngineView& engine) override {
    if (needed_) pools_ = std::vector<Pool>(engine.topology().hosts());
  }

  bool needed_;
  std::uint32_t items_;
  std::size_t stride_;  // bytes from one record to the next
  LastingMemory memory_;
  std::vector<Pool> pools_;  // by host
};

}  // namespace weir
