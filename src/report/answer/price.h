// What a variant of a comparison costs: classes that get clearly less, or end clearly later, than in the reference run.
// A scheme that keeps the queues short by sending little has low latency, too.
#pragma once
#include <string>
#include <vector>

#include "store/run_record.h"

namespace weir {

// "bulk flows end 2.43x as late", "bulk traffic gets 59.0 % less": one per class that loses more than 5 %, the worst
// first.
std::vector<std::string> prices_of(const PreparedRun& run, const PreparedRun& reference);
// All of them in one clause; the mildest are only counted if there are many.
std::string price_clause(const std::vector<std::string>& prices);

}  // namespace weir
