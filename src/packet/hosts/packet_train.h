// Packets in a row. Random traffic has no flows; a pair of hosts counts as one where enough packets follow each other
// closely. Flow set-up and explicit rates ask the same question.
#pragma once
#include <cstdint>

#include "base/units.h"

namespace weir {

struct PacketTrain {
  std::int64_t last = 0;  // when a packet of it was last seen
  std::uint32_t length = 0;

  // One more packet; the length of the train that it belongs to.
  std::uint32_t add(std::int64_t now, Time longest_gap) {
    length = length > 0 && now - last <= longest_gap.ps ? length + 1 : 1;
    last = now;
    return length;
  }
};

}  // namespace weir
