// A trace as the operations of ranks, which is what both forms of GOAL schedules say.
#pragma once
#include <cstdint>
#include <vector>

#include "traffic/trace.h"

namespace weir {

struct GoalOperation {
  enum class Type : std::uint8_t { send = 1, receive = 2, calculate = 3 };
  Type type = Type::calculate;
  std::uint32_t peer = 0, tag = 0;
  std::uint64_t size = 0;                   // bytes, or nanoseconds
  std::vector<std::uint32_t> requires_end;  // of these operations of the rank
  std::vector<std::uint32_t> requires_start;
};
using GoalSchedule = std::vector<std::vector<GoalOperation>>;  // by rank

// Refuses what GOAL cannot say: an operation that waits for one of another rank without receiving from it, messages
// without an end, and times that are no whole nanoseconds.
GoalSchedule goal_schedule(const Trace& trace);

}  // namespace weir
