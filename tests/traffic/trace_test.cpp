// Traces: both formats, their conditions, ranks on hosts, and errors with file and line.
#include "traffic/flow_progress.h"
#include "traffic/packet_format.h"
#include "traffic/trace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <queue>

#include "base/file_text.h"
#include "network/topologies/topologies.h"
#include "scenario/parse.h"
#include "source_dir.h"
#include "temp_dir.h"
#include "traffic_helpers.h"

namespace weir {
namespace {

using namespace literals;

// When every flow starts if a flow of n bytes takes n nanoseconds and triggers fire at `trigger`.
std::vector<Time> play(const Workload& w, Time trigger = {}) {
  std::vector<Time> starts(w.flows.size(), kNever);
  FlowProgress progress(w);
  using Event = std::tuple<Time, int, std::uint32_t>;  // end of a flow, or a trigger (kind 1)
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  std::vector<FlowProgress::Start> released = progress.initial();
  for (std::uint32_t t = 0; t < w.triggers.size(); ++t) events.push({trigger, 1, t});
  while (true) {
    for (const auto& s : released) {
      starts[s.flow.index] = s.at;
      events.push({s.at + 1_ns * w.flows[s.flow].bytes, 0, s.flow.index});
    }
    released.clear();
    if (events.empty()) break;
    const auto [now, kind, index] = events.top();
    events.pop();
    if (kind == 1) progress.triggered(index, now, released);
    else progress.completed({index}, now, released);
  }
  EXPECT_EQ(progress.remaining(), 0u);
  return starts;
}

TraceOptions on_hosts(std::uint32_t ranks) {
  TraceOptions options;
  options.hosts = first_hosts(ranks);
  options.rates = std::vector<Rate>(ranks, Rate{8'000'000'000});
  return options;
}

Workload workload(const Trace& trace, const TraceOptions& options) {
  Workload w;
  add_trace(w, trace, options);
  return w;
}

std::vector<Time> csv_starts(std::string_view text, std::uint32_t ranks = 4) {
  return play(workload(parse_trace_csv("t.csv", text, ranks, 1_ns), on_hosts(ranks)));
}

TEST(TraceCsv, MessagesStartAtTheirTimes) {
  const Trace t =
      parse_trace_csv("t.csv", "time,source,destination,bytes\n0,0,1,10\n5,1,2,2kB\n1.5us,2,3,0\n", 4, 1_ns);
  ASSERT_EQ(t.messages.size(), 3u);
  EXPECT_EQ(t.messages[1].bytes, 2000);
  EXPECT_EQ(t.messages[2].bytes, 1);  // an empty message travels too
  EXPECT_EQ(t.messages[2].line, 4u);
  EXPECT_EQ(play(workload(t, on_hosts(4))), (std::vector<Time>{0_ns, 5_ns, 1500_ns}));
}

TEST(TraceCsv, MessageWaitsForAllItNamesAndForItsTime) {
  constexpr std::string_view kText =
      "time,source,destination,bytes,id,after,delay\n"
      "0,0,1,100,a,,\n"
      "0,2,1,150,b,,\n"
      "0,1,3,10,c,a b,7\n"
      "500,1,2,10,d,a,\n";
  EXPECT_EQ(csv_starts(kText), (std::vector<Time>{0_ns, 0_ns, 157_ns, 500_ns}));
}

TEST(TraceCsv, RowsAreNumberedWhereThereAreNoIds) {
  EXPECT_EQ(csv_starts("source,destination,bytes,after\n0,1,100,\n1,2,10,0\n2,3,10,1\n"),
            (std::vector<Time>{0_ns, 100_ns, 110_ns}));
}

TEST(TraceCsv, MessageToItselfTakesNoNetwork) {
  const Trace t =
      parse_trace_csv("t.csv", "time,source,destination,bytes,id,after\n5,0,0,99,a,\n5,0,1,10,b,a\n", 2, 1_ns);
  EXPECT_EQ(t.messages.size(), 1u);
  EXPECT_EQ(play(workload(t, on_hosts(2))), (std::vector<Time>{5_ns}));
}

void csv_error(std::string_view text, const std::string& message) {
  expect_error([&] { parse_trace_csv("t.csv", text, 4, 1_ns); }, message);
}

TEST(TraceCsv, ErrorsNameTheLine) {
  csv_error("time,source,destination,bytes\n0,0,4,10\n",
            R"(t.csv:2: destination "4" is no rank; there are ranks 0 to 3)");
  csv_error("time,source,destination,bytes\n5,0,1,10\n\n4,0,1,10\n",
            R"(t.csv:4: time runs backwards: "4" comes after 5ns in line 2)");
  csv_error("source,destination,bytes,id,after\n0,1,1,a,c\n0,1,1,b,a\n0,1,1,c,b\n",
            "t.csv:2: conditions form a cycle, so none of these can begin: lines 2 <- 4 <- 3 <- 2");
  csv_error("source,destination,bytes,id,after\n0,1,1,a,x\n",
            R"(t.csv:2: after names "x", but there is no such message)");
  csv_error("source,destination,bytes,id\n0,1,1,a\n0,1,1,a\n", R"(t.csv:3: id "a" is used before)");
  csv_error("source,destination,bytes,delay\n0,1,1,5\n", "t.csv:2: delay has no effect without `after`");
  csv_error("source,destination\n", R"(t.csv:1: column "bytes" is missing)");
  csv_error("source,destination,bytes,when\n", R"(t.csv:1: unknown column "when")");
  csv_error("source,destination,bytes\n0,1,1,1\n", "t.csv:2: 4 cells, but there are only 3 columns");
  csv_error("time,source,destination,bytes\n-1,0,1,10\n", "t.csv:2: time must not be negative");
  csv_error("source,destination,bytes\n0,1,many\n", "t.csv:2: bytes cannot be read");
  csv_error("source,destination,bytes\n", "no message");
  csv_error("", "the file is empty");
}

constexpr std::string_view kPingPong =
    "num_ranks 2\n"
    "rank 0 {\n"
    "l1: send 100b to 1 tag 7\n"
    "l2: recv 40b from 1 tag 8 cpu 0\n"
    "l3: calc 25\n"
    "l4: send 10b to 1\n"
    "l3 requires l2   // compute when the answer is here\n"
    "l4 requires l3\n"
    "l2 requires l1\n"
    "}\n"
    "rank 1 {\n"
    "a: recv 100b from 0 tag 7  /* the\n question */\n"
    "b: send 40b to 0 tag 8 nic 1\n"
    "b requires a\n"
    "recv 10b from 0\n"
    "}\n";

TEST(TraceGoal, ReceivesWaitForTheirMessages) {
  const Trace t = parse_goal("p.goal", kPingPong, 1_ns);
  EXPECT_EQ(t.ranks, 2u);
  ASSERT_EQ(t.messages.size(), 3u);
  EXPECT_EQ(play(workload(t, on_hosts(2))), (std::vector<Time>{0_ns, 165_ns, 100_ns}));
}

TEST(TraceGoal, UnitAndScaleOfTime) {
  const Trace t = parse_goal("p.goal", kPingPong, 1_us);
  EXPECT_EQ(play(workload(t, on_hosts(2)))[1], 140_ns + 25_us);
  TraceOptions fast = on_hosts(2);
  fast.time_scale = 0.1;
  EXPECT_EQ(play(workload(t, fast))[1], 140_ns + 2500_ns);
}

TEST(TraceGoal, SendersMayGoOnBeforeDelivery) {
  constexpr std::string_view kText =
      "num_ranks 3\nrank 0 {\na: send 100b to 1\nb: send 100b to 2\nb requires a\nc: calc 500\nd: send 1b to 2 tag 1\n"
      "d irequires c\nc requires b\n}\n"
      "rank 1 { recv 100b from 0 }\nrank 2 { recv 100b from 0\n recv 1b from 0 tag 1 }\n";
  const Trace t = parse_goal("g", kText, 1_ns);
  EXPECT_EQ(play(workload(t, on_hosts(3))), (std::vector<Time>{0_ns, 100_ns, 200_ns}));
  TraceOptions options = on_hosts(3);
  options.rates = std::vector<Rate>(3, Rate{80'000'000'000});  // ten times as fast as the play's network
  options.injected = true;
  EXPECT_EQ(play(workload(t, options)), (std::vector<Time>{0_ns, 10_ns, 20_ns}));
}

TEST(TraceGoal, EqualTagsMatchInOrder) {
  constexpr std::string_view kText =
      "num_ranks 2\nrank 0 { a: send 100b to 1\n b: send 10b to 1\n b requires a }\n"
      "rank 1 { x: recv 100b from 0\n y: recv 10b from 0\n z: send 5b to 0\n z requires x }\n"
      "\n";
  expect_error([&] { parse_goal("g", kText, 1_ns); }, "g:7: rank 0 never receives this (tag 0 from rank 1)");
  const std::string fixed =
      std::string(kText).replace(kText.find(" b requires a }"), 15, " b requires a\n recv 5b from 1 }");
  EXPECT_EQ(play(workload(parse_goal("g", fixed, 1_ns), on_hosts(2))), (std::vector<Time>{0_ns, 100_ns, 100_ns}));
}

void goal_error(std::string_view text, const std::string& message) {
  expect_error([&] { parse_goal("g", text, 1_ns); }, message);
}

TEST(TraceGoal, ErrorsNameTheLine) {
  goal_error("rank 0 {}", R"(g:1: a GOAL schedule begins with "num_ranks 64", not "rank")");
  goal_error("num_ranks 2\nrank 2 { }", "g:2: rank: unknown rank 2; there are ranks 0 to 1");
  goal_error("num_ranks 2\nrank 0 {\nsend 1b to 5 }", "g:3: send: unknown rank 5");
  goal_error("num_ranks 2\nrank 0 {\na: calc 5\na requires b\n}", R"(g:4: rank 0 has nothing labelled "b")");
  goal_error("num_ranks 2\nrank 0 {\na: calc 5\na: calc 6\n}", R"(g:4: label "a" is used twice)");
  goal_error("num_ranks 2\nrank 0 {\na: wait 5\n}", "g:3: expected send, recv or calc");
  goal_error("num_ranks 2\nrank 0 { }\nrank 0 { }", "g:3: rank 0 is described twice, first in line 2");
  goal_error("num_ranks 2\nrank 0 {\n", "g:2: rank 0 is opened here and never closed");
  goal_error("num_ranks 2\nrank 0 { send 1b to 1 }\nrank 1 { }", "g:2: rank 1 never receives this");
  goal_error("num_ranks 2\nrank 0 {\na: recv 1b from 1\nb: send 1b to 1\nb requires a\n}\n"
             "rank 1 {\na: recv 1b from 0\nb: send 1b to 0\nb requires a\n}\n",
             "g:3: conditions form a cycle, so none of these can begin: lines 3 <- 9 <- 8 <- 4 <- 3");
}

TEST(TraceGoal, RealScheduleIsABinaryTree) {
  const std::string file = source_dir() + "/../shared/data/goal/binary_tree_32.goal";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no real schedule beside the source";
  const Trace t = parse_goal(file, read_text_file(file), 1_ns);
  EXPECT_EQ(t.messages.size(), 31u);
  const std::vector<Time> starts = play(workload(t, on_hosts(32)));
  EXPECT_EQ(*std::max_element(starts.begin(), starts.end()), 4_ns);  // a message of one byte per level
}

TEST(Trace, BeginsAfterItsTriggerAndRepeats) {
  const Trace t = parse_goal("p.goal", kPingPong, 1_ns);
  TraceOptions options = on_hosts(2);
  options.basics.start = 10_ns;
  options.after_received = 5000;
  options.repeat = 2;
  options.period = 1_us;
  const Workload w = workload(t, options);
  EXPECT_EQ(w.triggers, (std::vector<std::uint64_t>{5000}));
  EXPECT_EQ(FlowProgress(w).initial().size(), 0u);
  EXPECT_EQ(play(w, 1_ms), (std::vector<Time>{1_ms + 10_ns, 1_ms + 175_ns, 1_ms + 110_ns, 1_ms + 1010_ns,
                                              1_ms + 1175_ns, 1_ms + 1110_ns}));
}

Workload scenario_workload(const std::string& keys,
                           const std::string& text = "source,destination,bytes\n0,1,10\n3,2,10\n") {
  Vocabulary v;
  v.sections.push_back({.name = "packet", .summary = "packets", .common = packet_params()});
  v.sections.push_back({.name = "traffic", .summary = "who sends what", .selector = "pattern", .repeated = true,
                        .common = traffic_common_params(), .kinds = traffic_kinds()});
  const TempDir dir;
  const std::string file = dir.write("trace.csv", text);
  const LinkProperties link{{8'000'000'000}, 1_ns, 0};
  return build_workload(
      parse_scenario_text("[[traffic]]\npattern = 'trace'\nfile = '" + file + "'\n" + keys, "s.toml", v),
      k_ary_n_tree({4, 2, 0}, link, link));
}

TEST(Trace, RanksOnHosts) {
  const auto pairs = [](const Workload& w) {
    std::vector<std::uint32_t> all;
    for (const Flow& f : w.flows) all.insert(all.end(), {f.source.index, f.destination.index});
    return all;
  };
  EXPECT_EQ(pairs(scenario_workload("ranks = 4\n")), (std::vector<std::uint32_t>{0, 1, 3, 2}));
  EXPECT_EQ(pairs(scenario_workload("ranks = 4\nmapping = 'spread'\n")), (std::vector<std::uint32_t>{0, 4, 12, 8}));
  EXPECT_EQ(pairs(scenario_workload("range = [8, 11]\n")), (std::vector<std::uint32_t>{8, 9, 11, 10}));
  EXPECT_EQ(pairs(scenario_workload("mapping = 'list'\nmap = [9, 3, 4, 0]\n")),
            (std::vector<std::uint32_t>{9, 3, 0, 4}));
  const Workload w = scenario_workload("name = 'app'\nclass = 'background'\nafter_received = 10\n");
  EXPECT_EQ(w.classes[w.flows[{0}].traffic_class.index].name, "background");
  EXPECT_EQ(w.app_names, (std::vector<std::string>{"app"}));
}

TEST(Trace, RefusesSettingsThatCannotBeMeant) {
  const auto refused = [](const std::string& keys, const std::string& message) {
    expect_error([&] { scenario_workload(keys); }, message);
  };
  refused("ranks = 3\n", R"(source "3" is no rank; there are ranks 0 to 2)");
  refused("ranks = 17\n", "17 ranks do not fit on 16 hosts");
  refused("mapping = 'list'\n", "`map` lists the host of every rank");
  refused("mapping = 'list'\nmap = [1, 1, 2, 3]\n", "host 1 has two ranks");
  refused("mapping = 'list'\nmap = [1, 16, 2, 3]\n", "16");
  refused("repeat = 3\n", "needs a `period`");
  refused("period = '1us'\n", "the trace is replayed once");
  refused("sends = 'injected'\n", "a table of messages has no operations");
}

}  // namespace
}  // namespace weir
