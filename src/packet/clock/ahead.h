// The bin that comes next, as far as it is known, and how much of it has been fetched ahead of its turn.
#pragma once
#include <cstddef>
#include <cstdint>

#include "packet/clock/turns.h"

namespace weir {

template <class PacketBins, class EventBins>
class Ahead {
 public:
  // Goes on where it was if that is the bin it looks at already.
  void look_at(std::int64_t bin, const typename PacketBins::Bin& packets, const typename EventBins::Bin& events) {
    if (bin != bin_) *this = {};
    bin_ = bin;
    packets_ = &packets;
    events_ = &events;
  }
  // What another entry will touch; false if there is none by now.
  template <class Machine>
  [[gnu::always_inline]] bool fetch_one(Machine& machine) {
    const auto prepare = [&](const auto& record) __attribute__((always_inline)) { machine.prepare(record, false); };
    return PacketBins::step(*packets_, packet_, prepare) || EventBins::step(*events_, event_, prepare);
  }
  // Can all that a bin touches be asked for at once?
  static bool few(const typename PacketBins::Bin& packets, const typename EventBins::Bin& events) {
    return PacketBins::at_most(packets, Turns::kFewToFetch) && EventBins::at_most(events, Turns::kFewToFetch);
  }
  template <class Machine> void fetch_all(Machine& machine) {
    while (fetch_one(machine)) {}
  }

 private:
  static constexpr typename PacketBins::Bin kNoPackets{};
  static constexpr typename EventBins::Bin kNoEvents{};

  std::int64_t bin_ = -1;
  const typename PacketBins::Bin* packets_ = &kNoPackets;
  const typename EventBins::Bin* events_ = &kNoEvents;
  typename PacketBins::Cursor packet_;
  typename EventBins::Cursor event_;
};

// The same for one of the bin that is being executed, so many places before its turn.
template <class Machine>
[[gnu::always_inline]] inline void prepare(Machine& machine, const Turns& turns, std::ptrdiff_t places,
                                           std::int64_t start_of_bin, bool again) {
  const Turn* const soon = turns.further(places);
  if (soon == nullptr) return;
  soon->is_packet() ? machine.prepare(soon->packet(), again) : machine.prepare(soon->event(start_of_bin), again);
}

}  // namespace weir
