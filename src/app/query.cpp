// `weir query`: a question to a result in SQL, answered as a table, CSV or JSON.
#include <fmt/format.h>

#include <iostream>

#include "app/commands.h"
#include "app/runner.h"
#include "app/sweep/text.h"
#include "store/sqlite/query.h"

namespace weir {
namespace {

struct QueryOptions {
  std::string result, sql, format = "table", out = "-";
};

// Without a question: what there is to ask about.
std::string tables_of(const std::string& result) {
  const QueryResult names =
      run_query(result, "SELECT m.name AS name, group_concat(c.name, ' ') AS columns FROM sqlite_master m "
                        "JOIN pragma_table_info(m.name) c WHERE m.type = 'table' GROUP BY m.name ORDER BY m.name");
  std::string text;
  for (const Row& row : names.rows) {
    const std::string& name = std::get<std::string>(row[0]);
    const QueryResult count = run_query(result, "SELECT count(*) FROM \"" + name + "\"");
    text += fmt::format("{} ({} rows)\n    {}\n", name, std::get<std::int64_t>(count.rows[0][0]),
                        std::get<std::string>(row[1]));
  }
  return text;
}

int query(const QueryOptions& options) {
  check_text_file(options.out, {database_of(options.result)});
  if (options.sql.empty()) {
    write_text_file(options.out, tables_of(options.result));
    return 0;
  }
  const QueryResult answer = run_query(options.result, options.sql);
  const TextStyle style = options.out == "-" ? terminal_style() : TextStyle{};
  write_text_file(options.out, options.format == "csv"    ? query_csv(answer)
                               : options.format == "json" ? query_json(answer)
                                                          : query_text(answer, style));
  return 0;
}

}  // namespace

Command add_query(CLI::App& app) {
  auto options = std::make_shared<QueryOptions>();
  CLI::App* command = app.add_subcommand("query", "ask a result in SQL; the answer as a table, CSV or JSON");
  command->footer(
      "Without a query: the tables and their columns; docs/results.md says what they mean.\nExamples:\n"
      "  weir query results/load-sweep.sqlite \"SELECT * FROM statistics WHERE metric = 'latency_mean_ns'\"\n"
      "  weir query results/hotspot-compare \"SELECT label, ending FROM runs\" --format csv");
  command->add_option("result", options->result, "file of a sweep, or result directory of a run or comparison")
      ->required();
  command->add_option("sql", options->sql, "one SELECT statement");
  command->add_option("--format", options->format, "table, csv or json; numbers of csv and json are exact")
      ->check(CLI::IsMember({"table", "csv", "json"}))
      ->capture_default_str();
  command->add_option("--out", options->out, "write the answer to this file (- for standard output)");
  return [options] { return query(*options); };
}

}  // namespace weir
