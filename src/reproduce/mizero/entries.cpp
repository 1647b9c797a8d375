// Paper 002: InfiniBand congestion control and its dynamic manager.
#include "reproduce/entries.h"

namespace weir {

void mizero_experiment_1(Reproduction&);
void mizero_experiment_2(Reproduction&);
void mizero_roots(Reproduction&);

std::span<const Entry> mizero_entries() {
  static constexpr Entry kList[] = {
      {"mizero/exp-1", "marking rate and CCTI timer: victim flow against contributors (experiment I)",
       mizero_experiment_1},
      {"mizero/exp-2", "the dynamic manager, with two limits and without (experiment II)", mizero_experiment_2},
      {"mizero/roots", "roots and victims found from counters, against what the simulator knows", mizero_roots},
  };
  return kList;
}

}  // namespace weir
