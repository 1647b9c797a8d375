// What a sweep prints: its result as a table per class, points down, with the interval of each mean.
#pragma once
#include <string>
#include <vector>

#include "app/sweep_plan.h"
#include "report/table.h"
#include "store/query.h"
#include "store/sweep_store.h"

namespace weir {

std::string sweep_text(const SweepPlan& plan, const std::vector<Statistic>& statistics, const TextStyle& style);
std::string query_text(const QueryResult& result, const TextStyle& style);

}  // namespace weir
