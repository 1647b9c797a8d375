// Packets that have landed at a switch and may not go on yet: a scheme handles them, or they would run dry on a faster
// link. At one instant they go on in the order of the channels they came by, and of their landing there.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "packet/clock/clock.h"
#include "packet/switches/waiting.h"

namespace weir {

class HeldPackets {
 public:
  struct Held {
    std::int64_t ready;
    PacketSlot packet;
    ChannelId out;  // where it will go; none if that is not decided yet
  };

  void hold(Clock& clock, WaitingPackets& waiting, const Packet& p, ChannelId out, std::int64_t ready) {
    held_[p.came_by.index].push_back({ready, waiting.keep(p), out});
    clock.at({ready}, EventKind::packet_ready, p.came_by.index);
  }
  // The one whose turn has come; packets land in order, so the first that is ready.
  Held release(ChannelId came_by, std::int64_t now) {
    const auto list = held_.find(came_by.index);
    const auto found = std::find_if(list->second.begin(), list->second.end(),
                                    [&](const Held& h) { return h.ready == now; });
    const Held held = *found;
    list->second.erase(found);
    if (list->second.empty()) held_.erase(list);
    return held;
  }
  template <class Visit>
  void each(const Visit& visit) const {
    for (const auto& [channel, list] : held_)
      for (const Held& h : list) visit(h);
  }

 private:
  std::map<std::uint32_t, std::vector<Held>> held_;  // by the channel they came by, in the order of landing
};

}  // namespace weir
