// Which run helps the traffic that did nothing wrong: the last sentence of a comparison.
#pragma once
#include <string>
#include <vector>

#include "store/run_record.h"

namespace weir {

std::string verdict(const std::vector<AnalysedRun>& runs);  // empty for a single run

}  // namespace weir
