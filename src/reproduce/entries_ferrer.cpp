// Paper 001: packet marking, dynamic window, waiting slots.
#include "reproduce/entries.h"

namespace weir {

std::span<const Entry> ferrer_entries() {
  static constexpr Entry kList[] = {
      {"ferrer/fig-8.4", "a hot spot without management hurts cold flows (BMIN 4-ary 5-fly, medium rate)",
       ferrer_no_management},
  };
  return kList;
}

}  // namespace weir
