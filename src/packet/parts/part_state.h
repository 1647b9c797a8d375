// What parts tell each other between windows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "packet/parts/ranks.h"

namespace weir {

// After a window.
struct alignas(64) PartState {
  std::int64_t next = 0;           // nothing happens before, here or by what was sent from here
  std::int64_t tick = kNever.ps;   // when the next tick is due, if there was one in this window
  bool busy_at_tick = false;       // at that one, something was going on
  std::uint64_t most_backlog = 0;  // packets that waited at its hosts, at most
  std::int64_t earliest_end = 0;   // some flow to one of its hosts cannot be complete before
  std::uint64_t completed = 0;     // flows, at its hosts
  bool failed = false;
};

// The same for all parts. They tick at the same moments, and no longer when nothing goes on in any of them.
struct RunState {
  RunState() = default;
  explicit RunState(const std::vector<PartState>& parts) {
    for (const PartState& part : parts) {
      next = std::min(next, part.next);
      tick = std::min(tick, part.tick);
      busy_at_tick |= part.busy_at_tick;
      most_backlog += part.most_backlog;
      earliest_end = std::max(earliest_end, part.earliest_end);
      completed += part.completed;
      failed |= part.failed;
    }
  }
  void combine(Ranks& ranks) {
    std::int64_t largest[] = {-next, -tick, busy_at_tick ? 1 : 0, earliest_end, failed ? 1 : 0};
    std::int64_t sums[] = {static_cast<std::int64_t>(most_backlog), static_cast<std::int64_t>(completed)};
    ranks.combine(largest, sums);
    next = -largest[0];
    tick = -largest[1];
    busy_at_tick = largest[2] != 0;
    earliest_end = largest[3];
    failed = largest[4] != 0;
    most_backlog = static_cast<std::uint64_t>(sums[0]);
    completed = static_cast<std::uint64_t>(sums[1]);
  }

  std::int64_t next = kNever.ps, tick = kNever.ps;
  bool busy_at_tick = false;
  std::uint64_t most_backlog = 0;
  std::int64_t earliest_end = 0;
  std::uint64_t completed = 0;
  bool failed = false;
};

// Near the end of a run that ends with its flows: what will happen within the next window.
struct alignas(64) PartForecast {
  PartForecast() = default;
  explicit PartForecast(const std::vector<PartForecast>& parts) {
    for (const PartForecast& part : parts) {
      complete += part.complete;
      last = std::max(last, part.last);
    }
  }
  void combine(Ranks& ranks) {
    auto sum = static_cast<std::int64_t>(complete);
    ranks.combine({&last, 1}, {&sum, 1});
    complete = static_cast<std::uint64_t>(sum);
  }

  std::uint64_t complete = 0;  // flows that will be
  std::int64_t last = 0;       // when the last of them will
};

}  // namespace weir
