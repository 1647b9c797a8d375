// The engine's clockwork: a two-level timing wheel with a heap behind it for far events. Events are totally ordered by
// (time, kind, entity, aux), never by the order of insertion, so the width of the buckets changes speed but no result.
// Cost: buckets are narrow, so most hold one event, which lies in the wheel itself: a push sets a bit and writes the
// event, a pop finds the next bit. A second event of a bucket lies beside the first, in order; only from the third on
// they are kept in lists and sorted when their turn comes.
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
  arrival,        // entity: channel, aux: packet that lands
  crossing,       // entity: channel; a packet reaches the output buffer of a buffered crossbar
  packet_ready,   // entity: channel; the first packet held behind it that is ready now may go on
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
  static constexpr EventKind kind_of(std::uint32_t key) { return static_cast<EventKind>(key >> kEntityBits); }
  static constexpr std::uint32_t entity_of(std::uint32_t key) { return key & ((1u << kEntityBits) - 1); }
  EventKind kind() const { return kind_of(key); }
  std::uint32_t entity() const { return entity_of(key); }
  friend bool operator<(const QueuedEvent& a, const QueuedEvent& b) {
    if (a.time != b.time) [[likely]] return a.time < b.time;
    if (a.key != b.key) return a.key < b.key;
    return a.aux < b.aux;
  }
};

class EventQueue {
 public:
  // `spacing` is the expected mean time between two events, `horizon` how far ahead most of them are pushed; both only
  // set the width of the buckets.
  explicit EventQueue(Time spacing, Time horizon = {})
      : far_(kFarSlots, kNil), far_bits_(kFarSlots / 64, 0), ready_(64) {
    size_wheel(spacing.ps, horizon.ps);
    first_.resize(slots_);
    second_.resize(slots_);
    others_.assign(slots_, kNil);
    occupied_.assign(slots_ / 64, 0);
    shared_.assign(slots_ / 64, 0);
  }

  WEIR_INLINE void push(Time at, EventKind kind, std::uint32_t entity, std::uint32_t aux = 0) {
    WEIR_CHECK(at.ps >= floor_);
    const QueuedEvent event{at.ps, QueuedEvent::pack(kind, entity), aux};
    ++size_;
    const std::int64_t bucket = at.ps >> shift_;
    // One comparison for both ends: behind the bucket that is being handled, and within one turn of the wheel.
    if (static_cast<std::uint64_t>(bucket - current_ - 1) < slots_ - 1) [[likely]]
      place_near(event, static_cast<std::size_t>(bucket) & (slots_ - 1));
    else
      place_elsewhere(event, bucket);
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // Takes the earliest event. Precondition: not empty.
  WEIR_INLINE QueuedEvent pop() {
    const QueuedEvent event = position_ != end_ ? ready_[position_++] : next_bucket();
    --size_;
    if constexpr (kChecks) floor_ = event.time;
    return event;
  }
  // The event that was just taken stays after all.
  void put_back(const QueuedEvent& event) {
    ++size_;
    insert_now(event);
  }
  // Is there another event at this very instant? (It can only be in the current bucket.)
  bool more_at(std::int64_t time) const { return position_ < end_ && ready_[position_].time == time; }

  // For fetching ahead: an event that will have its turn soon and was not returned before, or null when there is none
  // or when the last one is far enough ahead. Some of the events that share a bucket may be passed over.
  WEIR_INLINE const QueuedEvent* look_ahead() {
    if (position_ + kReadyAhead < end_) return &ready_[position_ + kReadyAhead];
    if (ahead_ <= current_) {
      ahead_ = current_ + 1;
      ahead_shared_ = false;
    } else if (ahead_ > current_ + kLookAhead) {
      return nullptr;
    }
    if (ahead_shared_) {
      ahead_shared_ = false;
      return &second_[static_cast<std::size_t>(ahead_ - 1) & (slots_ - 1)];
    }
    const auto slot = static_cast<std::size_t>(ahead_) & (slots_ - 1);
    const std::uint64_t word = occupied_[slot / 64] >> (slot % 64);
    if (word == 0) {
      ahead_ += 64 - static_cast<std::int64_t>(slot % 64);
      return nullptr;
    }
    const int skipped = std::countr_zero(word);
    ahead_ += skipped + 1;
    ahead_shared_ = (shared_[slot / 64] >> (slot % 64) >> skipped & 1) != 0;
    return &first_[slot + static_cast<std::size_t>(skipped)];
  }

  // Visits every pending event, in no particular order: for audits.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = position_; i < end_; ++i) visit(ready_[i]);
    for (std::size_t slot = 0; slot < first_.size(); ++slot)
      if (occupied_[slot / 64] >> (slot % 64) & 1) {
        visit(first_[slot]);
        if (shared_[slot / 64] >> (slot % 64) & 1) visit(second_[slot]);
      }
    for (const auto* wheel : {&others_, &far_})
      for (std::uint32_t chunk : *wheel)
        for (; chunk != kNil; chunk = chunks_[chunk].next)
          for (std::uint32_t i = 0; i < chunks_[chunk].count; ++i) visit(chunks_[chunk].events[i]);
    for (const QueuedEvent& event : heap_) visit(event);
  }
  std::size_t bytes_of_state() const {
    return chunks_.capacity() * sizeof(Chunk) + (others_.size() + far_.size()) * 4 +
           2 * first_.size() * sizeof(QueuedEvent) + heap_.capacity() * sizeof(QueuedEvent);
  }

 private:
  static constexpr std::uint32_t kNil = 0xffffffffu;
  static constexpr std::int64_t kLookAhead = 48;  // buckets
  static constexpr std::size_t kReadyAhead = 6;   // events of a crowded bucket
  static constexpr std::size_t kSortAbove = 24;
  static constexpr int kLeastSlotBits = 13, kMostSlotBits = 17;
  static constexpr std::int64_t kFarSlots = 1024;
  // Lists of cache lines with three events each: a push writes one line that nobody waits for, and gathering a bucket
  // reads few.
  struct alignas(64) Chunk {
    QueuedEvent events[3];
    std::uint32_t next;
    std::uint32_t count;
  };
  struct Later {
    bool operator()(const QueuedEvent& a, const QueuedEvent& b) const { return b < a; }
  };

  // Buckets so narrow that most events have one to themselves, and so many of them that the wheel reaches the horizon,
  // if that takes no more than a few megabytes.
  void size_wheel(std::int64_t spacing, std::int64_t horizon) {
    const auto log2 = [](std::int64_t t) {
      return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(t, 1)))) - 1;
    };
    const int reach = log2(horizon) + 1;
    shift_ = std::min(40, std::clamp(reach - kMostSlotBits, log2(spacing / 4), log2(spacing / 2)));
    slot_bits_ = std::clamp(reach - shift_, kLeastSlotBits, kMostSlotBits);
    slots_ = std::size_t{1} << slot_bits_;
  }

  // Puts an event into its place among ready_[from, end_).
  WEIR_INLINE void insert_ready(const QueuedEvent& event, std::size_t from) {
    if (end_ == ready_.size()) ready_.resize(2 * ready_.size());
    std::size_t i = end_++;
    for (; i > from && event < ready_[i - 1]; --i) ready_[i] = ready_[i - 1];
    ready_[i] = event;
  }

  // Into the bucket that is being handled.
  void insert_now(const QueuedEvent& event) {
    if (position_ == end_) position_ = end_ = 0;
    insert_ready(event, position_);
  }

  WEIR_INLINE void place_near(const QueuedEvent& event, std::size_t slot) {
    std::uint64_t& word = occupied_[slot / 64];
    const std::uint64_t bit = 1ull << (slot % 64);
    if ((word & bit) == 0) [[likely]] {
      word |= bit;
      first_[slot] = event;
    } else if ((shared_[slot / 64] & bit) == 0) [[likely]] {
      shared_[slot / 64] |= bit;
      const QueuedEvent one = first_[slot];  // which of the two comes first cannot be predicted: both are written
      const bool before = event < one;
      first_[slot] = before ? event : one;
      second_[slot] = before ? one : event;
    } else {
      link(others_, slot, event);
    }
  }

  // Into the bucket that is being handled, or beyond the wheel.
  [[gnu::noinline]] void place_elsewhere(const QueuedEvent& event, std::int64_t bucket) {
    if (bucket <= current_) return insert_now(event);
    const std::int64_t block = bucket >> slot_bits_;
    if (block - (current_ >> slot_bits_) < kFarSlots) {
      const auto slot = static_cast<std::size_t>(block & (kFarSlots - 1));
      link(far_, slot, event);
      far_bits_[slot / 64] |= 1ull << (slot % 64);
      ++far_count_;
      return;
    }
    heap_.push_back(event);
    std::push_heap(heap_.begin(), heap_.end(), Later{});
  }

  [[gnu::noinline]] void link(std::vector<std::uint32_t>& heads, std::size_t slot, const QueuedEvent& event) {
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
  void unlink(std::vector<std::uint32_t>& heads, std::size_t slot, const Act& act) {
    std::uint32_t chunk = heads[slot];
    heads[slot] = kNil;
    while (chunk != kNil) {
      const Chunk c = chunks_[chunk];  // a copy: acting may take chunks from the free list
      chunks_[chunk].next = free_;
      free_ = chunk;
      for (std::uint32_t i = 0; i < c.count; ++i) act(c.events[i]);
      chunk = c.next;
    }
  }

  // The first event of the next bucket that holds anything; the others of that bucket go into ready_, which has been
  // used up. Far blocks are opened when the wheel enters them, so that a bucket is complete when its turn comes.
  WEIR_INLINE QueuedEvent next_bucket() {
    std::size_t slot = static_cast<std::size_t>(current_ + 1) & (slots_ - 1);
    std::size_t w = slot / 64;
    std::uint64_t word = slot == 0 ? 0 : occupied_[w] >> (slot % 64) << (slot % 64);
    if (word == 0) [[unlikely]] {
      w = slot == 0 ? next_turn() : next_word(w + 1);
      word = occupied_[w];
    }
    const int bit = std::countr_zero(word);
    slot = w * 64 + static_cast<std::size_t>(bit);
    occupied_[w] ^= 1ull << bit;
    current_ = (current_ & ~static_cast<std::int64_t>(slots_ - 1)) | static_cast<std::int64_t>(slot);
    if ((shared_[w] >> bit & 1) != 0) [[unlikely]] {
      shared_[w] ^= 1ull << bit;
      ready_[0] = second_[slot];
      position_ = 0;
      end_ = 1;
      if (others_[slot] != kNil) [[unlikely]] return gather_others(slot);
    }
    return first_[slot];
  }

  // First word from `w` on that is not zero, in this turn of the wheel or a later one.
  [[gnu::noinline]] std::size_t next_word(std::size_t w) {
    for (; w < occupied_.size(); ++w)
      if (occupied_[w] != 0) return w;
    return next_turn();
  }

  // Leaves the block that is being handled for the next one that holds anything.
  [[gnu::noinline]] std::size_t next_turn() {
    WEIR_CHECK(size_ > 0);
    for (;;) {
      enter_block(next_block((current_ >> slot_bits_) + 1));
      for (std::size_t w = 0; w < occupied_.size(); ++w)
        if (occupied_[w] != 0) return w;
    }
  }

  // The block to enter: the following one while the wheel holds anything, otherwise the next that has events.
  std::int64_t next_block(std::int64_t following) const {
    if (size_ > far_count_ + heap_.size()) return following;
    std::int64_t best = heap_.empty() ? following + kFarSlots : (heap_.front().time >> shift_) >> slot_bits_;
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
    current_ = block << slot_bits_;
    while (!heap_.empty() && ((heap_.front().time >> shift_) >> slot_bits_) - block < kFarSlots) {
      const QueuedEvent event = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), Later{});
      heap_.pop_back();
      const std::int64_t bucket = event.time >> shift_;
      if (bucket >> slot_bits_ == block) place_near(event, static_cast<std::size_t>(bucket) & (slots_ - 1));
      else place_elsewhere(event, bucket);
    }
    const auto far_slot = static_cast<std::size_t>(block & (kFarSlots - 1));
    far_bits_[far_slot / 64] &= ~(1ull << (far_slot % 64));
    unlink(far_, far_slot, [this](const QueuedEvent& event) {
      --far_count_;
      place_near(event, static_cast<std::size_t>(event.time >> shift_) & (slots_ - 1));
    });
  }

  // More than two events have their turn: the first of them; the others are in ready_.
  [[gnu::noinline]] QueuedEvent gather_others(std::size_t slot) {
    insert_ready(first_[slot], 0);
    unlink(others_, slot, [this](const QueuedEvent& event) {
      if (end_ < kSortAbove) return insert_ready(event, 0);
      if (end_ == ready_.size()) ready_.resize(2 * ready_.size());
      ready_[end_++] = event;
    });
    if (end_ > kSortAbove) std::sort(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(end_));
    return ready_[position_++];
  }

  int shift_ = 0, slot_bits_ = 0;
  std::size_t slots_ = 0;     // 2 ^ slot_bits_ buckets of 2 ^ shift_ ps
  std::int64_t current_ = 0;  // bucket whose events are in ready_
  std::int64_t ahead_ = 0;    // look_ahead() goes on here
  bool ahead_shared_ = false;  // with the second event of the bucket before
  std::int64_t floor_ = 0;    // time of the last event taken, for checks
  std::size_t size_ = 0, far_count_ = 0;
  std::size_t position_ = 0, end_ = 0;       // ready_[position_, end_) are the next events
  BigVector<QueuedEvent> first_;             // the wheel: the first event of a bucket, where its bit is set
  BigVector<QueuedEvent> second_;            // and a later one, where its bit in shared_ is set
  std::vector<std::uint64_t> occupied_;      // buckets that hold events
  std::vector<std::uint64_t> shared_;        // and those that hold more than one
  std::vector<std::uint32_t> others_;        // from the third on, as lists of chunks
  std::vector<std::uint32_t> far_;           // per block of buckets: what comes after this turn of the wheel
  std::vector<std::uint64_t> far_bits_;
  std::vector<QueuedEvent> ready_;
  BigVector<Chunk> chunks_;
  std::uint32_t free_ = kNil;
  std::vector<QueuedEvent> heap_;            // and what comes after those
};

}  // namespace weir
