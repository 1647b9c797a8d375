// What a sweep prints: its result as a table per class, points down, with the interval of each mean.
#pragma once
#include <string>
#include <vector>

#include "app/sweep/plan.h"
#include "report/terminal/table.h"
#include "store/sqlite/sweep_store.h"

namespace weir {

std::string sweep_text(const SweepPlan& plan, const std::vector<Statistic>& statistics, double confidence,
                       const TextStyle& style);

}  // namespace weir
