// The JSON document, parsed back.
#include "store/json.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "store/store_sample.h"

namespace weir {
namespace {

using nlohmann::json;

TEST(Json, IdentityTotalsAndClasses) {
  const SampleRun run;
  const json d = json::parse(json_document(run.record()));
  EXPECT_EQ(d["scenario"], "sample.toml");
  EXPECT_EQ(d["name"], "sample");
  EXPECT_EQ(d["seed"], 1);
  EXPECT_EQ(d["config_hash"], run.scenario.hash());
  EXPECT_EQ(d["config"], run.scenario.canonical());
  EXPECT_EQ(d["weir_version"], "0.1");
  EXPECT_EQ(d["ending"], "finished");
  EXPECT_EQ(d["totals"]["end_s"], 0.0001);
  EXPECT_EQ(d["totals"]["received"], 89 + 12);
  EXPECT_EQ(d["totals"]["hops"], 500);
  const json& cold = d["classes"]["cold"];
  EXPECT_EQ(cold["received"], 89);
  EXPECT_EQ(cold["latency_max_ns"], 200'000);
  EXPECT_EQ(cold["latency_peak_bin_ns"], 200'000);
  EXPECT_DOUBLE_EQ(cold["throughput_bps"], 89e3 * 8 / 100e-6);
  EXPECT_EQ(cold["event_latency_rise"], 200);
  EXPECT_EQ(cold["event_recovery_s"], 40e-6);
  EXPECT_EQ(cold["aggressor"], 0);
  EXPECT_TRUE(cold["network_latency_mean_ns"].is_null());
  const json& hot = d["classes"]["hot"];
  EXPECT_EQ(hot["aggressor"], 1);
  EXPECT_EQ(hot["marks_by_bits"], (json{{"0", 3}, {"1", 9}}));
  EXPECT_EQ(hot["histogram"]["generation"].size(), 1u);
  EXPECT_EQ(hot["histogram"]["generation"][0][2], 12);
}

TEST(Json, PausesOfAllLinksTogether) {
  SampleRun run;
  EXPECT_TRUE(json::parse(json_document(run.record()))["totals"]["pauses"].is_null());
  run.m.pauses.resize(run.m.ports.size() * run.m.lanes);
  run.m.pauses[0] = {.stops = 3, .paused = {2'000'000}};
  run.m.pauses[1] = {.stops = 4, .paused = {1'000'000}};
  const json totals = json::parse(json_document(run.record()))["totals"];
  EXPECT_EQ(totals["pauses"], 7);
  EXPECT_EQ(totals["paused_s"], 3e-6);
}

// A comment in the section of the scheme: the text still gives the same scenario.
TEST(Config, TellsWhatTheSchemeCalculated) {
  const std::string before = "[scheme]\nname = \"dcqcn\"\n\n[run]\nuntil = \"flows\"\n";
  EXPECT_EQ(with_calculated_values(before, "scheme", {}), before);
  EXPECT_EQ(with_calculated_values(before, "scheme", {{"kmin", "\"400kB\""}, {"threshold", "1"}}),
            "[scheme]\nname = \"dcqcn\"\n# not given, calculated for this fabric:\n# kmin = \"400kB\"\n"
            "# threshold = 1\n\n[run]\nuntil = \"flows\"\n");
  EXPECT_EQ(with_calculated_values("[run]\n", "scheme", {{"kmin", "1"}}), "[run]\n");
}

TEST(Json, NumbersOfOneNameAreAList) {
  SampleRun run;
  run.m.scheme_numbers = {{"port 3 set low", 1.5}, {"sweeps", 7}, {"port 3 set low", 2.5}, {"port 3 set low", 3.5}};
  const json d = json::parse(json_document(run.record()));
  EXPECT_EQ(d["numbers"], (json{{"port 3 set low", {1.5, 2.5, 3.5}}, {"sweeps", 7}}));
}

TEST(Json, FlowsPortsHostsSeries) {
  const SampleRun run;
  const json d = json::parse(json_document(run.record()));
  ASSERT_EQ(d["flows"].size(), 2u);
  EXPECT_EQ(d["flows"][0]["src"], "h0");
  EXPECT_EQ(d["flows"][0]["dst"], "h2");
  EXPECT_EQ(d["flows"][0]["bytes"], 12'000);
  EXPECT_EQ(d["flows"][0]["completion_s"], 70e-6);
  EXPECT_EQ(d["flows"][0]["duration_s"], 30e-6);
  EXPECT_DOUBLE_EQ(d["flows"][0]["rate_bps"], 12'000 * 8 / 30e-6);
  EXPECT_TRUE(d["flows"][1]["bytes"].is_null());
  EXPECT_TRUE(d["flows"][1]["completion_s"].is_null());
  EXPECT_EQ(d["ports"].size(), 10u);  // the unconnected one is left out
  const json& hot = d["ports"][8];
  EXPECT_EQ(hot["port"], 8);
  EXPECT_EQ(hot["role"], "root");
  EXPECT_EQ(hot["PortXmitData"], 10'000);
  EXPECT_EQ(hot["rate_bps"], 8'000'000'000);
  EXPECT_EQ(d["ports"][6]["role"], "held back");
  EXPECT_EQ(d["ports"][6]["PortXmitWait"], 20'000'000 / 128'000);
  EXPECT_EQ(d["hosts"].size(), 8u);
  EXPECT_EQ(d["series"]["cold"]["latency_mean_ns"],
            (json{1000, 1000, 1000, 1000, 50'000, 200'000, 20'000, 10'000, 1000, 1000}));
  EXPECT_TRUE(d["series"]["hot"]["latency_mean_ns"][0].is_null());
  EXPECT_EQ(d["congestion"]["roots"][0]["port"], 8);
  EXPECT_EQ(d["congestion"]["roots"][0]["victims"].size(), 2u);
  EXPECT_EQ(d["event"]["classes"], json{"hot"});
  EXPECT_EQ(d["apps"][0]["phase_ends_s"], json{70e-6});
}

TEST(Json, WatchedPortsAndResequencing) {
  SampleRun run;
  EXPECT_TRUE(json::parse(json_document(run.record()))["watched"].is_null());
  run.m.watch_bin = {1'000'000'000};
  run.m.watched = {{{0}, "S7:4", {{5e9, 33'000.5, 40'000}, {1e9, 0, 0}}}};
  run.m.resequencing_series = {0.25, 0};
  const json watched = json::parse(json_document(run.record()))["watched"];
  EXPECT_EQ(watched["bin_s"], 0.001);
  EXPECT_EQ(watched["ports"]["S7:4"]["rate_bps"], (json{5e9, 1e9}));
  EXPECT_EQ(watched["ports"]["S7:4"]["queue_mean_bytes"], (json{33'000.5, 0.0}));
  EXPECT_EQ(watched["ports"]["S7:4"]["queue_max_bytes"], (json{40'000, 0}));
  EXPECT_EQ(watched["ports"]["S7:4"]["start_s"], (json{0.0, 0.001}));
  EXPECT_EQ(watched["resequencing_mean_packets"], (json{0.25, 0.0}));
}

TEST(Json, NothingIsNotANumber) {
  SampleRun run;
  run.m.ports[0].mean_input_bytes = std::numeric_limits<double>::infinity();
  run.m.flows[0].offered_rate = std::numeric_limits<double>::infinity();
  const std::string text = json_document(run.record());
  const json d = json::parse(text);  // "nan" or "inf" would not parse
  EXPECT_TRUE(d["numbers"]["broken"].is_null());
  EXPECT_EQ(d["numbers"]["window"], 2.5);
  EXPECT_TRUE(d["ports"][0]["mean_input_bytes"].is_null());
}

TEST(Json, EmptyRunIsADocument) {
  SampleRun run;
  run.m = Measurements{};
  const json d = json::parse(json_document(run.record()));
  EXPECT_TRUE(d["classes"].empty());
  EXPECT_TRUE(d["event"].is_null());
  EXPECT_TRUE(d["totals"]["throughput_bps"].is_null());
}

TEST(Json, OddNamesComeBackUnharmed) {
  SampleRun run("<b>&\"'\\\n");
  run.topology = sample_topology("</script><script>alert(1)</script>");
  run.m.classes[0].name = "kalt, \"grün\" ❄\t";
  const json d = json::parse(json_document(run.record()));
  EXPECT_EQ(d["label"], "<b>&\"'\\\n");
  EXPECT_EQ(d["flows"][0]["dst"], "</script><script>alert(1)</script>");
  EXPECT_TRUE(d["classes"].contains("kalt, \"grün\" ❄\t"));
}

TEST(Json, BrokenUtf8IsRepaired) {
  SampleRun run("bad\xff");
  EXPECT_EQ(json::parse(json_document(run.record()))["label"], "bad\xEF\xBF\xBD");
}

TEST(Json, LargeSeedIsNotRounded) {
  SampleRun run("", 0xffff'ffff'ffff'ffffull);
  EXPECT_EQ(json::parse(json_document(run.record()))["seed"], "18446744073709551615");
}

TEST(Json, SeveralRuns) {
  const SampleRun a("a"), b("b");
  const json d = json::parse(json_document(std::vector{analyse(a.record()), analyse(b.record())}));
  ASSERT_EQ(d["runs"].size(), 2u);
  EXPECT_EQ(d["runs"][1]["label"], "b");
}

TEST(Json, TimeOfTheMachineIsKeptApart) {
  SampleRun run;
  const std::string before = json_document(run.record());
  run.m.totals.cpu_seconds = 99;
  run.m.totals.state_bytes = 1;
  run.m.totals.events = 12345;  // these two depend on the number of threads
  run.m.totals.peak_packets_alive = 67;
  EXPECT_EQ(json_document(run.record()), before);
  const json timing = json::parse(json_timing({analyse(run.record())}));
  EXPECT_EQ(timing["runs"][0]["cpu_s"], 99);
  EXPECT_EQ(timing["runs"][0]["events"], 12345);
  EXPECT_EQ(timing["runs"][0]["peak_packets_alive"], 67);
}

// Of a large fabric only the ports that waited longest, then those that carried the most, have rows.
TEST(JsonDocument, KeepsThePortsThatMatter) {
  const SampleRun sample;
  AnalysedRun run = analyse(sample.record());
  const json all = json::parse(json_document(std::vector{run}))["ports"];
  ASSERT_GT(all.size(), 3u);
  run.max_rows = 3;
  const json kept = json::parse(json_document(std::vector{run}))["ports"];
  ASSERT_EQ(kept.size(), 3u);
  const auto rank = [](const json& port) {
    return std::pair(port["wait_s"].get<double>(),
                     port["xmit_bytes"].get<std::int64_t>() + port["rcv_bytes"].get<std::int64_t>());
  };
  for (const json& port : all) {
    const bool is_kept = std::find(kept.begin(), kept.end(), port) != kept.end();
    for (const json& other : kept) EXPECT_TRUE(is_kept || rank(port) <= rank(other)) << port["name"];
  }
  EXPECT_LT(kept[0]["port"].get<int>(), kept[1]["port"].get<int>());
}

}  // namespace
}  // namespace weir
