// Queueing theory.
#include "reproduce/entries.h"

namespace weir {

std::span<const Entry> theory_entries() {
  static constexpr Entry kList[] = {
      {"theory/hol", "head-of-line blocking limits input FIFOs to 58.6 %", theory_hol},
      {"theory/md1", "mean wait of an M/D/1 queue", theory_md1},
  };
  return kList;
}

}  // namespace weir
