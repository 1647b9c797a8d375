// See sqlite.h.
#include "store/sqlite.h"

#include <sqlite3.h>

#include <utility>

#include "base/error.h"
#include "store/tables.h"

namespace weir {

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
  std::string text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return bytes == nullptr ? ""
                            : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
  }

 private:
  const ResultDatabase& owner_;
  sqlite3_stmt* statement_ = nullptr;
};

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

constexpr const char* kFrames =
    "CREATE TABLE frames (run_id TEXT NOT NULL, frame INTEGER NOT NULL, from_s REAL, to_s REAL, load BLOB, occupancy "
    "BLOB, "
    "wait BLOB, PRIMARY KEY (run_id, frame)) WITHOUT ROWID;\n";

std::string insert_sql(const ResultTable& table) {
  std::string sql = "INSERT INTO " + std::string(table.name) + " VALUES (?1";
  for (std::size_t i = 0; i < table.columns.size(); ++i) sql += ", ?" + std::to_string(i + 2);
  return sql + ")";
}

void insert_rows(const ResultDatabase& db, const ResultTable& table, const PreparedRun& run) {
  Statement insert(db, insert_sql(table));
  insert.bind(1, run.run_id);
  table.rows(run, [&](const Row& row) {
    for (std::size_t i = 0; i < row.size(); ++i) insert.bind(static_cast<int>(i) + 2, row[i]);
    insert.run();
  });
}

void insert_frames(const ResultDatabase& db, const PreparedRun& run) {
  Statement insert(db, "INSERT INTO frames VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  insert.bind(1, run.run_id);
  for (std::size_t f = 0; f < run.m().frames.size(); ++f) {
    const Span span = frame_span(run.m(), f);
    insert.bind(2, cell(f));
    insert.bind(3, seconds_cell(span.from));
    insert.bind(4, seconds_cell(span.to));
    insert.bind_blob(5, run.m().frames[f].load);
    insert.bind_blob(6, run.m().frames[f].occupancy);
    insert.bind_blob(7, run.m().frames[f].wait);
    insert.run();
  }
}

std::string advice(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return "; free some space or choose another place";
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
  std::string sql = create_table(runs_table());
  for (const ResultTable& table : result_tables()) sql += create_table(table);
  return sql + kFrames;
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

void ResultDatabase::add(const PreparedRun& run) {
  execute("BEGIN IMMEDIATE");
  try {
    insert_all(run);
    execute("COMMIT");
  } catch (...) {
    sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void ResultDatabase::insert_all(const PreparedRun& run) const {
  const auto replace = [&](std::string_view table) {
    Statement clear(*this, "DELETE FROM " + std::string(table) + " WHERE run_id = ?1");
    clear.bind(1, run.run_id);
    clear.run();
  };
  replace("runs");
  insert_rows(*this, runs_table(), run);
  for (const ResultTable& table : result_tables()) {
    replace(table.name);
    insert_rows(*this, table, run);
  }
  replace("frames");
  insert_frames(*this, run);
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
