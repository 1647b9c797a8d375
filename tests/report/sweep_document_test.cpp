// The page of a sweep: axes are read out of what was written, means and intervals are those of the statistics, the
// answer names the right points, and failures and markup are text.
#include "report/page/sweep_document.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/page/sweep_scale.h"
#include "says.h"
#include "unpacked.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

SweepAxis axis(const std::string& key, const std::vector<std::string>& literals) {
  SweepAxis a{key, {key}, {}, {}};
  for (const std::string& literal : literals) a.points.push_back({literal});
  return a;
}

TEST(SweepScale, ReadsNumbersAsPeopleWriteThem) {
  const auto expect = [](const std::vector<std::string>& literals, const char* kind,
                         const std::vector<double>& numbers) {
    const SweepScale scale = scale_of(axis("k", literals));
    EXPECT_EQ(scale.kind, kind) << literals.front();
    EXPECT_EQ(scale.numbers, numbers) << literals.front();
    EXPECT_EQ(scale.labels.size(), literals.size());
  };
  expect({"1", "2.5", "-3"}, "number", {1, 2.5, -3});
  expect({R"("10%")", R"("90%")", "0.5"}, "number", {0.1, 0.9, 0.5});
  expect({R"("15ns")", R"("1us")", "0"}, "time", {15e-9, 1e-6, 0});
  expect({R"("8Gbps")", R"("10 Gb/s")", R"("2GB/s")"}, "rate", {8e9, 1e10, 16e9});
  expect({R"("300B")", "2000", R"("1KiB")"}, "bytes", {300, 2000, 1024});
}

TEST(SweepScale, EqualNumbersAndWordsAreCategories) {
  EXPECT_EQ(scale_of(axis("k", {R"("8Gbps")", R"("1GB/s")"})).kind, "category");
  EXPECT_EQ(scale_of(axis("k", {R"("none")", R"("window")"})).kind, "category");
  EXPECT_EQ(scale_of(axis("k", {"true", "false"})).kind, "category");
  EXPECT_EQ(scale_of(axis("k", {"1", R"("8Gbps")"})).kind, "category");
  EXPECT_EQ(scale_of(axis("k", {"[1, 2]", "[3, 4]"})).kind, "category");
}

TEST(SweepScale, LabelsStayAsWritten) {
  const SweepScale list = scale_of(axis("packet.payload", {R"(["1kB"])", R"(["2kB"])"}));
  EXPECT_EQ(list.kind, "bytes");
  EXPECT_EQ(list.numbers, (std::vector<double>{1000, 2000}));
  EXPECT_EQ(list.labels, (std::vector<std::string>{R"(["1kB"])", R"(["2kB"])"}));
  SweepAxis zipped{"both", {"scheme.name", "link.rate"}, {{R"("a")", R"("1Gbps")"}, {R"("b")", R"("2Gbps")"}}, {}};
  const SweepScale both = scale_of(zipped);
  EXPECT_EQ(both.kind, "rate");
  EXPECT_EQ(both.numbers, (std::vector<double>{1e9, 2e9}));
  EXPECT_EQ(both.labels, (std::vector<std::string>{"a, 1Gbps", "b, 2Gbps"}));
}

Interval interval(double mean, double half, std::size_t runs = 3) {
  Interval i;
  i.values = runs;
  i.mean = mean;
  if (half >= 0) i.half_width = half;
  return i;
}

// Two loads under two schemes: latency in us [load][scheme]; the load changes it 10x, the scheme 2x and not at all.
SweepReport sample() {
  SweepReport r;
  r.title = "t";
  r.scenario = "t.toml";
  r.command = "weir sweep t.toml";
  r.config = "name = 't'\n";
  r.config_hash = "abc";
  r.axes = {axis("load", {R"("10%")", R"("90%")"}), axis("scheme.name", {R"("none")", R"("<b>w</b>")"})};
  r.points = {"load=10%, scheme.name=none", "load=10%, scheme.name=<b>w</b>", "load=90%, scheme.name=none",
              "load=90%, scheme.name=<b>w</b>"};
  const double latency[] = {2000, 1000, 20000, 10000};
  for (std::size_t p = 0; p < 4; ++p) {
    r.statistics.push_back({r.points[p], "class", "cold", "latency_mean_ns", interval(latency[p], 100)});
    r.statistics.push_back({r.points[p], "class", "cold", "marked_share", interval(0, 0)});
    r.statistics.push_back({r.points[p], "class", "attack", "window_throughput_bps", interval(1e9 * double(p), 1e8)});
    r.statistics.push_back({r.points[p], "run", "", "received", interval(7, 0)});
  }
  r.aggressors = {"attack"};
  r.statistics.push_back({"load=50%, scheme.name=none", "class", "cold", "latency_mean_ns", interval(1, 0)});
  return r;
}

TEST(SweepDocument, HoldsTheStatisticsOfThePoints) {
  const Json d = sweep_document(sample());
  EXPECT_EQ(d["kind"], "sweep");
  ASSERT_EQ(d["subjects"].size(), 2u);
  EXPECT_EQ(d["subjects"][0]["name"], "cold");  // before those who cause it
  EXPECT_EQ(d["subjects"][0]["measures"].size(), 1u);  // nothing is marked anywhere
  EXPECT_EQ(d["axes"][0]["numbers"], (Json{0.1, 0.9}));
  EXPECT_TRUE(d["axes"][1]["numbers"].is_null());
  const Json rows = Json::parse(unpacked(d["points"]));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[2][0], (Json{1, 0}));
  EXPECT_EQ(rows[2][1], 3);
  EXPECT_EQ(rows[2][3][0][0], (Json{20000.0, 100.0, 3}));
  EXPECT_EQ(rows[2][3][1][0], (Json{2e9, 1e8, 3}));
}

TEST(SweepDocument, AnswersBestWorstAndWhatMatters) {
  const SweepReport report = sample();
  const SweepAnswer answer = sweep_answer(report, sweep_subjects(report));
  ASSERT_EQ(answer.sentences.size(), 2u);
  EXPECT_EQ(answer.sentences[0],
            "cold: best at load=10%, scheme.name=<b>w</b> (mean latency 1.00 us ± 10 %), worst at load=90%, "
            "scheme.name=none (20.0 us ± 0.5 %), a difference of 20.0x.");
  EXPECT_EQ(answer.sentences[1],
            "attack: best at load=90%, scheme.name=<b>w</b> (throughput 3.00 Gb/s ± 3.3 %), worst at load=10%, "
            "scheme.name=none (0 b/s).");
  EXPECT_EQ(answer.keys[0],
            "For class cold, load has the largest effect: between its best and its worst value, the mean latency "
            "differs 10.0x on average. It is followed by scheme.name (2.00x).");
  EXPECT_EQ(answer.keys[1],
            "scheme.name=<b>w</b> has the best mean latency of class cold at 2 of 2 values of load (clearly at both: "
            "its confidence interval does not overlap that of the next best).");
  EXPECT_EQ(answer.cards[0].value, "1.00 us ± 10 %");
}

TEST(SweepDocument, SaysWhatCanBeDeployedAndWhatNeverActed) {
  SweepReport report = sample();
  report.axes[1] = axis("scheme.name", {R"("none")", R"("iocm")", R"("cca")"});
  report.points.clear();
  report.statistics.clear();
  for (const char* load : {"10%", "90%"})
    for (const auto& [scheme, latency] : {std::pair{"none", 20000.0}, {"iocm", 1000.0}, {"cca", 5000.0}}) {
      report.points.push_back(fmt::format("load={}, scheme.name={}", load, scheme));
      report.statistics.push_back(
          {report.points.back(), "class", "cold", "latency_mean_ns", interval(latency, 100)});
    }
  report.schemes = {{"cca", "available", "no port has a threshold", 6, 2},
                    {"iocm", "research", "", 6, 0},
                    {"none", "available", "", 6, 0}};
  const SweepAnswer answer = sweep_answer(report, sweep_subjects(report));
  EXPECT_EQ(
      answer.keys[1],
      "scheme.name=iocm (in papers only) has the best mean latency of class cold at 2 of 2 values of load (clearly at "
      "both: its confidence interval does not overlap that of the next best). Among schemes that can be deployed, "
      "scheme.name=cca (available) at 2 of 2 values of load (clearly at both: its confidence interval does not overlap "
      "that of the next best).");
  EXPECT_NE(std::find(answer.notes.begin(), answer.notes.end(),
                      "cca never acted in 2 of 6 runs, for example: no port has a threshold."),
            answer.notes.end());
}

TEST(SweepDocument, SaysWhereChanceMayBeTheReason) {
  SweepReport report = sample();
  for (Statistic& s : report.statistics)
    if (s.metric == "latency_mean_ns") s.interval.half_width = 15000;
  const SweepAnswer wide = sweep_answer(report, sweep_subjects(report));
  EXPECT_TRUE(says(wide.sentences[0], "their confidence intervals overlap, so the difference may be due to chance."));
  EXPECT_TRUE(says(wide.keys[1], "(clearly at none of them: the confidence intervals overlap)"));
  for (Statistic& s : report.statistics) s.interval.half_width.reset();
  const SweepAnswer once = sweep_answer(report, sweep_subjects(report));
  ASSERT_EQ(once.notes.size(), 1u);
  EXPECT_TRUE(says(once.notes[0], "--repetitions 5 gives confidence intervals"));
  EXPECT_FALSE(says(once.sentences[0], "±"));
}

TEST(SweepDocument, OnlySeedsMakeOnePoint) {
  SweepReport report = sample();
  report.axes.clear();
  report.points = {""};
  report.statistics = {{"", "class", "cold", "latency_mean_ns", interval(2000, 20)}};
  const Json d = sweep_document(report);
  EXPECT_EQ(d["count"], 1);
  EXPECT_EQ(d["answer"]["sentences"][0],
            "cold: mean latency 2.00 us ± 1.0 % at the one point, the only point with a result.");
  EXPECT_TRUE(d["answer"]["keys"].empty());
}

TEST(SweepDocument, FailuresAreCountedAndShown) {
  SweepReport report = sample();
  report.statistics.erase(report.statistics.begin(), report.statistics.begin() + 4);  // the first point has none
  for (int i = 0; i < 600; ++i)
    report.failures.push_back({report.points[0], "run " + std::to_string(i), "</script><b>no such host</b>"});
  const Json d = sweep_document(report);
  EXPECT_EQ(d["failures"]["total"], 600);
  EXPECT_EQ(d["failures"]["shown"].size(), 500u);
  const Json rows = Json::parse(unpacked(d["points"]));
  EXPECT_EQ(rows[0][1], 0);
  EXPECT_EQ(rows[0][2], 600);
  EXPECT_TRUE(rows[0][3][0][0].is_null());
  EXPECT_TRUE(says(d["answer"]["notes"][1].get<std::string>(), "600 runs failed"));
  EXPECT_FALSE(says(sweep_page(report), "<b>no such host"));
  report.statistics.clear();
  EXPECT_EQ(sweep_document(report)["answer"]["sentences"][0], "No run has a result.");
}

TEST(SweepDocument, ManyApplicationsAreLeftOut) {
  SweepReport report = sample();
  for (int a = 0; a < 8; ++a)
    report.statistics.push_back({report.points[0], "app", std::to_string(a), "completion_s", interval(1e-3, 0)});
  EXPECT_EQ(sweep_subjects(report).size(), 10u);
  EXPECT_EQ(sweep_subjects(report)[2].title(), "application 0");
  report.statistics.push_back({report.points[0], "app", "8", "completion_s", interval(1e-3, 0)});
  EXPECT_EQ(sweep_subjects(report).size(), 2u);
}

// A number that is a product of one factor per key tells the factors apart, whatever the grid.
RC_GTEST_PROP(SweepEffect, IsTheFactorOfEachKey, ()) {
  SweepReport report;
  std::vector<std::vector<double>> factors;
  const int axes = *rc::gen::inRange(1, 4);
  std::size_t points = 1;
  for (int a = 0; a < axes; ++a) {
    factors.push_back(*rc::gen::container<std::vector<double>>(
        *rc::gen::inRange<std::size_t>(2, 5), rc::gen::map(rc::gen::inRange(1, 100), [](int n) { return double(n); })));
    std::vector<std::string> literals;
    for (std::size_t i = 0; i < factors.back().size(); ++i) literals.push_back(std::to_string(i));
    report.axes.push_back(axis("k" + std::to_string(a), literals));
    points *= literals.size();
  }
  std::vector<std::optional<Interval>> values;
  for (std::size_t p = 0; p < points; ++p) {
    report.points.push_back(std::to_string(p));
    double value = 1;
    std::size_t rest = p;
    for (std::size_t a = factors.size(); a-- > 0; rest /= factors[a].size())
      value *= factors[a][rest % factors[a].size()];
    values.push_back(interval(value, 0));
  }
  for (std::size_t a = 0; a < factors.size(); ++a) {
    const auto [low, high] = std::minmax_element(factors[a].begin(), factors[a].end());
    RC_ASSERT(std::abs(effect_of(report, a, values) / (*high / *low) - 1) < 1e-9);
  }
}

// A point whose hosts hold back 30 % of what they offer: its latency depends on how long it ran.
SweepReport overloaded_sample() {
  SweepReport r = sample();
  r.statistics.push_back({r.points[2], "class", "cold", "unsent_share", interval(0.3, 0.01)});
  r.statistics.push_back({r.points[2], "class", "cold", "injected", interval(700, 5)});
  r.statistics.push_back({r.points[0], "class", "cold", "unsent_share", interval(0.02, 0.01)});
  r.statistics.push_back({r.points[0], "class", "cold", "injected", interval(700, 5)});
  return r;
}

TEST(SweepDocument, NamesOverloadedPoints) {
  const Json d = sweep_document(overloaded_sample());
  ASSERT_EQ(d["overloaded"].size(), 1u);
  EXPECT_EQ(d["overloaded"][0]["point"], 2);
  EXPECT_EQ(d["overloaded"][0]["class"], "cold");
  EXPECT_EQ(d["overloaded"][0]["unsent_share"], 0.3);
  const std::string notes = d["answer"]["notes"].dump();
  EXPECT_TRUE(says(notes, "Latency there grows with the length of the run")) << notes;
  EXPECT_TRUE(says(notes, "load=90%, scheme.name=none (cold, 30.0 % unsent)")) << notes;
  EXPECT_TRUE(sweep_document(sample())["overloaded"].empty());
}

TEST(Overloads, SeeLatencyThatGrows) {
  const auto found = [](double growth, double half_width) {
    return overloads({{"p", "class", "c", "latency_growth", interval(growth, half_width)}}).size();
  };
  EXPECT_EQ(found(1.5, 0.1), 1u);
  EXPECT_EQ(found(1.1, 0.01), 0u);
  EXPECT_EQ(found(1.5, 0.6), 0u);  // may be chance
}

TEST(Overloads, LeaveOutFlowsAndFewPackets) {
  const auto found = [](double injected, bool flows) {
    std::vector<Statistic> s{{"p", "class", "c", "unsent_share", interval(0.5, 0)},
                             {"p", "class", "c", "injected", interval(injected, 0)}};
    if (flows) s.push_back({"p", "class", "c", "flows", interval(5, 0)});
    return overloads(s).size();
  };
  EXPECT_EQ(found(100, false), 1u);
  EXPECT_EQ(found(100, true), 0u);  // packets of a flow wait for each other
  EXPECT_EQ(found(5, false), 0u);
}

}  // namespace
}  // namespace weir
