// The page of a sweep: a file beside its result file.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/sweep/sweep.h"

namespace weir {

std::filesystem::path sweep_page_path(const std::filesystem::path& result);  // x.sqlite: x.html
// Refuses what cannot be replaced: a directory, or a file that weir did not write. Call it before the runs.
void check_sweep_page(const std::filesystem::path& page);
std::string sweep_command(const SweepOptions& options);  // that repeats it, without directories
// What terminal and page show. Flows that arrive by chance have no completion that could be compared: it is the end of
// the last one that happened to arrive.
std::vector<Statistic> shown_statistics(const SweepPlan& plan, const std::filesystem::path& result);
// Of the schemes that never acted in some run: a sentence each.
std::vector<std::string> idle_notes_of(const std::filesystem::path& result);
void write_sweep_page(const SweepOptions& options, const SweepPlan& plan, const std::filesystem::path& result);

}  // namespace weir
