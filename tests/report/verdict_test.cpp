// The last sentence of a comparison: whom it judges by what, and that it does not praise without naming the price.
#include <gtest/gtest.h>

#include "report/answer/answer.h"
#include "report/answer/flow_ends.h"
#include "report/answer/losses.h"
#include "report/answer/verdict.h"
#include "report/terminal/compare_text.h"
#include "report/terminal/run_text.h"
#include "run/vocabulary.h"
#include "says.h"
#include "scenario/parse.h"
#include "store/store_sample.h"

namespace weir {
namespace {

constexpr std::int64_t kMicros = 1'000'000;

FlowResult transfer(ClassId traffic_class, Bytes bytes, std::int64_t start_us, std::int64_t end_us) {
  FlowResult flow;
  flow.source = {0};
  flow.destination = {3};
  flow.traffic_class = traffic_class;
  flow.bytes = flow.delivered = bytes;
  flow.start = {start_us * kMicros};
  flow.completion = end_us < 0 ? kNever : Time{end_us * kMicros};
  return flow;
}

// The sample's hot pulse as one transfer that ends at this time; -1: not at all.
SampleRun pulse(const std::string& label, std::int64_t end_us) {
  SampleRun run(label);
  run.m.flows = {transfer(kHot, 12'000, 40, end_us)};
  return run;
}

// The same with a cold latency of at most 4 us.
SampleRun calmed(SampleRun run) {
  for (std::size_t b = 4; b < 8; ++b) {
    ClassBin& bin = run.m.classes[0].series[b];
    bin.latency_sum_ps = static_cast<double>(bin.received) * 4e6;
  }
  return run;
}

std::string verdict_on(const SampleRun& a, const SampleRun& b) {
  return verdict({analyse(a.record()), analyse(b.record())});
}

constexpr const char* kPraise =  // of one beside the reference
    "`window` helps class `cold`: peak latency 4.00 us, against 200 us with `none` (50.0x lower)";
constexpr const char* kPraiseOfTwo =
    "`window` helps class `cold` most: peak latency 4.00 us, against 200 us with `none` (50.0x lower)";

TEST(Verdict, SaysThatFlowsEndLater) {
  EXPECT_EQ(verdict_on(pulse("none", 70), calmed(pulse("window", 90))),
            std::string(kPraise) + ", but flows of class `hot` take 1.67x as long until the last one is complete");
  EXPECT_EQ(verdict_on(pulse("none", 70), calmed(pulse("window", 71))), kPraise);
  EXPECT_EQ(verdict_on(pulse("none", 70), calmed(pulse("window", -1))),
            std::string(kPraise) + ", but 1 of 1 flows of class `hot` are never complete");
}

TEST(Verdict, NamesWhatIsAsGood) {
  SampleRun none("none"), window = calmed(SampleRun("window")), other = calmed(SampleRun("other"));
  for (ClassBin& bin : other.m.classes[0].series) bin.latency_sum_ps *= 1.02;
  EXPECT_EQ(verdict({analyse(none.record()), analyse(window.record()), analyse(other.record())}),
            std::string(kPraiseOfTwo) + ". Within 5 % of it, which may be chance: `other`");
}

TEST(Verdict, SaysWhatOpensmCanEnable) {
  SampleRun none("none"), window = calmed(SampleRun("window")), cca = calmed(SampleRun("cca"));
  for (ClassBin& bin : cca.m.classes[0].series) bin.latency_sum_ps *= 5;
  RunRecord record = cca.record();
  record.scheme = "cca";
  record.scheme_tag = "available";
  const std::vector<AnalysedRun> runs{analyse(none.record()), analyse(window.record()), analyse(record)};
  EXPECT_EQ(verdict(runs), std::string(kPraiseOfTwo) + ". The best scheme that opensm alone can enable is "
                                                       "`cca`: 20.0 us, against 200 us with `none` (10.0x lower)");
  EXPECT_TRUE(says(answer_of(runs, judge(runs)).advice.front(), "opensm alone can enable `cca`"));
}

RunRecord with_tag(const SampleRun& run, const std::string& scheme, const std::string& tag) {
  RunRecord record = run.record();
  record.scheme = scheme;
  record.scheme_tag = tag;
  return record;
}

TEST(Verdict, SaysWhatDoesHarm) {
  SampleRun none("none"), cca("cca");
  for (ClassBin& bin : cca.m.classes[0].series) bin.latency_sum_ps *= 1.5;
  cca.m.classes[1].received_bytes_in_window /= 2;
  const std::string text = verdict_on(none, cca);
  EXPECT_TRUE(says(text, "No other run improves on `none` for class `cold`")) << text;
  EXPECT_TRUE(text.ends_with(". `cca` does harm: peak latency 300 us, 1.50x as high, and class `hot` receives 50.0 % "
                             "less")) << text;
}

// The operator of a subnet cannot set a window anywhere.
TEST(Verdict, SaysWhereASchemeIsSet) {
  const SampleRun none("none"), window = calmed(SampleRun("window")), cca("cca");
  const auto of = [&](const SampleRun& other) {
    return verdict({analyse(with_tag(none, "none", "available")), analyse(with_tag(window, "window", "available")),
                    analyse(with_tag(other, "cca", "available"))});
  };
  EXPECT_TRUE(says(of(cca), "`window` (needs software at the senders; opensm and switches have no option for it) "
                            "helps"));
  EXPECT_TRUE(says(of(cca), "`cca`, which needs only configuration, does not help here"));
  SampleRun better = calmed(SampleRun("cca"));
  for (ClassBin& bin : better.m.classes[0].series) bin.latency_sum_ps *= 3;
  EXPECT_TRUE(says(of(better), ". The best scheme that opensm alone can enable is `cca`: 12.0 us")) << of(better);
  EXPECT_FALSE(says(of(better), "does not help"));
}

// What differs by chance alone is no reason to take the more expensive one.
TEST(Verdict, PrefersTheCheaperOfTwoThatAreAlike) {
  SampleRun none("none"), hpcc = calmed(SampleRun("hpcc")), renato = calmed(SampleRun("renato"));
  for (ClassBin& bin : renato.m.classes[0].series) bin.latency_sum_ps *= 1.02;
  hpcc.m.classes[1].received_bytes_in_window /= 2;
  const std::string text = verdict({analyse(none.record()), analyse(hpcc.record()), analyse(renato.record())});
  EXPECT_TRUE(text.starts_with("`renato` helps class `cold` most: peak latency 4.08 us")) << text;
  EXPECT_TRUE(text.ends_with(". `hpcc` reaches 4.00 us, but at a higher cost: class `hot` receives 50.0 % less"))
      << text;
  for (ClassBin& bin : renato.m.classes[0].series) bin.latency_sum_ps *= 1.1;  // clearly worse
  EXPECT_TRUE(verdict({analyse(none.record()), analyse(hpcc.record()), analyse(renato.record())})
                  .starts_with("`hpcc` helps"));
}

TEST(Verdict, NamesWhatCouldBeTriedWhereNothingHelps) {
  const auto remark = [](SampleRun other, const std::string& scheme) {
    other.scenario = parse_scenario_text("[topology]\nkind = 'star'\nhosts = 4\n[[traffic]]\npattern = 'uniform'\n"
                                         "load = 0.1\n[run]\nduration = '1us'\n" + scheme, "s.toml", vocabulary());
    const SampleRun none("none");
    const std::vector<AnalysedRun> runs{analyse(with_tag(none, "none", "available")),
                                        analyse(with_tag(other, "cca", "available"))};
    return untried_remark(runs, judge(runs));
  };
  const std::string defaults = "[scheme]\nname = 'cca'\n";
  EXPECT_EQ(remark(SampleRun("cca"), defaults),
            "`cca` does not help here, but it ran with the default of `ccti_timer` and `cct_step`. Other values may "
            "help: set them as scheme.KEY");
  EXPECT_EQ(remark(SampleRun("cca"), defaults + "ccti_timer = 20\n"), "");
  EXPECT_EQ(remark(calmed(SampleRun("cca")), defaults), "");
}

// Two hosts send to h2: each gets a BECN every other microsecond.
TEST(Verdict, NamesATimerThatIsTooShortForSoManySenders) {
  const auto with_timer = [](const std::string& timer) {
    SampleRun cca("cca");
    cca.m.scheme_values = {{"ccti_timer", timer}};
    const SampleRun none("none");
    return verdict({analyse(with_tag(none, "none", "available")), analyse(with_tag(cca, "cca", "available"))});
  };
  EXPECT_TRUE(with_timer("1").ends_with(
      ". `cca` ran with the default ccti_timer, 1, which fits up to about 1 senders of one link; here 2 send to h2: "
      "try --set scheme.ccti_timer=4"))
      << with_timer("1");
  EXPECT_FALSE(says(with_timer("2"), "ccti_timer"));
}

TEST(Verdict, SaysThatFlowsTakeLongerOnAverage) {
  SampleRun none = pulse("none", 70), window = calmed(pulse("window", 70));
  none.m.flows = {transfer(kHot, 6'000, 40, 50), transfer(kHot, 6'000, 40, 70)};
  window.m.flows = {transfer(kHot, 6'000, 40, 70), transfer(kHot, 6'000, 40, 70)};
  EXPECT_EQ(verdict_on(none, window), std::string(kPraise) +
      ", but flows of class `hot` take 1.50x as long on average");
}

TEST(Verdict, SaysThatEndlessFlowsGetLess) {
  SampleRun none("none"), window = calmed(SampleRun("window"));  // the sample's hot class has an endless flow
  window.m.classes[1].received_bytes_in_window /= 2;
  EXPECT_EQ(verdict_on(none, window), std::string(kPraise) + ", but class `hot` receives 50.0 % less");
}

TEST(Verdict, SaysThatRandomTrafficGetsLess) {
  SampleRun none("none"), window = calmed(SampleRun("window"));
  window.m.classes[0].received = 60;  // of 100, instead of 89
  EXPECT_EQ(verdict_on(none, window), std::string(kPraise) + ", but class `cold` receives 32.6 % less");
}

TEST(Verdict, ALongerRunAloneIsNoLoss) {
  SampleRun none("none"), window = calmed(SampleRun("window"));
  none.m.flows.clear();
  window.m.flows.clear();
  window.m.end = {2 * none.m.end.ps};
  EXPECT_EQ(verdict_on(none, window), kPraise);
}

TEST(Verdict, APulseOfPacketsThatEndsLaterIsAPrice) {
  SampleRun none("none"), window = calmed(SampleRun("window"));
  none.m.flows.clear();
  window.m.flows.clear();
  std::swap(window.m.classes[1].series[6], window.m.classes[1].series[9]);  // ends at 100 us instead of 70
  EXPECT_EQ(verdict_on(none, window), std::string(kPraise) +
      ", but class `hot` takes 1.43x as long until its last packet arrives");
}

// Two transfers of the cold class that end at these times.
SampleRun two_transfers(const std::string& label, std::int64_t first_us, std::int64_t second_us) {
  SampleRun run(label);
  run.m.flows = {transfer(kCold, 44'500, 0, first_us), transfer(kCold, 44'500, 0, second_us)};
  return run;
}

TEST(Verdict, JudgesTransfersByTheirCompletion) {
  SampleRun fast = two_transfers("fast", 20, 60);
  for (ClassBin& bin : fast.m.classes[0].series) bin.latency_sum_ps *= 10;  // of packets; nobody waits for one of them
  EXPECT_EQ(verdict_on(two_transfers("none", 50, 90), fast),
            "`fast` helps class `cold`: time until the last flow is complete 60.0 us, against 90.0 us with "
            "`none` (1.50x shorter; mean completion time 40.0 us, against 70.0 us)");
}

TEST(Verdict, TheMeanDecidesWhereNobodyHelpsTheSlowest) {
  // Another run, which makes the slowest slower, changes nothing about that.
  const SampleRun none = two_transfers("none", 50, 90), window = two_transfers("window", 20, 90),
                  late = two_transfers("late", 10, 180);
  const std::string text = verdict({analyse(none.record()), analyse(window.record()), analyse(late.record())});
  EXPECT_TRUE(says(text, "`window` helps class `cold` most: mean completion time 55.0 us, against 70.0 us")) << text;
}

TEST(Verdict, AMeanDoesNotExcuseTheLastFlow) {
  // On average 47.5 us instead of 50, but the last flow takes 1.8 times as long.
  EXPECT_EQ(verdict_on(two_transfers("none", 50, 50), two_transfers("window", 5, 90)),
            "No other run improves on `none` for class `cold`: time until the last "
            "flow is complete 50.0 us. `window` does harm: flows of class `cold` take 1.80x as long until the last "
            "one is complete");
}

TEST(Verdict, TheMeanDecidesWhereTheLastFlowsEndAlike) {
  EXPECT_EQ(verdict_on(two_transfers("none", 50, 90), two_transfers("fast", 20, 90)),
            "`fast` helps class `cold`: mean completion time 55.0 us, against 70.0 us with `none` (1.27x "
            "shorter; last flow complete after 90.0 us, against 90.0 us)");
}

TEST(Verdict, AFlowLeftOpenIsTheWorst) {
  SampleRun none = two_transfers("none", 50, 90), open = two_transfers("open", 20, -1);
  for (ClassBin& bin : open.m.classes[0].series) bin.latency_sum_ps *= 0.1;
  EXPECT_EQ(verdict_on(none, open),
            "No other run improves on `none` for class `cold`: time until the last "
            "flow is complete 90.0 us. `open` does harm: 1 of 2 flows of class `cold` are never complete");
  none.label = "other";
  open.label = "none";
  EXPECT_EQ(verdict_on(none, open),
            "`other` helps class `cold`: time until the last flow is complete 90.0 us; with `none` some flows "
            "are never complete");
}

// A hundred cold transfers that arrive 1 us apart and would take 2 us each on their own. They take 4 us, but the last
// two these. The first ten start in the warm-up and do not count.
SampleRun arrivals(const std::string& label, std::int64_t last_us) {
  SampleRun run(label);
  run.m.flows.clear();
  for (std::int64_t i = 0; i < 100; ++i) {
    run.m.flows.push_back(transfer(kCold, 1'000, i, i + (i < 98 ? 4 : last_us)));
    run.m.flows.back().alone = {2 * kMicros};
  }
  return run;
}

TEST(RunText, ShowsNoPercentileOfFewFlows) {
  const auto row = [](const SampleRun& run) {
    const std::string text = run_text(analyse(run.record()), {160, false});
    const std::size_t table = text.find("slowdown of flows"), line = text.find("\ncold", table);
    return text.substr(line, text.find('\n', line + 1) - line);
  };
  SampleRun many = arrivals("", 60);
  EXPECT_TRUE(says(row(many), " 90    2.00  2.00     30.0 "));  // p95 and the largest; no p99
  for (int i = 0; i < 20; ++i) many.m.flows.push_back(many.m.flows[50]);
  EXPECT_TRUE(says(row(many), " 110    2.00  2.00  30.0     30.0 "));
}

TEST(Verdict, JudgesArrivingFlowsByTheirSlowdown) {
  EXPECT_EQ(verdict_on(arrivals("none", 60), arrivals("fast", 20)),
            "`fast` helps class `cold`: 99th percentile slowdown 10.0, against 30.0 with `none` (3.00x lower)");
  EXPECT_EQ(verdict_on(arrivals("none", 20), arrivals("slow", 60)),
            "No other run improves on `none` for class `cold`: 99th percentile "
            "slowdown 10.0. `slow` does harm: the p99 slowdown of class `cold` is 3.00x as high");
}

// The slowest gain, most lose.
TEST(Verdict, WhatHelpsTheSlowestMaySlowAllOthers) {
  SampleRun window = arrivals("window", 20);
  for (std::size_t i = 0; i < 98; ++i) window.m.flows[i].completion += Time{400'000};
  const std::string text = verdict_on(arrivals("none", 100), window);
  EXPECT_TRUE(text.starts_with("`window` helps class `cold`: 99th percentile slowdown 10.0, against 50.0"))
      << text;
  EXPECT_TRUE(says(text, ", but the median slowdown of class `cold` is 1.10x as high"));
}

TEST(Verdict, NamesALaneOfItsOwnWhereNobodyTriedIt) {
  const auto with_lanes = [](SampleRun run, int lanes) {
    run.scenario = parse_scenario_text(fmt::format("[topology]\nkind = 'star'\nhosts = 4\n[switch]\nlanes = {}\n"
                                                   "[[traffic]]\nname = 'base'\nclass = 'cold'\n"
                                                   "pattern = 'uniform'\n"
                                                   "load = 0.1\n[run]\nduration = '1us'\n", lanes),
                                       "s.toml", vocabulary());
    return run;
  };
  const SampleRun none = with_lanes(SampleRun("none"), 1);
  const SampleRun cca = with_lanes(SampleRun("cca"), 1), lane = with_lanes(SampleRun("lane"), 2);
  EXPECT_TRUE(compare_text({analyse(none.record()), analyse(cca.record())}, {}).ends_with(
      "\nNot tried: a lane (VL) of its own for class `cold` (traffic `base`). To try it, add:\n"
      "  --set switch.lanes=2 --set traffic.base.lane=1\n"));
  EXPECT_FALSE(untried_lane({analyse(none.record()), analyse(lane.record())}));
}

// A percentile of few flows in one run.
TEST(Verdict, AFewPerCentOfAPercentileAreChance) {
  EXPECT_TRUE(says(verdict_on(arrivals("none", 40), arrivals("uplink", 37)),
                   "No other run helps class `cold`: 99th percentile slowdown 18.5 at best, 20.0 with no congestion "
                   "management (`none`), no difference beyond chance"));
}

TEST(Verdict, PacketsOutOfOrderAreNamed) {
  SampleRun spray = calmed(SampleRun("spray"));
  spray.m.classes[0].out_of_order = 44;
  const SampleRun none("none");
  EXPECT_TRUE(verdict_on(none, spray).ends_with(
      ". With `spray`, 44 of 101 packets arrive out of order: weir assumes adapters that accept them"))
      << verdict_on(none, spray);
  EXPECT_TRUE(says(compare_text({analyse(none.record()), analyse(spray.record())}, {200, false}), "out of"));
  EXPECT_FALSE(says(compare_text({analyse(none.record())}, {200, false}), "out of"));
}

// The same scheme everywhere: what makes the difference is something else.
TEST(Verdict, AvailabilityIsThatOfSchemesAlone) {
  const auto with_lanes = [](SampleRun run, int lanes) {
    run.scenario = parse_scenario_text(fmt::format("[topology]\nkind = 'star'\nhosts = 4\n[switch]\nlanes = {}\n"
                                                   "[[traffic]]\npattern = 'uniform'\nload = 0.1\n[run]\n"
                                                   "duration = '1us'\n[scheme]\nname = 'cca'\n", lanes),
                                       "s.toml", vocabulary());
    return run;
  };
  const SampleRun intact = with_lanes(SampleRun("intact"), 1), uplink = with_lanes(calmed(SampleRun("uplink")), 1),
                  lane = with_lanes(calmed(SampleRun("lane")), 2);
  const auto of = [&](const SampleRun& other) {
    return verdict({analyse(with_tag(intact, "cca", "available")), analyse(with_tag(other, "cca", "available"))});
  };
  EXPECT_TRUE(of(uplink).starts_with("`uplink` helps class `cold`: ")) << of(uplink);
  EXPECT_TRUE(of(lane).starts_with("`lane` (needs QoS in opensm: `qos TRUE`, and an SL for this traffic) helps"))
      << of(lane);
}

TEST(CompareText, HasTheSlowdownOfShortFlowsAndCollectives) {
  SampleRun none = arrivals("none", 60), fast = arrivals("fast", 20);
  for (SampleRun* run : {&none, &fast}) {
    for (std::size_t i = 0; i < 50; ++i) run->m.flows[i].bytes = run->m.flows[i].delivered = 500;
    run->m.classes[0].received_bytes = 75'000;  // nothing beside the flows
    CollectiveResult ring;
    ring.operation = "all-reduce";
    ring.start = Time{0};
    ring.completion = Time{(run == &none ? 40 : 30) * kMicros};
    ring.bus_bps = 8e9;
    run->m.collectives = {ring};
  }
  const std::string text = compare_text({analyse(none.record()), analyse(fast.record())}, {160, false});
  EXPECT_TRUE(says(text, "     p99  p99 slowdown\n") && says(text, "slowdown   up to 500 B\n")) << text;
  EXPECT_TRUE(says(text, "collective operations")) << text;
  EXPECT_TRUE(says(text, "40.0 us") && says(text, "30.0 us") && says(text, "8.00 Gb/s")) << text;
}

TEST(Verdict, TheMeanSlowdownDecidesWhereThePercentilesAreAlike) {
  SampleRun fast = arrivals("fast", 20);
  for (std::size_t i = 0; i < 98; ++i) fast.m.flows[i].completion -= Time{2 * kMicros};
  EXPECT_EQ(verdict_on(arrivals("none", 20), fast),
            "`fast` helps class `cold`: mean slowdown 1.20, against 2.18 with `none` (1.81x lower)");
  fast.label = "fast";
  const SampleRun none = arrivals("none", 20);
  const std::string text = compare_text({analyse(none.record()), analyse(fast.record())}, {160, false});
  EXPECT_TRUE(says(text, "mean slowdown") && says(text, "  2.18  ") && says(text, "  1.20  ")) << text;
}

TEST(Verdict, FlowsThatStartOrTravelDifferentlyAreJudgedByTheLastOne) {
  SampleRun later = arrivals("fast", 20), shorter = arrivals("fast", 20);
  later.m.flows[5].start += Time{1};
  shorter.m.flows[5].alone = {1 * kMicros};
  for (const SampleRun* run : {&later, &shorter}) {
    const std::string text = verdict_on(arrivals("none", 60), *run);
    EXPECT_TRUE(says(text, "time until the last flow is complete 119 us, against 159 us with `none`")) << text;
  }
}

TEST(Verdict, AHigherSlowdownOfOthersIsAPrice) {
  const auto with_hot = [](SampleRun run, std::int64_t hot_us) {
    run.m.flows = {transfer(kHot, 12'000, 40, 40 + hot_us)};
    run.m.flows[0].alone = {1 * kMicros};
    return run;
  };
  EXPECT_EQ(verdict_on(with_hot(SampleRun("none"), 30), with_hot(calmed(SampleRun("window")), 60)),
            std::string(kPraise) + ", but the p99 slowdown of class `hot` is 2.00x as high");
}

// A third class, of one transfer beside the packets of the first two.
SampleRun with_bulk(const std::string& label, std::int64_t end_us) {
  SampleRun run(label);
  run.m.hosts.clear();
  run.m.hosts_by_class = false;
  run.m.classes.push_back(run.m.classes[0]);
  run.m.classes[2].name = "bulk";
  run.m.flows = {transfer({2}, 89'000, 0, end_us)};
  return run;
}

TEST(Verdict, TransfersDecideWhereLatencyTellsNoDifference) {
  EXPECT_EQ(verdict_on(with_bulk("none", 80), with_bulk("quick", 40)),
            "`quick` helps class `bulk`: time until the last flow is complete 40.0 us, against 80.0 us with "
            "`none` (2.00x shorter; mean completion time 40.0 us, against 80.0 us)");
  EXPECT_EQ(verdict_on(with_bulk("none", 80), with_bulk("slow", 90)),
            "No other run improves on `none` for class `cold`: peak latency 200 us. "
            "`slow` does harm: flows of class `bulk` take 1.12x as long until the last one is complete");
}

// No event: packets of `usual_us`, and `victims` of 10,000 with another latency.
SampleRun with_victims(const std::string& label, double usual_us, std::size_t victims, double victim_us) {
  SampleRun run(label);
  run.m.classes.pop_back();
  run.m.hosts.clear();
  run.m.hosts_by_class = false;
  run.m.flows.clear();
  run.m.frames.clear();
  run.m.classes[0].latency = Histogram();
  for (std::size_t p = 0; p < 10'000; ++p)
    run.m.classes[0].latency.add(static_cast<std::uint64_t>((p < victims ? victim_us : usual_us) * 1e6));
  return run;
}

// Fewer than 1 % of the packets are hurt: the 99th percentile prefers the run that hurts them most.
TEST(Verdict, SeesVictimsThatThePercentileDoesNot) {
  const SampleRun none = with_victims("none", 4, 20, 175), window = with_victims("window", 4, 20, 14),
                  cca = with_victims("cca", 3.6, 20, 104);
  const std::vector<AnalysedRun> runs{analyse(none.record()), analyse(window.record()), analyse(cca.record())};
  EXPECT_EQ(judge(runs).measure, HarmMeasure::slowest_latency);
  EXPECT_EQ(judge(runs).best, 1u);
  const std::string text = verdict(runs);
  EXPECT_TRUE(says(text, "`window` helps class `cold` most: mean latency of the slowest 1 % 6.0")) << text;
  EXPECT_TRUE(says(compare_text(runs, {80, false}), "slowest 1 %"));
}

TEST(Verdict, StaysWithThePercentileWhereItSeesThem) {
  const SampleRun none = with_victims("none", 4, 500, 175), window = with_victims("window", 4, 500, 14);
  const std::vector<AnalysedRun> runs{analyse(none.record()), analyse(window.record())};
  EXPECT_EQ(judge(runs).measure, HarmMeasure::p99_latency);
  EXPECT_FALSE(says(compare_text(runs, {80, false}), "slowest 1 %"));
}

TEST(Verdict, SaysThatAPercentileRestsOnFewFlows) {
  const SampleRun none = arrivals("none", 60), fast = arrivals("fast", 20);
  const std::vector<AnalysedRun> runs{analyse(none.record()), analyse(fast.record())};
  const std::string remark = "class `cold` has only 90 flows, so its 99th percentile is just the slowest flow";
  EXPECT_TRUE(says(few_flows_remark(runs, judge(runs)), remark));
  EXPECT_TRUE(says(compare_text(runs, {200, false}), "note: " + remark));
  SampleRun a("none"), b = calmed(SampleRun("window"));
  const std::vector<AnalysedRun> by_latency{analyse(a.record()), analyse(b.record())};
  EXPECT_EQ(few_flows_remark(by_latency, judge(by_latency)), "");
}

TEST(HurtCard, NamesTheClassWithVictims) {
  const SampleRun none = arrivals("none", 60);
  std::vector<AnalysedRun> runs{analyse(none.record())};
  runs[0].digest.classes[0].impact.reset();
  EXPECT_TRUE(says(answer_of(runs, judge(runs)).cards[0].value, " held back"));
  runs[0].digest.classes[0].slowdown->victims.emplace().flows = 7;
  const AnswerCard card = answer_of(runs, judge(runs)).cards[0];
  EXPECT_TRUE(card.value.starts_with("cold: mean slowdown ")) << card.value;
  EXPECT_TRUE(card.detail.starts_with("7 of its 90 flows are victims: they cross no root, but a link on their path"))
      << card.detail;
}

TEST(CompareText, ExplainsOnlyColumnsThatAreShown) {
  const SampleRun none = arrivals("none", 60), fast = arrivals("fast", 20);
  const std::vector<AnalysedRun> runs{analyse(none.record()), analyse(fast.record())};
  EXPECT_TRUE(says(compare_text(runs, {200, false}), "\nthroughput dip to: "));
  const std::string narrow = compare_text(runs, {60, false});
  EXPECT_TRUE(says(narrow, "`throughput dip to`, ") && !says(narrow, "throughput dip to: ")) << narrow;
}

TEST(CompareText, ShowsHowSlowVictimsAre) {
  const SampleRun none = arrivals("none", 60), fast = arrivals("fast", 20);
  std::vector<AnalysedRun> runs{analyse(none.record()), analyse(fast.record())};
  EXPECT_FALSE(says(compare_text(runs, {}), "victim"));
  SlowdownSummary& victims = runs[0].digest.classes[0].slowdown->victims.emplace();
  victims.flows = victims.complete = 7;
  victims.p99 = 41.5;
  const std::string text = compare_text(runs, {});
  EXPECT_TRUE(says(text, "  victim  p99 slowdown\n") && says(text, "   flows    of victims\n")) << text;
  EXPECT_TRUE(says(text, "       7          41.5\n")) << text;
  EXPECT_TRUE(says(text, "       -             -\n")) << "the ways of the other run's flows are not known\n" << text;
  EXPECT_TRUE(says(text, "victim flows: flows that cross no root, but a link on their path was held back\n")) << text;
}

TEST(Verdict, TheTableShowsWhatItJudgesBy) {
  const SampleRun none = pulse("none", 70), open = pulse("open", -1);
  const std::string text = compare_text({analyse(none.record()), analyse(open.record())}, {});
  const std::string hot = text.substr(text.find("class hot"));
  EXPECT_TRUE(says(hot, "mean FCT  last flow"));
  EXPECT_TRUE(says(hot, "30.0 us    30.0 us"));
  EXPECT_FALSE(says(text.substr(0, text.find("class hot")), "mean FCT")) << text;
}

TEST(FlowEnds, OnlyOfClassesThatAreAllTransfers) {
  SampleRun run;
  run.m.flows = {transfer(kCold, 44'500, 10, 50), transfer(kCold, 44'500, 20, -1)};
  const auto ends = flow_ends(analyse(run.record()), "cold");
  ASSERT_TRUE(ends.has_value());
  EXPECT_EQ(ends->flows, 2u);
  EXPECT_EQ(ends->complete, 1u);
  EXPECT_EQ(ends->mean_ps, 40e6);
  EXPECT_EQ(ends->last_ps, 40e6);
  run.m.flows.pop_back();  // now half of what the class received came in single packets
  EXPECT_FALSE(flow_ends(analyse(run.record()), "cold").has_value());
  EXPECT_FALSE(flow_ends(analyse(SampleRun().record()), "no such class").has_value());
}

TEST(Price, ManyAreCounted) {
  EXPECT_EQ(losses_clause({"a", "b"}), "a and b");
  EXPECT_EQ(losses_clause({"a", "b", "c", "d"}), "a, b, c and one other class loses, too");
  EXPECT_EQ(losses_clause({"a", "b", "c", "d", "e"}), "a, b, c and 2 other classes lose, too");
}

TEST(Answer, NamesThePrice) {
  const SampleRun none = pulse("none", 70), window = calmed(pulse("window", 90));
  const std::vector<AnalysedRun> runs{analyse(none.record()), analyse(window.record())};
  const Answer answer = answer_of(runs, judge(runs));
  ASSERT_EQ(answer.cards.size(), 4u);
  EXPECT_EQ(answer.cards[3].value, "flows of class `hot` take 1.67x as long until the last one is complete");
  EXPECT_EQ(answer.cards[3].tone, "bad");
  ASSERT_FALSE(answer.advice.empty());
  EXPECT_TRUE(
      says(answer.advice[0], "Its cost: flows of class `hot` take 1.67x as long until the last one is complete."))
      << answer.advice[0];
}

}  // namespace
}  // namespace weir
