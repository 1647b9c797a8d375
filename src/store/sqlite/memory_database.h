// Results as tables in memory, to be asked in SQL without a file. Runs fill the tables of a result (docs/results.md)
// and `scheme_series`; whoever asks may add tables of its own. Beside SQLite's own functions there are
//   cycles(x)        12345.6 as 12,346
//   half_width(x)    aggregate: 95 % confidence, half the width of the interval of the mean
//   interval(x)      aggregate: mean and half width as text, 3.012 ± 0.021
#pragma once
#include <string>
#include <vector>

#include "base/error.h"
#include "store/sqlite/sqlite.h"

namespace weir {

// A text of SQL and where it was written. Empty: none.
struct Sql {
  std::string text;
  SourcePosition where;
};

class MemoryDatabase {
 public:
  MemoryDatabase();

  void add(const PreparedRun& run);
  void create(const std::string& table, const std::vector<std::string>& columns);
  void insert(const std::string& table, const Row& row);
  void execute(const Sql& script);
  // One SELECT. Whatever is wrong with it is an InputError at its place.
  std::vector<Row> ask(const Sql& sql) const;

 private:
  ResultDatabase database_;
};

// Cells as those who ask need them; InputError at the question's place where they are something else.
double number_in(const Cell& cell, const Sql& sql);
std::string text_in(const Cell& cell);

}  // namespace weir
