// All runs of a comparison are judged alike: one event, one measure, and the same numbers in the sentence, the bars of
// the page and the tables. What nobody can have is not recommended, and what did nothing says so.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/answer/answer.h"
#include "report/answer/caveats.h"
#include "report/answer/phrases.h"
#include "report/answer/verdict.h"
#include "report/number_format.h"
#include "report/page/run_document.h"
#include "report/terminal/compare_text.h"
#include "report/terminal/run_text.h"
#include "says.h"
#include "store/json.h"
#include "store/store_sample.h"

namespace weir {
namespace {

// One class, nobody late: an event can only be found from the roots.
SampleRun one_class(const std::string& label) {
  SampleRun run(label);
  run.m.classes.pop_back();
  run.m.hosts.clear();
  run.m.hosts_by_class = false;
  run.m.flows.clear();
  return run;
}

// Congested from the first bin on: no calm, so no event of its own. Its p99 lies above every bin's mean.
SampleRun never_calm(const std::string& label) {
  SampleRun run = one_class(label);
  for (FabricFrame& frame : run.m.frames) frame = run.m.frames[4];
  for (std::size_t f = 0; f < run.m.frames.size(); ++f)
    run.m.frames[f].at = {static_cast<std::int64_t>(f + 1) * 10 * kMicro};
  for (int p = 0; p < 50; ++p) run.m.classes[0].latency.add(1'380 * kMicro);
  return run;
}

// Runs keep pointers to their samples.
struct Together {
  explicit Together(std::vector<SampleRun> all) : samples(std::move(all)) {
    std::vector<RunRecord> records;
    for (const SampleRun& run : samples) records.push_back(run.record());
    runs = analyse_together(records);
  }
  std::vector<SampleRun> samples;
  std::vector<AnalysedRun> runs;
};

TEST(Comparison, OneMeasureForAllRuns) {
  const std::vector<SampleRun> samples{never_calm("none"), one_class("renato")};
  ASSERT_FALSE(analyse(samples[0].record()).digest.event);
  const Together both(samples);
  const auto& runs = both.runs;
  EXPECT_FALSE(runs[1].digest.event);
  const Judgement j = judge(runs);
  EXPECT_EQ(j.measure, HarmMeasure::p99_latency);
  for (std::size_t r = 0; r < runs.size(); ++r)
    EXPECT_EQ(j.harms[r], runs[r].digest.classes[0].summary.latency->p99_ps);
  EXPECT_TRUE(says(verdict(runs), "99th percentile latency")) << verdict(runs);
}

TEST(Comparison, OneWindowForAllRuns) {
  SampleRun early("early");  // its pulse starts one bin before that of the reference
  std::swap(early.m.classes[1].series[3], early.m.classes[1].series[6]);
  const Together both({SampleRun("none"), early});
  const auto& runs = both.runs;
  for (const AnalysedRun& run : runs) {
    ASSERT_TRUE(run.digest.event);
    EXPECT_EQ(run.digest.event->span.from, Time{30 * kMicro});
    EXPECT_EQ(run.digest.event->span.to, Time{70 * kMicro});  // the reference's
  }
}

TEST(Comparison, CausesAreFoundByName) {
  SampleRun swapped("swapped");
  std::swap(swapped.m.classes[0], swapped.m.classes[1]);
  swapped.m.flows.clear();
  const Together both({SampleRun("none"), swapped});
  const auto& runs = both.runs;
  EXPECT_TRUE(runs[1].digest.classes[0].aggressor);
  EXPECT_FALSE(runs[1].digest.classes[1].aggressor);
  EXPECT_TRUE(runs[1].digest.classes[1].impact.has_value());
}

// The value that the terminal's table has in this row and column of the class.
std::string cell_of(const std::string& text, const std::string& heading, const std::string& row, std::size_t column) {
  std::istringstream lines(text.substr(text.find(heading)));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(row + " ", 0) != 0) continue;
    std::vector<std::string> cells;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t from = line.find_first_not_of(' ', at);
      if (from == std::string::npos) break;
      const std::size_t to = std::min(line.size(), line.find("  ", from));
      cells.push_back(line.substr(from, to - from));
      at = to;
    }
    return column < cells.size() ? cells[column] : "";
  }
  return "";
}

TEST(Comparison, SentenceBarsAndTableShowTheSameNumbers) {
  SampleRun window("window");
  for (std::size_t b = 4; b < 8; ++b)
    window.m.classes[0].series[b].latency_sum_ps = static_cast<double>(window.m.classes[0].series[b].received) * 4e6;
  for (const bool calm : {true, false}) {
    const Together both(calm ? std::vector{SampleRun("none"), window}
                             : std::vector{never_calm("none"), one_class("window")});
    const auto& runs = both.runs;
    const std::string text = compare_text(runs, {});
    const auto document = report_document(runs);
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const double bar = document["runs"][r]["harm_ns"].get<double>() * 1e3;
      const std::string shown = format_time(bar);
      EXPECT_EQ(cell_of(text, "class cold", runs[r].record.label, calm ? 1 : 3), shown) << text;
      EXPECT_TRUE(says(verdict(runs), shown)) << verdict(runs);
      const auto& cold = document["runs"][r]["classes"][0];
      EXPECT_EQ(cold[calm ? "event_latency_peak_ns" : "latency_p99_ns"].get<double>() * 1e3, bar);
    }
    EXPECT_EQ(document["answer"]["measure"], calm ? "peak latency" : "99th percentile latency");
  }
}

// ---- what can be deployed ----

RunRecord tagged(const SampleRun& run, const std::string& scheme, const std::string& tag) {
  RunRecord record = run.record();
  record.scheme = scheme;
  record.scheme_tag = tag;
  return record;
}

SampleRun with_peak(const std::string& label, double us) {
  SampleRun run(label);
  for (std::size_t b = 4; b < 8; ++b)
    run.m.classes[0].series[b].latency_sum_ps = static_cast<double>(run.m.classes[0].series[b].received) * us * 1e6;
  return run;
}

TEST(Deployable, TheBestOfAllAndTheBestThatCanBeDeployed) {
  const SampleRun none("none"), iocm = with_peak("iocm", 4), cca = with_peak("cca", 20), ffa = with_peak("ffa", 5);
  const auto runs = analyse_together({tagged(none, "none", "available"), tagged(iocm, "iocm", "research"),
                                      tagged(cca, "cca", "available"), tagged(ffa, "ffa", "ideal")});
  EXPECT_EQ(verdict(runs),
            "`iocm` (in papers only) helps class `cold` most: peak latency 4.00 us, against 200 us with `none` "
            "(50.0x lower). Among schemes that can be deployed, `cca` (available, enabled by opensm) "
            "helps most: 20.0 us, against 200 us with `none` (10.0x lower)");
  const Answer answer = answer_of(runs, judge(runs));
  EXPECT_EQ(answer.cards.back().title, "Best scheme that can be deployed");
  EXPECT_EQ(answer.cards.back().value, "`cca` (available, enabled by opensm)");
  EXPECT_TRUE(says(answer.advice[0], "To use `cca` here")) << answer.advice[0];
  EXPECT_TRUE(says(answer.advice[1], "`iocm` (in papers only) shows what would be possible")) << answer.advice[1];
  for (const std::string& line : answer.advice) EXPECT_FALSE(says(line, "Use iocm")) << line;
  EXPECT_TRUE(says(compare_text(runs, {}), "research"));
  EXPECT_EQ(report_document(runs)["runs"][1]["scheme_tag"], "research");
}

TEST(Deployable, NotWhatIsMadeForTheOtherKindOfFabric) {
  const SampleRun none("none"), dcqcn = with_peak("dcqcn", 4);
  const auto runs = analyse_together({tagged(none, "none", "available"), tagged(dcqcn, "dcqcn", "for Ethernet")});
  EXPECT_FALSE(can_be_deployed(runs[1]));
  EXPECT_TRUE(says(verdict(runs), "`dcqcn` (available only for Ethernet) helps class `cold`: ")) << verdict(runs);
  EXPECT_TRUE(says(verdict(runs), "Apart from `none`, no scheme that can be deployed on this fabric was tried"))
      << verdict(runs);
}

TEST(Deployable, NothingThatCanBeDeployedHelps) {
  const SampleRun none("none"), saa = with_peak("saa", 4);
  const auto runs = analyse_together({tagged(none, "none", "available"), tagged(saa, "saa", "ideal")});
  EXPECT_TRUE(says(verdict(runs), ". Apart from `none`, no scheme that can be deployed on this fabric was tried"))
      << verdict(runs);
  const Answer answer = answer_of(runs, judge(runs));
  EXPECT_EQ(answer.cards.back().value, "none helps");
  EXPECT_TRUE(says(answer.advice[0], "`saa` (an ideal, for comparison only) shows what would be possible"))
      << answer.advice[0];
}

TEST(Deployable, ThoseThatDoNotHelpAreNamed) {
  const SampleRun none("none"), window("window"), saa = with_peak("saa", 4);
  const auto runs = analyse_together(
      {tagged(none, "none", "available"), tagged(window, "window", "available"), tagged(saa, "saa", "ideal")});
  EXPECT_TRUE(says(verdict(runs), ". `window` can be deployed on this fabric, but the peak latency is not clearly "
                                  "lower with it (200 us against 200 us)"))
      << verdict(runs);
}

TEST(Deployable, TheBestIsOne) {
  const SampleRun none("none"), cca = with_peak("cca", 4);
  const auto runs = analyse_together({tagged(none, "none", "available"), tagged(cca, "cca", "available")});
  EXPECT_TRUE(verdict(runs).ends_with("(50.0x lower)")) << verdict(runs);
  EXPECT_EQ(answer_of(runs, judge(runs)).cards.size(), 4u);
}

// ---- schemes that did nothing ----

TEST(Idle, IsSaidEverywhere) {
  const SampleRun none("none");
  SampleRun qcn("qcn");
  qcn.m.scheme_idle = "the queue holds at most 1KiB, Qeq is 33kB";
  const std::string said = "qcn never acted: the queue holds at most 1KiB, Qeq is 33kB";
  const auto runs = analyse_together({tagged(none, "none", "available"), tagged(qcn, "qcn", "standard")});
  EXPECT_TRUE(says(compare_text(runs, {}), "note: " + said)) << compare_text(runs, {});
  const Answer answer = answer_of(runs, judge(runs));
  EXPECT_EQ(answer.advice[0], "Note: " + said + ".");
  const auto json = nlohmann::json::parse(json_document(runs));
  EXPECT_TRUE(json["runs"][0]["scheme_never_acted"].is_null());
  EXPECT_EQ(json["runs"][1]["scheme_never_acted"], "the queue holds at most 1KiB, Qeq is 33kB");
  EXPECT_EQ(json["runs"][1]["scheme"], "qcn");
  EXPECT_EQ(json["runs"][1]["scheme_tag"], "standard");
  EXPECT_EQ(report_document(runs)["runs"][1]["scheme_never_acted"], "the queue holds at most 1KiB, Qeq is 33kB");

  RunRecord alone = tagged(qcn, "qcn", "standard");
  alone.label = "";
  EXPECT_TRUE(says(run_text(analyse(alone), {}), "note: " + said));
  alone.label = "with defaults";
  EXPECT_EQ(idle_sentence(analyse(alone)).rfind("with defaults (qcn) never acted: ", 0), 0u);
}

// ---- what a diagnosis does not know ----

TEST(Coarse, WithoutFramesNothingIsSaidAboutSaturation) {
  SampleRun run;
  run.m.frames.clear();
  const AnalysedRun prepared = analyse(run.record());
  EXPECT_EQ(
      headline(prepared).rfind("one port is held back (20.0 us summed over all ports); without snapshots of the fabric "
                               "(measure.frames), it is not known whether a link was saturated for a while; the "
                               "busiest link for which they wait, S2:1 -> h2, is used 40.0 % of the run; the latency "
                               "of class `cold` rose 200x",
                               0),
      0u)
      << headline(prepared);
  const Answer answer = answer_of({prepared}, judge({prepared}));
  EXPECT_EQ(answer.cards[1].value, "not known");
  EXPECT_TRUE(says(answer.cards[1].detail, "S2:1 -> h2 is used 40.0 % of the run")) << answer.cards[1].detail;
  for (const std::string& line : answer.advice) EXPECT_FALSE(says(line, "No link is saturated")) << line;
  const std::string text = run_text(prepared, {});
  EXPECT_FALSE(says(text, "no root")) << text;
  EXPECT_TRUE(nlohmann::json::parse(json_document({prepared}))["congestion"]["coarse"]);
}

TEST(Coarse, TwoFramesAreNotEnough) {
  SampleRun run;
  run.m.frames = {run.m.frames[4], run.m.frames[9]};
  run.m.frames[0].load.assign(11, 100);
  run.m.frames[0].at = {50 * kMicro};
  EXPECT_TRUE(says(headline(analyse(run.record())), "with only 2 snapshots"))
      << headline(analyse(run.record()));
}

TEST(Coarse, AShortWaitIsNotCalledCalm) {
  SampleRun run;
  run.m.frames.clear();
  for (PortResult& port : run.m.ports) port.wait = {};
  run.m.ports[kUplink.index].wait = {4 * kMicro};  // 4 % of the run: perhaps all of one moment
  const AnalysedRun prepared = analyse(run.record());
  EXPECT_EQ(headline(prepared).rfind("no port is held back for 5 % of the run; without snapshots of the fabric", 0), 0u)
      << headline(prepared);
  EXPECT_EQ(answer_of({prepared}, judge({prepared})).cards[1].value, "not known");
}

// ---- recovery ----

TEST(Recovery, ThroughputMustRecoverToo) {
  SampleRun run;
  for (ClassBin& bin : run.m.classes[0].series) {
    bin.generated *= 100;
    bin.received *= 100;
    bin.latency_sum_ps *= 100;
  }
  EXPECT_TRUE(says(headline(analyse(run.record())), "and was back to normal 40.0 us after the disturbance began"));
  for (const std::size_t b : {8u, 9u}) {  // latency is back, but half of what is sent is stuck
    run.m.classes[0].series[b].received /= 2;
    run.m.classes[0].series[b].latency_sum_ps *= 0.5;
  }
  const std::string text = headline(analyse(run.record()));
  EXPECT_TRUE(says(text, "and was back to normal when the run ended, but the throughput was not")) << text;
  const Together both({run, SampleRun("window")});
  EXPECT_TRUE(says(compare_text(both.runs, {}), "not yet"));
}

// Flows arrive until 80 us; that little arrives afterwards is no harm.
TEST(Recovery, ThroughputCountsWhileFlowsArrive) {
  SampleRun run;
  for (ClassBin& bin : run.m.classes[0].series) {
    bin.generated *= 100;
    bin.received *= 100;
    bin.latency_sum_ps *= 100;
  }
  run.m.classes[0].series[9].received = 100;
  run.m.classes[0].series[9].latency_sum_ps *= 0.1;
  EXPECT_TRUE(says(headline(analyse(run.record())), "when the run ended, but the throughput was not"));
  run.m.flows[1].traffic_class = kCold;
  run.m.flows[1].start = {80 * kMicro};
  const std::string text = headline(analyse(run.record()));
  EXPECT_TRUE(says(text, " after the disturbance began")) << text;
}

}  // namespace
}  // namespace weir
