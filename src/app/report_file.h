// report.html of a result directory, and the command line that repeats what it shows. Directories are left out of it: a
// result does not depend on where its scenario lay.
#pragma once
#include <string>
#include <vector>

#include "app/commands.h"
#include "scenario/parse.h"
#include "store/files/result_dir.h"

namespace weir {

// A word as a shell reads it back.
std::string shell_word(const std::string& text);
// "weir compare hotspot.toml --set a=b" and whatever else `more` holds (words, not yet quoted).
std::string repeat_command(const std::string& verb, const ScenarioOptions& options,
                           const std::vector<std::string>& more = {});
// Which command writes the lines of opensm.conf. Empty unless the scheme is `cca`, where switches may have it.
std::string opensm_hint(const ScenarioOptions& options, const Variant& variant);
std::size_t arriving_flows(const Workload& workload);  // that are drawn at random
// Which commands repeat these variants with other seeds; files of theirs are named after the directory of the results.
std::string repetition_hint(const ScenarioOptions& options, const std::vector<const Variant*>& variants,
                            const std::string& directory, std::size_t flows);
ExtraFiles report_files(const std::vector<AnalysedRun>& runs, const std::string& command);

}  // namespace weir
