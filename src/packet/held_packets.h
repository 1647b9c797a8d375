// Packets that have landed at a switch and may not go on yet: the scheme holds them, or their tail comes too slowly for
// a faster link. Kept by input channel in the order of landing, which is also the order in which those go on that
// become ready at one instant.
#pragma once
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "packet/packet_pool.h"

namespace weir {

class HeldPackets {
 public:
  struct Held {
    std::int64_t ready;
    PacketIndex packet;
    std::uint32_t output;  // channel; kNoChannel where the route is not chosen yet
  };

  explicit HeldPackets(std::size_t channels = 0) : channels_(channels) {}

  void hold(std::uint32_t channel, const Held& held) {
    if (held_.empty()) held_.resize(channels_);  // most runs hold nothing
    held_[channel].push_back(held);
  }
  // Takes the first of those behind this channel that are ready now.
  Held take(std::uint32_t channel, std::int64_t now) {
    std::vector<Held>& here = held_[channel];
    for (auto it = here.begin(); it != here.end(); ++it) {
      if (it->ready != now) continue;
      const Held held = *it;
      here.erase(it);
      return held;
    }
    fail(__FILE__, __LINE__, "a packet is to go on that was not held");
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (const std::vector<Held>& here : held_)
      for (const Held& held : here) visit(held.packet);
  }
  std::size_t bytes_of_state() const { return held_.capacity() * sizeof(std::vector<Held>); }

 private:
  std::size_t channels_;
  std::vector<std::vector<Held>> held_;  // per channel
};

}  // namespace weir
