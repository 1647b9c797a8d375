#include "store/sqlite/sqlite.h"

#include <sqlite3.h>

#include <memory>
#include <utility>

#include "base/error.h"
#include "store/sqlite/sqlite_statement.h"
#include "store/tables.h"

namespace weir {

namespace {

const char* sql_type(CellType type) {
  switch (type) {
    case CellType::integer:
      return " INTEGER";
    case CellType::real:
      return " REAL";
    case CellType::text:
      return " TEXT";
    case CellType::any:
      return "";
  }
  return "";
}

std::string create_table(const ResultTable& table) {
  std::string sql = "CREATE TABLE " + std::string(table.name) + " (run_id TEXT NOT NULL";
  std::string key = "run_id";
  for (const TableColumn& column : table.columns) {
    sql.append(", ").append(column.name).append(sql_type(column.type));
    if (!column.key) continue;
    sql += " NOT NULL";
    key.append(", ").append(column.name);
  }
  return sql + ", PRIMARY KEY (" + key + ")) WITHOUT ROWID;\n";
}

// Who knows a CSV file finds its rows under the same name: "victims" is congestion_victims.
std::string create_view(const ResultTable& table) {
  const std::string name(table.csv.substr(0, table.csv.rfind('.')));
  if (name.empty() || name == table.name) return "";
  return "CREATE VIEW " + name + " AS SELECT * FROM " + std::string(table.name) + ";\n";
}

constexpr const char* kFrames =
    "CREATE TABLE frames (run_id TEXT NOT NULL, frame INTEGER NOT NULL, from_s REAL, to_s REAL, load BLOB, "
    "occupancy BLOB, wait BLOB, PRIMARY KEY (run_id, frame)) WITHOUT ROWID;\n";

// What concerns a sweep as a whole; see sweep_store.h.
constexpr const char* kSweepSchema =
    "CREATE INDEX sweep_points ON sweep (point, repetition);\n"
    "CREATE TABLE sweep_info (key TEXT PRIMARY KEY NOT NULL, value TEXT) WITHOUT ROWID;\n"
    "CREATE TABLE statistics (point TEXT NOT NULL, kind TEXT NOT NULL, item TEXT NOT NULL, metric TEXT NOT NULL, "
    "runs INTEGER, mean REAL, stdev REAL, low REAL, high REAL, "
    "PRIMARY KEY (point, kind, item, metric)) WITHOUT ROWID;\n";

std::string insert_sql(const ResultTable& table) {
  std::string sql = "INSERT INTO " + std::string(table.name) + " VALUES (?1";
  for (std::size_t i = 0; i < table.columns.size(); ++i) sql += ", ?" + std::to_string(i + 2);
  return sql + ")";
}

void insert_frame(const ResultDatabase& db, const std::string& run_id, std::size_t number, const StoredFrame& frame) {
  Statement insert(db, "INSERT INTO frames VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  insert.bind(1, run_id);
  insert.bind(2, cell(number));
  insert.bind(3, frame.from_s);
  insert.bind(4, frame.to_s);
  insert.bind_blob(5, frame.load);
  insert.bind_blob(6, frame.occupancy);
  insert.bind_blob(7, frame.wait);
  insert.run();
}

// Straight from the measurements: the rows of a large fabric are never held as a whole.
void insert_tables(const ResultDatabase& db, const AnalysedRun& run) {
  for (const ResultTable* table : stored_tables()) {
    if (table->rows == nullptr) continue;
    Statement insert(db, insert_sql(*table));
    insert.bind(1, run.run_id);
    table->rows(run, [&](const Row& row) {
      for (std::size_t i = 0; i < row.size(); ++i) insert.bind(static_cast<int>(i) + 2, row[i]);
      insert.run();
    });
  }
  for (std::size_t f = 0; f < run.m().frames.size(); ++f) insert_frame(db, run.run_id, f, stored_frame(run.m(), f));
}

void insert_rows(const ResultDatabase& db, const StoredRun& run) {
  std::vector<std::unique_ptr<Statement>> inserts(stored_tables().size());
  for (const StoredRow& row : run.rows) {
    std::unique_ptr<Statement>& insert = inserts[row.table];
    if (insert == nullptr) {
      insert = std::make_unique<Statement>(db, insert_sql(*stored_tables()[row.table]));
      insert->bind(1, run.run_id);
    }
    for (std::size_t i = 0; i < row.cells.size(); ++i) insert->bind(static_cast<int>(i) + 2, row.cells[i]);
    insert->run();
  }
}

std::string advice(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "; free some space or choose another place";
    case SQLITE_IOERR:
      return "; the device fails, or the limit on the size of files is reached (ulimit -f)";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return "; choose a directory that you may write to";
    case SQLITE_BUSY:
      return "; another program is writing to it";
    case SQLITE_NOTADB:
      return "; it is not a weir result: move it away or choose another name";
    default:
      return "";
  }
}

}  // namespace

std::string result_schema() {
  std::string sql;
  for (const ResultTable* table : stored_tables()) sql += create_table(*table) + create_view(*table);
  return sql + kFrames + kSweepSchema;
}

ResultDatabase::ResultDatabase(const std::filesystem::path& path) : path_(path) {
  if (sqlite3_open_v2(path.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) != SQLITE_OK) {
    const std::string reason = db_ == nullptr ? "out of memory" : sqlite3_errmsg(db_);
    const int code = db_ == nullptr ? SQLITE_NOMEM : sqlite3_errcode(db_);
    sqlite3_close(db_);
    throw InputError("cannot open " + path_.string() + ": " + reason + advice(code));
  }
  sqlite3_busy_timeout(db_, 5000);
  try {
    create_or_check_schema();
  } catch (...) {
    sqlite3_close(db_);
    throw;
  }
}

ResultDatabase::~ResultDatabase() { sqlite3_close(db_); }

void ResultDatabase::close() {
  if (sqlite3_close(db_) != SQLITE_OK) refuse("close");
  db_ = nullptr;
}

void ResultDatabase::refuse(const std::string& doing) const {
  throw InputError("cannot " + doing + " (result database " + path_.string() + "): " + sqlite3_errmsg(db_) +
                   advice(sqlite3_errcode(db_)));
}

void ResultDatabase::execute(const std::string& sql) const {
  if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) refuse("write");
}

void ResultDatabase::create_or_check_schema() const {
  // IMMEDIATE: of two programs that start at once, one makes the tables and the other finds them.
  execute("BEGIN IMMEDIATE");
  std::string found, objects;
  {
    Statement version(*this, "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version");
    version.step();
    found = version.text(0);
    objects = version.text(1);
  }
  if (found == "0" && objects == "0") {
    execute(result_schema() + "PRAGMA user_version = " + std::to_string(kResultSchema));
  } else if (found != std::to_string(kResultSchema)) {
    throw InputError(path_.string() + " is not a weir result of this version (schema " + found + ", this weir writes " +
                     std::to_string(kResultSchema) + "); choose another file");
  }
  execute("COMMIT");
}

void ResultDatabase::add(const AnalysedRun& run) {
  transaction([&] {
    clear(run.run_id);
    insert_tables(*this, run);
  });
}

void ResultDatabase::add(const StoredRun& run) {
  transaction([&] { insert_all(run); });
}

void ResultDatabase::transaction(const std::function<void()>& change) {
  execute("BEGIN IMMEDIATE");
  try {
    change();
    execute("COMMIT");
  } catch (...) {
    sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void ResultDatabase::clear(const std::string& run_id) const {
  const auto remove = [&](const std::string& table) {
    Statement statement(*this, "DELETE FROM " + table + " WHERE run_id = ?1");
    statement.bind(1, run_id);
    statement.run();
  };
  for (const ResultTable* table : stored_tables()) remove(std::string(table->name));
  remove("frames");
}

void ResultDatabase::insert_all(const StoredRun& run) const {
  clear(run.run_id);
  insert_rows(*this, run);
  for (std::size_t f = 0; f < run.frames.size(); ++f) insert_frame(*this, run.run_id, f, run.frames[f]);
}

bool ResultDatabase::has(const std::string& run_id) const {
  Statement query(*this, "SELECT 1 FROM runs WHERE run_id = ?1");
  query.bind(1, run_id);
  return query.step();
}

std::vector<std::string> ResultDatabase::run_ids() const {
  Statement query(*this, "SELECT run_id FROM runs ORDER BY run_id");
  std::vector<std::string> ids;
  while (query.step()) ids.push_back(query.text(0));
  return ids;
}

}  // namespace weir
