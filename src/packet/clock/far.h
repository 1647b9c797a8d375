// What lies beyond the wheel of bins: packets and events, the earliest first.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "packet/clock/events.h"
#include "packet/packet.h"

namespace weir {

// For heaps that have the first on top.
struct Later {
  template <class T> bool operator()(const T& a, const T& b) const { return b < a; }
};

class Far {
 public:
  bool empty() const { return heap_.empty(); }
  std::int64_t first_time() const { return heap_.front().event.time; }

  void put(const TimedEvent& event) { push({event, kNone}); }
  // The record of a packet that lands at `time`, to be filled.
  Packet* put_packet(std::int64_t time) {
    auto place = static_cast<std::uint32_t>(packets_.size());
    if (free_.empty()) {
      packets_.emplace_back();
    } else {
      place = free_.back();
      free_.pop_back();
    }
    push({{time, 0, 0}, place});
    return &packets_[place];
  }
  // The first leaves: take(packet) or take(event).
  template <class Take>
  void take_first(const Take& take) {
    const Entry first = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), Later{});
    heap_.pop_back();
    if (first.packet == kNone) return take(first.event);
    take(packets_[first.packet]);
    free_.push_back(first.packet);
  }
  template <class Visit> void for_each_packet(const Visit& visit) const {
    for (const Entry& e : heap_)
      if (e.packet != kNone) visit(packets_[e.packet]);
  }
  template <class Visit> void for_each_event(const Visit& visit) const {
    for (const Entry& e : heap_)
      if (e.packet == kNone) visit(e.event);
  }
  std::size_t bytes_of_state() const {
    return heap_.capacity() * sizeof(Entry) + packets_.capacity() * sizeof(Packet);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Entry {
    TimedEvent event;  // for packets: their time
    std::uint32_t packet;

    friend bool operator<(const Entry& a, const Entry& b) { return a.event.time < b.event.time; }
  };
  void push(const Entry& e) {
    heap_.push_back(e);
    std::push_heap(heap_.begin(), heap_.end(), Later{});
  }

  std::vector<Entry> heap_;
  std::vector<Packet> packets_;
  std::vector<std::uint32_t> free_;
};

}  // namespace weir
