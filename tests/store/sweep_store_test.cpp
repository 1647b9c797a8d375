// The result file of a sweep: what is in it, who may write to it, and what its statistics are.
#include "store/sqlite/sweep_store.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "error_of.h"
#include "says.h"
#include "store/sqlite/query.h"
#include "store/store_sample.h"

namespace weir {
namespace {

const SweepIdentity kIdentity{"sample", "0123", Detail::summary, "0.1"};

// The sample with another latency, so that runs differ.
StoredRun sample(const std::string& point, std::int64_t repetition, double number, Detail detail = Detail::summary) {
  SampleRun run(point + ", seed=" + std::to_string(repetition + 1), static_cast<std::uint64_t>(repetition + 1));
  run.m.scheme_numbers = {{"size", number}};
  StoredRun stored = stored_run(analyse(run.record()), detail);
  stored.add("sweep", {point, repetition});
  return stored;
}

std::string ask(const std::filesystem::path& file, const std::string& sql) { return query_csv(run_query(file, sql)); }

TEST(StoredRun, SurvivesPacking) {
  const StoredRun run = sample("a=1", 0, 2.5, Detail::full);
  ASSERT_GT(run.frames.size(), 0u);
  const std::string bytes = pack(run);
  EXPECT_EQ(pack(unpack(bytes)), bytes);
  EXPECT_EQ(unpack(bytes).run_id, run.run_id);
  EXPECT_EQ(unpack(bytes).rows.size(), run.rows.size());
  for (const std::size_t cut : {std::size_t{0}, std::size_t{5}, bytes.size() / 2, bytes.size() - 1})
    EXPECT_EQ(error_of([&] { unpack(std::string_view(bytes).substr(0, cut)); }),
              "a worker sent something that is not the result of a run");
  EXPECT_NE(error_of([&] { unpack(bytes + "x"); }), "no error");
}

TEST(StoredRun, ASummaryLeavesOutWhatIsLarge) {
  const StoredRun full = sample("a=1", 0, 1, Detail::full), summary = sample("a=1", 0, 1);
  EXPECT_TRUE(summary.frames.empty());
  for (const StoredRow& row : summary.rows) {
    EXPECT_NE(stored_tables()[row.table]->name, "ports");
    EXPECT_NE(stored_tables()[row.table]->name, "class_series");
  }
  EXPECT_LT(2 * pack(summary).size(), pack(full).size());
}

TEST(SweepStore, HasAColumnForEveryKey) {
  const TempDir dir;
  const auto run = [](const std::string& point, std::int64_t repetition,
                      std::vector<std::pair<std::string, std::string>> parameters) {
    SampleRun made(point + std::to_string(repetition), static_cast<std::uint64_t>(repetition + 1));
    RunRecord record = made.record();
    record.parameters = std::move(parameters);
    StoredRun stored = stored_run(analyse(record), Detail::summary);
    stored.add("sweep", {point, repetition});
    return stored;
  };
  SweepStore store(dir / "s", kIdentity);
  store.add(run("one", 0, {{"a.\"b'.load", "0.1"}, {"scheme.name", R"("none")"}, {"seed", "1"}}));
  store.add(run("one", 1, {{"a.\"b'.load", "0.1"}, {"scheme.name", R"("none")"}, {"seed", "2"}}));
  store.write_statistics(0.95);
  EXPECT_EQ(ask(dir / "s", "SELECT * FROM swept"), "point,\"a.\"\"b'.load\",scheme.name\none,0.1,none\n");
  store.add(run("two", 0, {{"scheme.packets", "4"}, {"seed", "1"}}));  // the sweep has grown
  store.write_statistics(0.95);
  EXPECT_EQ(ask(dir / "s", "SELECT point, \"scheme.name\", \"scheme.packets\" FROM swept"),
            "point,scheme.name,scheme.packets\none,none,\ntwo,,4\n");
}

// Nothing of it is worth being kept from those who have corrected what was wrong.
TEST(SweepStore, AFileOfFailuresGivesWay) {
  const TempDir dir;
  {
    SweepStore store(dir / "s", kIdentity);
    SampleRun broken("a=2, seed=2", 2);
    StoredRun failure = stored_failure(broken.record(), "no such host");
    failure.add("sweep", {std::string("a=2"), std::int64_t{1}});
    store.add(failure);
  }
  EXPECT_EQ(SweepStore(dir / "s", kIdentity).failed().size(), 1u);
  SweepIdentity other = kIdentity;
  other.base_hash = "corrected";
  EXPECT_TRUE(SweepStore(dir / "s", other).finished().empty());
  EXPECT_EQ(ask(dir / "s", "SELECT count(*) AS n FROM failures"), "n\n0\n");
}

// SQLite by itself takes a name in double quotes that there is not for a text.
TEST(SweepStore, AMisspeltKeyIsNoText) {
  const TempDir dir;
  SweepStore store(dir / "s", kIdentity);
  store.add(sample("a=1", 0, 9));
  store.write_statistics(0.95);
  const std::string said = error_of([&] { ask(dir / "s", "SELECT \"traffic.al.load\" FROM swept"); });
  EXPECT_TRUE(says(said, "no such column")) << said;
  EXPECT_TRUE(says(said, "traffic.al.load")) << said;
}

TEST(SweepStore, QueriesHaveIntervalsOfTheirOwn) {
  const TempDir dir;
  SweepStore store(dir / "s", kIdentity);
  for (std::int64_t r = 0; r < 3; ++r) store.add(sample("a=1", r, 9.0 + static_cast<double>(r)));
  store.add(sample("b=1", 0, 7));
  EXPECT_EQ(ask(dir / "s", "SELECT round(student_half_width(value), 4) AS half FROM numbers JOIN sweep USING (run_id) "
                           "WHERE name = 'size' GROUP BY point"),
            "half\n2.4841\n\n");  // 4.3027 / sqrt(3); of one value there is none
}

TEST(SweepStore, KeepsRunsFailuresAndStatistics) {
  const TempDir dir;
  const auto file = dir / "some/where/s.sqlite";
  {
    SweepStore store(file, kIdentity);
    EXPECT_TRUE(store.finished().empty());
    store.add(sample("a=1", 0, 9));
    store.add(sample("a=1", 2, 11));
    store.add(sample("a=1", 1, 10));
    store.add(sample("a=2", 0, 5));
    SampleRun broken("a=2, seed=2", 2);
    StoredRun failure = stored_failure(broken.record(), "no such host");
    EXPECT_TRUE(failure.failed());
    failure.add("sweep", {std::string("a=2"), std::int64_t{1}});
    store.add(failure);
    store.write_statistics(0.95);
    store.close();
  }
  SweepStore store(file, kIdentity);
  EXPECT_EQ(store.finished().size(), 5u);
  EXPECT_EQ(store.failed().size(), 1u);
  EXPECT_EQ(ask(file, "SELECT label, error FROM failures"), "label,error\n\"a=2, seed=2\",no such host\n");
  EXPECT_EQ(ask(file, "SELECT point, runs, mean, stdev, round(high - low, 3) AS width FROM statistics "
                      "WHERE kind = 'number' ORDER BY point"),
            "point,runs,mean,stdev,width\na=1,3,10,1,4.968\na=2,1,5,,\n");
  EXPECT_EQ(ask(file, "SELECT DISTINCT item FROM statistics WHERE kind = 'class'"), "item\ncold\nhot\n");
  EXPECT_EQ(ask(file, "SELECT * FROM victims"), ask(file, "SELECT * FROM congestion_victims"));
  // Only the first repetitions; in the order of repetitions, not of arrival.
  for (const Statistic& s : store.statistics("a=1", 2, 0.95)) {
    if (s.metric == "value") {
      EXPECT_EQ(s.interval.mean, 9.5);
    }
    EXPECT_EQ(s.interval.values, 2u);
  }
  EXPECT_EQ(stored_statistics(file).size(), static_cast<std::size_t>(std::stoi(
                                                ask(file, "SELECT count(*) FROM statistics").substr(9))));
}

TEST(SweepStore, NoMeanOfRecoveriesWhereARunDidNotRecover) {
  const TempDir dir;
  SweepStore store(dir / "s.sqlite", kIdentity);
  store.add(sample("a=1", 0, 1));
  store.add(sample("a=2", 0, 1));
  SampleRun run("a=1, seed=2", 2);
  run.m.classes[0].series[9].latency_sum_ps *= 100;
  StoredRun late = stored_run(analyse(run.record()), Detail::summary);
  late.add("sweep", {std::string("a=1"), std::int64_t{1}});
  store.add(late);
  store.write_statistics(0.95);
  EXPECT_EQ(ask(dir / "s.sqlite", "SELECT point, metric, runs, mean FROM statistics WHERE item = 'cold' AND metric IN "
                                  "('event_recovery_s', 'event_not_recovered') ORDER BY point, metric"),
            "point,metric,runs,mean\na=1,event_not_recovered,2,0.5\na=2,event_not_recovered,1,0\n"
            "a=2,event_recovery_s,1,4e-05\n");
}

TEST(SweepStore, ANewRunMakesTheStatisticsOfItsPointInvalid) {
  const TempDir dir;
  SweepStore store(dir / "s.sqlite", kIdentity);
  store.add(sample("a=1", 0, 1));
  store.add(sample("a=2", 0, 1));
  store.write_statistics(0.95);
  store.add(sample("a=1", 1, 2));
  EXPECT_EQ(ask(dir / "s.sqlite", "SELECT DISTINCT point FROM statistics"), "point\na=2\n");
}

TEST(SweepStore, ARetriedRunIsNoFailureAnyMore) {
  const TempDir dir;
  SweepStore store(dir / "s.sqlite", kIdentity);
  SampleRun run("a=1, seed=1", 1);
  store.add(stored_failure(run.record(), "out of memory"));
  EXPECT_EQ(store.failed().size(), 1u);
  store.add(sample("a=1", 0, 1));
  EXPECT_TRUE(store.failed().empty());
  EXPECT_EQ(store.finished().size(), 1u);
}

TEST(SweepStore, OneWriterAtATime) {
  const TempDir dir;
  const auto file = dir / "s.sqlite";
  {
    SweepStore first(file, kIdentity);
    const std::string said = error_of([&] { SweepStore second(file, kIdentity); });
    EXPECT_EQ(said.substr(0, said.find(" (process")), "another sweep is writing to " + file.string());
    EXPECT_TRUE(says(said, "; wait for it, or choose another file with --out"));
    first.add(sample("a=1", 0, 1));
  }
  EXPECT_FALSE(std::filesystem::exists(file.string() + ".lock"));
  SweepStore third(file, kIdentity);
  EXPECT_EQ(third.finished().size(), 1u);
}

TEST(SweepStore, RefusesTheFileOfAnotherSweep) {
  const TempDir dir;
  const auto file = dir / "s.sqlite";
  {
    SweepStore store(file, kIdentity);
    store.add(sample("a=1", 0, 1));
  }
  const auto refused = [&](SweepIdentity other) { return error_of([&] { SweepStore store(file, other); }); };
  EXPECT_EQ(refused({"sample", "4567", Detail::summary, "0.1"}),
            file.string() + " holds other results (another configuration outside of [sweep]); continue the sweep that "
                            "began it, choose another file with --out, or remove it");
  EXPECT_TRUE(says(refused({"sample", "0123", Detail::full, "0.1"}), "another --detail"));
  EXPECT_TRUE(says(refused({"sample", "0123", Detail::summary, "0.2"}), "another version"));
  EXPECT_EQ(refused(kIdentity), "no error");
  // A comparison's result is no sweep.
  ResultDatabase compared(dir / "r.sqlite");
  compared.add(analyse(SampleRun("a").record()));
  compared.close();
  EXPECT_TRUE(says(error_of([&] { SweepStore store(dir / "r.sqlite", kIdentity); }), "holds other results"));
  EXPECT_TRUE(says(error_of([&] { SweepStore store(dir.path(), kIdentity); }), "it is a directory"));
}

// Runs are found again by the hash of their configuration, and older files have hashes of another kind.
TEST(SweepStore, RefusesTheFileOfAnOlderHash) {
  const TempDir dir;
  const auto file = dir / "s.sqlite";
  {
    SweepStore store(file, kIdentity);
    store.add(sample("a=1", 0, 1));
  }
  {
    ResultDatabase database(file);
    database.execute("DELETE FROM sweep_info WHERE key = 'hash'");
  }
  EXPECT_EQ(error_of([&] { SweepStore store(file, kIdentity); }),
            file.string() + " holds other results (another way of naming configurations, that of an older weir); "
                            "continue the sweep that began it, choose another file with --out, or remove it");
}

TEST(SweepStore, AFileWithoutRunsMayBecomeAnything) {
  const TempDir dir;
  { SweepStore store(dir / "s.sqlite", kIdentity); }
  SweepStore store(dir / "s.sqlite", {"other", "89", Detail::full, "0.1"});
  EXPECT_EQ(ask(dir / "s.sqlite", "SELECT value FROM sweep_info WHERE key = 'base_hash'"), "value\n89\n");
}

TEST(Query, AnswersAsCsvAndJson) {
  const TempDir dir;
  SweepStore store(dir / "s.sqlite", kIdentity);
  const auto file = dir / "s.sqlite";
  const std::string sql = R"(SELECT 1 AS a, 0.1 AS b, 'x,"y"' AS c, NULL AS d, x'00ff' AS e)";
  EXPECT_EQ(ask(file, sql), "a,b,c,d,e\n1,0.1,\"x,\"\"y\"\"\",,00ff\n");
  EXPECT_EQ(query_json(run_query(file, sql)),
            "[\n{\"a\":1,\"b\":0.1,\"c\":\"x,\\\"y\\\"\",\"d\":null,\"e\":\"00ff\"}\n]\n");
  EXPECT_EQ(query_json(run_query(file, "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a")),
            "[\n{\"a\":1,\"a_3\":2,\"a_2\":3,\"a_4\":4}\n]\n");
  EXPECT_EQ(query_json(run_query(file, "SELECT * FROM runs")), "[]\n");
}

TEST(Query, RefusesWhatIsNoQuestion) {
  const TempDir dir;
  { SweepStore store(dir / "s.sqlite", kIdentity); }
  const auto said = [&](const std::string& sql) { return error_of([&] { run_query(dir / "s.sqlite", sql); }); };
  EXPECT_EQ(said("SELECT nought FROM runs"),
            "cannot answer this query: no such column: nought; docs/results.md lists tables and columns");
  EXPECT_EQ(said("SELECT received FROM runs JOIN classes USING (run_id)"),
            "cannot answer this query: ambiguous column name: received; several tables of this query have it: write "
            "the table before it, as in classes.received");
  EXPECT_TRUE(says(said("DELETE FROM runs"), "results are read, not changed"));
  EXPECT_TRUE(says(said("SELECT 1; DROP TABLE runs"), "one statement at a time"));
  EXPECT_TRUE(says(said(" "), "the query is empty"));
  EXPECT_TRUE(says(error_of([&] { run_query(dir / "nothing", "SELECT 1"); }), "there is no result"));
  dir.write("text", "this is no database, but a text that is long enough to be looked at as one");
  EXPECT_TRUE(says(error_of([&] { run_query(dir / "text", "SELECT 1"); }), "no SQLite database"));
}

}  // namespace
}  // namespace weir
