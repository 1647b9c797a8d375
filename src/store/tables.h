// The tables of a result, defined once. SQLite, CSV and the lists of the JSON document are all written from these
// definitions, so a column has one name, one unit and one meaning wherever it is read. docs/results.md describes each
// of them.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "store/run_record.h"

namespace weir {

// Nothing (a value that does not exist), a whole number, a number, a text. Numbers are finite.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;
using Row = std::vector<Cell>;
using RowSink = std::function<void(const Row&)>;

enum class CellType { integer, real, text, any };

struct TableColumn {
  std::string_view name;
  CellType type = CellType::real;
  bool key = false;  // part of the primary key, after the run
};

struct ResultTable {
  std::string_view name;  // in SQLite
  std::string_view csv;   // file name, empty if it is not written as CSV
  std::vector<TableColumn> columns;
  void (*rows)(const AnalysedRun&, const RowSink&);
};

// All tables but `runs`, whose rows are the runs themselves.
const std::vector<ResultTable>& result_tables();
const ResultTable& result_table(std::string_view name);
const ResultTable& runs_table();  // one row per run; `run_id` is its key

// Ports that have rows, unless there are more than AnalysedRun::max_rows.
std::vector<std::uint32_t> connected_ports(const AnalysedRun& run);

// Cells in the units of the files.
Cell cell(double value);  // not finite: nothing
Cell cell(std::uint64_t value);
// A value as a scenario writes it: numbers as numbers, a percentage as a fraction, a text without its quotes.
Cell literal_cell(const std::string& literal);
Cell seconds_cell(Time t);  // kNever: nothing
inline Cell cell(Time t) { return seconds_cell(t); }
Cell nanoseconds_cell(double ps);
Cell seed_cell(std::uint64_t seed);  // SQLite's integers are signed; a seed beyond them is text rather than rounded
template <class T>
Cell cell(const std::optional<T>& value) {
  return value ? cell(*value) : Cell{};
}

}  // namespace weir
