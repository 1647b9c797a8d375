// See run_record.h.
#include "store/run_record.h"

#include <filesystem>

namespace weir {

PreparedRun prepare(const RunRecord& record) {
  PreparedRun run;
  run.record = record;
  run.digest = digest(*record.m, *record.topology);
  run.config_hash = record.scenario->hash();
  run.config = record.scenario->canonical();
  run.run_id = record.label.empty() ? run.config_hash : run.config_hash + "/" + record.label;
  return run;
}

std::string_view ending_name(Ending ending) {
  switch (ending) {
    case Ending::finished:
      return "finished";
    case Ending::duration:
      return "duration";
    case Ending::saturated:
      return "saturated";
    case Ending::deadlock:
      return "deadlock";
  }
  return "unknown";
}

std::string scenario_file_name(const Scenario& scenario) {
  return std::filesystem::path(scenario.file).filename().string();
}

}  // namespace weir
