// What `weir run` prints: the answer in one sentence, then the tables behind it.
#pragma once
#include <string>

#include "report/terminal/table.h"
#include "store/run_record.h"

namespace weir {

std::string run_text(const PreparedRun& run, const TextStyle& style);

}  // namespace weir
