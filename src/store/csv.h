// The result tables as CSV files, for spreadsheets and plotting scripts. First line: column names. Fields with a
// comma, a quote or a line break are quoted (RFC 4180), text that looks like a formula has an apostrophe before it; a
// value that does not exist is an empty field.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "store/tables.h"

namespace weir {

std::string csv_field(const Cell& cell);
// One file with the rows of all runs; the first column, `run`, is the run's label.
void write_csv(const std::filesystem::path& path, const ResultTable& table, const std::vector<AnalysedRun>& runs);
// All tables that have a CSV name; returns the names of the files.
std::vector<std::string> write_csv_files(const std::filesystem::path& directory, const std::vector<AnalysedRun>& runs);

}  // namespace weir
