// What commands need around their runs: running scenarios with a progress bar, on all cores; clocks; the terminal; the
// record of a run; overrides, and the files that results are written to.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "report/terminal/table.h"
#include "run/simulate.h"
#include "scenario/parse.h"
#include "store/run_record.h"

namespace weir {

// A variant ready to run. An InputError begins with its label, if it has one.
RunSetup set_up(const Variant& variant);
std::vector<RunSetup> set_up_all(const std::vector<Variant>& variants, unsigned threads = 0);
// How many of so many runs go on at a time.
std::size_t runs_at_a_time(std::size_t runs, unsigned threads);
// Runs all of them, as many at a time as there are cores (or `threads`), and returns their outcomes in the order given.
// The outcome of a run does not depend on the number of threads. A run alone has all of them for itself, and the last
// of several share them. What only a run finds out (that bins are too narrow, say) is thrown on with the label of its
// variant.
std::vector<Outcome> run_all(const std::vector<Variant>& variants, std::vector<RunSetup> setups, unsigned threads = 0,
                             Ranks* ranks = nullptr);  // that share a run alone

double cpu_seconds();  // of the calling thread
double cpu_seconds_of_all_threads();
double wall_seconds();

bool stdout_is_terminal();
bool stderr_is_terminal();
TextStyle terminal_style();
// For lines of text: that width on a terminal, or where COLUMNS gives it. Otherwise a pipe gets lines whole.
std::size_t line_width();

RunRecord record_of(const Variant& variant, const Network& network, const Measurements& measurements);
RunRecord record_of(const Variant& variant, const Outcome& outcome);

std::vector<Override> parse_overrides(const std::vector<std::string>& set);
std::string file_name_of(const std::string& words);  // of letters, digits, - and _ alone
// Where results go: --out, or results/<name of the scenario>.
std::string result_directory(const std::string& out, const Scenario& scenario, const std::string& suffix);
void write_text_file(const std::string& path, const std::string& text);  // "-" = standard output
void write_json_file(const std::string& path, const std::vector<AnalysedRun>& runs);  // the same for result.json
// Before the work: what write_text_file() would fail with, and that the file is not one of those that are read.
void check_text_file(const std::string& path, const std::vector<std::filesystem::path>& inputs = {});

}  // namespace weir
