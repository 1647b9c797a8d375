// Flows that arrive faster than they complete: their slowdown depends on how long they arrive, so that the numbers of a
// short run say little about a longer one.
#pragma once
#include <span>
#include <string>

#include "store/run_record.h"

namespace weir {

// Of the class and the run where later flows are slowed down most, compared with earlier ones; empty if nowhere.
std::string growth_remark(std::span<const AnalysedRun> runs);

}  // namespace weir
