#include "store/sqlite/query.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "measure/interval.h"
#include "store/cell_json.h"
#include "store/csv.h"
#include "store/sqlite/sqlite_statement.h"

namespace weir {
namespace {

constexpr int kPatience = 10'000;  // ms: a sweep may be writing

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;
using Prepared = std::unique_ptr<sqlite3_stmt, Close>;

// student_half_width(x), an aggregate for pairs of runs, which `statistics` cannot have. It starts as zeros, as SQLite
// hands out the memory of an aggregate.
struct Spread {
  std::size_t count;
  double mean, squares;
};
Spread& spread_of(sqlite3_context* context) {
  return *static_cast<Spread*>(sqlite3_aggregate_context(context, sizeof(Spread)));
}
void spread_add(sqlite3_context* context, int, sqlite3_value** values) {
  Spread& s = spread_of(context);
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
  const double x = sqlite3_value_double(values[0]), before = x - s.mean;
  s.mean += before / static_cast<double>(++s.count);
  s.squares += before * (x - s.mean);
}
void spread_half_width(sqlite3_context* context) {
  constexpr double kConfidence = 0.95;
  const Spread& s = spread_of(context);
  if (s.count < 2) return sqlite3_result_null(context);
  const auto n = static_cast<double>(s.count);
  sqlite3_result_double(context, student_t(kConfidence, s.count - 1) * std::sqrt(s.squares / (n - 1) / n));
}

// A first look at the file; `code` says how it went.
Database look_into(const std::filesystem::path& file, int flags, int& code) {
  sqlite3* raw = nullptr;
  code = sqlite3_open_v2(file.c_str(), &raw, flags, nullptr);
  Database db(raw);
  if (code == SQLITE_OK) {
    sqlite3_busy_timeout(raw, kPatience);
    // Otherwise a name in double quotes that no column has would be a text, and the answer a wrong one.
    sqlite3_db_config(raw, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
    sqlite3_db_config(raw, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
    sqlite3_create_function(raw, "student_half_width", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr, nullptr,
                            spread_add, spread_half_width);
    code = sqlite3_exec(raw, "SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr);
  }
  return db;
}

Database open_to_read(const std::filesystem::path& result) {
  const std::filesystem::path file = database_of(result);
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw InputError("there is no result " + file.string() +
                     "; give the file of a sweep or the directory that `weir run` wrote");
  int code = SQLITE_OK;
  Database db = look_into(file, SQLITE_OPEN_READONLY, code);
  if ((code & 0xff) == SQLITE_READONLY) {
    // Whoever wrote it was killed in the midst of a change, which has to be undone first: the journal says how.
    db = look_into(file, SQLITE_OPEN_READWRITE, code);
    if (code != SQLITE_OK)
      throw InputError("cannot read " + file.string() +
                       ": the program that wrote it was killed; the half-written part must be rolled back first, "
                       "which needs "
                       "the right to write to the file and its directory; continue the sweep, or copy the file and " +
                       file.filename().string() + "-journal to a place of your own and read it there");
  }
  sqlite3* const raw = db.get();
  if (code == SQLITE_NOTADB) throw InputError(file.string() + " is not a result of weir: it is no SQLite database");
  if (code != SQLITE_OK)
    throw InputError("cannot read " + file.string() + ": " + (raw == nullptr ? "out of memory" : sqlite3_errmsg(raw)));
  return db;
}

bool is_result(sqlite3* db) {
  return sqlite3_table_column_metadata(db, nullptr, "runs", nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
         SQLITE_OK;
}

// What to do about what SQLite says of a query.
std::string remedy(sqlite3* db, const std::string& reason) {
  constexpr std::string_view kAmbiguous = "ambiguous column name: ";
  if (reason.starts_with(kAmbiguous))
    return fmt::format("several tables of this query have it: write the table before it, as in classes.{}",
                       reason.substr(kAmbiguous.size()));
  if (is_result(db)) return "docs/results.md lists tables and columns";
  return "this is no result of weir, or the run that made it stopped before it had any tables: then repeat its command";
}

Prepared prepare(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  if (sqlite3_prepare_v2(db, sql.c_str(), -1, &raw, &tail) != SQLITE_OK) {
    const std::string reason = sqlite3_errmsg(db);
    throw InputError(fmt::format("cannot answer this query: {}; {}", reason, remedy(db, reason)));
  }
  Prepared statement(raw);
  if (raw == nullptr) throw InputError("the query is empty; write one such as \"SELECT * FROM statistics\"");
  if (std::string_view(tail).find_first_not_of(" \t\r\n;") != std::string_view::npos)
    throw InputError("one statement at a time: there is more after the first one");
  if (sqlite3_stmt_readonly(raw) == 0 || sqlite3_column_count(raw) == 0)
    throw InputError("results are read, not changed; the query must be one that returns rows, such as SELECT");
  return statement;
}

// An object has one value per name.
std::vector<std::string> distinct(const std::vector<std::string>& columns) {
  const std::set<std::string> original(columns.begin(), columns.end());
  std::set<std::string> given;
  std::vector<std::string> names;
  for (const std::string& column : columns) {
    std::string name = column;
    for (int number = 2; given.contains(name) || (number > 2 && original.contains(name)); ++number)
      name = column + "_" + std::to_string(number);
    given.insert(name);
    names.push_back(name);
  }
  return names;
}

}  // namespace

Cell column_cell(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement, column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement, column);
    case SQLITE_NULL:
      return {};
    case SQLITE_BLOB: {
      const auto* bytes = static_cast<const unsigned char*>(sqlite3_column_blob(statement, column));
      std::string digits;
      for (int i = 0; i < sqlite3_column_bytes(statement, column); ++i) digits += fmt::format("{:02x}", bytes[i]);
      return digits;
    }
    default:
      return std::string(reinterpret_cast<const char*>(sqlite3_column_text(statement, column)),
                         static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
  }
}

std::filesystem::path database_of(const std::filesystem::path& result) {
  std::error_code error;
  return std::filesystem::is_directory(result, error) ? result / "result.sqlite" : result;
}

QueryResult run_query(const std::filesystem::path& result, const std::string& sql) {
  const Database db = open_to_read(result);
  const Prepared statement = prepare(db.get(), sql);
  QueryResult answer;
  const int columns = sqlite3_column_count(statement.get());
  for (int c = 0; c < columns; ++c) answer.columns.emplace_back(sqlite3_column_name(statement.get(), c));
  int code = sqlite3_step(statement.get());
  for (; code == SQLITE_ROW; code = sqlite3_step(statement.get())) {
    Row row;
    for (int c = 0; c < columns; ++c) row.push_back(column_cell(statement.get(), c));
    answer.rows.push_back(std::move(row));
  }
  if (code != SQLITE_DONE) throw InputError(fmt::format("cannot answer this query: {}", sqlite3_errmsg(db.get())));
  return answer;
}

std::string query_csv(const QueryResult& result) {
  std::string text;
  const auto line = [&](const auto& fields, const auto& format) {
    for (std::size_t i = 0; i < fields.size(); ++i) text.append(i == 0 ? "" : ",").append(format(fields[i]));
    text += "\n";
  };
  line(result.columns, [](const std::string& name) { return csv_field(name); });
  for (const Row& row : result.rows) line(row, csv_field);
  return text;
}

std::string query_json(const QueryResult& result) {
  const std::vector<std::string> names = distinct(result.columns);
  std::string text = "[";
  for (const Row& row : result.rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t c = 0; c < row.size(); ++c) object[names[c]] = to_json(row[c]);
    text += (text.size() == 1 ? "\n" : ",\n") +
            object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }
  return text + (text.size() == 1 ? "]\n" : "\n]\n");
}

}  // namespace weir
