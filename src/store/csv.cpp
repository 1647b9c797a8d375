// See csv.h.
#include "store/csv.h"

#include <fmt/format.h>

#include "base/csv.h"
#include "store/files/output_file.h"

namespace weir {
std::string csv_field(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&cell)) return csv_text(*text);
  return {};
}

void write_csv(const std::filesystem::path& path, const ResultTable& table, const std::vector<PreparedRun>& runs) {
  OutputFile file(path);
  std::string line = "run";
  for (const TableColumn& column : table.columns) line.append(",").append(column.name);
  file.write(line + "\n");
  for (const PreparedRun& run : runs) {
    const std::string label = csv_text(run.record.label);
    table.rows(run, [&](const Row& row) {
      line = label;
      for (const Cell& cell : row) line.append(",").append(csv_field(cell));
      file.write(line.append("\n"));
    });
  }
  file.close();
}

std::vector<std::string> write_csv_files(const std::filesystem::path& directory, const std::vector<PreparedRun>& runs) {
  std::vector<std::string> names;
  for (const ResultTable& table : result_tables()) {
    if (table.csv.empty()) continue;
    names.emplace_back(table.csv);
    write_csv(directory / table.csv, table, runs);
  }
  return names;
}

}  // namespace weir
