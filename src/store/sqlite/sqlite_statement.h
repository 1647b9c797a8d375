// A prepared statement of a result database, for the store and for those who ask a database in memory.
#pragma once
#include <sqlite3.h>

#include <optional>
#include <string>
#include <vector>

#include "store/sqlite/sqlite.h"
#include "store/tables.h"

namespace weir {

// A value of the current row; a blob is given as hexadecimal digits.
Cell column_cell(sqlite3_stmt* statement, int column);

// A prepared statement; bound, stepped and reset row after row.
class Statement {
 public:
  Statement(const ResultDatabase& owner, const std::string& sql) : owner_(owner) {
    if (sqlite3_prepare_v2(owner.db_, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK) owner.refuse("prepare");
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int index, const Cell& cell) {
    int code = SQLITE_OK;
    if (const auto* integer = std::get_if<std::int64_t>(&cell))
      code = sqlite3_bind_int64(statement_, index, *integer);
    else if (const auto* number = std::get_if<double>(&cell))
      code = sqlite3_bind_double(statement_, index, *number);
    else if (const auto* text = std::get_if<std::string>(&cell))
      code = sqlite3_bind_text(statement_, index, text->data(), static_cast<int>(text->size()), SQLITE_TRANSIENT);
    else
      code = sqlite3_bind_null(statement_, index);
    if (code != SQLITE_OK) owner_.refuse("bind a value");
  }
  void bind_blob(int index, const std::vector<std::uint8_t>& bytes) {
    if (sqlite3_bind_blob(statement_, index, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT) !=
        SQLITE_OK)
      owner_.refuse("bind a frame");
  }
  bool step() {  // true: there is a row
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) owner_.refuse("write");
    return code == SQLITE_ROW;
  }
  void run() {
    step();
    sqlite3_reset(statement_);
  }
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  std::optional<double> number(int column) const {
    if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return {};
    return sqlite3_column_double(statement_, column);
  }
  std::string text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes == nullptr ? ""
                            : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
  }
  Row row() const {
    Row cells;
    for (int c = 0; c < sqlite3_column_count(statement_); ++c) cells.push_back(column_cell(statement_, c));
    return cells;
  }

 private:
  const ResultDatabase& owner_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace weir
