// What `weir compare` prints: the same scenario under several schemes or routings, side by side, and which of them
// helps the traffic that did nothing wrong.
#pragma once
#include <string>
#include <vector>

#include "report/terminal/table.h"
#include "store/run_record.h"

namespace weir {

std::string compare_text(const std::vector<AnalysedRun>& runs, const TextStyle& style);

}  // namespace weir
