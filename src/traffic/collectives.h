// Patterns of applications: incast, all-to-all, and phases of communication with computing between them.
#pragma once
#include <cstdint>
#include <vector>

#include "traffic/permutations.h"

namespace weir {

void add_incast(Workload& workload, const FlowBasics& basics, const std::vector<HostId>& senders, HostId target,
                RandomStream& start_random);

// shifted: host number i sends to i+1, i+2, ... one after another, so that no host is anybody's favourite at any
// moment; at_once: all flows of a host start together.
enum class AllToAllOrder : std::uint8_t { shifted, at_once };
void add_all_to_all(Workload& workload, const FlowBasics& basics, const std::vector<HostId>& group, AllToAllOrder order,
                    RandomStream& start_random);

enum class Exchange : std::uint8_t { permutation, shift, all_to_all };

struct PhasedApplication {
  FlowBasics basics;  // start: of the first phase; bytes: of every flow
  std::vector<HostId> group;
  std::vector<Exchange> exchanges;  // taken in turn, phase by phase
  std::uint32_t phases = 1;
  std::uint32_t count = 1;  // permutations superposed in one phase
  std::int64_t offset = 1;  // of shifts
  AllToAllOrder order = AllToAllOrder::shifted;
};
void add_phases(Workload& workload, const PhasedApplication& application, RandomStream& permutation_random,
                RandomStream& start_random);

}  // namespace weir
