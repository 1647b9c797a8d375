// Runs that look calm but are not, or that measured nothing: the text must say so.
#include <gtest/gtest.h>

#include "report/answer/answer.h"
#include "report/answer/caveats.h"
#include "report/answer/host_wait.h"
#include "report/answer/phrases.h"
#include "report/terminal/run_text.h"
#include "run/vocabulary.h"
#include "scenario/parse.h"
#include "says.h"
#include "source_dir.h"
#include "store/store_sample.h"

namespace weir {
namespace {

// One class in a fabric in which no port waits.
SampleRun calm_run() {
  SampleRun run;
  run.m.frames.clear();
  run.m.classes.pop_back();
  run.m.hosts.clear();
  run.m.flows.clear();
  for (PortResult& port : run.m.ports) port.wait = {};
  return run;
}

SampleRun held_back() {
  SampleRun run = calm_run();
  run.m.classes[0].generated = 1000;  // of which 100 were sent
  run.m.classes[0].generated_bytes = 1'000'000;
  for (ClassBin& bin : run.m.classes[0].series) bin.received_bytes = 10'000;  // in 10 us
  return run;
}

TEST(HostWait, HeadlineSaysThatLittleIsSent) {
  EXPECT_EQ(headline(analyse(held_back().record())),
            "no congestion inside the fabric: the busiest link, S2:1 -> h2, is used 40.0 % of the time; but packets "
            "wait at the hosts: of class `cold`, 80.0 Gb/s are offered and 8.00 Gb/s delivered from 0 ps to 100 us, "
            "including the warm-up; the scheme or the hosts' own links hold them back");
}

TEST(HostWait, RefusedPacketsWereOfferedToo) {
  SampleRun run = held_back();
  run.m.classes[0].generated = 500;
  run.m.classes[0].refused = 500;
  run.m.classes[0].generated_bytes = 500'000;
  EXPECT_TRUE(says(waiting_at_hosts(analyse(run.record())),
                   "of class `cold`, 80.0 Gb/s are offered and 8.00 Gb/s delivered"));
}

// Over the whole run its packets would make 80 Gb/s, less than it delivered after the warm-up.
TEST(HostWait, OfferedAndDeliveredAreOfTheTimeInWhichTheClassSends) {
  SampleRun run = held_back();
  for (std::size_t b = 0; b < 5; ++b) run.m.classes[0].series[b] = {};
  for (std::size_t b = 5; b < 10; ++b) run.m.classes[0].series[b].received_bytes = 125'000;
  EXPECT_EQ(waiting_at_hosts(analyse(run.record())),
            "of class `cold`, 160 Gb/s are offered and 100 Gb/s delivered from 50.0 us to 100 us");
}

TEST(HostWait, HeadlineSaysThatPacketsWaitLong) {
  SampleRun run = calm_run();
  for (int p = 0; p < 89; ++p) run.m.classes[0].network_latency.add(1'000'000);
  const std::string text = headline(analyse(run.record()));
  EXPECT_TRUE(says(text, "but packets wait at the hosts: a packet of class `cold` spends 10.6 us at the host, 1.00 "
                         "us in"))
      << text;
  EXPECT_FALSE(says(text, "no port waits long")) << text;
}

// A short run shows no queue where links are offered more than they carry.
TEST(Headline, AnOverloadIsNotCalm) {
  SampleRun run = calm_run();
  RunRecord record = run.record();
  EXPECT_TRUE(headline(analyse(record)).starts_with("no congestion: ")) << headline(analyse(record));
  record.overloaded = true;
  const AnalysedRun overloaded = analyse(record);
  EXPECT_TRUE(headline(overloaded).starts_with("more traffic is offered than some links carry: the busiest link"))
      << headline(overloaded);
  const std::vector<std::string> advice = answer_of({overloaded}, judge({overloaded})).advice;
  EXPECT_TRUE(says(advice.back(), "queues grow as long as the traffic lasts")) << advice.back();
}

// Flows start for half of the run, in which the link is busy; the rest of the run drains.
TEST(Headline, TheBusiestLinkIsThatOfTheTimeInWhichFlowsStart) {
  SampleRun run = calm_run();
  run.m.frames = sample_measurements().frames;
  for (std::size_t f = 0; f < run.m.frames.size(); ++f) {
    run.m.frames[f].wait.assign(11, 0);
    run.m.frames[f].load.assign(11, 0);
    run.m.frames[f].load[kUplink.index] = f < 5 ? 204 : 0;
  }
  for (const std::int64_t start : {0, 20, 50}) {
    FlowResult flow;
    flow.source = {0};
    flow.destination = {3};
    flow.traffic_class = kCold;
    flow.bytes = flow.delivered = static_cast<Bytes>(run.m.classes[0].received_bytes);
    flow.start = {start * kMicro};
    flow.completion = {100 * kMicro};
    run.m.flows.push_back(flow);
  }
  const std::string text = headline(analyse(run.record()));
  EXPECT_TRUE(says(text, "S1:2 -> S2, is used 80.0 % of the time in which new flows arrive")) << text;
}

TEST(HostWait, ASaturatedRunIsNotCalm) {
  SampleRun run = held_back();
  run.m.ending = Ending::saturated;
  run.m.ending_text = "more than 900 packets wait at the hosts";
  const std::string text = headline(analyse(run.record()));
  EXPECT_TRUE(says(text, "stopped early: more than 900 packets")) << text;
  EXPECT_FALSE(says(text, "no port waits long")) << text;
}

TEST(HostWait, OnePacketReadyPerFlowIsNoQueue) {
  SampleRun run = calm_run();
  run.m.classes[0].generated = 100;
  run.m.classes[0].injected = 80;
  FlowResult flow;
  flow.source = {0};
  flow.destination = {3};
  flow.traffic_class = {0};
  run.m.flows.assign(20, flow);
  EXPECT_EQ(waiting_at_hosts(analyse(run.record())), "");
  run.m.flows.pop_back();
  EXPECT_NE(waiting_at_hosts(analyse(run.record())), "");
  run.m.flows.clear();
  run.m.classes[0].generated = 10;
  run.m.classes[0].injected = 8;  // two packets under way are no queue either
  EXPECT_EQ(waiting_at_hosts(analyse(run.record())), "");
}

TEST(HostWait, TheRootStaysTheCauseWhereThereIsOne) {
  SampleRun run;
  run.m.classes[0].generated = 1000;
  run.m.classes[0].generated_bytes = 1'000'000;
  const std::string text = headline(analyse(run.record()));
  EXPECT_TRUE(says(text, "saturates S2:1 -> h2")) << text;
  EXPECT_TRUE(says(text, "; packets wait at the hosts: of class `cold`, 80.0 Gb/s are offered")) << text;
  EXPECT_FALSE(says(text, "the scheme or")) << text;
}

TEST(HostWait, TheReportDoesNotCallItWell) {
  const SampleRun run = held_back();
  const std::vector<AnalysedRun> runs{analyse(run.record())};
  const Answer answer = answer_of(runs, judge(runs));
  EXPECT_EQ(answer.cards[0].tone, "bad");
  EXPECT_TRUE(says(answer.cards[0].detail, "of class `cold`, 80.0 Gb/s are offered"));
  ASSERT_EQ(answer.advice.size(), 1u);
  EXPECT_TRUE(says(answer.advice[0], "packets wait at their hosts")) << answer.advice[0];
}

TEST(Remarks, NoneForAnOrdinaryRun) {
  EXPECT_TRUE(caveats_of(analyse(SampleRun().record())).empty());
  EXPECT_TRUE(caveats_of(analyse(calm_run().record())).empty());
}

TEST(Remarks, AClassThatSentNothing) {
  SampleRun run = calm_run();
  ClassResult silent;
  silent.name = "rpc";
  run.m.classes.push_back(silent);
  const std::string text = run_text(analyse(run.record()), {});
  EXPECT_TRUE(says(text, "note: class `rpc` sent nothing: its sources generated no packet before the run ended at "
                         "100 us"))
      << text;
  FlowResult flow;
  flow.source = {0};
  flow.destination = {3};
  flow.traffic_class = {1};
  run.m.flows = {flow, flow};
  EXPECT_EQ(caveats_of(analyse(run.record())).front(),
            "class `rpc` sent nothing: none of its 2 flows had started before the run ended at 100 us");
  run.m.flows[0].start = {0};
  EXPECT_TRUE(says(caveats_of(analyse(run.record())).front(), "their hosts sent no packet"));
}

TEST(Remarks, ARunInWhichNothingWasSent) {
  SampleRun run = calm_run();
  run.m.classes[0] = ClassResult{};
  run.m.classes[0].name = "cold";
  EXPECT_EQ(headline(analyse(run.record())), "nothing was sent before the run ended at 100 us");
}

TEST(Remarks, AWarmUpThatSwallowsTheRun) {
  SampleRun run;
  run.m.warmup = {1'000'000'000'000};
  for (ClassResult& c : run.m.classes) {
    c.latency = {};
    c.received_in_window = c.received_bytes_in_window = 0;
  }
  const std::string text = run_text(analyse(run.record()), {});
  EXPECT_TRUE(says(text, "note: no packet arrived after the warm-up of 1.00 s")) << text;
  EXPECT_EQ(caveats_of(analyse(run.record())).size(), 1u);
}

TEST(Remarks, OneClassThatEndedBeforeTheWarmUpDid) {
  SampleRun run;
  run.m.classes[1].latency = {};
  run.m.classes[1].received_bytes_in_window = 0;
  EXPECT_EQ(caveats_of(analyse(run.record())),
            std::vector<std::string>{"no packet of class `hot` arrived after the warm-up of 10.0 us"});
}

TEST(Remarks, ManyAreCounted) {
  SampleRun run = calm_run();
  for (int i = 0; i < 8; ++i) run.m.classes.push_back(ClassResult{});
  const auto remarks = caveats_of(analyse(run.record()));
  ASSERT_EQ(remarks.size(), 6u);
  EXPECT_EQ(remarks.back(), "and 3 more classes of which no packet arrived");
}

// A dump says how nodes are connected, and nothing of delays, buffers and headers.
TEST(Assumptions, OfAnImportedFabricComeFirst) {
  const auto first_remark = [](const std::string& keys) {
    SampleRun run = calm_run();
    const std::string file = source_dir() + "/tests/network/data/small.ibnetdiscover";
    run.scenario = parse_scenario_text("[topology]\nkind = 'file'\npath = '" + file + "'\n" + keys +
                                           "[[traffic]]\npattern = 'uniform'\nload = 0.1\n",
                                       "s.toml", vocabulary());
    const std::vector<std::string> remarks = caveats_of(analyse(run.record()));
    return remarks.empty() ? "" : remarks.front();
  };
  EXPECT_EQ(first_remark(""),
            "assumed, because the fabric file does not say: cables of 1ns (link.delay); switches like infiniscale-iii, "
            "200ns from port to port, with buffers of 64KiB (switch.preset); packets without headers (packet.header); "
            "routes by weir, not those of the subnet (routing.kind)");
  EXPECT_EQ(first_remark("[switch]\norganisation = 'output-queued'\n"),
            "assumed, because the fabric file does not say: cables of 1ns (link.delay); switches that take 2ns "
            "(switch.switch_delay); buffers of 8 packets (switch.buffer); packets without headers (packet.header); "
            "routes by weir, not those of the subnet (routing.kind)");
  const std::string known = "[link]\ndelay = '10ns'\n[switch]\npreset = 'quantum'\n";
  EXPECT_EQ(first_remark(known),
            "assumed, because the fabric file does not say: buffers of 64KiB (switch.buffer); packets without headers "
            "(packet.header); routes by weir, not those of the subnet (routing.kind)");
  EXPECT_FALSE(says(first_remark(known + "buffer = '32KiB'\n[packet]\nheader = '26B'\n[routing]\nkind = 'min-hop'\n"),
                    "assumed"));
}

TEST(Idle, AcknowledgementsHaveAPrice) {
  SampleRun run("window");
  run.scenario = parse_scenario_text("[topology]\nkind = 'star'\nhosts = 4\n[packet]\nack = '50B'\n[[traffic]]\n"
                                     "pattern = 'uniform'\nload = 0.1\n", "s.toml", vocabulary());
  run.m.scheme_idle = "no flow wanted more than its window of 2 packets";
  run.m.totals.acks = 101;  // of 50 B, for 101 packets of 1000 B
  RunRecord record = run.record();
  record.scheme = "window";
  EXPECT_EQ(idle_sentence(analyse(record)), "window never acted: no flow wanted more than its window of 2 packets; "
                                            "but its 101 acknowledgements used bandwidth: 5.0 % of what the data used");
  run.scenario = parse_scenario_text("[topology]\nkind = 'star'\nhosts = 4\n[packet]\nack = '50B'\n[adapter]\n"
                                     "acks = true\n[[traffic]]\npattern = 'uniform'\nload = 0.1\n", "s.toml",
                                     vocabulary());
  EXPECT_FALSE(says(idle_sentence(analyse(record)), "acknowledgements"));
}

}  // namespace
}  // namespace weir
