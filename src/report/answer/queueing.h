// Packets that queue in switches with memory enough to hold nobody back: no port waits, and yet there is congestion.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "store/run_record.h"

namespace weir {

// A link that is asked for more than it carries while its switch has memory enough to hold nobody back: packets queue
// there and latency rises, though the fabric has no root and no victim. The link where most packets queue, and longest.
// Nothing where some port is held back, or where no latency rose and no flows are much slower than alone.
struct QueueingLink {
  PortId port;
  Span from_to;            // first and last moment of full load
  double load = 0;         // in that time
  std::uint64_t peak = 0;  // bytes, of the queue; 0: not known
};
std::string queue_phrase(const QueueingLink& queue);  // "up to 4.20 MB, busy 98.0 % from 1.00 ms to 2.00 ms"
std::optional<QueueingLink> queueing_link(const AnalysedRun& run);
// "no port is held back, but packets queue at L1:17 -> S1, ..."
std::string queueing_clause(const AnalysedRun& run, const QueueingLink& queue);

}  // namespace weir
