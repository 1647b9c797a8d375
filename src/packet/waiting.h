// Packets that wait in queues: the pool they lie in, and lists of them. Places are recycled and never move: nothing
// allocates once the network has filled, and a reference stays good while other packets come and go.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "base/big_vector.h"
#include "packet/packet.h"

namespace weir {

class WaitingPackets {
 public:
  [[gnu::always_inline]] PacketSlot keep(const Packet& packet) {
    if (!free_.valid()) [[unlikely]] grow();
    const PacketSlot slot = free_;
    free_ = next_[slot.index];
    (*this)[slot] = packet;
    if (++count_ > peak_) peak_ = count_;
    return slot;
  }
  void give_back(PacketSlot slot) {
    next_[slot.index] = free_;
    free_ = slot;
    --count_;
  }
  Packet& operator[](PacketSlot slot) { return starts_[slot.index >> kBlockBits][slot.index & kBlockMask]; }
  const Packet& operator[](PacketSlot slot) const { return starts_[slot.index >> kBlockBits][slot.index & kBlockMask]; }
  [[gnu::always_inline]] void fetch(PacketSlot slot) const {  // it leaves its list soon
    __builtin_prefetch(&(*this)[slot], 1);
    __builtin_prefetch(&next_[slot.index], 1);
  }
  // Packets that wait of which no record is kept (send_lists.h) are counted as well.
  void count_unkept() {
    if (++count_ > peak_) peak_ = count_;
  }
  void uncount_unkept() { --count_; }
  PacketSlot& next(PacketSlot slot) { return next_[slot.index]; }
  PacketSlot next(PacketSlot slot) const { return next_[slot.index]; }

  std::uint64_t count() const { return count_; }
  std::uint64_t peak() const { return peak_; }
  std::size_t bytes_of_state() const {
    return blocks_.size() * (sizeof(Packet) << kBlockBits) + next_.capacity() * sizeof(PacketSlot);
  }

 private:
  // One free place more.
  [[gnu::noinline]] void grow() {
    free_ = {static_cast<std::uint32_t>(next_.size())};
    if ((free_.index & kBlockMask) == 0) {
      blocks_.emplace_back(1u << kBlockBits);
      starts_.push_back(blocks_.back().data());
    }
    next_.emplace_back();
  }

  static constexpr std::uint32_t kBlockBits = 10, kBlockMask = (1u << kBlockBits) - 1;
  std::vector<BigVector<Packet>> blocks_;
  std::vector<Packet*> starts_;  // of the blocks, close together
  BigVector<PacketSlot> next_;  // in the list it is in, or among free places
  PacketSlot free_;
  std::uint64_t count_ = 0, peak_ = 0;
};

// First in, first out.
struct PacketList {
  PacketSlot head, tail;

  bool empty() const { return !head.valid(); }
  void push_back(WaitingPackets& pool, PacketSlot slot) {
    pool.next(slot) = kNoPacket;
    if (empty()) head = slot;
    else pool.next(tail) = slot;
    tail = slot;
  }
  PacketSlot pop_front(const WaitingPackets& pool) {
    const PacketSlot slot = head;
    head = pool.next(slot);
    return slot;
  }
};

}  // namespace weir
