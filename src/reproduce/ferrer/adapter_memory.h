// What the queues of a channel adapter cost: bytes of memory, and an estimate of silicon. Paper 001 argues for smaller
// adapters with these numbers (section 6.4, tables 8.5 and 8.6), so they must be computed the same way for any network.
#pragma once
#include <cstdint>

#include "base/units.h"

namespace weir {

enum class AdapterMemory : std::uint8_t {
  fvoq,  // a queue per destination, each with room for a full window
  pvoq,  // a number of queues, each with room for one packet; a counter per destination keeps the window
  sb,    // one buffer for all; a counter per destination keeps the window
};

struct AdapterShape {
  AdapterMemory organisation = AdapterMemory::fvoq;
  std::uint32_t hosts = 0;   // destinations
  Bytes packet = 0;          // the largest one
  std::uint32_t window = 2;  // most packets of a flow that are on their way
  std::uint32_t queues = 0;  // pvoq
  Bytes buffer = 0;          // sb
};

struct AdapterCost {
  Bytes storage = 0;   // for packets
  Bytes counters = 0;  // one per destination, as wide as the window needs, packed
  Bytes total() const { return storage + counters; }
};

// Sizes of zero and more queues than destinations are InputErrors.
AdapterCost adapter_memory(const AdapterShape& shape);

// 1 - cost / reference, of packet storage alone, as table 8.5 counts.
double memory_saved(const AdapterCost& cost, const AdapterCost& reference);

// Square millimetres in 45 nm CMOS, by the straight line through the areas that table 8.6 prints for this organisation
// and the sizes of table 8.5. An estimate: nothing says that areas are linear beyond the sizes printed (3 to 256 KiB).
double silicon_area_mm2(AdapterMemory organisation, Bytes storage);

}  // namespace weir
