// The database, opened with SQLite itself and queried.
#include "store/sqlite/sqlite.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <sstream>

#include "base/error.h"
#include "source_dir.h"
#include "store/store_sample.h"
#include "store/tables.h"

namespace weir {
namespace {

// Rows as text, columns separated by '|'; NULL is empty.
std::vector<std::string> query(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::vector<std::string> rows;
  const auto collect = [](void* out, int count, char** values, char**) {
    std::string row;
    for (int i = 0; i < count; ++i) row += (i == 0 ? "" : "|") + std::string(values[i] == nullptr ? "" : values[i]);
    static_cast<std::vector<std::string>*>(out)->push_back(row);
    return 0;
  };
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), collect, &rows, &error), SQLITE_OK) << (error == nullptr ? "" : error);
  sqlite3_free(error);
  sqlite3_close(db);
  return rows;
}

using Rows = std::vector<std::string>;

TEST(Sqlite, TablesHoldTheRun) {
  const TempDir dir;
  const SampleRun run("none");
  ResultDatabase db(dir / "r.sqlite");
  db.add(analyse(run.record()));
  db.close();
  const auto path = dir / "r.sqlite";
  EXPECT_EQ(query(path, "SELECT label, name, seed, ending, received FROM runs"), Rows{"none|sample|1|finished|101"});
  EXPECT_EQ(query(path, "SELECT run_id = config_hash || '/none', config = '' FROM runs")[0].substr(0, 1), "1");
  EXPECT_EQ(query(path, "SELECT class, received, aggressor FROM classes ORDER BY class"),
            (Rows{"cold|89|0", "hot|12|1"}));
  EXPECT_EQ(query(path, "SELECT max(latency_mean_ns) FROM class_series WHERE class = 'cold'"), Rows{"200000.0"});
  EXPECT_EQ(query(path, "SELECT src, dst, bytes, completion_s IS NULL FROM flows"),
            (Rows{"h0|h2|12000|0", "h1|h2||1"}));
  EXPECT_EQ(query(path, "SELECT port, PortXmitData FROM ports WHERE role = 'root'"), Rows{"8|10000"});
  EXPECT_EQ(query(path, "SELECT rank, victims FROM congestion_roots"), Rows{"1|2"});
  EXPECT_EQ(query(path, "SELECT port FROM congestion_victims ORDER BY wait_s DESC"), (Rows{"6", "0"}));
  EXPECT_EQ(query(path, "SELECT sum(packets) FROM histograms WHERE class='cold' AND measured_from='generation'"),
            Rows{"89"});
  EXPECT_EQ(query(path, "SELECT name, value FROM numbers ORDER BY position"), (Rows{"window|2.5", "broken|"}));
  EXPECT_EQ(query(path, "SELECT count(*), length(max(load)) FROM frames"), Rows{"10|11"});
  EXPECT_EQ(query(path, "PRAGMA integrity_check"), Rows{"ok"});
}

TEST(Sqlite, ExamplesOfTheManualWork) {
  const TempDir dir;
  const SampleRun run("none");
  ResultDatabase db(dir / "r.sqlite");
  db.add(analyse(run.record()));
  db.close();
  const std::string manual = content_of(std::filesystem::path(source_dir()) / "docs/results.md");
  std::vector<Rows> answers;
  for (auto at = manual.find("```sql\n"); at != std::string::npos; at = manual.find("```sql\n", at + 1))
    answers.push_back(query(dir / "r.sqlite", manual.substr(at + 7, manual.find("```", at + 7) - at - 7)));
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ(answers[0], Rows{"none|200.0|0.04|1.06666666666667"});
  EXPECT_EQ(answers[1].size(), 2u);
  EXPECT_EQ(answers[1][0].substr(0, 9), "none|S2:1");
  ASSERT_EQ(answers[3].size(), 2u);  // percentiles of both classes, as `classes` has them
  const Rows p99 = query(dir / "r.sqlite", "SELECT latency_p99_ns / 1000 FROM classes WHERE class = 'cold'");
  const std::string cold = answers[3][0];
  EXPECT_TRUE(cold.starts_with("none|cold|")) << cold;
  std::istringstream fields(cold);
  std::string field;
  for (int i = 0; i < 4; ++i) std::getline(fields, field, '|');
  EXPECT_NEAR(std::stod(field), std::stod(p99[0]), 0.016 * std::stod(p99[0])) << cold;
  EXPECT_EQ(answers[2].size(), 3u);  // bins 4, 5 and 6; 10 us is not above ten times 1 us
}

TEST(Sqlite, SeveralRunsAndReplacement) {
  const TempDir dir;
  SampleRun a("a"), b("b", 2);
  ResultDatabase db(dir / "r.sqlite");
  db.add(analyse(a.record()));
  db.add(analyse(b.record()));
  EXPECT_EQ(db.run_ids().size(), 2u);
  EXPECT_TRUE(db.has(analyse(a.record()).run_id));
  EXPECT_FALSE(db.has("nobody"));
  a.m.flows.pop_back();
  db.add(analyse(a.record()));
  EXPECT_EQ(query(dir / "r.sqlite", "SELECT label, count(*) FROM flows JOIN runs USING (run_id) GROUP BY label"),
            (Rows{"a|1", "b|2"}));
}

TEST(Sqlite, RowsDoNotDependOnTheOrderOfAdding) {
  const TempDir dir;
  const SampleRun a("a"), b("b");
  ResultDatabase first(dir / "1.sqlite"), second(dir / "2.sqlite");
  first.add(analyse(a.record()));
  first.add(analyse(b.record()));
  second.add(analyse(b.record()));
  second.add(analyse(a.record()));
  for (const ResultTable& table : result_tables()) {
    const std::string sql = "SELECT * FROM " + std::string(table.name);
    EXPECT_EQ(query(dir / "1.sqlite", sql), query(dir / "2.sqlite", sql)) << table.name;
  }
}

TEST(Sqlite, FailedRunLeavesNoTrace) {
  const TempDir dir;
  SampleRun good("good"), bad("bad");
  bad.m.classes.push_back(bad.m.classes[0]);  // two classes of one name cannot be told apart
  bad.m.hosts.clear();
  ResultDatabase db(dir / "r.sqlite");
  db.add(analyse(good.record()));
  EXPECT_THROW(db.add(analyse(bad.record())), InputError);
  EXPECT_EQ(db.run_ids().size(), 1u);
  db.add(analyse(SampleRun("next").record()));  // and the database stays usable
  EXPECT_EQ(db.run_ids().size(), 2u);
}

TEST(Sqlite, LargeSeedStaysExact) {
  const TempDir dir;
  const SampleRun run("", 0xffff'ffff'ffff'ffffull);
  ResultDatabase db(dir / "r.sqlite");
  db.add(analyse(run.record()));
  EXPECT_EQ(query(dir / "r.sqlite", "SELECT seed FROM runs"), Rows{"18446744073709551615"});
}

TEST(Sqlite, ForeignFilesAreRefused) {
  const TempDir dir;
  std::ofstream(dir / "text") << std::string(5000, 'x');
  EXPECT_THROW(ResultDatabase(dir / "text"), InputError);
  EXPECT_EQ(content_of(dir / "text").size(), 5000u);
  sqlite3* db = nullptr;
  sqlite3_open((dir / "other.sqlite").c_str(), &db);
  sqlite3_exec(db, "CREATE TABLE mine (x)", nullptr, nullptr, nullptr);
  sqlite3_close(db);
  EXPECT_THROW(ResultDatabase(dir / "other.sqlite"), InputError);
  EXPECT_THROW(ResultDatabase(dir / "no/such/place.sqlite"), InputError);
}

TEST(LiteralCell, NumbersAreNumbers) {
  EXPECT_EQ(literal_cell("8"), Cell{std::int64_t{8}});
  EXPECT_EQ(literal_cell("-3"), Cell{std::int64_t{-3}});
  EXPECT_EQ(literal_cell("0.25"), Cell{0.25});
  EXPECT_EQ(literal_cell(R"("10%")"), Cell{0.1});
  EXPECT_EQ(literal_cell(R"("window")"), Cell{std::string("window")});
  EXPECT_EQ(literal_cell(R"("200us")"), Cell{std::string("200us")});
  EXPECT_EQ(literal_cell("true"), Cell{std::string("true")});
  EXPECT_EQ(literal_cell("[1, 2]"), Cell{std::string("[1, 2]")});
  EXPECT_EQ(literal_cell(R"("a\\b")"), Cell{std::string("a\\b")});
}

}  // namespace
}  // namespace weir
