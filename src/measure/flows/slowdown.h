// Slowdown: the time that a flow took over the time that it would take alone (alone.h). 1 is perfect. By the size of
// the flows, because short ones suffer from queues and long ones from what they share.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "measure/flows/flow_role.h"
#include "measure/measurements.h"

namespace weir {

// Nothing for a flow that is not complete, or that has no time alone.
std::optional<double> slowdown_of(const FlowResult& flow);

// Of flows with an end that started after the warm-up. A percentile is the slowdown that so many per cent of the
// complete flows do not exceed, the smallest there is among them.
struct SlowdownSummary {
  std::size_t flows = 0, complete = 0;
  double mean = 0, p50 = 0, p95 = 0, p99 = 0, max = 0;  // of the complete ones
  double goodput_bps = 0;                               // payload over duration, mean of the complete ones
};

struct SizeBin {
  Bytes above = 0, up_to = 0;
  SlowdownSummary slowdown;
};

// So many bins with equally many flows, or bins with these edges; what is larger than the last edge has a bin, too.
struct SizeBins {
  std::uint32_t count = 10;
  std::vector<Bytes> edges = {};  // ascending
};

// Flows of a class in two halves, by the order in which they started. Where the later ones are much slower, flows
// arrive faster than they complete, and every percentile depends on how long they arrive.
struct SlowdownGrowth {
  double early_p99 = 0, late_p99 = 0;
};

struct Slowdown {
  SlowdownSummary all;
  std::optional<SlowdownGrowth> growth;  // where it is more than chance
  std::vector<SizeBin> by_size;  // without empty ones; flows of one size share a bin
  std::optional<SlowdownSummary> victims;  // see flow_role.h; where the ways of flows are known
};

// Of one class, or of all; nothing if it has no flow with an end. `roles`: by flow; null if they are not known,
// empty if nobody was held back.
std::optional<Slowdown> slowdown(const Measurements& m, std::optional<ClassId> traffic_class, const SizeBins& bins,
                                 const std::vector<FlowRole>* roles = nullptr);

}  // namespace weir
