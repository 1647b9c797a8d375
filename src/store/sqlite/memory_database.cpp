#include "store/sqlite/memory_database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>

#include "measure/sample.h"
#include "store/sqlite/sqlite_statement.h"

namespace weir {
namespace {

std::string with_commas(double value) {
  std::string digits = fmt::format("{:.0f}", std::fabs(value)), text = value <= -0.5 ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

void answer(sqlite3_context* context, const std::string& text) {
  sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

void sql_cycles(sqlite3_context* context, int, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) return sqlite3_result_null(context);
  answer(context, with_commas(sqlite3_value_double(values[0])));
}

// A Sample is a plain value and starts as zeros, as SQLite hands out the memory of an aggregate.
Sample* sample_of(sqlite3_context* context) {
  return static_cast<Sample*>(sqlite3_aggregate_context(context, sizeof(Sample)));
}
void sql_add(sqlite3_context* context, int, sqlite3_value** values) {
  if (sqlite3_value_type(values[0]) != SQLITE_NULL) sample_of(context)->add(sqlite3_value_double(values[0]));
}
void sql_half_width(sqlite3_context* context) { sqlite3_result_double(context, sample_of(context)->half_width()); }
void sql_interval(sqlite3_context* context) {
  const Sample& s = *sample_of(context);
  answer(context, s.half_width() == 0 ? fmt::format("{:.3f}", s.mean())
                                      : fmt::format("{:.3f} ± {:.3f}", s.mean(), s.half_width()));
}

void add_functions(sqlite3* db) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
  sqlite3_create_function(db, "cycles", 1, kFlags, nullptr, sql_cycles, nullptr, nullptr);
  sqlite3_create_function(db, "half_width", 1, kFlags, nullptr, nullptr, sql_add, sql_half_width);
  sqlite3_create_function(db, "interval", 1, kFlags, nullptr, nullptr, sql_add, sql_interval);
}

std::string joined_columns(const std::vector<std::string>& columns) {
  std::string text;
  for (const std::string& column : columns) text += (text.empty() ? "\"" : ", \"") + column + "\"";
  return text;
}

}  // namespace

MemoryDatabase::MemoryDatabase() : database_(":memory:") {
  add_functions(database_.handle());
  create("scheme_series", {"run_id", "name", "bin", "start_s", "value"});
}

void MemoryDatabase::add(const PreparedRun& run) {
  database_.add(run);
  database_.execute("BEGIN");
  for (const SchemeSeries& series : run.m().scheme_series)
    for (std::size_t b = 0; b < series.values.size(); ++b)
      insert("scheme_series", {run.run_id, series.name, cell(b),
                               seconds_cell(series.bin * static_cast<std::int64_t>(b)), cell(series.values[b])});
  database_.execute("COMMIT");
}

void MemoryDatabase::create(const std::string& table, const std::vector<std::string>& columns) {
  database_.execute("CREATE TABLE \"" + table + "\" (" + joined_columns(columns) + ")");
}

void MemoryDatabase::insert(const std::string& table, const Row& row) {
  std::string sql = "INSERT INTO \"" + table + "\" VALUES (?1";
  for (std::size_t i = 1; i < row.size(); ++i) sql += ", ?" + std::to_string(i + 1);
  Statement statement(database_, sql + ")");
  for (std::size_t i = 0; i < row.size(); ++i) statement.bind(static_cast<int>(i) + 1, row[i]);
  statement.run();
}

void MemoryDatabase::execute(const Sql& script) {
  if (sqlite3_exec(database_.handle(), script.text.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    throw InputError(script.where, std::string("this SQL fails: ") + sqlite3_errmsg(database_.handle()));
}

std::vector<Row> MemoryDatabase::ask(const Sql& sql) const {
  try {
    Statement statement(database_, sql.text);
    std::vector<Row> rows;
    while (statement.step()) rows.push_back(statement.row());
    return rows;
  } catch (const InputError&) {
    throw InputError(sql.where, std::string("this SQL fails: ") + sqlite3_errmsg(database_.handle()));
  }
}

double number_in(const Cell& cell, const Sql& sql) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  throw InputError(sql.where, "this SQL must give a number, and gives " +
                                  (std::holds_alternative<std::string>(cell) ? "the text " + text_in(cell) : "NULL"));
}

std::string text_in(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:g}", *number);
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? "" : *text;
}

}  // namespace weir
