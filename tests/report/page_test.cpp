// The report's page and what is put into it: nothing is lost by thinning and packing, nothing can break out of the
// script element, and the book says what its JSON says.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "report/answer/answer.h"
#include "report/book/book.h"
#include "report/page/compressed.h"
#include "report/page/downsample.h"
#include "report/page/page.h"
#include "says.h"
#include "source_dir.h"
#include "store/json.h"
#include "store/store_sample.h"
#include "unpacked.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

Json document_in(const std::string& page) {
  const std::string begin = R"(id="weir-data">)";
  const std::size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(Page, HoldsTheNoticesOfTheSoftwareInIt) {
  const std::string page(page_template());
  EXPECT_TRUE(says(page, "Apache License 2.0"));
  for (const char* part : {"Leon Sorokin", "Permission is hereby granted", "shall be included in", R"("AS IS")"})
    EXPECT_TRUE(says(page, part)) << part;
}

RC_GTEST_PROP(Compressed, GivesBackEveryByte, (const std::string& bytes)) {
  RC_ASSERT(unpacked(compressed(bytes)) == bytes);
}

TEST(Compressed, IntegersAreLittleEndian) {
  const std::vector<std::int32_t> values{1, -1, 0x01020304};
  EXPECT_EQ(unpacked(compressed(std::span<const std::int32_t>(values))),
            std::string("\1\0\0\0\xff\xff\xff\xff\4\3\2\1", 12));
}

TEST(Compressed, NibblesLowHalfFirst) {
  const std::vector<std::uint8_t> values{1, 15, 7};
  EXPECT_EQ(in_nibbles(values), std::string("\xf1\x07"));
}

RC_GTEST_PROP(Downsample, KeepsPeaksAndDipsInOrder, ()) {
  const auto numbers = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000));
  std::vector<std::optional<double>> values;
  for (const int n : numbers) values.push_back(n % 7 == 0 ? std::optional<double>{} : n);
  const std::size_t limit = *rc::gen::inRange<std::size_t>(4, 60);
  const SampledSeries thin = downsample(values, 5, 2, limit);
  RC_ASSERT(thin.x.size() == thin.y.size());
  RC_ASSERT(thin.x.size() <= std::max<std::size_t>(limit, 4));
  RC_ASSERT(std::is_sorted(thin.x.begin(), thin.x.end()));
  RC_ASSERT(std::adjacent_find(thin.x.begin(), thin.x.end()) == thin.x.end());
  for (std::size_t i = 0; i < thin.x.size(); ++i)
    RC_ASSERT(thin.y[i] == values[static_cast<std::size_t>((thin.x[i] - 5) / 2)]);  // every point is a real one
  const auto highest = [](const auto& list) {
    std::optional<double> best;
    for (const auto& v : list)
      if (v && (!best || *v > *best)) best = v;
    return best;
  };
  const auto lowest = [](const auto& list) {
    std::optional<double> best;
    for (const auto& v : list)
      if (v && (!best || *v < *best)) best = v;
    return best;
  };
  RC_ASSERT(highest(thin.y) == highest(values));
  RC_ASSERT(lowest(thin.y) == lowest(values));
}

TEST(Downsample, ShortSeriesStayAsTheyAre) {
  const std::vector<std::optional<double>> values{1.0, {}, 3.0};
  const SampledSeries thin = downsample(values, 0, 0.5);
  EXPECT_EQ(thin.y, values);
  EXPECT_EQ(thin.x, (std::vector<double>{0, 0.5, 1.0}));
}

TEST(Page, TheTemplateIsTheCheckedInPage) {
  std::ifstream file(source_dir() + "/web/dist/report.html", std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(page_template(), text.str());
}

TEST(Page, NothingBreaksOutOfTheScriptElement) {
  const Json document{{"name", "</script><script>alert(1)</script><!-- \xff"}};
  const std::string safe = script_safe(document);
  EXPECT_EQ(safe.find('<'), std::string::npos);
  EXPECT_EQ(Json::parse(safe)["name"].get<std::string>().rfind("</script><script>alert(1)</script><!--", 0), 0u);
  const std::string page = page_with(document), empty(page_template());
  const auto count = [](const std::string& text) {
    std::size_t n = 0;
    for (std::size_t at = text.find("<script"); at != std::string::npos; at = text.find("<script", at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count(page), count(empty));
}

TEST(Page, HoldsTheNumbersOfTheResult) {
  const SampleRun run;
  const std::vector<AnalysedRun> runs{analyse(run.record())};
  const Json page = document_in(report_page(runs, {"weir run sample.toml", {}}));
  const Json result = Json::parse(json_document(runs));
  EXPECT_EQ(page["command"], "weir run sample.toml");
  EXPECT_EQ(page["runs"][0]["config_hash"], result["config_hash"]);
  for (const Json& c : page["runs"][0]["classes"])
    for (const char* key : {"latency_mean_ns", "latency_p99_ns", "throughput_bps", "event_latency_peak_ns"})
      EXPECT_EQ(c[key], result["classes"][c["class"].get<std::string>()][key]) << key;
  const Json roots = Json::parse(unpacked(page["runs"][0]["tables"][3]["rows"]));
  ASSERT_EQ(roots.size(), result["congestion"]["roots"].size());
  EXPECT_EQ(roots[0][2], result["congestion"]["roots"][0]["name"]);
}

TEST(Page, FramesKeepTheThresholdsOfRootsAndVictims) {
  SampleRun run;
  run.m.frames.resize(1);
  FabricFrame& frame = run.m.frames[0];
  std::fill(frame.load.begin(), frame.load.end(), std::uint8_t{0});
  std::fill(frame.wait.begin(), frame.wait.end(), std::uint8_t{0});
  frame.load[0] = 241;
  frame.load[1] = 242;
  frame.wait[0] = 12;
  frame.wait[1] = 13;
  frame.wait[2] = 255;
  const Json frames = frames_document(analyse(run.record()), 10);
  const std::string load = unpacked(frames["load"]), wait = unpacked(frames["wait"]);
  EXPECT_EQ(load[0] & 15, 14);
  EXPECT_EQ(load[0] >> 4 & 15, 15);
  EXPECT_EQ(wait[0] & 15, 1);
  EXPECT_EQ(wait[0] >> 4 & 15, 2);
  EXPECT_EQ(wait[1] & 15, 15);
}

TEST(Page, FramesShareABudget) {
  const SampleRun run;
  const AnalysedRun prepared = analyse(run.record());
  ASSERT_GT(run.m.frames.size(), 3u);
  const Json few = frames_document(prepared, 3);
  EXPECT_LE(few["count"].get<std::size_t>(), 3u);
  EXPECT_EQ(few["to_s"].back(), frames_document(prepared, 1000)["to_s"].back());
  EXPECT_TRUE(frames_document(prepared, 1).is_null());
}

TEST(Answer, NamesVictimRootAndWhatToDo) {
  const SampleRun run;
  const std::vector<AnalysedRun> runs{analyse(run.record())};
  const Answer answer = answer_of(runs, judge(runs));
  ASSERT_EQ(answer.cards.size(), 2u);
  EXPECT_EQ(answer.cards[0].value, "cold: latency × 200");
  EXPECT_EQ(answer.cards[1].value, "S2:1 -> h2");
  ASSERT_FALSE(answer.advice.empty());
  EXPECT_TRUE(says(answer.advice[0], "More is sent to h2 than its link, S2:1 -> h2, can carry"));
}

Json book() {
  return {{"format", 1}, {"weir_version", "0"}, {"machine", "a|b"}, {"date", "2026-01-31"}, {"depth", "quick"},
          {"seed", "1"}, {"simulations", 12}, {"seconds", 61},
          {"papers",
           {{{"id", "theory"}, {"title", "Queueing theory"}, {"summary", "In short."}, {"unreached", {"Not this."}},
             {"second", {{"fitted", "fitted: x"}, {"why", "as read"}}},
             {"claims", {{{"says", "It holds."}, {"checks", {"hol: limit"}}},
                         {{"says", "Both hold."}, {"checks", {"hol"}}},
                         {{"says", "Never run."}, {"checks", {"md1"}}}}}}}},
          {"entries",
           {{{"id", "theory/hol"}, {"title", "T <b>"},
             {"checks", {{{"what", "limit"}, {"paper", "0.586"}, {"measured", "0.59"}, {"tolerance", 0.01},
                          {"verdict", "reached"}},
                         {{"what", "other"}, {"paper", "1"}, {"measured", "2"}, {"verdict", "differs, explained"},
                          {"reason", "because | of"}}}}}}}};
}

TEST(Book, MarkdownSaysWhereWhenAndWhy) {
  check_book_document(book(), "x.json");
  const std::string text = book_markdown(book());
  for (const char* part : {"| machine | a\\|b |", "| date | 2026-01-31 |", "| simulations | 12 |", "1 min 01 s",
                           "| Queueing theory | 1 | 1 | 0 | 1 | 0 | 0 | 0 |", "### theory/hol: T &lt;b&gt;",
                           "| | paper | tolerance | measured | verdict |",
                           "| limit | 0.586 | ± 0.01 | 0.59 | reached |", "| other | 1 |  | 2 | differs, explained |",
                           "| reached | within the tolerance;", "- **other**: because \\| of", "In short.",
                           "| It holds. | yes | theory/hol |", "| Both hold. | 1 of 2 | theory/hol |",
                           "| Never run. | not run |  |", "**Second reading** (fitted: x). as read", "Not this."})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(Book, MarkdownFoldsAwayWhatNoPaperPrints) {
  Json document = book();
  Json& checks = document["entries"][0]["checks"];
  Json more = checks[1];
  more["what"] = "another";
  checks.push_back({{"what", "between"}, {"paper", "1"}, {"measured", "3"}, {"verdict", "differs, explained"},
                    {"reason", "its own"}});
  checks.push_back(more);
  checks.push_back({{"what", "extra"}, {"paper", ""}, {"measured", "7"}, {"verdict", "reported"}});
  const std::string text = book_markdown(document);
  EXPECT_NE(text.find("- **other**, **another**: because \\| of\n"), std::string::npos) << "one reason, said once";
  const std::size_t folded = text.find("<details><summary>1 number without");
  ASSERT_NE(folded, std::string::npos);
  EXPECT_GT(text.find("| extra | 7 |"), folded);
}

TEST(Book, HasAnOverviewAndAPagePerPaper) {
  const auto pages = book_pages(book());
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].first, "index.html");
  EXPECT_EQ(pages[1].first, "theory.html");
  EXPECT_EQ(document_in(pages[1].second)["entries"][0]["checks"].size(), 2u);
  EXPECT_EQ(document_in(pages[0].second)["papers"][0]["claims"].size(), 3u);
}

TEST(Book, OfSeveralCallsHasEachEntryOnce) {
  Json old = book(), fresh = book();
  Json other = old["entries"][0];
  old["entries"][0]["title"] = "before";
  other["id"] = "theory/md1";
  other["simulations"] = 5;
  old["entries"].push_back(other);
  fresh["date"] = "2026-02-01";
  fresh["entries"][0]["simulations"] = 7;
  const Json merged = merged_book({old, fresh}, {"theory/md1", "theory/hol"});
  ASSERT_EQ(merged["entries"].size(), 2u);
  EXPECT_EQ(merged["entries"][0]["id"], "theory/md1");
  EXPECT_EQ(merged["entries"][1]["title"], fresh["entries"][0]["title"]) << "the last one counts";
  EXPECT_EQ(merged["date"], "2026-01-31; 2026-02-01");
  EXPECT_EQ(merged["machine"], fresh["machine"]);
  EXPECT_EQ(merged["simulations"], 12);
  check_book_document(merged, "x.json");
  fresh["depth"] = "none of these";
  EXPECT_THROW(merged_book({old, fresh}, {}), InputError);
}

TEST(Book, RefusesOtherDocuments) {
  EXPECT_THROW(check_book_document(Json::array(), "x.json"), InputError);
  EXPECT_THROW(check_book_document(Json{{"format", 1}}, "x.json"), InputError);
  for (const char* key : {"machine", "simulations", "seconds"}) {
    Json wrong = book();
    wrong[key] = Json::array();
    EXPECT_THROW(check_book_document(wrong, "x.json"), InputError) << key;
  }
  Json wrong = book();
  wrong["entries"][0]["checks"] = 3;
  EXPECT_THROW(check_book_document(wrong, "x.json"), InputError);
}

}  // namespace
}  // namespace weir
