// The engine's clockwork: a two-level timing wheel with a heap behind it for far events. Events are totally ordered by
// (time, kind, entity, aux), never by the order of insertion, so the width of the buckets changes speed but no result.
// Cost: a push is one list insertion; a pop is a step in a small sorted array (one bucket is gathered and sorted at a
// time).
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/big_vector.h"
#include "base/check.h"
#include "base/units.h"

// The engine's inner loop is one function to the compiler: calls between its small parts would cost more than the
// parts.
#define WEIR_INLINE [[gnu::always_inline]] inline

namespace weir {

// What happens. The order matters: at one instant, packets land and resources come free before anything new is made,
// and arbitration (which is no event, see PacketEngine) comes last.
enum class EventKind : std::uint8_t {
  arrival,        // entity: channel; the head of what is in flight lands
  crossing,       // entity: channel; a packet reaches the output buffer of a buffered crossbar
  packet_ready,   // entity: packet; a held packet may go on
  link_free,      // entity: link
  crossbar_free,  // entity: channel (of the input side)
  credit,         // entity: channel; released space becomes known to the sender
  pause,          // entity: channel; a stop or go reaches the sender, aux = kStop or kGo
  generate,       // entity: source
  flow_start,     // entity: flow
  queue_wake,     // entity: send queue; its gate may be open now
  timer,          // entity and aux belong to the scheme
  setup_timer,    // entity: connection; has it been idle? (flow set-up)
  tick,           // periodic measurement
};

// Within an instant, landing packets cause stops before leaving ones cause goes; they take effect in the same order.
inline constexpr std::uint32_t kStop = 0, kGo = 1;
inline constexpr std::uint32_t kMeasureTick = 0, kWatchTick = 1;

struct QueuedEvent {
  std::int64_t time;
  std::uint32_t key;  // kind in the top four bits, entity below
  std::uint32_t aux;

  static constexpr std::uint32_t kEntityBits = 28;
  static constexpr std::uint32_t pack(EventKind kind, std::uint32_t entity) {
    return (static_cast<std::uint32_t>(kind) << kEntityBits) | entity;
  }
  EventKind kind() const { return static_cast<EventKind>(key >> kEntityBits); }
  std::uint32_t entity() const { return key & ((1u << kEntityBits) - 1); }
  friend bool operator<(const QueuedEvent& a, const QueuedEvent& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.key != b.key) return a.key < b.key;
    return a.aux < b.aux;
  }
};

class EventQueue {
 public:
  // `spacing` is the expected mean time between two events; it only sets the width of the buckets.
  explicit EventQueue(Time spacing)
      : shift_(width_shift(spacing)), near_first_(kSlots), near_(kSlots, kNil), near_bits_(kSlots / 64, 0),
        far_(kFarSlots, kNil),
        far_bits_(kFarSlots / 64, 0) {
    ready_.resize(2 * kCompactAt);
  }

  WEIR_INLINE void push(Time at, EventKind kind, std::uint32_t entity, std::uint32_t aux = 0) {
    WEIR_CHECK(at.ps >= floor_);
    const QueuedEvent event{at.ps, QueuedEvent::pack(kind, entity), aux};
    ++size_;
    const std::int64_t bucket = at.ps >> shift_;
    if (bucket <= current_) {
      insert_ready(event, position_);
    } else {
      place(event, bucket);
    }
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // Precondition: not empty. The next events lie in a sorted array that is kept a few events long, so that looking
  // ahead is cheap.
  WEIR_INLINE const QueuedEvent& top() {
    if (end_ - position_ < kLookAhead) extend();
    return ready_[position_];
  }
  void pop() {
    floor_ = ready_[position_].time;
    ++position_;
    --size_;
  }
  // Is there another event at this very instant? (It can only be in the current bucket.)
  bool more_at(std::int64_t time) const { return position_ < end_ && ready_[position_].time == time; }
  // The event `ahead` places behind the top, or null: for prefetching.
  const QueuedEvent* peek(std::size_t ahead) const {
    return position_ + ahead < end_ ? &ready_[position_ + ahead] : nullptr;
  }
  // Visits every pending event, in no particular order: for audits.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = position_; i < end_; ++i) visit(ready_[i]);
    for (std::size_t slot = 0; slot < near_first_.size(); ++slot)
      if (near_bits_[slot / 64] >> (slot % 64) & 1) visit(near_first_[slot]);
    for (const auto* wheel : {&near_, &far_})
      for (std::uint32_t chunk : *wheel)
        for (; chunk != kNil; chunk = chunks_[chunk].next)
          for (std::uint32_t i = 0; i < chunks_[chunk].count; ++i) visit(chunks_[chunk].events[i]);
    for (const QueuedEvent& event : heap_) visit(event);
  }
  std::size_t bytes_of_state() const {
    return chunks_.capacity() * sizeof(Chunk) + (near_.size() + far_.size()) * 4 +
           near_first_.size() * sizeof(QueuedEvent) + heap_.capacity() * sizeof(QueuedEvent);
  }

 private:
  static constexpr std::uint32_t kNil = 0xffffffffu;
  static constexpr std::size_t kLookAhead = 12;
  static constexpr std::size_t kCompactAt = 1024;
  static constexpr std::size_t kSortAbove = 24;
  static constexpr int kSlotBits = 13;
  static constexpr std::int64_t kSlots = 1 << kSlotBits;
  static constexpr std::int64_t kFarSlots = 1024;
  // Buckets are lists of cache lines with three events each: a push writes one line that nobody waits for, and
  // gathering a bucket reads few.
  struct alignas(64) Chunk {
    QueuedEvent events[3];
    std::uint32_t next;
    std::uint32_t count;
  };
  struct Later {
    bool operator()(const QueuedEvent& a, const QueuedEvent& b) const { return b < a; }
  };

  // There are about as many buckets as events.
  static int width_shift(Time spacing) {
    const auto width = static_cast<std::uint64_t>(std::max<std::int64_t>(spacing.ps, 1));
    return std::min(40, static_cast<int>(std::bit_width(width)) - 1);
  }

  // Puts an event into its place among ready_[from, end_).
  WEIR_INLINE void insert_ready(const QueuedEvent& event, std::size_t from) {
    if (end_ == ready_.size()) ready_.resize(2 * ready_.size());
    std::size_t i = end_++;
    for (; i > from && event < ready_[i - 1]; --i) ready_[i] = ready_[i - 1];
    ready_[i] = event;
  }

  WEIR_INLINE void place(const QueuedEvent& event, std::int64_t bucket) {
    if (bucket - current_ < kSlots) [[likely]]
      return place_near(event, static_cast<std::size_t>(bucket & (kSlots - 1)));
    place_far(event, bucket);
  }

  // Most buckets hold one event, which lies in the wheel itself; the others follow in chunks.
  WEIR_INLINE void place_near(const QueuedEvent& event, std::size_t slot) {
    ++near_count_;
    std::uint64_t& word = near_bits_[slot / 64];
    const std::uint64_t bit = 1ull << (slot % 64);
    if ((word & bit) == 0) {
      word |= bit;
      near_first_[slot] = event;
    } else {
      link(near_, slot, event);
    }
  }

  void place_far(const QueuedEvent& event, std::int64_t bucket) {
    const std::int64_t block = bucket >> kSlotBits;
    if (block - (current_ >> kSlotBits) < kFarSlots) {
      const auto slot = static_cast<std::size_t>(block & (kFarSlots - 1));
      link(far_, slot, event);
      far_bits_[slot / 64] |= 1ull << (slot % 64);
      ++far_count_;
      return;
    }
    heap_.push_back(event);
    std::push_heap(heap_.begin(), heap_.end(), Later{});
  }

  void link(std::vector<std::uint32_t>& heads, std::size_t slot, const QueuedEvent& event) {
    std::uint32_t chunk = heads[slot];
    if (chunk == kNil || chunks_[chunk].count == 3) {
      chunk = free_;
      if (chunk == kNil) {
        chunk = static_cast<std::uint32_t>(chunks_.size());
        chunks_.emplace_back();
      } else {
        free_ = chunks_[chunk].next;
      }
      chunks_[chunk].next = heads[slot];
      chunks_[chunk].count = 0;
      heads[slot] = chunk;
    }
    Chunk& c = chunks_[chunk];
    c.events[c.count++] = event;
  }

  // Takes the list of a slot and hands every event to `act`.
  template <class Act>
  void unlink(std::vector<std::uint32_t>& heads, std::vector<std::uint64_t>& bits, std::size_t slot, const Act& act) {
    std::uint32_t chunk = heads[slot];
    heads[slot] = kNil;
    bits[slot / 64] &= ~(1ull << (slot % 64));
    while (chunk != kNil) {
      const Chunk c = chunks_[chunk];  // a copy: acting may take chunks from the free list
      chunks_[chunk].next = free_;
      free_ = chunk;
      for (std::uint32_t i = 0; i < c.count; ++i) act(c.events[i]);
      chunk = c.next;
    }
  }

  // Appends the next bucket that holds anything, sorted. Far blocks are opened when the near wheel enters them, so that
  // a near bucket is complete when it is gathered; a block is entered only when nothing is left before it.
  void extend() {
    if (position_ >= kCompactAt) {
      std::copy(ready_.begin() + static_cast<std::ptrdiff_t>(position_),
                ready_.begin() + static_cast<std::ptrdiff_t>(end_), ready_.begin());
      end_ -= position_;
      position_ = 0;
    }
    const std::int64_t block_end = ((current_ >> kSlotBits) + 1) << kSlotBits;
    const std::int64_t bucket = next_near(current_ + 1, block_end);
    if (bucket < block_end) {
      current_ = bucket;
      return gather(static_cast<std::size_t>(bucket & (kSlots - 1)));
    }
    if (position_ < end_) return;
    WEIR_CHECK(size_ > 0);
    do {
      enter_block(next_block((current_ >> kSlotBits) + 1));
      const std::int64_t end = current_ + kSlots;
      current_ = next_near(current_, end);
      if (current_ < end) return gather(static_cast<std::size_t>(current_ & (kSlots - 1)));
      --current_;
    } while (true);
  }

  // First non-empty near bucket in [from, limit), or limit. All of them lie within one block.
  std::int64_t next_near(std::int64_t from, std::int64_t limit) const {
    if (near_count_ == 0) return limit;
    while (from < limit) {
      const auto slot = static_cast<std::size_t>(from & (kSlots - 1));
      const std::uint64_t word = near_bits_[slot / 64] >> (slot % 64);
      if (word != 0) return std::min(limit, from + std::countr_zero(word));
      from += 64 - static_cast<std::int64_t>(slot % 64);
    }
    return limit;
  }

  // The block to enter: the following one while the near wheel holds anything, otherwise the next that has events.
  std::int64_t next_block(std::int64_t following) const {
    if (near_count_ > 0) return following;
    std::int64_t best = heap_.empty() ? following + kFarSlots : (heap_.front().time >> shift_) >> kSlotBits;
    if (far_count_ > 0) {
      for (std::int64_t i = 0; i < kFarSlots; ++i) {
        const auto slot = static_cast<std::size_t>((following + i) & (kFarSlots - 1));
        if (far_bits_[slot / 64] >> (slot % 64) & 1) {
          best = std::min(best, following + i);
          break;
        }
      }
    }
    return best;
  }

  void enter_block(std::int64_t block) {
    current_ = block << kSlotBits;
    while (!heap_.empty() && ((heap_.front().time >> shift_) >> kSlotBits) - block < kFarSlots) {
      const QueuedEvent event = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), Later{});
      heap_.pop_back();
      place(event, event.time >> shift_);
    }
    unlink(far_, far_bits_, static_cast<std::size_t>(block & (kFarSlots - 1)), [this](const QueuedEvent& event) {
      --far_count_;
      place_near(event, static_cast<std::size_t>((event.time >> shift_) & (kSlots - 1)));
    });
  }

  void gather(std::size_t slot) {
    const std::size_t start = end_;
    near_bits_[slot / 64] &= ~(1ull << (slot % 64));
    insert_ready(near_first_[slot], start);
    std::uint32_t chunk = near_[slot];
    if (chunk == kNil) [[likely]] {
      --near_count_;
      return;
    }
    near_[slot] = kNil;
    while (chunk != kNil) {
      Chunk& c = chunks_[chunk];
      for (std::uint32_t i = 0; i < c.count; ++i) {
        if (end_ - start < kSortAbove) {
          insert_ready(c.events[i], start);
        } else {
          if (end_ == ready_.size()) ready_.resize(2 * ready_.size());
          ready_[end_++] = c.events[i];
        }
      }
      const std::uint32_t next = c.next;
      c.next = free_;
      free_ = chunk;
      chunk = next;
    }
    near_count_ -= end_ - start;
    if (end_ - start > kSortAbove)
      std::sort(ready_.begin() + static_cast<std::ptrdiff_t>(start),
                ready_.begin() + static_cast<std::ptrdiff_t>(end_));
  }

  int shift_;
  std::int64_t current_ = 0;  // bucket whose events are in ready_
  std::int64_t floor_ = 0;    // time of the last event taken
  std::size_t size_ = 0, near_count_ = 0, far_count_ = 0;
  std::size_t position_ = 0, end_ = 0;  // ready_[position_, end_) are the next events
  std::vector<QueuedEvent> ready_;
  BigVector<Chunk> chunks_;
  std::uint32_t free_ = kNil;
  BigVector<QueuedEvent> near_first_;  // the first event of a bucket, where its bit is set
  std::vector<std::uint32_t> near_;    // the others
  std::vector<std::uint64_t> near_bits_;
  std::vector<std::uint32_t> far_;
  std::vector<std::uint64_t> far_bits_;
  std::vector<QueuedEvent> heap_;
};

}  // namespace weir
