// The runs that an entry asks for: every combination of the axes of its groups, as settings and as a row of `points`.
#pragma once
#include <string>
#include <vector>

#include "reproduce/definition.h"
#include "reproduce/paper.h"

namespace weir {

struct PlannedRun {
  const RunGroup* group = nullptr;
  std::vector<Override> settings;
  Row cells;  // in the order of RunPlan::columns
};

struct RunPlan {
  std::vector<std::string> columns;  // of all groups; a run leaves those of other groups empty
  std::vector<PlannedRun> runs;
};

// `reading` (may be null): its settings come before those of the axes, which say what a figure varies.
RunPlan plan_runs(const EntryDefinition& entry, Depth depth, const Reading* reading);

}  // namespace weir
