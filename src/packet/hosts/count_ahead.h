// Hosts that only count. Where nothing depends on what hosts receive, and nothing can end the run before its time, a
// packet that starts onto the link to its host is counted as received at once: it takes no event there. Likewise, what
// hosts send can be promised to their links (at_once.h).
#pragma once
#include "packet/run_input.h"
#include "packet/scheme/hooks.h"

namespace weir {

bool hosts_count_ahead(const RunInput& run, const SchemeTraits& scheme);

// A run of a given duration whose sources will, almost certainly, not make so many packets that it ends by max_backlog.
bool backlog_cannot_end(const RunInput& run);

}  // namespace weir
