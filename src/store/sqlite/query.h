// Questions to a result in SQL, as `weir query` and the texts of a sweep ask them. The file is opened for reading only,
// also while a sweep is writing to it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "store/tables.h"

namespace weir {

struct QueryResult {
  std::vector<std::string> columns;
  std::vector<Row> rows;  // a blob is given as hexadecimal digits
};

std::filesystem::path database_of(const std::filesystem::path& result);  // the file that is read

// `result` is a database, or a result directory. One statement that returns rows; everything else is an InputError.
QueryResult run_query(const std::filesystem::path& result, const std::string& sql);

std::string query_csv(const QueryResult& result);
// A list with one object per row and line. Of columns with equal names the second one becomes "name_2", and so on.
std::string query_json(const QueryResult& result);

}  // namespace weir
