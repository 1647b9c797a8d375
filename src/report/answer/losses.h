// What a variant of a comparison costs: classes that get clearly less, or end clearly later, than in the reference run.
// A scheme that keeps the queues short by sending little has low latency, too.
#pragma once
#include <string>
#include <vector>

#include "store/run_record.h"

namespace weir {

// "bulk flows take 2.43x as long to end", "bulk traffic gets 59.0 % less": one per class that loses more than 5 %, the
// worst first.
std::vector<std::string> losses_of(const AnalysedRun& run, const AnalysedRun& reference);
// The factor by which the class that loses most is worse off; 1 where none loses more than 5 %.
double worst_loss(const AnalysedRun& run, const AnalysedRun& reference);
// All of them in one clause; the mildest are only counted if there are many.
std::string losses_clause(const std::vector<std::string>& losses);

}  // namespace weir
