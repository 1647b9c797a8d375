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
// at hand: writing to a record that is not in the cache takes no time, reading it does.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "packet/scheme/scheme_state.h"

namespace weir {

// A record is an array of items, as many in each; their number is known when the run is set up.
template <class Item>
class TravellingRecords final : public StateTable {
 public:
  static_assert(kBecomesBytes<Item>);
  using Number = std::uint32_t;
  static constexpr Number kNone = 0xffffffffu;

  TravellingRecords(SchemeState& owner, std::uint32_t items) : StateTable(owner), items_(items) {}

  // ---- at the source ----
  Number take(HostView here) {
    Pool& pool = pools_[here.here().index];
    if (!pool.free.empty()) {
      const Number number = pool.free.back();
      pool.free.pop_back();
      return number;
    }
    const Place place = place_of(pool.made);
    if (place.offset == 0) pool.chunks[place.chunk] = std::make_unique<Item[]>(chunk_size(place.chunk) * items_);
    return pool.made++;
  }
  void give_back(HostView here, Number number) { pools_[here.here().index].free.push_back(number); }

  // ---- for whoever holds the packet; `source`: of the packet, not of its acknowledgement ----
  Item* at(HostId source, Number number) const {
    const Place place = place_of(number);
    return &pools_[source.index].chunks[place.chunk][place.offset * items_];
  }
  // Into the cache; only as a hint, before the packet is there.
  void fetch(HostId source, Number number) const {
    const Item* const first = at(source, number);
    __builtin_prefetch(first);
    __builtin_prefetch(first + items_ - 1);
  }
  std::uint32_t items() const { return items_; }

  // ---- with a packet to another process: the items that are written ----
  void put(HostId source, Number number, std::uint32_t written, BytesOut& out) const {
    out.put_all(at(source, number), written);
  }
  void get(HostId source, Number number, std::uint32_t written, BytesIn& in) {
    const std::uint32_t chunk = place_of(number).chunk;
    std::unique_ptr<Item[]>& items = pools_[source.index].chunks[chunk];
    if (items == nullptr) items = std::make_unique<Item[]>(chunk_size(chunk) * items_);
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
    for (const Pool& pool : pools_) sum += chunk_ends(pool.made) * items_ * sizeof(Item);
    return sum;
  }

 private:
  static constexpr std::uint32_t kFirst = 16;   // records of the first chunk
  static constexpr std::uint32_t kChunks = 28;  // enough for all numbers

  struct Pool {
    std::array<std::unique_ptr<Item[]>, kChunks> chunks;
    std::vector<Number> free;
    Number made = 0;
  };
  struct Place {
    std::uint32_t chunk;
    std::size_t offset;
  };

  static constexpr std::size_t chunk_size(std::uint32_t chunk) { return std::size_t{kFirst} << chunk; }
  static constexpr Place place_of(Number number) {
    const std::uint64_t shifted = std::uint64_t{number} + kFirst;
    const auto chunk = static_cast<std::uint32_t>(std::bit_width(shifted / kFirst)) - 1;
    return {chunk, shifted - chunk_size(chunk)};
  }
  // Records of all chunks that so many need.
  static constexpr std::size_t chunk_ends(Number made) {
    return made == 0 ? 0 : 2 * chunk_size(place_of(made - 1).chunk) - kFirst;
  }

  bool in_one_process() const override { return false; }
  void prepare(EngineView& engine) override { pools_ = std::vector<Pool>(engine.topology().hosts()); }

  std::uint32_t items_;
  std::vector<Pool> pools_;  // by host
};

}  // namespace weir
