#include "manage/action_log.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "base/error.h"

namespace weir::manage {

namespace {

constexpr const char* kSchema =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = FULL;"
    "CREATE TABLE IF NOT EXISTS actions (id INTEGER PRIMARY KEY, at_ps INTEGER, wall_s INTEGER, switch_guid TEXT, port "
    "INTEGER,"
    " before INTEGER, after INTEGER, why TEXT, counters TEXT, state TEXT);"
    // An element is a word: its first bit says whether the port has settings of its own, its last 16 are the rate.
    "CREATE VIEW IF NOT EXISTS rates AS SELECT id, datetime(wall_s, 'unixepoch') AS utc, at_ps / 1e12 AS at_s,"
    " switch_guid AS switch, port,"
    " CASE WHEN before >= 1 << 31 THEN before & 65535 ELSE 'of its switch' END AS rate_before,"
    " CASE WHEN after >= 1 << 31 THEN after & 65535 ELSE 'of its switch' END AS rate_after, why, state FROM actions;";

// An element as its four bytes.
std::int64_t word(const mad::SwitchPortCongestion& s) {
  std::uint8_t bytes[4] = {};
  mad::encode(s, bytes);
  return static_cast<std::int64_t>(mad::get_bytes(bytes, 0, 4));
}
mad::SwitchPortCongestion element(std::int64_t word) {
  std::uint8_t bytes[4] = {};
  mad::put_bytes(bytes, 0, 4, static_cast<std::uint64_t>(word));
  mad::SwitchPortCongestion s;
  mad::decode(bytes, s);
  return s;
}

class Query {
 public:
  Query(sqlite3* db, const std::string& sql) {
    good_ = sqlite3_prepare_v2(db, sql.c_str(), -1, &s_, nullptr) == SQLITE_OK;
  }
  ~Query() { sqlite3_finalize(s_); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  bool good() const { return good_; }
  void bind(int i, std::int64_t value) { sqlite3_bind_int64(s_, i, value); }
  void bind(int i, const std::string& text) {
    sqlite3_bind_text(s_, i, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  int step() { return sqlite3_step(s_); }
  std::int64_t number(int column) const { return sqlite3_column_int64(s_, column); }
  std::string text(int column) const {
    const unsigned char* t = sqlite3_column_text(s_, column);
    return t == nullptr ? "" : reinterpret_cast<const char*>(t);
  }

 private:
  sqlite3_stmt* s_ = nullptr;
  bool good_ = false;
};

}  // namespace

ActionLog::ActionLog(const std::filesystem::path& file) : file_(file) {
  if (sqlite3_open(file.c_str(), &db_) != SQLITE_OK) refuse("open");
  sqlite3_busy_timeout(db_, 5000);
  execute(kSchema);
}

ActionLog::~ActionLog() { sqlite3_close(db_); }

void ActionLog::refuse(const std::string& doing) const {
  throw InputError(file_.string() + ": cannot " + doing + " the log of actions: " + sqlite3_errmsg(db_));
}

void ActionLog::execute(const std::string& sql) const {
  if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) refuse("write");
}

std::int64_t ActionLog::intend(const LoggedAction& a) {
  Query q(db_,
          "INSERT INTO actions (at_ps, switch_guid, port, before, after, why, counters, state, wall_s)"
          " VALUES (?,?,?,?,?,?,?,?,?)");
  if (!q.good()) refuse("write");
  q.bind(1, a.at.ps);
  q.bind(2, fmt::format("{:#018x}", a.switch_guid));
  q.bind(3, std::int64_t{a.port});
  q.bind(4, word(a.before));
  q.bind(5, word(a.after));
  q.bind(6, a.why);
  q.bind(7, a.counters);
  q.bind(8, a.state);
  q.bind(9, a.wall_seconds);
  if (q.step() != SQLITE_DONE) refuse("write");
  return sqlite3_last_insert_rowid(db_);
}

void ActionLog::set_state(std::int64_t id, const std::string& state) {
  Query q(db_, "UPDATE actions SET state = ? WHERE id = ?");
  if (!q.good()) refuse("write");
  q.bind(1, state);
  q.bind(2, id);
  if (q.step() != SQLITE_DONE) refuse("write");
}

std::vector<LoggedAction> ActionLog::select(const std::string& condition) const {
  Query q(db_,
          "SELECT id, at_ps, wall_s, switch_guid, port, before, after, why, counters, state FROM actions " + condition);
  if (!q.good()) refuse("read");
  std::vector<LoggedAction> actions;
  int code = 0;
  while ((code = q.step()) == SQLITE_ROW)
    actions.push_back({q.number(0), {q.number(1)}, q.number(2), std::strtoull(q.text(3).c_str(), nullptr, 0),
                       static_cast<std::uint32_t>(q.number(4)), element(q.number(5)), element(q.number(6)), q.text(7),
                       q.text(8), q.text(9)});
  if (code != SQLITE_DONE) refuse("read");
  return actions;
}

std::vector<LoggedAction> ActionLog::open_actions() const {
  return select("WHERE state IN ('intended', 'done') ORDER BY id DESC");
}
std::vector<std::int64_t> ActionLog::times_after(std::int64_t wall_seconds) const {
  std::vector<std::int64_t> times;
  for (const LoggedAction& a : select("WHERE wall_s > " + std::to_string(wall_seconds)))
    times.push_back(a.wall_seconds);
  return times;
}
std::vector<LoggedAction> ActionLog::all() const { return select("ORDER BY id"); }

}  // namespace weir::manage
