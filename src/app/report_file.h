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
// Which commands write the lines of opensm.conf for the variants with scheme `cca`: a line each, empty without any.
std::string opensm_hint(const ScenarioOptions& options, const std::vector<Variant>& variants);
ExtraFiles report_files(const std::vector<AnalysedRun>& runs, const std::string& command);

}  // namespace weir
