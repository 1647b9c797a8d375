// The engine's clock. What will happen lies in bins, one per stretch of time: packets by value, and small events. When
// the turn of a bin comes it is gathered, put in order and executed. What is created for the very stretch that is being
// executed is merged in. While a bin is executed, the records that the next one will touch are fetched, a few after
// each event: so they are not waited for later, and never more are asked for at once than memory has ways to answer.
//
// Events are totally ordered by (time, kind, entity, aux), never by the order of insertion: the width of the bins
// changes speed, but no result.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "base/units.h"
#include "packet/clock/ahead.h"
#include "packet/clock/bins.h"
#include "packet/clock/events.h"
#include "packet/clock/far.h"
#include "packet/clock/turns.h"
#include "packet/packet.h"

namespace weir {

// How time is cut into bins. It changes speed, but no result.
struct ClockPlan {
  Time width;    // of a bin; rounded down to a power of two
  Time horizon;  // how far ahead most events lie
  std::uint64_t pending = 1;  // about so many of them
};

class Clock {
 public:
  explicit Clock(const ClockPlan& plan) : packets_(plan.pending / 4), events_(plan.pending / 4) {
    const auto log2 = [](std::int64_t t) {
      return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(t, 1)))) - 1;
    };
    shift_ = std::min(log2(plan.width.ps), kMostShift);
    const int bits = std::clamp(log2(plan.horizon.ps) + 2 - shift_, kLeastBinBits, kMostBinBits);
    bins_ = std::uint64_t{1} << bits;
    mask_ = bins_ - 1;
    packet_bins_.resize(bins_);
    event_bins_.resize(bins_);
    occupied_.assign(bins_ / 64, 0);
  }

  Time now() const { return {now_}; }
  void set(Time now) { now_ = now.ps; }  // at the end of a run, which may come after the last event
  std::int64_t ps() const { return now_; }

  // A packet will land at `time` behind the channel `by`. Returns its record there: what else changes is written where
  // it will lie, since reading a line in wide pieces right after writing parts of it would be slow.
  [[gnu::always_inline]] Packet& send(const Packet& packet, std::int64_t time, ChannelId by) {
    WEIR_CHECK(time >= now_);
    const std::int64_t bin = time >> shift_;
    ++created_;
    Packet* lands = nullptr;
    if (static_cast<std::uint64_t>(bin - next_) < mask_) [[likely]] {
      const auto place = static_cast<std::uint64_t>(bin) & mask_;
      lands = &packets_.append(packet_bins_[place], [&] { occupy(place); });
    } else {
      lands = send_elsewhere(time, by, bin);
    }
    *lands = packet;
    lands->time = time;
    lands->came_by = by;
    return *lands;
  }
  // An event will be put there soon.
  [[gnu::always_inline]] void fetch(Time time) const {
    __builtin_prefetch(&event_bins_[static_cast<std::uint64_t>(time.ps >> shift_) & mask_], 1);
  }
  [[gnu::always_inline]] void at(Time time, EventKind kind, std::uint32_t entity, std::uint32_t aux = 0) {
    WEIR_CHECK(time.ps >= now_);
    const std::int64_t bin = time.ps >> shift_;
    const TimedEvent event{time.ps, TimedEvent::pack(kind, entity), aux};
    ++created_;
    if (static_cast<std::uint64_t>(bin - next_) < mask_) [[likely]] {
      const auto place = static_cast<std::uint64_t>(bin) & mask_;
      events_.append(event_bins_[place], [&] { occupy(place); }) = event;
    } else {
      place_elsewhere(event, bin);
    }
  }

  // Does what is being handled come before events of this kind at the same instant? Arbitration comes after all, and
  // what arbitration causes at the same instant comes later still.
  bool before(EventKind kind) const { return handled_ < TimedEvent::pack(kind, 0) && settled_ < now_; }
  // Would this event have been handled by now?
  bool past(Time time, EventKind kind, std::uint32_t entity) const {
    return time.ps < now_ || (time.ps == now_ && (settled_ == now_ || TimedEvent::pack(kind, entity) < handled_));
  }
  // Is there another event at this very instant?
  bool more_now() const {
    const auto since = static_cast<std::uint64_t>(now_ - start_of_bin());
    return turns_.front().order >> 32 == since || merged_first_ >> 32 == since;
  }
  std::uint64_t pending() const { return created_ - executed_; }  // the event being handled does not count
  std::uint64_t executed() const { return executed_; }

  // Executes everything up to and including machine.stop_at(), which may change on the way. The machine has
  //   bool fetches()                           are records fetched ahead of time, by
  //   void prepare(const Packet&, bool again)  fetch what its landing will touch; again, when that is there: what can
  //                                            only be found with its help
  //   void prepare(const TimedEvent&, bool again)
  //   void land(Packet&)                       a packet lands; the record is the machine's until it returns
  //   void handle(const TimedEvent&)
  //   bool unsettled(), void settle()          at the end of an instant, before time goes on
  template <class Machine>
  void run(Machine& machine) {
    while (!stopped_ && pending() > 0) {
      open_next_bin(machine);
      execute(machine);
    }
  }

  // The same, but only bins that begin before `end`, which is the beginning of a bin: what is created meanwhile may
  // have to be given to other clocks.
  template <class Machine>
  void run_before(Machine& machine, std::int64_t end) {
    while (!stopped_ && pending() > 0 && next_start() < end) {
      open_next_bin(machine);
      execute(machine);
    }
  }
  // The beginning of the next bin that holds anything, at a moment when none is being executed.
  std::int64_t next_start() const {
    const std::int64_t found = occupied_after(current_);
    if (found >= 0) return found << shift_;
    return far_.empty() ? kNever.ps : far_.first_time() >> shift_ << shift_;
  }
  std::int64_t bin_width() const { return std::int64_t{1} << shift_; }

  // Everything that is pending, in no particular order: for audits and for the end of a run.
  template <class Visit> void for_each_packet(const Visit& visit) const {
    for (const PacketBins::Bin& bin : packet_bins_) packets_.each(bin, visit);
    turns_.for_each([&](const Turn& t) {
      if (t.is_packet()) visit(t.packet());
    });
    for (const Turn& t : merged_)
      if (t.is_packet()) visit(t.packet());
    far_.for_each_packet(visit);
  }
  // Those of bins that begin before `end`, at a moment when none is being executed.
  template <class Visit> void for_each_packet_before(std::int64_t end, const Visit& visit) const {
    const std::int64_t last = std::min((end - 1) >> shift_, current_ + static_cast<std::int64_t>(bins_));
    for (std::int64_t bin = current_ + 1; bin <= last; ++bin)
      packets_.each(packet_bins_[static_cast<std::uint64_t>(bin) & mask_], visit);
    far_.for_each_packet([&](const Packet& p) {
      if (p.time < end) visit(p);
    });
  }
  template <class Visit> void for_each_event(const Visit& visit) const {
    for (const EventBins::Bin& bin : event_bins_) events_.each(bin, visit);
    turns_.for_each([&](const Turn& t) {
      if (!t.is_packet()) visit(t.event(start_of_bin()));
    });
    for (const Turn& t : merged_)
      if (!t.is_packet()) visit(t.event(start_of_bin()));
    far_.for_each_event(visit);
  }
  std::size_t bytes_of_state() const {
    return packets_.bytes_of_state() + events_.bytes_of_state() +
           bins_ * (sizeof(PacketBins::Bin) + sizeof(EventBins::Bin)) + far_.bytes_of_state();
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::ptrdiff_t kSoon = 8, kLater = 24;  // entries: what one of them needs is fetched meanwhile
  static constexpr int kMostShift = 31, kLeastBinBits = 8, kMostBinBits = 15;
  using PacketBins = Bins<Packet>;
  using EventBins = Bins<TimedEvent>;

  std::int64_t start_of_bin() const { return current_ << shift_; }
  void occupy(std::uint64_t place) { occupied_[place / 64] |= 1ull << (place % 64); }
  static Turn turn_of(const Packet& p, std::int64_t start) {
    return {static_cast<std::uint64_t>(p.time - start) << 32 | TimedEvent::pack(EventKind::arrival, p.came_by.index),
            reinterpret_cast<std::uint64_t>(&p)};
  }
  static Turn turn_of(const TimedEvent& e, std::int64_t start) {
    return {static_cast<std::uint64_t>(e.time - start) << 32 | e.key, e.aux};
  }

  // Into the bin that is being executed, or beyond the last one.
  [[gnu::noinline]] Packet* send_elsewhere(std::int64_t time, ChannelId by, std::int64_t bin) {
    if (bin <= current_) {
      Packet& lands = packets_.append(merged_packets_, [] {});
      lands.time = time;
      lands.came_by = by;
      merge(turn_of(lands, start_of_bin()));
      return &lands;
    }
    return far_.put_packet(time);
  }
  [[gnu::noinline]] void place_elsewhere(const TimedEvent& event, std::int64_t bin) {
    if (bin <= current_) merge(turn_of(event, start_of_bin()));
    else far_.put(event);
  }
  void merge(const Turn& t) {
    merged_.push_back(t);
    std::push_heap(merged_.begin(), merged_.end(), Later{});
    merged_first_ = merged_.front().order;
  }
  void pop_merged() {
    std::pop_heap(merged_.begin(), merged_.end(), Later{});
    merged_.pop_back();
    merged_first_ = merged_.empty() ? Turns::kEnd : merged_.front().order;
  }
  // The next bin that holds anything becomes the current one, gathered and in order.
  template <class Machine>
  void open_next_bin(Machine& machine) {
    const std::int64_t found = occupied_after(current_);
    current_ = found >= 0 ? found : far_.first_time() >> shift_;
    next_ = current_ + 1;
    fetch_far();
    const auto opened = static_cast<std::uint64_t>(current_) & mask_;
    occupied_[opened / 64] &= ~(1ull << (opened % 64));
    gather(machine, packet_bins_[opened], event_bins_[opened]);
    turns_.sort(shift_);
    ahead_ = {};
    if (!machine.fetches()) return;
    const std::int64_t next = occupied_after(current_);
    if (next < 0) return;
    const auto place = static_cast<std::uint64_t>(next) & mask_;
    ahead_.look_at(next, packet_bins_[place], event_bins_[place]);
    if (few_ && ahead_.few(packet_bins_[place], event_bins_[place])) ahead_.fetch_all(machine);
    // The walk begins with the first records of that bin; those of the one behind it are there when it is reached.
    if (const std::int64_t behind = occupied_after(next); behind >= 0) {
      PacketBins::fetch_first(packet_bins_[static_cast<std::uint64_t>(behind) & mask_]);
      EventBins::fetch_first(event_bins_[static_cast<std::uint64_t>(behind) & mask_]);
    }
  }
  // The first occupied bin after this one, -1 if there is none within a turn of the wheel.
  std::int64_t occupied_after(std::int64_t bin) const {
    const auto from = static_cast<std::uint64_t>(bin + 1) & mask_;
    const std::uint64_t words = bins_ / 64;
    std::uint64_t word = occupied_[from / 64] >> (from % 64) << (from % 64);
    for (std::uint64_t i = 0; i <= words; ++i) {
      const std::uint64_t w = (from / 64 + i) % words;
      if (i > 0) word = occupied_[w];
      if (word == 0) continue;
      const std::uint64_t place = w * 64 + static_cast<std::uint64_t>(std::countr_zero(word));
      return bin + 1 + static_cast<std::int64_t>((place - from) & mask_);
    }
    return -1;
  }
  // What lies within a turn of the wheel from now on.
  void fetch_far() {
    while (!far_.empty() && (far_.first_time() >> shift_) - current_ < static_cast<std::int64_t>(bins_)) {
      far_.take_first([&]<class Entry>(const Entry& entry) {
        const auto place = static_cast<std::uint64_t>(entry.time >> shift_) & mask_;
        if constexpr (std::is_same_v<Entry, Packet>)
          packets_.append(packet_bins_[place], [&] { occupy(place); }) = entry;
        else
          events_.append(event_bins_[place], [&] { occupy(place); }) = entry;
      });
    }
  }

  template <class Machine>
  [[gnu::always_inline]] void gather(Machine& machine, PacketBins::Bin& packets, EventBins::Bin& events) {
    const std::int64_t start = start_of_bin();
    const bool fetches = machine.fetches();
    few_ = fetches && turns_.few() && ahead_.few(packets, events);
    turns_.begin_bin(shift_);
    // The rest, or all if it was not known that this bin would be the next.
    const auto fetch_rest = [&] {
      ahead_.look_at(current_, packets, events);
      ahead_.fetch_all(machine);
    };
    if (few_) fetch_rest();
    const auto take = [&](const auto* records, std::size_t count) {
      Turns::Room room = turns_.more(count);
      for (std::size_t i = 0; i < count; ++i) room.put(i, turn_of(records[i], start));
      for (std::size_t i = 0; few_ && i < count; ++i) machine.prepare(records[i], true);
    };
    packets_.each_stretch(packets, take);
    events_.each_stretch(events, take);
    if (fetches && !few_ && !turns_.crowded()) fetch_rest();
    events_.clear(events);
    executing_ = packets;
    packets = {};
  }

  template <class Machine> [[gnu::always_inline]] void execute(Machine& machine) {
    const std::int64_t start = start_of_bin();
    const bool fetches = machine.fetches() && !few_, crowded = turns_.crowded();
    for (std::ptrdiff_t i = 0; fetches && crowded && i < kLater; ++i) prepare(machine, turns_, i, start, false);
    for (std::ptrdiff_t i = 0; fetches && i < kSoon; ++i) prepare(machine, turns_, i, start, true);
    for (;;) {
      const Turn* next = &turns_.front();
      bool from_merged = false;
      if (merged_first_ <= next->order) [[unlikely]] {
        if (merged_.empty() && turns_.empty()) break;
        from_merged = turns_.empty() || merged_.front() < *next;
        if (from_merged) next = &merged_.front();
      }
      const Turn t = *next;
      const std::int64_t time = start + static_cast<std::int64_t>(t.order >> 32);
      if (time > machine.stop_at()) [[unlikely]] {
        stopped_ = true;
        return;
      }
      if (from_merged) pop_merged();
      else turns_.pop();
      now_ = time;
      handled_ = static_cast<std::uint32_t>(t.order);
      ++executed_;
      if (fetches) {
        if (crowded) prepare(machine, turns_, kLater - 1, start, false);
        else ahead_.fetch_one(machine);
        prepare(machine, turns_, kSoon - 1, start, true);
      }
      if (t.is_packet()) [[likely]] machine.land(t.packet());
      else machine.handle(t.event(start));
      if (machine.unsettled() && !more_now()) {
        handled_ = kNone;
        settled_ = now_;
        machine.settle();
      }
    }
    packets_.clear(executing_);
    packets_.clear(merged_packets_);
  }

  int shift_ = 0;
  std::uint64_t bins_ = 0, mask_ = 0;
  std::int64_t current_ = -1, next_ = 0;  // bin that is being executed, and the one after it
  std::int64_t now_ = 0;
  std::uint64_t created_ = 0, executed_ = 0;
  std::uint32_t handled_ = kNone;  // kind and entity of the event; none of them while outputs arbitrate
  std::int64_t settled_ = -1;      // the last instant at which outputs arbitrated
  bool stopped_ = false;
  bool few_ = false;  // entries in the current bin: all that they need was fetched when it was opened, if not before
  PacketBins packets_;
  EventBins events_;
  std::vector<PacketBins::Bin> packet_bins_;
  std::vector<EventBins::Bin> event_bins_;
  std::vector<std::uint64_t> occupied_;
  Turns turns_;                         // of the current bin
  Ahead<PacketBins, EventBins> ahead_;
  std::vector<Turn> merged_;            // a heap: what was created for the current bin meanwhile
  std::uint64_t merged_first_ = Turns::kEnd;  // the order of its first
  PacketBins::Bin executing_, merged_packets_;
  Far far_;
};

}  // namespace weir
