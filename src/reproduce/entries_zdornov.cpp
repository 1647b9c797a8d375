// Papers 000 and 003: adaptive flow routing, explicit rates, injection.
#include "reproduce/entries.h"

namespace weir {

std::span<const Entry> zdornov_entries() {
  static constexpr Entry kList[] = {
      {"zdornov/fig-1.1", "congestion spreads: six flows through two switches", zdornov_fig_1_1},
  };
  return kList;
}

}  // namespace weir
