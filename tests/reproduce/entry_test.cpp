// Entries as files: what is wrong in one is said with its place, runs are planned as it asks, its questions are
// answered, and verdicts follow the rules.
#include "reproduce/entry.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "error_of.h"
#include "reproduce/paper.h"
#include "reproduce/plan.h"

namespace weir {
namespace {

const std::string kFile = "reproduce/theory/entries/try.toml";
EntryDefinition entry_of(const std::string& text) { return read_entry(text, kFile); }
std::string refused(const std::string& text) {
  return error_of([&] { entry_of(text); });
}

TEST(EntryFile, SaysWhereAndWhatIsWrong) {
  EXPECT_NE(refused("titel = \"x\"").find("needs `title`"), std::string::npos);
  EXPECT_NE(refused("title = \"x\"\nmesure = \"y\"").find("try.toml:2: an entry has no key `mesure`; did you mean"),
            std::string::npos);
  EXPECT_NE(refused("title = \"x\"\n[[runs]]\nscenario = \"nowhere\"").find("try.toml:3: there is no scenario"),
            std::string::npos);
  EXPECT_NE(refused("title = \"x\"\n[[check]]\nwhat = \"a\"\nkind = \"vaule\"").find("`kind` must be"),
            std::string::npos);
  EXPECT_NE(refused("title = \"x\"\n[[check]]\nwhat = \"a\"").find("needs `paper`"), std::string::npos);
  EXPECT_NE(refused("title = \"x\"\n[[check]]\nwhat = \"a\"\nkind = \"shape\"\nholds = false").find("needs a `reason`"),
            std::string::npos);
  EXPECT_NE(refused("title = \"x\"\n[[runs]]\nscenario = \"hol\"\naxes = [\"load\"]").find("axes.toml"),
            std::string::npos);
  EXPECT_NE(refused("title = \"x\"\n[[runs]]\nscenario = \"hol\"\nfrom = \"deep\"").find("quick, normal or full"),
            std::string::npos);
}

TEST(EntryFile, ErrorsOfItsQuestionsHaveAPlace) {
  const auto failing = [](const std::string& check) {
    const EntryDefinition entry = entry_of("title = \"x\"\n" + check);
    return error_of([&] { run_entry(entry, Depth::quick, 1); });
  };
  const std::string value = "[[check]]\nwhat = \"a\"\npaper = 1\ntolerance = 0\nsql = ";
  EXPECT_NE(failing(value + "\"SELECT x FROM runs\"").find("try.toml:6: this SQL fails: no such column"),
            std::string::npos);
  EXPECT_NE(failing(value + "\"SELECT 'one'\"").find("must give a number"), std::string::npos);
  EXPECT_NE(failing(value + "\"SELECT 1 FROM runs\"").find("must give one row, and gives 0"), std::string::npos);
  EXPECT_NE(failing("[[check]]\nwhat = \"a\"\npaper = 1\ntolerance = 0").find("`measure` has no row `a`"),
            std::string::npos);
  EXPECT_NE(failing("[[compute]]\nname = \"magic\"").find("there is no computation `magic`"), std::string::npos);
}

TEST(EntryFile, RunsAreEveryCombinationOfTheirAxes) {
  const EntryDefinition entry = entry_of(R"toml(title = "x"
[[runs]]
scenario = "hol"
set = { run.warmup = "1us" }
quick = { run.duration = "2us" }
full = { run.duration = "9us" }
repeat = { quick = 2, normal = 2, full = 3 }
[[runs.axis]]
column = "ports"
key = "topology.hosts"
values = [8, 16]
[[runs.axis]]
column = "who"
points = [{ label = "all", set = {} }, { label = "fast", set = { link.rate = "9Gbps" }, from = "full" }]
)toml");
  const RunPlan quick = plan_runs(entry, Depth::quick, nullptr), full = plan_runs(entry, Depth::full, nullptr);
  EXPECT_EQ(quick.columns, (std::vector<std::string>{"ports", "who", "seed"}));
  EXPECT_EQ(quick.runs.size(), 4u);
  EXPECT_EQ(full.runs.size(), 12u);
  EXPECT_EQ(quick.runs[3].cells, (Row{std::int64_t{16}, std::string("all"), std::int64_t{2}}));
  const auto setting = [](const PlannedRun& run, const std::string& key) {
    std::string value;
    for (const Override& o : run.settings)
      if (o.key == key) value = o.value;
    return value;
  };
  EXPECT_EQ(setting(quick.runs[0], "run.duration"), "\"2us\"");
  EXPECT_EQ(setting(full.runs[3], "link.rate"), "\"9Gbps\"");
  Reading reading;
  reading.settings = {{"run.warmup", "\"0us\""}, {"topology.hosts", "4"}};
  reading.by_scheme["none"] = {{"link.delay", "\"1ns\""}};
  const RunPlan second = plan_runs(entry, Depth::quick, &reading);
  EXPECT_EQ(setting(second.runs[0], "run.warmup"), "\"0us\"");
  EXPECT_EQ(setting(second.runs[0], "topology.hosts"), "8") << "what a figure varies is not overruled";
  EXPECT_EQ(setting(second.runs[0], "link.delay"), "\"1ns\"");
}

TEST(EntryFile, QuestionsAreAskedToTheRuns) {
  const EntryResult result = run_entry(entry_of(R"toml(title = "x"
sql = "CREATE VIEW flow AS SELECT ports, window_throughput_bps AS rate FROM points JOIN classes USING (run_id)"
measure = "SELECT 'hosts of ' || ports, hosts FROM points JOIN runs USING (run_id)"
measured_note = "SELECT count(*) || ' runs' FROM points"
[[runs]]
scenario = "hol"
set = { run.warmup = "1us", run.duration = "20us" }
[[runs.axis]]
column = "ports"
key = "topology.hosts"
values = [4, 8]
[[check]]
what = "hosts of 8"
paper = 8
tolerance = 0
[[check]]
what = "more ports carry more"
kind = "ordering"
text = "more"
sql = "SELECT max(rate) FILTER (WHERE ports = 8) > max(rate) FILTER (WHERE ports = 4), cycles(12345.6) FROM flow"
[[report]]
sql = "SELECT 'rate of ' || ports, interval(rate) FROM flow GROUP BY ports"
[[figure]]
name = "rate"
x = "ports"
y = "rate"
paper = [[4, 1e9]]
sql = "SELECT 'measured', ports, rate FROM flow ORDER BY ports"
)toml"), Depth::quick, 2);
  ASSERT_EQ(result.checks.size(), 4u);
  EXPECT_EQ(result.checks[0].verdict, Verdict::reached);
  EXPECT_EQ(result.checks[1].verdict, Verdict::reached);
  EXPECT_EQ(result.checks[1].measured, "12,346");
  EXPECT_EQ(result.checks[2].what, "rate of 4");
  EXPECT_EQ(result.notes, std::vector<std::string>{"2 runs"});
  ASSERT_EQ(result.figures.size(), 1u);
  EXPECT_TRUE(result.figures[0].curves[0].points_only) << "what the paper prints";
  EXPECT_EQ(result.figures[0].curves[1].x, (std::vector<double>{4, 8}));
  EXPECT_EQ(result.simulations, 2u);
}

// A second reading may lie in what is asked; what was computed without regard to readings serves both.
TEST(EntryFile, QuestionsKnowTheReading) {
  const EntryDefinition entry = read_entry(R"toml(title = "x"
second = { seed = 2 }
[[compute]]
name = "port-overhead"
table = "overhead"
with = { heights = [2], radixes = [4] }
[[check]]
what = "which"
paper = 1
tolerance = 0
band = [0, 0]
reason = "the first"
sql = "SELECT second FROM reading, overhead"
)toml", "reproduce/zdornov2009/entries/try.toml");
  EXPECT_EQ(entry.second_settings.size(), 1u);
  const EntryResult result = run_entry(entry, Depth::quick, 1);
  ASSERT_EQ(result.checks.size(), 1u);
  EXPECT_EQ(result.checks[0].verdict, Verdict::reached_second);
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_TRUE(result.notes[0].starts_with("Second reading (fitted: "));
}

PaperValue printed(double paper, double tolerance) {
  PaperValue v;
  v.what = "x";
  v.paper = paper;
  v.tolerance = tolerance;
  return v;
}

TEST(Verdicts, OfValues) {
  PaperValue v = printed(100, 10);
  EXPECT_EQ(judge(v, {95, false, {}}).verdict, Verdict::reached);
  EXPECT_EQ(judge(v, {95, false, {}}).tolerance, 10);
  EXPECT_EQ(judge(v, {80, false, {}}).verdict, Verdict::unexplained);
  v.low = 75, v.high = 85, v.reason = "known";
  EXPECT_EQ(judge(v, {80, false, {}}).verdict, Verdict::differs_explained);
  EXPECT_EQ(judge(v, {70, false, {}}).verdict, Verdict::regressed);
}

TEST(Verdicts, OfASecondReading) {
  PaperValue v = printed(100, 10);
  v.low = 75, v.high = 85, v.reason = "known";
  const Check second = judge(v, {80, false, {}}, Finding{99, false, {}});
  EXPECT_EQ(second.verdict, Verdict::reached_second);
  EXPECT_EQ(second.reason, "known") << "why the literal reading does not";
  EXPECT_EQ(second.second, "99");
  EXPECT_EQ(judge(v, {95, false, {}}, Finding{0, false, {}}).verdict, Verdict::reached);
  EXPECT_EQ(judge(v, {80, false, {}}, Finding{50, false, {}}).verdict, Verdict::differs_explained);
  EXPECT_EQ(judge(v, {70, false, {}}, Finding{99, false, {}}).verdict, Verdict::regressed)
      << "a second reading hides nothing";
  v.second_reaches = true;
  EXPECT_EQ(judge(v, {80, false, {}}, Finding{50, false, {}}).verdict, Verdict::regressed);
}

TEST(Entries, AreKnownByPresentAndFormerNames) {
  EXPECT_EQ(entries_named({"zdornov/fig-1.1"}).front()->id, "zdornov2009/fig-1.1");
  EXPECT_EQ(error_of([] { entries_named({"ferrer"}); }),
            "there is no paper `ferrer`; did you mean `ferrer2012` (" +
                std::to_string(entries_named({"ferrer2012"}).size()) + " entries)?");
  EXPECT_EQ(entries_named({}).size(), entries().size());
  EXPECT_THROW(entries_named({"ferrer2012/fig-8"}), InputError);
  ASSERT_EQ(entries_named({"hol"}).size(), 1u);
  EXPECT_EQ(entries_named({"hol", "theory/hol"}).front()->id, "theory/hol");
  EXPECT_EQ(entries_named({"hol", "theory/hol"}).size(), 1u);
  EXPECT_EQ(error_of([] { entries_named({"theory/hop"}); }),
            "there is nothing to reproduce called `theory/hop`; did you mean `theory/hol`?");
  std::vector<std::string> ids;
  for (const EntryDefinition* entry : entries_named({"ferrer2012"})) ids.push_back(entry->id);
  const auto at = [&](const char* id) { return std::find(ids.begin(), ids.end(), id) - ids.begin(); };
  EXPECT_LT(at("ferrer2012/fig-8.9"), at("ferrer2012/fig-8.10"));
}

// Every claim names checks that there are, and every entry belongs to a paper.
TEST(Entries, ClaimsStandOnChecks) {
  for (const PaperInfo& paper : papers())
    for (const Claim& claim : paper.claims)
      for (const std::string& name : claim.checks) {
        const std::size_t colon = name.find(": ");
        const EntryDefinition& entry = *entries_named({paper.id + "/" + name.substr(0, colon)}).front();
        if (colon == std::string::npos) continue;
        EXPECT_TRUE(std::any_of(entry.checks.begin(), entry.checks.end(), [&](const CheckDefinition& check) {
          return check.paper.what == name.substr(colon + 2);
        })) << name;
      }
}

// What entries create beside the results of their runs has names of its own.
TEST(Entries, CreateNothingThatResultsHave) {
  std::set<std::string> taken;
  for (const Row& row : MemoryDatabase().ask({"SELECT name FROM sqlite_master", {}})) taken.insert(text_in(row[0]));
  ASSERT_TRUE(taken.contains("classes"));
  const std::regex create("CREATE (?:TABLE|VIEW) (\\w+)");
  for (const EntryDefinition* entry : entries_named({})) {
    for (const ComputeStep& step : entry->compute) EXPECT_FALSE(taken.contains(step.table)) << entry->id;
    for (const Sql& script : entry->scripts)
      for (std::sregex_iterator found(script.text.begin(), script.text.end(), create), end; found != end; ++found)
        EXPECT_FALSE(taken.contains((*found)[1])) << entry->id << ": " << (*found)[1];
  }
}

TEST(Entries, ExactOnesAreReached) {
  for (const EntryDefinition* entry : entries_named({"zdornov2009/fig-2.2", "zdornov2009/table-6.1",
                                                     "zdornov2009/prop-4.4.1", "zdornov2009/prop-4.4.2",
                                                     "ferrer2012/table-8.6"})) {
    const EntryResult result = run_entry(*entry, Depth::quick, 1);
    EXPECT_FALSE(result.checks.empty());
    for (const Check& check : result.checks)
      EXPECT_TRUE(check.verdict == Verdict::reached || check.verdict == Verdict::reported)
          << result.id << ": " << check.what << ": " << check.measured;
  }
}

TEST(Entries, ContentionIsAsRecorded) {
  for (const Check& check : run_entry(*entries_named({"zdornov2009/fig-6.2"}).front(), Depth::quick, 2).checks)
    EXPECT_FALSE(falls_short(check.verdict)) << check.what << ": " << check.measured;
}

}  // namespace
}  // namespace weir
