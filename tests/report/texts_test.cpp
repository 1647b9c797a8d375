// What run and compare print: the right statements, never too wide, never a NaN.
#include <gtest/gtest.h>

#include <sstream>

#include "network/routings/routings.h"
#include "report/answer/feeders.h"
#include "report/answer/answer.h"
#include "report/answer/phrases.h"
#include "report/answer/verdict.h"
#include "report/terminal/compare_text.h"
#include "report/terminal/run_text.h"
#include "report/terminal/terminal_text.h"
#include "run/vocabulary.h"
#include "says.h"
#include "scenario/parse.h"
#include "store/store_sample.h"

namespace weir {
namespace {

void expect_well_formed(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), kTextWidth) << line;
  for (const char* word : {"nan", "inf ", "-inf"}) EXPECT_FALSE(says(text, word)) << word << "\n" << text;
}

// The same run under a scheme that keeps cold latency at 4 us and has no victims.
SampleRun managed(const std::string& label) {
  SampleRun run(label);
  for (std::size_t b = 4; b < 8; ++b) {
    ClassBin& bin = run.m.classes[0].series[b];
    bin.received = 10;
    bin.received_bytes = 10'000;
    bin.latency_sum_ps = 10 * 4e6;
  }
  for (FabricFrame& frame : run.m.frames) frame.wait.assign(11, 0);
  return run;
}

TEST(Headline, NamesRootVictimsAndRecovery) {
  const SampleRun run;
  EXPECT_EQ(headline(analyse(run.record())),
            "class `hot` saturates S2:1 -> h2; 2 ports are held back; the latency of class `cold` rose 200x "
            "(1.00 us -> 200 us) and was back to normal 40.0 us after the disturbance began; the throughput of class "
            "`cold` fell to as little as 20.0 % of its earlier value");
}

// S2 -> h3 is saturated for longer and holds back more, but the hot class sends nothing there.
SampleRun with_other_root() {
  constexpr PortId to_h3{9};
  SampleRun run;
  for (std::size_t b = 1; b < run.m.frames.size(); ++b) {
    if (b == 4 || b == 5) continue;
    run.m.frames[b].load[to_h3.index] = 255;
    run.m.frames[b].wait[kUplink.index] = 204;
  }
  return run;
}

TEST(Headline, NamesTheRootThatCausedMostWaiting) {
  const SampleRun run = with_other_root();
  const AnalysedRun analysed = analyse(run.record());
  ASSERT_EQ(link_name(run.topology, analysed.digest.congestion.roots.front().port), "S2:2 -> h3");
  EXPECT_EQ(headline(analysed)
                .rfind("class `cold` saturates S2:2 -> h3, which causes 82.4 % of all waiting; next: S2:1 -> h2 "
                       "(17.6 %); 2 ports are held back", 0),
            0u)
      << headline(analysed);
}

// Where it is not known what goes where, two full links in a row are no chain.
TEST(Headline, NamesTheWorstRootWhereNobodyKnowsWhatLeadsToIt) {
  SampleRun run;
  run.m.classes.pop_back();
  run.m.flows.clear();
  run.m.hosts.clear();
  run.m.hosts_by_class = false;
  for (const std::size_t b : {4, 5}) {
    run.m.frames[b].load[kUplink.index] = 255;
    run.m.frames[b].wait.assign(11, 0);
    run.m.frames[b].wait[kHost0.index] = 204;
    run.m.frames[b].wait[3] = 51;  // h3 -> S2
  }
  const AnalysedRun analysed = analyse(run.record());
  EXPECT_TRUE(headline(analysed).starts_with("traffic saturates S1:2 -> S2, which causes 80.0 % of all waiting; "
                                             "next: S2:1 -> h2 (20.0 %); 2 ports are held back"))
      << headline(analysed);
}

// Three links to hosts are full, and no one of them causes much of the waiting.
SampleRun with_many_roots() {
  SampleRun run;
  for (const std::size_t b : {4, 5}) {
    FabricFrame& frame = run.m.frames[b];
    for (const std::size_t port : {4, 8, 9}) frame.load[port] = 255;
    frame.wait.assign(11, 0);
    frame.wait[kUplink.index] = 102;
    frame.wait[7] = 51;  // S2 -> S1
  }
  return run;
}

TEST(Headline, NamesTheLevelWhereNoRootExplainsMuch) {
  const SampleRun run = with_many_roots();
  const std::vector<AnalysedRun> runs{analyse(run.record())};
  EXPECT_EQ(headline(runs[0]).rfind("3 links to hosts cause 100.0 % of all waiting; the worst of them, S1:0 -> h0, "
                                    "causes 33.3 %; 2 ports are held back", 0), 0u)
      << headline(runs[0]);
  const Answer answer = answer_of(runs, judge(runs));
  EXPECT_EQ(answer.cards[1].value, "links to hosts");
  EXPECT_EQ(answer.cards[1].detail,
            "3 of them cause 100.0 % of all waiting; the worst of them, S1:0 -> h0, causes 33.3 %");
  EXPECT_TRUE(says(answer.advice.front(), "3 links to hosts are at times offered more than they can carry"));
}

// 10 us of waiting at no saturated link, beside 12 us for the root.
TEST(Headline, SaysHowMuchIsNotForASaturatedLink) {
  SampleRun run;
  for (const std::size_t b : {7, 8}) {
    run.m.frames[b].wait.assign(11, 0);
    run.m.frames[b].wait[kUplink.index] = 128;
  }
  EXPECT_TRUE(says(headline(analyse(run.record())),
                   "of the waiting has another cause than a saturated link (head-of-line blocking or small buffers); "))
      << headline(analyse(run.record()));
}

TEST(Headline, NamesASlowReceiverBesideTheWorstRoot) {
  SampleRun run;
  for (const std::size_t b : {4, 5}) run.m.frames[b].wait[kHotPort.index] = 128;  // by h2
  const std::string text = headline(analyse(run.record()));
  EXPECT_EQ(text.rfind("h2 receives packets too slowly and holds S2:1 -> h2 back for 10.0 us; 2 ports are", 0), 0u)
      << text;
  SampleRun two = with_many_roots();
  for (const std::size_t b : {4, 5}) two.m.frames[b].wait[kHotPort.index] = 128;
  const std::string both = headline(analyse(two.record()));
  EXPECT_TRUE(says(both, "; h2 receives packets too slowly and holds S2:1 -> h2 back for 10.0 us, which causes 33.3"))
      << both;
}

TEST(Headline, DoesNotBlameAClassThatIsElsewhere) {
  SampleRun run = with_other_root();
  for (const std::size_t b : {4, 5}) run.m.frames[b].load.assign(11, 0);  // the hot link is free now
  const std::string text = headline(analyse(run.record()));
  EXPECT_EQ(text.rfind("class `cold` saturates S2:2 -> h3, which causes 82.4 % of all waiting; ", 0), 0u) << text;
}

// S1 -> S2 is the root; of the 20 kB that cross it in that time, the hot transfer has its part, the packets of the cold
// class the rest.
std::string headline_with_hot_bytes(Bytes hot_bytes) {
  SampleRun run;
  for (const std::size_t b : {4, 5}) {
    run.m.frames[b].load.assign(11, 0);
    run.m.frames[b].load[kUplink.index] = 255;
    run.m.frames[b].wait.assign(11, 0);
    run.m.frames[b].wait[kHost0.index] = 102;
  }
  run.m.flows.pop_back();
  run.m.flows[0].bytes = run.m.flows[0].delivered = hot_bytes;
  run.m.classes[1].received_bytes = static_cast<std::uint64_t>(hot_bytes);
  const RouteTable routes = min_hop_routes(run.topology);
  RunRecord record = run.record();
  record.routes = &routes;
  return headline(analyse(record));
}

TEST(Headline, DoesNotBlameTheDisturbanceForTheBaseLoad) {
  EXPECT_EQ(headline_with_hot_bytes(3'000).rfind("class `cold` saturates S1:2 -> S2; ", 0), 0u)
      << headline_with_hot_bytes(3'000);
  EXPECT_EQ(headline_with_hot_bytes(12'000).rfind("classes `cold` and `hot` saturate S1:2 -> S2; ", 0), 0u)
      << headline_with_hot_bytes(12'000);
  EXPECT_EQ(headline_with_hot_bytes(28'000).rfind("class `hot` saturates S1:2 -> S2; ", 0), 0u)
      << headline_with_hot_bytes(28'000);
}

// Memory for all that queues: nobody waits, and yet there is a link that is asked for too much.
TEST(Headline, AQueueInLargeMemoryIsCongestion) {
  SampleRun run;
  for (FabricFrame& frame : run.m.frames) frame.wait.assign(11, 0);
  for (PortResult& port : run.m.ports) port.wait = {};
  const std::vector<AnalysedRun> runs{analyse(run.record())};
  const std::string text = headline(runs[0]);
  EXPECT_EQ(text.rfind("no port is held back, but packets queue at S2:1 -> h2, in a switch that has enough memory for "
                       "them: busy 100.0 % from 40.0 us to 60.0 us; the latency of class `cold` rose 200x",
                       0),
            0u)
      << text;
  const Answer answer = answer_of(runs, judge(runs));
  EXPECT_EQ(answer.cards[1].value, "S2:1 -> h2");
  EXPECT_EQ(answer.cards[1].tone, "bad");
  for (FabricFrame& frame : run.m.frames) frame.load.assign(11, 0);
  EXPECT_EQ(headline(analyse(run.record())).rfind("no congestion: ", 0), 0u);
}

// A link that is full for longer, but where little waits, is a bystander.
TEST(Headline, NamesTheLongestQueue) {
  SampleRun run;
  for (FabricFrame& frame : run.m.frames) {
    frame.wait.assign(11, 0);
    frame.load[9] = 255;
  }
  for (PortResult& port : run.m.ports) port.wait = {};
  run.m.ports[9].mean_output_bytes = 1'000;
  run.m.ports[9].peak_output_bytes = 5'000;
  run.m.ports[kHotPort.index].mean_output_bytes = 10'000;
  run.m.ports[kHotPort.index].peak_output_bytes = 50'000;
  EXPECT_TRUE(says(headline(analyse(run.record())),
                   "packets queue at S2:1 -> h2, in a switch that has enough memory for them: up to 50.0 kB, busy"));
}

// No event and nobody held back, but flows that take far longer than alone.
TEST(Headline, QueuesThatSlowFlowsAreNotCalm) {
  SampleRun run;
  run.m.warmup = {};
  run.m.classes.pop_back();
  run.m.hosts.clear();
  run.m.hosts_by_class = false;
  for (FabricFrame& frame : run.m.frames) frame.wait.assign(11, 0);
  for (PortResult& port : run.m.ports) port.wait = {};
  run.m.flows.pop_back();
  run.m.flows[0].traffic_class = kCold;
  run.m.flows[0].alone = {2 * kMicro};
  EXPECT_TRUE(headline(analyse(run.record())).starts_with("no congestion"));
  run.m.ports[kHotPort.index].mean_output_bytes = 10'000;
  run.m.ports[kHotPort.index].peak_output_bytes = 50'000;
  EXPECT_TRUE(headline(analyse(run.record())).starts_with("no port is held back, but packets queue at S2:1 -> h2"))
      << headline(analyse(run.record()));
}

TEST(Headline, NotRecovered) {
  SampleRun run;
  run.m.classes[0].series[9].latency_sum_ps *= 50;
  EXPECT_TRUE(says(headline(analyse(run.record())), "and was not back to normal when the run ended"));
}

// The packets of the highest bin were all sent after the event; or the latency rose all the time.
TEST(Headline, ARiseByItselfIsNotBlamedOnTheDisturbance) {
  constexpr const char* kAlone =
      ", but class `hot` may not be the cause: the latency also rises while it does not send";
  EXPECT_FALSE(says(headline(analyse(SampleRun().record())), kAlone));
  SampleRun later;
  later.m.end = {400 * kMicro};
  for (int b = 10; b < 40; ++b) later.m.classes[0].series.push_back(later.m.classes[0].series[3]);
  later.m.classes[0].series[39].latency_sum_ps *= 250;
  EXPECT_TRUE(says(headline(analyse(later.record())), kAlone));
  SampleRun growing;
  growing.m.warmup = {};
  for (int b = 0; b < 10; ++b) {
    ClassBin& bin = growing.m.classes[0].series[static_cast<std::size_t>(b)];
    bin.latency_sum_ps = static_cast<double>(bin.received) * (1 + b) * kMicro;
  }
  EXPECT_TRUE(says(headline(analyse(growing.record())), kAlone));
  SampleRun other = growing;
  other.label = "other";
  growing.label = "none";
  EXPECT_TRUE(says(verdict({analyse(growing.record()), analyse(other.record())}),
                   ". But class `hot` may not be what raises the latency of class `cold`: what helps `cold` need not "
                   "protect it from class `hot`"));
}

TEST(Headline, CalmRun) {
  SampleRun run;
  run.m.frames.clear();
  run.m.classes.pop_back();
  run.m.hosts.clear();
  for (PortResult& port : run.m.ports) port.wait = {};
  EXPECT_EQ(headline(analyse(run.record())),
            "no congestion: the busiest link, S2:1 -> h2, is used 40.0 % of the time; no port is held back for long");
}

TEST(Headline, DeadlockComesFirst) {
  SampleRun run;
  run.m.ending = Ending::deadlock;
  run.m.ending_text = "S1:2 -> S2:0 -> S1:2";
  EXPECT_EQ(headline(analyse(run.record())).rfind("deadlock: S1:2 -> S2:0 -> S1:2; ", 0), 0u);
}

TEST(Headline, WaitingWithoutRoot) {
  SampleRun run;
  for (FabricFrame& frame : run.m.frames) frame.load.assign(11, 100);
  EXPECT_TRUE(says(headline(analyse(run.record())), "2 ports are held back (12.0 us summed over all ports), but not "
                                                    "by a saturated link: "));
}

TEST(RunText, HasAllParts) {
  const SampleRun run;
  const std::string text = run_text(analyse(run.record()), {});
  expect_well_formed(text);
  for (const char* part : {"cold", "hot", "200 us", "latency over time", "█", "root", "  waits ", "S1:2 -> S2",
                           "ended at 100 us: all flows were complete", "500 packet-hops", "2000 hops/s", "window: 2.5",
                           "Jain index", "h0"})
    EXPECT_TRUE(says(text, part)) << part << "\n" << text;
  EXPECT_FALSE(says(text, "\x1b"));
  EXPECT_TRUE(says(run_text(analyse(run.record()), {kTextWidth, true}), "\x1b[1m"));
}

TEST(RunText, NamesTheTimeAfterTheEndOfItsTraffic) {
  SampleRun run;
  run.scenario = parse_scenario_text("[topology]\nkind = 'star'\nhosts = 4\n[[traffic]]\npattern = 'uniform'\n"
                                     "load = 0.1\n[run]\nduration = '1us'\nsettle = '20us'\n", "s.toml", vocabulary());
  EXPECT_TRUE(says(run_text(analyse(run.record()), {}), "ended at 100 us: 20.0 us (run.settle) after all flows were"));
}

TEST(RunText, SlowestFlowsOfMany) {
  SampleRun run;
  for (int f = 0; f < 30; ++f) {
    run.m.flows.push_back(run.m.flows[1]);
    run.m.flows.back().delivered = 100'000 - f;
  }
  FlowResult never;
  never.source = {3};
  never.destination = {0};
  never.traffic_class = {0};
  run.m.flows.push_back(never);
  const std::string text = run_text(analyse(run.record()), {});
  expect_well_formed(text);
  EXPECT_TRUE(says(text, "the 8 slowest of 32 flows (1 more had not started)"));
  EXPECT_FALSE(says(text, "  32  h3"));
  EXPECT_TRUE(says(text, "   1  h1"));
}

TEST(RunText, SurvivesLongAndHostileNames) {
  SampleRun run("label");
  run.topology = sample_topology("<script>\x1b]0;x\x07 " + std::string(200, 'w'));
  run.m.classes[0].name = std::string(150, 'c') + "\n\x1b[31m";
  run.m.ending_text = std::string(300, 'e');
  const std::string text = run_text(analyse(run.record()), {});
  expect_well_formed(text);
  EXPECT_FALSE(says(text, "\x1b"));
  EXPECT_TRUE(says(text, "<script>"));
}

TEST(RunText, EmptyRun) {
  SampleRun run;
  run.m = Measurements{};
  expect_well_formed(run_text(analyse(run.record()), {}));
}

TEST(CompareText, SideBySide) {
  const SampleRun none("none"), window = managed("window");
  const std::vector<AnalysedRun> runs{analyse(none.record()), analyse(window.record())};
  const std::string text = compare_text(runs, {});
  expect_well_formed(text);
  for (const char* part :
       {"class cold\n", "class hot (the disturbance)", "hot link: S2:1 -> h2", "20.0 %", "4.00 us",
        "`window` helps class `cold`: peak latency 4.00 us, against 200 us with `none` (50.0x lower)"})
    EXPECT_TRUE(says(text, part)) << part << "\n" << text;
}

TEST(CompareText, VerdictDoesNotPraiseWhatDoesNotHelp) {
  const SampleRun none("none"), same("same"), worse = managed("base");
  EXPECT_EQ(verdict({analyse(none.record()), analyse(same.record())}),
            "No other run improves on `none` for class `cold`: peak latency 200 us");
  EXPECT_EQ(verdict({analyse(none.record())}), "");
  SampleRun slightly("slightly");
  slightly.m.classes[0].series[5].latency_sum_ps *= 0.97;
  EXPECT_TRUE(says(verdict({analyse(none.record()), analyse(slightly.record())}),
                   "No other run helps class `cold`: peak latency 194 us at best"));
  SampleRun stuck = managed("stuck");
  stuck.m.ending = Ending::deadlock;
  EXPECT_TRUE(says(verdict({analyse(none.record()), analyse(stuck.record())}), "No other run improves on `none`"));
}

TEST(CompareText, DifferentFabricsAndClasses) {
  SampleRun a("a"), b("b");
  b.m.classes.pop_back();
  b.m.hosts.clear();
  b.m.flows.clear();
  TopologyBuilder builder;
  builder.add_host("x");
  builder.add_host("y");
  builder.connect(TopologyBuilder::at(HostId{0}), TopologyBuilder::at(HostId{1}), {Rate{1'000'000}, Time{1}, 1});
  b.topology = std::move(builder).build();
  b.m.ports.resize(2);
  b.m.frames.clear();
  expect_well_formed(compare_text({analyse(a.record()), analyse(b.record())}, {}));
  expect_well_formed(compare_text({analyse(b.record()), analyse(a.record())}, {}));
  EXPECT_EQ(compare_text({}, {}), "");
}

// However much others wait for other links.
TEST(SlowReceiver, IsNamedBesideOtherCongestion) {
  const SampleRun sample;
  AnalysedRun run = analyse(sample.record());
  ASSERT_FALSE(run.digest.congestion.roots.empty());
  CongestionRoot slow = run.digest.congestion.roots.front();
  slow.caused_wait = {};
  slow.victims.clear();
  slow.held_by_host = {4 * kMicro};  // of 100 us
  run.digest.congestion.roots.push_back(slow);
  EXPECT_EQ(slow_receiver(run), nullptr);
  run.digest.congestion.roots.back().held_by_host = {6 * kMicro};
  EXPECT_NE(slow_receiver(run), nullptr);
}

// An endless flow on links that are idle most of the time: something holds it back, which no port shows.
TEST(Headline, SaysThatFlowsAreHeldBack) {
  SampleRun run;
  run.m.frames.clear();
  for (PortResult& port : run.m.ports) port.wait = {};
  run.m.classes.resize(1);
  run.m.hosts.clear();
  run.m.flows.erase(run.m.flows.begin());
  run.m.flows[0].traffic_class = kCold;
  const RouteTable routes = min_hop_routes(run.topology);
  RunRecord record = run.record();
  record.routes = &routes;
  const std::string text = headline(analyse(record));
  EXPECT_TRUE(says(text, "no congestion inside the fabric: ")) << text;
  EXPECT_TRUE(says(text, "; but 1 open flow uses 40.0 % of its links at most: the scheme or the hosts hold")) << text;
  run.m.ports[kHotPort.index].busy = {90 * kMicro};
  EXPECT_FALSE(says(headline(analyse(record)), "open flow"));
}

// h1 sends the hot flow to h2, h0 sends to h3: both wait for S1 -> S2, but only h1 sends into its root.
TEST(Feeders, KnowsWhoSendsIntoTheRoot) {
  SampleRun run;
  for (FabricFrame& frame : run.m.frames)
    if (frame.wait[kUplink.index] > 0) frame.wait[kHost0.index] = frame.wait[kHost1.index] = 51;
  run.m.flows[1].source = {0};
  run.m.flows[1].destination = {3};
  run.m.flows[1].traffic_class = kCold;
  run.m.flows[0].source = {1};
  const RouteTable routes = min_hop_routes(run.topology);
  RunRecord record = run.record();
  record.routes = &routes;
  const AnalysedRun analysed = analyse(record);
  const Feeders feeders(analysed);
  ASSERT_TRUE(feeders.known());
  EXPECT_TRUE(feeders.feeds(kHost1, kHotPort));
  EXPECT_TRUE(feeders.feeds(kUplink, kHotPort));
  EXPECT_FALSE(feeders.feeds(kHost0, kHotPort));
  EXPECT_EQ(innocent_clause(analysed, feeders),
            "3 ports are held back by a root (one of them is only a victim: it does not feed this root)");
  const std::string text = run_text(analysed, {});
  EXPECT_TRUE(says(text, "  feeds it  h1:0 -> S1")) << text;
  EXPECT_TRUE(says(text, "  victim    h0:0 -> S1")) << text;
  EXPECT_LT(text.find("  victim  "), text.find("  feeds it  "));
  EXPECT_FALSE(Feeders(analyse(run.record())).known());  // without routes
}

}  // namespace
}  // namespace weir
