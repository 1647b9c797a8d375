// Result directories: complete or absent, equal for equal runs, and never at the expense of other people's files.
#include "store/files/result_dir.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <functional>
#include <map>

#include "base/error.h"
#include "error_of.h"
#include "says.h"
#include "source_dir.h"
#include "store/csv.h"
#include "store/files/output_file.h"
#include "store/store_sample.h"
#include "store/tables.h"

namespace weir {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> files_in(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(directory))
    files[entry.path().filename().string()] = content_of(entry.path());
  return files;
}

TEST(ResultDir, HoldsEverything) {
  const TempDir dir;
  const SampleRun run;
  write_results(dir / "deep/er/out", {run.record()}, {{"report.html", "<p>"}});
  const auto files = files_in(dir / "deep/er/out");
  for (const char* name :
       {"MANIFEST", "result.json", "result.sqlite", "scenario.toml", "timing.json", "classes.csv", "series.csv",
        "flows.csv", "ports.csv", "hosts.csv", "latency.csv", "roots.csv", "victims.csv", "report.html"})
    EXPECT_TRUE(files.contains(name)) << name;
  EXPECT_EQ(files.at("scenario.toml"), run.scenario.canonical());
  EXPECT_EQ(std::distance(fs::directory_iterator(dir / "deep/er"), fs::directory_iterator{}), 1);  // nothing else left
}

TEST(ResultDir, EqualRunsGiveEqualBytes) {
  const TempDir dir;
  SampleRun run, again;
  again.m.totals.cpu_seconds = 77;
  again.m.totals.events = 88;              // of the engine, by its number of threads: no part of a result
  again.m.totals.peak_packets_alive = 99;
  again.scenario.file = "else/where/sample.toml";
  write_results(dir / "a", {run.record()});
  write_results(dir / "b", {again.record()});
  auto a = files_in(dir / "a"), b = files_in(dir / "b");
  EXPECT_NE(a["timing.json"], b["timing.json"]);
  a.erase("timing.json");
  b.erase("timing.json");
  EXPECT_EQ(a, b);
}

TEST(ResultDir, ReplacesAnEarlierResult) {
  const TempDir dir;
  SampleRun run;
  write_results(dir / "out", {run.record()}, {{"report.html", "old"}});
  run.m.flows.clear();
  write_results((dir / "out").string() + "/", {run.record()});
  EXPECT_EQ(content_of(dir / "out/flows.csv").find('\n'), content_of(dir / "out/flows.csv").size() - 1);
  EXPECT_FALSE(fs::exists(dir / "out/report.html"));
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator{}), 1);
}

TEST(ResultDir, ReplacesThroughALink) {
  const TempDir dir;
  const SampleRun run;
  write_results(dir / "real", {run.record()});
  fs::create_directory_symlink(dir / "real", dir / "link");
  write_results(dir / "link", {run.record()});
  EXPECT_TRUE(fs::is_symlink(dir / "link"));
}

TEST(ResultDir, LeavesForeignFilesAlone) {
  const TempDir dir;
  const SampleRun run;
  fs::create_directory(dir / "thesis");
  std::ofstream(dir / "thesis/chapter1.tex") << "years of work";
  EXPECT_TRUE(says(error_of([&] { write_results(dir / "thesis", {run.record()}); }), "not a weir result"));
  EXPECT_TRUE(says(error_of([&] { check_result_dir(dir / "thesis"); }), "not a weir result"));
  EXPECT_EQ(files_in(dir / "thesis").size(), 1u);

  write_results(dir / "out", {run.record()});
  std::ofstream(dir / "out/notes.txt") << "mine";
  const std::string message = error_of([&] { write_results(dir / "out", {run.record()}); });
  EXPECT_TRUE(says(message, "notes.txt"));
  EXPECT_EQ(content_of(dir / "out/notes.txt"), "mine");

  std::ofstream(dir / "file") << "x";
  EXPECT_TRUE(says(error_of([&] { write_results(dir / "file", {run.record()}); }), "it is a file"));
  fs::create_directory(dir / "empty");
  write_results(dir / "empty", {run.record()});
  EXPECT_TRUE(fs::exists(dir / "empty/result.json"));
}

TEST(ResultDir, RelativePathBelowNothingIsMade) {
  const fs::path before = fs::current_path();
  const fs::path place = fs::temp_directory_path() / ("weir-relative-" + std::to_string(::getpid()));
  fs::create_directories(place);
  fs::current_path(place);
  EXPECT_NO_THROW(check_result_dir("new/result"));
  EXPECT_NO_THROW(check_result_dir("result"));
  fs::current_path(before);
  fs::remove_all(place);
}

TEST(ResultDir, UnwritableDirectoryIsRefused) {
  const SampleRun run;
  // /proc takes no directories, not even from root.
  const std::string message = error_of([&] { write_results("/proc/weir/out", {run.record()}); });
  EXPECT_TRUE(says(message, "cannot write /proc/weir"));
}

TEST(ResultDir, PermissionsAreRespected) {
  if (::geteuid() == 0) GTEST_SKIP() << "permissions do not bind root";
  const SampleRun run;
  const TempDir dir;
  fs::permissions(dir.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_TRUE(says(error_of([&] { write_results(dir / "out", {run.record()}); }), "ermission"));
  EXPECT_TRUE(says(error_of([&] { check_result_dir(dir / "out"); }), "ermission"));
  fs::permissions(dir.path(), fs::perms::owner_all);
}

TEST(ResultDir, FullDiskIsReportedAndTheOldResultStays) {
  const TempDir dir;
  SampleRun run;
  write_results(dir / "out", {run.record()});
  const auto before = files_in(dir / "out");
  run.m.classes[0].series.resize(20'000);
  // A limit on the size of files fails like a full disk, and needs no disk of its own.
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t limit : {rlim_t{100}, rlim_t{20'000}, rlim_t{300'000}}) {
    const rlimit small{limit, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string message = error_of([&] { write_results(dir / "out", {run.record()}); });
    setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_TRUE(says(message, "cannot")) << limit;
    EXPECT_EQ(files_in(dir / "out"), before) << limit;
    EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator{}), 1) << limit;
  }
  ::signal(SIGXFSZ, handler);
  EXPECT_TRUE(says(error_of([] { write_file("/dev/full", "x"); }), "No space left"));
}

TEST(ResultDir, LabelsMustDiffer) {
  const TempDir dir;
  const SampleRun a("same"), b("same", 2);
  EXPECT_TRUE(says(error_of([&] {
              write_results(dir / "out", {a.record(), b.record()});
            }), R"("same")"));
  EXPECT_FALSE(fs::exists(dir / "out"));
}

TEST(ResultDir, ExtraFilesStayInside) {
  const TempDir dir;
  const SampleRun run;
  EXPECT_THROW(write_results(dir / "out", {run.record()}, {{"../x", ""}}), InputError);
  EXPECT_FALSE(fs::exists(dir / "x"));
}

TEST(ResultDir, SeveralRuns) {
  const TempDir dir;
  const SampleRun a("none"), b("window, 2");
  write_results(dir / "out", {a.record(), b.record()});
  EXPECT_TRUE(fs::exists(dir / "out/scenario-2.toml"));
  EXPECT_TRUE(says(content_of(dir / "out/classes.csv"), "\n\"window, 2\",cold,"));
}

TEST(Csv, FieldsAreQuotedWhereNeeded) {
  EXPECT_EQ(csv_field(Cell{}), "");
  EXPECT_EQ(csv_field(std::string("plain")), "plain");
  EXPECT_EQ(csv_field(std::string("a,\"b\"\n")), "\"a,\"\"b\"\"\n\"");
  EXPECT_EQ(csv_field(0.1), "0.1");
  EXPECT_EQ(csv_field(std::int64_t{-3}), "-3");
}

TEST(Csv, SeriesRows) {
  const TempDir dir;
  const SampleRun run("r");
  write_csv(dir / "series.csv", result_table("class_series"), {analyse(run.record())});
  const std::string text = content_of(dir / "series.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "run,class,bin,start_s,generated,injected,received,received_bytes,throughput_bps,latency_mean_ns,"
            "network_latency_mean_ns,latency_max_ns,marked");
  EXPECT_TRUE(says(text, "\nr,cold,5,5e-05,10,10,2,2000,1600000000,200000,100000,200000,0\n"));
  EXPECT_TRUE(says(text, "\nr,hot,0,0,0,0,0,0,0,,,,0\n"));
}

TEST(Tables, RowsHaveOneCellPerColumnOfItsType) {
  const SampleRun run("r");
  const AnalysedRun prepared = analyse(run.record());
  std::vector<ResultTable> tables = result_tables();
  tables.push_back(runs_table());
  for (const ResultTable& table : tables)
    table.rows(prepared, [&](const Row& row) {
      ASSERT_EQ(row.size(), table.columns.size()) << table.name;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const auto type = table.columns[i].type;
        const std::size_t expected = type == CellType::integer ? 1 : type == CellType::real ? 2 : 3;
        const bool empty = row[i].index() == 0;
        EXPECT_TRUE(empty || type == CellType::any || row[i].index() == expected)
            << table.name << "." << table.columns[i].name;
        EXPECT_FALSE(empty && table.columns[i].key) << table.name << "." << table.columns[i].name;
      }
    });
}

TEST(Tables, EveryColumnIsDocumented) {
  const std::string manual = content_of(fs::path(source_dir()) / "docs/results.md");
  ASSERT_FALSE(manual.empty());
  std::vector<ResultTable> tables = result_tables();
  tables.push_back(runs_table());
  for (const ResultTable& table : tables) {
    const auto start = manual.find("### `" + std::string(table.name) + "`");
    ASSERT_NE(start, std::string::npos) << table.name;
    const std::string section = manual.substr(start, manual.find("\n### ", start + 1) - start);
    for (const TableColumn& column : table.columns)
      EXPECT_TRUE(says(section, "`" + std::string(column.name) + "`"))
          << table.name << "." << column.name;
    EXPECT_TRUE(table.csv.empty() || section.find("`" + std::string(table.csv) + "`") != std::string::npos)
        << table.csv;
  }
}

}  // namespace
}  // namespace weir
