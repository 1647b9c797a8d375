// Packets that have landed at a switch and may not go on yet: a scheme handles them, or they would run dry on a faster
// link. At one instant they go on in the order of the channels they came by, and of their landing there.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "packet/clock/clock.h"
#include "packet/waiting.h"

namespace weir {

class HeldPackets {
 public:
  struct Held {
    std::int64_t ready;
    PacketSlot packet;
    ChannelId out;  // where it will go; none if that is not decided yet
  };

  void hold(Clock& clock, WaitingPackets& waiting, const Packet& p, ChannelId out, std::int64_t ready) {
    const std::uint32_t channel = p.came_by.index, entry = new_entry({ready, waiting.keep(p), out});
    if (channel >= first_.size()) first_.resize(channel + 1, kNone);
    std::uint32_t* last = &first_[channel];
    while (*last != kNone) last = &entries_[*last].next;
    *last = entry;
    clock.at({ready}, EventKind::packet_ready, channel);
  }
  // The one whose turn has come; packets land in order, so the first that is ready.
  Held release(ChannelId came_by, std::int64_t now) {
    std::uint32_t* before = &first_[came_by.index];
    while (entries_[*before].held.ready != now) before = &entries_[*before].next;
    Entry& found = entries_[*before];
    free_ = std::exchange(*before, std::exchange(found.next, free_));
    return found.held;
  }
  // The next one of this channel will go on soon; and which one that is, when the list is there.
  [[gnu::always_inline]] void fetch(ChannelId came_by) const {
    if (came_by.index < first_.size()) __builtin_prefetch(&first_[came_by.index], 1);
  }
  const Held* first(ChannelId came_by) const {
    if (came_by.index >= first_.size() || first_[came_by.index] == kNone) return nullptr;
    return &entries_[first_[came_by.index]].held;
  }
  template <class Visit>
  void each(const Visit& visit) const {
    for (const std::uint32_t first : first_)
      for (std::uint32_t i = first; i != kNone; i = entries_[i].next) visit(entries_[i].held);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Entry {
    Held held;
    std::uint32_t next;
  };
  std::uint32_t new_entry(const Held& held) {
    if (free_ == kNone) {
      entries_.push_back({held, kNone});
      return static_cast<std::uint32_t>(entries_.size() - 1);
    }
    const std::uint32_t entry = free_;
    free_ = entries_[entry].next;
    entries_[entry] = {held, kNone};
    return entry;
  }

  std::vector<std::uint32_t> first_;  // by the channel they came by: a list of entries, in the order of landing
  std::vector<Entry> entries_;
  std::uint32_t free_ = kNone;
};

}  // namespace weir
