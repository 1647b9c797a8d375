// A computation with parameters written as TOML, and its table by column.
#pragma once
#include <string>

#include "reproduce/computation.h"
#include "store/sqlite/memory_database.h"

namespace weir {

inline RowTable computed(const std::string& name, const std::string& with) {
  const Node node = read_toml(with, "with");
  Parameters parameters(node, Depth::quick);
  const RowTable table = find_computation(name)->run(Work(Depth::quick, 2), parameters);
  parameters.finish();
  return table;
}

inline double number_at(const RowTable& table, std::size_t row, const std::string& column) {
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c] == column) return number_in(table.rows.at(row).at(c), {});
  throw InputError("no column " + column);
}

}  // namespace weir
