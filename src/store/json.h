// The JSON document of a run (`--json`, and result.json of a result directory). Its keys are documented in
// docs/results.md.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "store/run_record.h"

namespace weir {

// One run: an object. Several: {"runs": [...]}. One entry of a list per line, so that it can be read and compared as
// text. Never NaN or infinity; a value that does not exist is null. Text that is not UTF-8 is repaired.
// Given out in pieces, in order.
using TextSink = std::function<void(std::string_view)>;
void write_json(const std::vector<AnalysedRun>& runs, const TextSink& out);
std::string json_document(const std::vector<AnalysedRun>& runs);
std::string json_document(const RunRecord& record);

// What depends on the machine: CPU time, speed, memory. Kept apart, so that equal runs give equal results.
std::string json_timing(const std::vector<AnalysedRun>& runs);

}  // namespace weir
