// `weir query`: asks a result in SQL; the answer is a table, CSV or JSON.
#include <fmt/format.h>

#include <algorithm>

#include "app/commands.h"
#include "app/process.h"
#include "app/runner.h"
#include "report/terminal/table.h"
#include "report/terminal/terminal_text.h"
#include "store/sqlite/query.h"

namespace weir {
namespace {

struct QueryOptions {
  std::string result, sql, format = "table", out = "-";
};

// Without a question: what there is to ask about.
std::string tables_of(const std::string& result) {
  const QueryResult names =
      run_query(result,
                "SELECT m.name AS name, group_concat(c.name, ' ') AS columns, m.sql FROM sqlite_master m "
                "JOIN pragma_table_info(m.name) c WHERE m.type IN ('table', 'view') GROUP BY m.name ORDER BY m.name");
  std::string text;
  for (const Row& row : names.rows) {
    const std::string& name = std::get<std::string>(row[0]);
    const std::string& sql = std::get<std::string>(row[2]);
    const std::string second_name = fmt::format("CREATE VIEW {} AS SELECT * FROM ", name);
    if (sql.starts_with(second_name)) {
      text += fmt::format("{}: another name of {}\n", name, sql.substr(second_name.size()));
      continue;
    }
    const QueryResult count = run_query(result, "SELECT count(*) FROM \"" + name + "\"");
    text += fmt::format("{} ({} rows)\n", name, std::get<std::int64_t>(count.rows[0][0])) +
            wrap("    " + std::get<std::string>(row[1]), line_width(), 4);
  }
  return text;
}

bool is_number(const Cell& cell) {
  return std::holds_alternative<double>(cell) || std::holds_alternative<std::int64_t>(cell);
}

std::string cell_text(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.6g}", *number);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return "-";
}

std::string as_table(const QueryResult& result, const TextStyle& style) {
  std::vector<TextColumn> columns;
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    const bool numbers = std::all_of(result.rows.begin(), result.rows.end(), [&](const Row& row) {
      return is_number(row[c]) || std::holds_alternative<std::monostate>(row[c]);
    });
    columns.push_back({result.columns[c], numbers ? Align::right : Align::left, 5, numbers ? std::size_t{0} : 12});
  }
  TextTable table(columns);
  for (const Row& row : result.rows) {
    std::vector<std::string> cells;
    for (const Cell& cell : row) cells.push_back(cell_text(cell));
    table.add(cells);
  }
  return table.render(style);
}

int query(const QueryOptions& options) {
  check_text_file(options.out, {database_of(options.result)});
  if (options.sql.empty()) {
    write_text_file(options.out, tables_of(options.result));
    return 0;
  }
  const QueryResult answer = run_query(options.result, options.sql);
  if (options.format == "table" && options.out == "-") show(as_table(answer, terminal_style()));
  else write_text_file(options.out, options.format == "csv"    ? query_csv(answer)
                                    : options.format == "json" ? query_json(answer)
                                                               : as_table(answer, TextStyle{}));
  return 0;
}

}  // namespace

Command add_query(CLI::App& app) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* command = app.add_subcommand("query", "query a result with SQL; prints a table, CSV or JSON");
  command->footer(
      "Without SQL, the tables and their columns are listed; docs/results.md explains them. In addition to SQLite's "
      "own functions, there is the aggregate student_half_width(x): the ± of the mean at 95 % confidence.\nExamples:\n"
      "  weir query results/load-sweep.sqlite \"SELECT * FROM statistics WHERE metric = 'latency_mean_ns'\"\n"
      "  weir query results/hotspot-compare \"SELECT label, ending FROM runs\" --format csv");
  command->add_option("result", options->result, "result file of a sweep, or result directory of a run or comparison")
      ->required();
  command->add_option("sql", options->sql, "one SELECT statement");
  command->add_option("--format", options->format, "output format; csv and json have all digits")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->capture_default_str();
  command->add_option("--out", options->out, "write the answer to this file (- for standard output)");
  return [options] { return query(*options); };
}

}  // namespace weir
