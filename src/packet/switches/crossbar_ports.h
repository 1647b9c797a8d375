// The two sides of a buffered crossbar. A transfer engages an input and an output; its end is known when it begins, and
// becomes an event only if somebody waits for it.
#pragma once
#include <cstdint>

#include "packet/ids.h"
#include "packet/switches/waiting.h"

namespace weir {

struct alignas(32) CrossbarInput {
  static constexpr std::int64_t kIdle = -1;

  PacketList fifo;
  std::int64_t busy_until = kIdle;  // end of the transfer that engages it
  ChannelId wanted;                 // output channel that the head waits for
  ChannelId crosses_to;             // output of the last transfer
  std::uint32_t asks_as = 0;        // its number among those that may ask for an output
  bool end_asked = false;           // the end of the transfer will be an event
};

// An output buffer: what crosses to it, and what has left it or is sure to.
struct alignas(64) CrossbarOutput {
  static constexpr std::int64_t kIdle = -1;
  static constexpr int kMost = 3;

  std::int64_t busy_until = kIdle;
  std::int64_t joins = 0;     // when the last packet that crossed does
  std::int64_t end[kMost];    // of the packets on the link, or promised to it
  std::int32_t cost[kMost];
  std::int32_t free = 0;
  ChannelId from;             // input of the last transfer
  std::uint8_t leaving = 0;   // number of packets on the link, or promised to it
  bool dirty = false, wants_space = false;
  bool space_asked = false;   // the end of the first packet on the link will be an event

  // Counts the packets that have left.
  void fold(std::int64_t now) {
    while (leaving != 0 && end[0] <= now) {
      free += cost[0];
      for (int i = 1; i < kMost; ++i) {
        end[i - 1] = end[i];
        cost[i - 1] = cost[i];
      }
      --leaving;
    }
  }
  void note(std::int64_t until, std::int32_t c) {
    end[leaving] = until;
    cost[leaving] = c;
    ++leaving;
  }
};
static_assert(sizeof(CrossbarOutput) == 64);

}  // namespace weir
