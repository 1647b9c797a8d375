// Hosts that only count. Where nothing depends on what hosts receive, and nothing can end the run before its time, a
// packet that starts onto the link to its host is counted as received at once: it takes no event there. Likewise, what
// hosts send can be promised to their links (send_queues.h).
#pragma once
#include "packet/run_input.h"
#include "packet/scheme/hooks.h"

namespace weir {

bool hosts_count_ahead(const RunInput& run, const SchemeTraits& scheme);

// More packets than all sources will make before the end of a run of a given duration, almost certainly.
double most_packets(const RunInput& run);

}  // namespace weir
