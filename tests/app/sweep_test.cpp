// The plan and the board of a sweep: which runs there are, in which order they are dealt, and when repeating stops.
// What is in the file in the end must not depend on the order in which results come.
#include "app/sweep/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/report_file.h"
#include "app/sweep/report.h"
#include "app/sweep/slurm.h"
#include "app/sweep/text.h"
#include "base/random.h"
#include "error_of.h"
#include "says.h"
#include "store/sqlite/query.h"
#include "temp_dir.h"

namespace weir {
namespace {

const std::string kScenario = R"(
name = "tiny"
[topology]
kind = "star"
hosts = 4
[[traffic]]
name = "all"
pattern = "uniform"
load = 0.5
[run]
duration = "20us"
)";

SweepPlan plan_of(const std::string& sweep) {
  return make_sweep_plan(parse_scenario_text(kScenario + "[sweep]\n" + sweep, "tiny.toml", vocabulary()), 2);
}

TEST(SweepPlan, PointsAndRepetitions) {
  const SweepPlan plan =
      plan_of("'traffic.0.load' = [0.1, 0.9]\nseed = [5, 6, 7]\n'link.delay' = ['1ns', '2ns']\n");
  ASSERT_EQ(plan.runs.size(), 12u);
  ASSERT_EQ(plan.points.size(), 4u);
  EXPECT_EQ(plan.repetitions(), 3u);
  EXPECT_EQ(plan.points[1].name, "traffic.0.load=0.1, link.delay=2ns");
  EXPECT_EQ(plan.points[1].settings.size(), 2u);
  for (std::size_t p = 0; p < plan.points.size(); ++p)
    for (std::uint32_t r = 0; r < 3; ++r) {
      const Variant variant = sweep_variant(plan.base, plan.points[p].runs[r], vocabulary());
      EXPECT_EQ(variant.point, plan.points[p].name);
      EXPECT_EQ(variant.scenario.seed, 5 + r);
      EXPECT_EQ(plan.runs[plan.points[p].runs[r]].repetition, r);
      EXPECT_EQ(plan.runs[plan.points[p].runs[r]].run_id, variant.scenario.hash() + "/" + variant.label);
    }
  EXPECT_EQ(error_of([] {
              make_sweep_plan(parse_scenario_text(kScenario, "tiny.toml", vocabulary()), 1);
            }).substr(0, 45),
            "tiny.toml: there is nothing to sweep: add a [");
}

TEST(SweepPlan, RefusesWhatNoRunCanDo) {
  const std::string loads = "'traffic.0.load' = [0.1, 0.9]\n";
  const SweepPlan plan = plan_of(loads);
  EXPECT_EQ(error_of([&] { check_points(plan, {"latency_mean_ns", "all.latency_p99_ns", "sent.value"}); }), "no error");
  EXPECT_EQ(error_of([&] { check_points(plan, {"cold.latency_mean_ns"}); }),
            "--metric cold.latency_mean_ns: there is no class `cold`; the classes are `all`");
  // A class that only the second point has.
  EXPECT_EQ(error_of([&] { check_points(plan_of("'traffic.all.class' = ['a', 'b']\n"), {"b.latency_mean_ns"}); }),
            "no error");
  // Two errors of one kind are two, and each is a result.
  EXPECT_EQ(error_of([&] { check_points(plan_of("'traffic.0.to' = [[98], [99]]\n"), {}); }), "no error");
  EXPECT_TRUE(says(error_of([&] { check_points(plan_of(loads + "'run.until' = ['flows']\n"), {}); }),
                   "tiny.toml:14: this traffic never completes"));
  EXPECT_EQ(error_of([&] { check_points(plan_of("'traffic.0.to' = [[98], [99], [1, 2]]\n"), {}); }), "no error");
}

TEST(SweepPlan, CostGrowsWithHostsLoadAndDuration) {
  const SweepPlan load = plan_of("'traffic.0.load' = [0.1, 0.9]\n");
  EXPECT_NEAR(load.points[1].cost / load.points[0].cost, 9, 1e-9);
  const SweepPlan hosts = plan_of("'topology.hosts' = [4, 12]\n");
  EXPECT_NEAR(hosts.points[1].cost / hosts.points[0].cost, 3, 1e-9);
  const SweepPlan time = plan_of("'run.duration' = ['1us', '5us']\n");
  EXPECT_NEAR(time.points[1].cost / time.points[0].cost, 5, 1e-9);
}

// A result whose one number depends on point and repetition alone.
StoredRun fake(const SweepPlan& plan, std::size_t run, double spread) {
  const SweepRun& r = plan.runs[run];
  RandomStream random(r.point, Purpose{}, r.repetition);
  StoredRun result;
  result.run_id = r.run_id;
  result.add("numbers", {std::int64_t{0}, std::string("size"), 100 + spread * (random.unit() - 0.5)});
  return result;
}

class Board : public ::testing::Test {
 protected:
  SweepStore store(const std::string& name) { return {dir_ / name, {"tiny", "0", Detail::summary, "0"}}; }
  std::string rows(const std::string& name) {
    std::string text;
    for (const char* table : {"sweep", "numbers", "statistics", "failures"})
      text += query_csv(run_query(dir_ / name, std::string("SELECT * FROM ") + table));
    return text;
  }
  TempDir dir_;
};

TEST_F(Board, DealsLongestFirst) {
  const SweepPlan plan = plan_of("'traffic.0.load' = [0.1, 0.9, 0.5]\nrepetitions = 2\n");
  SweepStore s = store("s");
  SweepBoard board(plan, s, {}, false, {});
  std::vector<std::size_t> order;
  while (const auto run = board.take()) order.push_back(*run);
  EXPECT_EQ(order, (std::vector<std::size_t>{2, 3, 4, 5, 0, 1}));
  EXPECT_FALSE(board.over());
  EXPECT_EQ(board.counts().running, 6u);
}

TEST_F(Board, ARunThatIsGivenBackIsDealtAgainAndStoredOnce) {
  const SweepPlan plan = plan_of("repetitions = 2\n");
  SweepStore s = store("s");
  SweepBoard board(plan, s, {}, false, {});
  EXPECT_EQ(board.take(), 0u);
  EXPECT_EQ(board.take(), 1u);
  board.give_back(0);
  EXPECT_EQ(board.take(), 0u);
  board.finish(0, fake(plan, 0, 1));  // of the first worker, which was not lost after all
  board.finish(0, fake(plan, 0, 1));
  EXPECT_EQ(board.counts().done, 1u);
  board.give_back(1);
  board.finish(1, fake(plan, 1, 1));  // before it was dealt again
  EXPECT_TRUE(board.over());
  EXPECT_FALSE(board.take());
  EXPECT_EQ(board.counts().running, 0u);
  EXPECT_EQ(s.finished().size(), 2u);
}

TEST_F(Board, StopsTakingResults) {
  const SweepPlan plan = plan_of("repetitions = 2\n");
  SweepStore s = store("s");
  SweepBoard board(plan, s, {}, false, {});
  board.take();
  board.stop();
  EXPECT_FALSE(board.wait_and_take());
  board.finish(0, fake(plan, 0, 1));
  EXPECT_TRUE(s.finished().empty());
}

StopRule two_percent() { return {0.02, 0.95, {"size.value"}}; }

TEST(StopRule, LooksLessAndLessOften) {
  std::vector<std::size_t> looks{StopRule::first_look(40)};
  while (looks.back() < 40) looks.push_back(StopRule::next_look(looks.back(), 40));
  EXPECT_EQ(looks, (std::vector<std::size_t>{3, 5, 8, 12, 18, 27, 40}));
}

TEST(StopRule, AllThatItNamesMustBeNarrow) {
  const auto with = [](double half_width, const std::string& item, const std::string& metric) {
    return Statistic{"p", "class", item, metric, {3, 100, 1, half_width}};
  };
  StopRule rule{0.02, 0.95, {"latency_mean_ns", "hot.throughput_bps"}};
  EXPECT_TRUE(rule.satisfied({with(2, "cold", "latency_mean_ns"), with(9, "cold", "throughput_bps")}));
  EXPECT_FALSE(rule.satisfied({with(2, "cold", "latency_mean_ns"), with(2.1, "hot", "throughput_bps")}));
  EXPECT_FALSE(rule.satisfied({with(1, "cold", "throughput_bps")}));  // nothing that it names
}

// The latency of an overloaded class is as long as the run: it must not keep a point from being finished.
TEST(StopRule, WhatGrowsWithTheRunDoesNotDecide) {
  const auto with = [](const std::string& item, const std::string& metric, double mean, double half_width) {
    return Statistic{"p", "class", item, metric, {3, mean, 1, half_width}};
  };
  const std::vector<Statistic> statistics{
      with("cold", "latency_mean_ns", 100, 1),  with("cold", "window_throughput_bps", 100, 1),
      with("hot", "injected", 5000, 1),         with("hot", "latency_mean_ns", 100, 50),
      with("hot", "unsent_share", 0.2, 0.001),  with("hot", "window_throughput_bps", 100, 1)};
  StopRule rule{0.02, 0.95, {"window_throughput_bps", "latency_mean_ns"}};
  EXPECT_TRUE(rule.satisfied(statistics));
  EXPECT_EQ(rule.judge(statistics).growing, std::vector<std::string>{"hot.latency_mean_ns"});
  EXPECT_EQ(rule.judge(statistics).narrow.size(), 3u);

  rule.metrics = {"hot.latency_mean_ns"};  // asked for by name
  EXPECT_FALSE(rule.satisfied(statistics));
  EXPECT_EQ(rule.judge(statistics).wide, std::vector<std::string>{"hot.latency_mean_ns"});
  rule.metrics = {"latency_mean_ns"};
  EXPECT_TRUE(rule.satisfied(statistics));
  const std::vector<Statistic> hot_alone(statistics.begin() + 2, statistics.end());
  EXPECT_FALSE(rule.satisfied(hot_alone));  // nothing else that could decide
  EXPECT_TRUE(rule.judge(hot_alone).growing.empty());

  std::vector<Statistic> not_overloaded = statistics;
  not_overloaded[4].interval.mean = 0.01;
  EXPECT_FALSE(rule.satisfied(not_overloaded));
  EXPECT_EQ(rule.judge(not_overloaded).wide, std::vector<std::string>{"hot.latency_mean_ns"});
}

// Many workers, results in any order, any number of interruptions: the same rows.
TEST_F(Board, RepeatsUntilPreciseWhateverTheOrder) {
  const SweepPlan plan = plan_of("'traffic.0.load' = [0.1, 0.5, 0.9]\nrepetitions = 40\n");
  const auto spread = [&](std::size_t run) { return 2.0 + 8.0 * static_cast<double>(plan.runs[run].point); };
  std::string expected;
  for (std::uint64_t trial = 0; trial < 4; ++trial) {
    const std::string name = "s" + std::to_string(trial);
    RandomStream random(trial, Purpose{}, 1);
    bool over = false;
    while (!over) {
      SweepStore s = store(name);
      SweepBoard board(plan, s, two_percent(), false, {});
      std::vector<std::size_t> under_way;
      for (std::uint64_t steps = trial == 0 ? 100000 : random.below(30); steps > 0 && !board.over(); --steps) {
        while (under_way.size() <= trial) {
          const auto run = board.take();
          if (!run) break;
          under_way.push_back(*run);
        }
        const std::size_t at = random.below(under_way.size());
        board.finish(under_way[at], fake(plan, under_way[at], spread(under_way[at])));
        under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(at));
      }
      over = board.over();
      if (over) s.write_statistics(0.95);
    }
    if (trial == 0) expected = rows(name);
    EXPECT_EQ(rows(name), expected);
  }
  const auto counts =
      run_query(dir_ / "s0", "SELECT runs, (high - mean) / mean <= 0.02 FROM statistics ORDER BY point");
  EXPECT_EQ(std::get<std::int64_t>(counts.rows[0][0]), 3);
  EXPECT_GT(std::get<std::int64_t>(counts.rows[2][0]), 8);
  EXPECT_LT(std::get<std::int64_t>(counts.rows[2][0]), 40);
  for (const Row& row : counts.rows) EXPECT_EQ(std::get<std::int64_t>(row[1]), 1);
}

TEST_F(Board, FailedRunsAreKeptUnlessTheyAreRetried) {
  const SweepPlan plan = plan_of("repetitions = 2\n");
  {
    SweepStore s = store("s");
    SweepBoard board(plan, s, {}, false, {});
    const Variant variant = sweep_variant(plan.base, 0, vocabulary());
    RunRecord record;
    record.label = variant.label;
    record.scenario = &variant.scenario;
    board.take();
    board.finish(0, stored_failure(record, "broken"));
    EXPECT_EQ(board.counts().failed, 1u);
  }
  SweepStore s = store("s");
  SweepBoard kept(plan, s, {}, false, {});
  EXPECT_EQ(kept.counts().done, 1u);
  EXPECT_EQ(kept.counts().failed, 1u);
  EXPECT_EQ(kept.take(), 1u);
  EXPECT_FALSE(kept.take());
  SweepBoard again(plan, s, {}, true, {});
  EXPECT_EQ(again.take(), 0u);
  EXPECT_EQ(again.counts().failed, 0u);
}

TEST(SweepRun, AFailingRunIsAResult) {
  const Scenario base =
      parse_scenario_text(kScenario + "[sweep]\n'traffic.0.to' = [[1, 2], [99]]\n", "t.toml", vocabulary());
  EXPECT_FALSE(do_run(base, 0, Detail::summary, {}).failed());
  const StoredRun failed = do_run(base, 1, Detail::summary, {});
  ASSERT_TRUE(failed.failed());
  EXPECT_EQ(failed.run_id, make_sweep_plan(base, 1).runs[1].run_id);
}

TEST(SweepText, ShowsIntervals) {
  const SweepPlan plan = plan_of("'traffic.0.load' = [0.1, 0.9]\nrepetitions = 3\n");
  const std::string text = sweep_text(plan,
                                      {{plan.points[0].name, "class", "cold", "latency_mean_ns", {3, 1000, 5.0, 20.0}},
                                       {plan.points[1].name, "class", "cold", "latency_mean_ns", {1, 2000, {}, {}}}},
                                      0.9, {});
  EXPECT_TRUE(says(text, "±: 90 % confidence interval of the mean\n"));
  EXPECT_TRUE(says(text, "class cold"));
  EXPECT_TRUE(says(text, "1.00 us ± 2.0 %"));
  EXPECT_TRUE(says(text, "2.00 us\n"));
}

TEST(Slurm, TheScriptRepeatsTheCommand) {
  SweepOptions options;
  options.file = "dir/s.toml";
  options.set = {"name=it's"};
  options.precision = "2%";
  options.tasks = 5;
  options.hours = 2;
  const std::string script = slurm_script(options, plan_of("repetitions = 3\n"));
  EXPECT_EQ(script.substr(0, 12), "#!/bin/bash\n");
  for (const char* part : {"#SBATCH --job-name=weir-tiny\n", "#SBATCH --time=2:00:00\n", "=5", "--set 'name=it'\\''s'",
                           "--precision 2%", "/dir/s.toml"})
    EXPECT_TRUE(says(script, part)) << part << " in\n" << script;
}

TEST(Slurm, QuotesForTheShell) {
  EXPECT_EQ(shell_word("a/b=c"), "a/b=c");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("$(x) 'y'"), "'$(x) '\\''y'\\'''");
}

TEST(SweepOptions, Precision) {
  EXPECT_EQ(share_option("2%", "--precision"), 0.02);
  EXPECT_EQ(share_option("0.02", "--precision"), 0.02);
  for (const char* wrong : {"2", "-1%", "x", "0"})
    EXPECT_EQ(error_of([&] { share_option(wrong, "--precision"); }),
              std::string("--precision ") + wrong + ": give a share such as 2% or 0.02");
}

TEST(SweepText, KeysAreShortAndUnambiguous) {
  const SweepPlan plan = plan_of("'traffic.0.load' = [0.1, 0.9]\n'scheme.name' = ['none', 'window']\n");
  Interval i;
  i.values = 1;
  i.mean = 1000;
  const std::string text = sweep_text(plan, {{plan.points[0].name, "class", "all", "latency_mean_ns", i}}, 0.95,
                                      {80, false});
  EXPECT_TRUE(says(text, "0.load  scheme.name  runs")) << text;  // of which traffic
}

// Flows that arrive by chance end when the last one that happened to arrive ends.
TEST(SweepText, ArrivingFlowsHaveNoCompletion) {
  const TempDir dir;
  const auto apps_of = [&](const std::string& more, std::size_t apps) {
    const std::string arrivals = "[[traffic]]\nname = 'arrive'\npattern = 'flow-arrivals'\nsizes = 'fixed'\n"
                                 "bytes = '1kB'\nload = 0.1\nstop = '10us'\n";
    const SweepPlan plan = make_sweep_plan(
        parse_scenario_text(kScenario + arrivals + more + "[sweep]\nrepetitions = 2\n", "t.toml", vocabulary()), 1);
    const std::filesystem::path file = dir / std::to_string(apps);
    SweepStore store(file, {"tiny", "0", Detail::summary, "0"});
    SweepBoard board(plan, store, {}, false, {});
    while (const auto run = board.take()) board.finish(*run, do_run(plan.base, *run, Detail::summary, {}));
    store.write_statistics(0.95);
    std::set<std::string> shown, stored;
    for (const Statistic& s : stored_statistics(file))
      if (s.kind == "app") stored.insert(s.item);
    EXPECT_EQ(stored.size(), apps);
    for (const Statistic& s : shown_statistics(plan, file))
      if (s.kind == "app") shown.insert(s.item);
    return shown.size();
  };
  EXPECT_EQ(apps_of("", 1), 0u);
  EXPECT_EQ(apps_of("[[traffic]]\npattern = 'incast'\ntarget = 0\nbytes = '1kB'\n", 2), 2u);
}

TEST(SweepText, MarksOverloadedLatencies) {
  const SweepPlan plan = plan_of("'traffic.0.load' = [0.1, 0.9]\n");
  const auto statistic = [&](std::size_t p, const char* metric, double mean) {
    Interval i;
    i.values = 3;
    i.mean = mean;
    i.half_width = mean / 100;
    return Statistic{plan.points[p].name, "class", "all", metric, i};
  };
  std::vector<Statistic> statistics{statistic(0, "latency_mean_ns", 1000), statistic(1, "latency_mean_ns", 50'000),
                                    statistic(1, "unsent_share", 0.2), statistic(1, "injected", 5000)};
  const std::string text = sweep_text(plan, statistics, 0.95, {80, false});
  EXPECT_EQ(std::count(text.begin(), text.end(), '*'), 2) << text;  // one latency, and the remark
  EXPECT_TRUE(says(text, "* overloaded: on average over the runs, more than 5 %")) << text;
  statistics.resize(2);
  EXPECT_FALSE(says(sweep_text(plan, statistics, 0.95, {80, false}), "*"));
}

}  // namespace
}  // namespace weir
