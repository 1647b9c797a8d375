#include "store/sqlite/sweep_store.h"

#include <algorithm>
#include <array>
#include <system_error>

#include "base/error.h"
#include "base/hash.h"
#include "store/files/output_file.h"
#include "store/sqlite/query.h"
#include "store/sqlite/sqlite_statement.h"

namespace weir {
namespace {

// The directory of the file, made if need be: the lock is the first thing that is put into it.
const std::filesystem::path& with_directory(const std::filesystem::path& file) {
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  if (error) refuse_write(file.parent_path(), error.value());
  if (std::filesystem::is_directory(file, error))
    throw InputError("cannot write " + file.string() + ": it is a directory; give the name of a file");
  return file;
}

// A table whose numbers are worth a mean.
struct ResultSource {
  std::string_view kind, table, item;  // item: the column that tells the rows of a run apart, if any
  std::vector<std::string> metrics;
};

std::vector<std::string> numbers_of(const ResultTable& table, std::initializer_list<std::string_view> but) {
  std::vector<std::string> names;
  for (const TableColumn& column : table.columns) {
    const bool number = column.type == CellType::integer || column.type == CellType::real;
    if (number && !column.key && std::find(but.begin(), but.end(), column.name) == but.end())
      names.emplace_back(column.name);
  }
  return names;
}

const std::vector<ResultSource>& sources() {
  static const std::vector<ResultSource> all{
      {"app", "apps", "app", {"completed", "completion_s"}},
      {"class", "classes", "class", numbers_of(result_table("classes"), {"aggressor"})},
      {"number", "numbers", "name", {"value"}},
      {"run", "runs", "", numbers_of(runs_table(), {"warmup_s", "bin_s", "hosts", "switches"})},
  };
  return all;
}

std::string select(const ResultSource& source, const std::string& where) {
  const std::string item = source.item.empty() ? "''" : "t." + std::string(source.item);
  std::string sql = "SELECT s.point, CAST(" + item + " AS TEXT) AS item";
  for (const std::string& metric : source.metrics) sql += ", t." + metric;
  return sql + " FROM sweep s JOIN " + std::string(source.table) + " t USING (run_id)" + where +
         " ORDER BY s.point, item, s.repetition, s.run_id";
}

using StatisticSink = std::function<void(const Statistic&)>;

// Goes through rows that are ordered by point and item, and gives one statistic per metric of each group.
class Groups {
 public:
  Groups(const ResultSource& source, double confidence, const StatisticSink& sink)
      : source_(source), confidence_(confidence), sink_(sink), values_(source.metrics.size()) {}

  void row(const Statement& row) {
    const std::string point = row.text(0), item = row.text(1);
    if (point != point_ || item != item_) flush();
    point_ = point;
    item_ = item;
    ++rows_;
    for (std::size_t m = 0; m < values_.size(); ++m)
      if (const auto value = row.number(static_cast<int>(m) + 2)) values_[m].push_back(*value);
  }
  void flush() {
    for (std::size_t m = 0; m < values_.size(); ++m) {
      if (!values_[m].empty() && !lacks_the_worst(m))
        sink_({point_, std::string(source_.kind), item_, source_.metrics[m], interval_of(values_[m], confidence_)});
    }
    for (auto& values : values_) values.clear();
    rows_ = 0;
  }

 private:
  // Times until something is over have no value in the runs that ended before: a mean of the others would be too low.
  bool lacks_the_worst(std::size_t metric) const {
    const std::string_view name = source_.metrics[metric];
    if (name == "completion_s") return values_[metric].size() < rows_;
    if (name != "event_recovery_s") return false;
    for (std::size_t m = 0; m < values_.size(); ++m)
      if (source_.metrics[m] == std::string_view("event_not_recovered"))
        return std::ranges::any_of(values_[m], [](double value) { return value > 0; });
    return false;
  }

  const ResultSource& source_;
  double confidence_;
  const StatisticSink& sink_;
  std::vector<std::vector<double>> values_;
  std::string point_, item_;
  std::size_t rows_ = 0;
};

void each_statistic(Statement& rows, const ResultSource& source, double confidence, const StatisticSink& sink) {
  Groups groups(source, confidence, sink);
  while (rows.step()) groups.row(rows);
  groups.flush();
}

}  // namespace

SweepStore::SweepStore(const std::filesystem::path& file, const SweepIdentity& identity)
    : file_(file), lock_(sweep_lock(with_directory(file))), database_(file) {
  // A rollback journal rather than a write-ahead log: it is safe on network file systems, too, where somebody may read
  // from another machine. Power that fails costs the last run at most.
  database_.execute("PRAGMA journal_mode = DELETE");
  database_.execute("PRAGMA synchronous = FULL");
  claim(identity);
}

void SweepStore::claim(const SweepIdentity& identity) {
  const std::array<std::array<std::string, 3>, 5> entries{
      {{"scenario", identity.scenario, "scenario"},
       {"hash", std::string(kHashName), "way of naming configurations, that of an older weir"},
       {"base_hash", identity.base_hash, "configuration outside of [sweep]"},
       {"detail", std::string(detail_name(identity.detail)), "--detail"},
       {"weir_version", identity.weir_version, "version of weir"}}};
  const bool empty = database_.run_ids().empty();  // it has no result, but may have failures
  bool forget = false;
  for (const auto& [key, value, meaning] : entries) {
    Statement query(database_, "SELECT value FROM sweep_info WHERE key = ?1");
    query.bind(1, key);
    if (query.step() && query.text(0) == value) continue;
    forget = true;
    if (empty) continue;  // the entries are written anew below
    throw InputError(file_.string() + " holds other results (another " + meaning +
                     "); continue the sweep that began it, choose another file with --out, or remove it");
  }
  database_.transaction([&] {
    if (forget)
      for (const std::string& failed : failed()) database_.clear(failed);
    Statement put(database_, "INSERT OR REPLACE INTO sweep_info VALUES (?1, ?2)");
    for (const auto& [key, value, meaning] : entries) {
      put.bind(1, key);
      put.bind(2, value);
      put.run();
    }
  });
}

std::set<std::string> SweepStore::finished() const {
  std::set<std::string> ids;
  Statement query(database_, "SELECT run_id FROM sweep");
  while (query.step()) ids.insert(query.text(0));
  return ids;
}

std::set<std::string> SweepStore::failed() const {
  std::set<std::string> ids;
  Statement query(database_, "SELECT run_id FROM failures");
  while (query.step()) ids.insert(query.text(0));
  return ids;
}

void SweepStore::add(const StoredRun& run) {
  database_.transaction([&] {
    database_.insert_all(run);
    // Statistics that do not count this run would be wrong; they are made again at the end.
    Statement clear(database_,
                    "DELETE FROM statistics WHERE point = (SELECT point FROM sweep WHERE run_id = ?1)");
    clear.bind(1, run.run_id);
    clear.run();
  });
}

std::vector<Statistic> SweepStore::statistics(const std::string& point, std::int64_t repetitions,
                                              double confidence) const {
  std::vector<Statistic> all;
  for (const ResultSource& source : sources()) {
    Statement rows(database_, select(source, " WHERE s.point = ?1 AND s.repetition < ?2"));
    rows.bind(1, point);
    rows.bind(2, repetitions);
    each_statistic(rows, source, confidence, [&](const Statistic& s) { all.push_back(s); });
  }
  return all;
}

void SweepStore::write_statistics(double confidence) {
  database_.transaction([&] {
    database_.execute("DELETE FROM statistics");
    Statement insert(database_, "INSERT INTO statistics VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    for (const ResultSource& source : sources()) {
      Statement rows(database_, select(source, ""));
      each_statistic(rows, source, confidence, [&](const Statistic& s) {
        const Interval& i = s.interval;
        int column = 0;
        for (const std::string& text : {s.point, s.kind, s.item, s.metric}) insert.bind(++column, text);
        insert.bind(++column, cell(std::uint64_t{i.values}));
        insert.bind(++column, cell(i.mean));
        insert.bind(++column, cell(i.stdev));
        insert.bind(++column, cell(i.low()));
        insert.bind(++column, cell(i.high()));
        insert.run();
      });
    }
    Statement put(database_, "INSERT OR REPLACE INTO sweep_info VALUES ('confidence', ?1)");
    put.bind(1, confidence);
    put.run();
    create_swept_view();
  });
}

// Points by the values of their keys, one column for each. A view, since another sweep table may have other keys.
void SweepStore::create_swept_view() {
  const auto quoted = [](const std::string& text, char quote) {
    std::string result(1, quote);
    for (const char c : text) result.append(c == quote ? 2 : 1, c);
    return result + quote;
  };
  std::string columns;
  Statement keys(database_, "SELECT DISTINCT key FROM parameters WHERE key <> 'seed' ORDER BY key");
  while (keys.step())
    columns += ", max(CASE p.key WHEN " + quoted(keys.text(0), '\'') + " THEN p.value END) AS " +
               quoted(keys.text(0), '"');
  database_.execute("DROP VIEW IF EXISTS swept");
  database_.execute("CREATE VIEW swept AS SELECT s.point" + columns +
                    " FROM sweep s LEFT JOIN parameters p USING (run_id) GROUP BY s.point");
}

void SweepStore::close() { database_.close(); }

std::vector<Statistic> stored_statistics(const std::filesystem::path& file) {
  const QueryResult found =
      run_query(file, "SELECT point, kind, item, metric, runs, mean, stdev, high FROM statistics "
                      "ORDER BY point, kind, item, metric");
  std::vector<Statistic> all;
  for (const Row& row : found.rows) {
    Statistic s{std::get<std::string>(row[0]), std::get<std::string>(row[1]), std::get<std::string>(row[2]),
                std::get<std::string>(row[3]), {}};
    s.interval.values = static_cast<std::size_t>(std::get<std::int64_t>(row[4]));
    s.interval.mean = std::get<double>(row[5]);
    if (const auto* stdev = std::get_if<double>(&row[6])) s.interval.stdev = *stdev;
    if (const auto* high = std::get_if<double>(&row[7])) s.interval.half_width = *high - s.interval.mean;
    all.push_back(std::move(s));
  }
  return all;
}

}  // namespace weir
