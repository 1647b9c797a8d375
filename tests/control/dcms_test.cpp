// The controller on a scripted fabric: counters are written down sweep by sweep, so that each property of algorithms 2
// and 3 and each defect of the printed text shows by itself. Two switches as in the test bed: (S1,15) sends into S2,
// whose port 23 leads to host D.
#include "control/dcms.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "control/request_pacer.h"
#include "network/topologies/topologies.h"

namespace weir {
namespace {

constexpr Time kPeriod{1'000'000'000'000};
constexpr Rate kFast{32'000'000'000};

Topology test_bed(int upstream = 1) {
  GraphSpec spec;
  for (const auto* name : {"X", "A", "Y", "B", "D"}) spec.hosts.push_back({name, {}});
  spec.switches = {{"S1", 0, {}}, {"S2", 0, {}}};
  const LinkProperties slow{{8'000'000'000}, {10'000}, 0}, fast{kFast, {10'000}, 0};
  spec.cables = {{{"X", false, 0}, {"S1", true, 11}, slow, 1, {}}, {{"A", false, 0}, {"S1", true, 12}, slow, 1, {}},
                 {{"S1", true, 15}, {"S2", true, 20}, fast, 1, {}}, {{"D", false, 0}, {"S2", true, 23}, slow, 1, {}},
                 {{"Y", false, 0}, {"S2", true, 21}, slow, 1, {}},  {{"B", false, 0}, {"S2", true, 22}, slow, 1, {}}};
  if (upstream > 1) {
    spec.switches.push_back({"S3", 0, {}});
    spec.cables.push_back({{"S3", true, 1}, {"S2", true, 30}, fast, 1, {}});
  }
  return graph(spec);
}

// Growth of a port's counters in one sweep.
struct Growth {
  std::uint64_t wait = 0, congestion = 0, data = 100;
};

class Script {
 public:
  explicit Script(DcmsRules rules = {}, std::uint32_t limit = 5, int upstream = 1) : topology(test_bed(upstream)) {
    settings.period = settings.calm_period = kPeriod;
    settings.answer_timeout = kPeriod / 10;
    settings.wait_threshold = 1000;
    settings.congestion_threshold = 1000;
    settings.data_threshold = 50;
    settings.low_limit = limit;
    settings.rules = rules;
    controller = std::make_unique<DcmsController>(topology, settings);
    root = port("S2:23");
    victim = port("S1:15");
    sweep();
  }
  PortId port(const std::string& name) const {
    for (std::uint32_t p = 0; p < topology.ports(); ++p)
      if (topology.port_name({p}) == name) return {p};
    ADD_FAILURE() << name;
    return {};
  }
  // One sweep: the counters grow as told (others as an idle port's do), are read, and the controller judges.
  std::vector<Actions::SetMarkingRate> sweep(const std::map<PortId, Growth>& growth = {}) {
    Actions asked = controller->step(now, {});
    Telemetry answers;
    for (const PortId p : asked.read) {
      const auto found = growth.find(p);
      const Growth g = found == growth.end() ? Growth{} : found->second;
      auto& c = counters[p];
      c.wait = std::min<std::uint64_t>(c.wait + g.wait, kCounterMax);
      c.congestion = std::min<std::uint64_t>(c.congestion + g.congestion, kCounterMax);
      c.data += g.data;
      if (missing.contains(p)) continue;
      answers.readings.push_back(
          {p, static_cast<std::uint32_t>(c.wait), static_cast<std::uint32_t>(c.congestion), c.data});
    }
    now += kPeriod / 1000;
    Actions judged = controller->step(now, answers);
    for (const auto& clear : judged.clear)
      (clear.counter == Counter::xmit_wait ? counters[clear.port].wait : counters[clear.port].congestion) = 0;
    if (judged.wake_at < now + kPeriod / 2) {  // something is missing: the deadline passes
      now = judged.wake_at;
      const Actions late = controller->step(now, {});
      judged.set.insert(judged.set.end(), late.set.begin(), late.set.end());
      judged.wake_at = late.wake_at;
    }
    now = judged.wake_at;
    return judged.set;
  }
  std::map<PortId, Growth> congested(std::uint64_t victim_data, std::uint64_t victim_wait = 2000) const {
    return {{root, {0, 2000, 100}}, {victim, {victim_wait, 0, victim_data}}};
  }
  std::map<PortId, Growth> relieved(std::uint64_t victim_data) const {
    return {{root, {0, 10, 100}}, {victim, {0, 0, victim_data}}};
  }
  bool low() const { return controller->is_low(root); }

  Topology topology;
  DcmsSettings settings;
  std::unique_ptr<DcmsController> controller;
  std::map<PortId, Growth> counters;  // their present values
  std::set<PortId> missing;
  PortId root, victim;
  Time now;
};

TEST(Dcms, LocalisedCongestionCausesNoAction) {
  Script s;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(s.sweep({{s.root, {0, 5000, 300}}}).empty());
  EXPECT_FALSE(s.low());
  EXPECT_EQ(s.controller->watch_list(), std::vector<PortId>{s.root});
}

TEST(Dcms, FirstVictimSetsTheRootLow) {
  Script s;
  const auto set = s.sweep(s.congested(200));
  ASSERT_EQ(set.size(), 1u);
  EXPECT_EQ(set[0].port, s.root);
  EXPECT_EQ(set[0].rate, 0u);
  EXPECT_TRUE(s.low());
}

TEST(Dcms, VictimPortWithoutVictimFlowRestoresTheDefault) {
  Script s;
  s.sweep(s.congested(200));
  const auto set = s.sweep(s.relieved(80));  // only contributors: throughput falls with them
  ASSERT_EQ(set.size(), 1u);
  EXPECT_EQ(set[0].rate, 128u);
  EXPECT_FALSE(s.low());
}

TEST(Dcms, SecondVictimDoesNotRestartTheCount) {
  Script s({}, 3, 2);
  const PortId second = s.port("S3:1");
  s.sweep(s.congested(200));
  s.sweep(s.relieved(300));
  auto both = s.congested(300);
  both[second] = {2000, 0, 200};
  EXPECT_TRUE(s.sweep(both).empty());  // joins, sets nothing again
  EXPECT_EQ(s.controller->victims(s.root).size(), 2u);
  s.sweep(s.relieved(300));
  EXPECT_TRUE(s.low());
  s.sweep(s.relieved(300));            // the fourth sweep after the reduction
  EXPECT_FALSE(s.low());
  EXPECT_EQ(s.controller->decisions().back().why, DcmsController::Decision::Why::limit);
}

TEST(Dcms, DurationLimitRestoresAndASecondReductionFollows) {
  Script s({}, 5);
  s.sweep(s.congested(200));
  int sweeps = 0;
  while (s.low() && sweeps < 20) s.sweep(s.relieved(300)), ++sweeps;
  EXPECT_EQ(sweeps, 6);  // more than five sweeps have passed
  EXPECT_TRUE(s.controller->victims(s.root).empty());
  s.sweep(s.congested(200));
  EXPECT_TRUE(s.low());
}

TEST(Dcms, DroppedPortStaysExcludedUntilTheRootIsCalm) {
  Script s;
  s.sweep(s.congested(200));
  s.sweep(s.relieved(80));
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(s.sweep(s.congested(90)).empty());  // a contributor alone keeps its own port waiting
    EXPECT_FALSE(s.low());
  }
  s.sweep(s.relieved(80));  // calm
  s.sweep(s.congested(200));
  EXPECT_TRUE(s.low());
}

// ---- the printed text ----

TEST(DcmsPrinted, GuardNeverOpensSoLowNeverEnds) {
  Script s(DcmsRules::printed(), 3);
  s.sweep(s.congested(200));
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(s.sweep(s.relieved(i == 0 ? 80u : 90u)).empty());
  EXPECT_TRUE(s.low());
}

TEST(DcmsPrinted, OldVictimsPreventASecondReduction) {
  DcmsRules rules;
  rules.empty_victims = false;
  Script s(rules, 3);
  s.sweep(s.congested(200));
  for (int i = 0; i < 4; ++i) s.sweep(s.relieved(300));
  EXPECT_FALSE(s.low());
  for (int i = 0; i < 5; ++i) s.sweep(s.congested(200));
  EXPECT_FALSE(s.low());
}

TEST(DcmsPrinted, WithoutExclusionAContributorTriggersForEver) {
  DcmsRules rules;
  rules.exclude_dropped = false;
  Script s(rules);
  int reductions = 0;
  for (int i = 0; i < 20; ++i) {
    const auto set = s.sweep(s.low() ? s.relieved(80) : s.congested(200));
    for (const auto& action : set) reductions += action.rate == 0 ? 1 : 0;
  }
  EXPECT_GE(reductions, 9);
}

// ---- counters that lie ----

TEST(DcmsCounters, SaturatedCountersAreClearedAndCauseNothing) {
  Script s;
  s.counters[s.victim].wait = s.counters[s.root].congestion = kCounterMax;
  s.sweep();                                    // read at the stop, then cleared
  EXPECT_EQ(s.counters[s.victim].wait, 0u);
  EXPECT_TRUE(s.sweep().empty());
  EXPECT_TRUE(s.sweep().empty());
  EXPECT_FALSE(s.low());
  s.sweep(s.congested(200));
  EXPECT_TRUE(s.low());                         // and it works again
}

TEST(DcmsCounters, ClearingPastHalfTheRangeLosesNoEvent) {
  Script s;
  s.counters[s.victim].wait = s.counters[s.root].congestion = 0x80000000u;
  s.sweep();
  EXPECT_EQ(s.counters[s.root].congestion, 0u);
  s.sweep(s.congested(200));
  EXPECT_TRUE(s.low());
}

TEST(DcmsCounters, ClearedByOthersDropsNoVictim) {
  Script s;
  s.sweep(s.congested(200));
  s.counters[s.victim] = {0, 0, 0};             // all cleared: data seems to have fallen
  EXPECT_TRUE(s.sweep(s.relieved(300)).empty());
  EXPECT_TRUE(s.low());
  EXPECT_TRUE(s.sweep(s.relieved(300)).empty());
  EXPECT_TRUE(s.low());
}

TEST(DcmsCounters, JumpsBackAndForthCauseNoReduction) {
  Script s;
  s.sweep();
  s.counters[s.victim].wait = 500;
  s.counters[s.root].congestion = 500;
  s.sweep({{s.root, {0, 0, 100}}, {s.victim, {0, 0, 100}}});
  s.counters[s.victim].wait = 0;
  s.counters[s.root].congestion = 0;
  EXPECT_TRUE(s.sweep({{s.root, {0, 400, 100}}, {s.victim, {400, 0, 100}}}).empty());
  EXPECT_FALSE(s.low());
}

TEST(DcmsCounters, MissingAnswersNeitherReduceNorRestore) {
  Script s;
  s.missing = {s.victim};
  EXPECT_TRUE(s.sweep(s.congested(200)).empty());
  s.missing.clear();
  s.sweep(s.congested(200));
  ASSERT_TRUE(s.low());
  s.missing = {s.victim, s.root};
  EXPECT_TRUE(s.sweep(s.relieved(10)).empty());
  EXPECT_TRUE(s.low());
  s.missing.clear();
  EXPECT_TRUE(s.sweep(s.relieved(300)).empty());
  EXPECT_TRUE(s.low());
}

TEST(DcmsCounters, AGapIsNoGrowth) {
  Script s;
  s.missing = {s.victim, s.root};
  s.sweep(s.congested(200, 700));
  s.sweep(s.congested(200, 700));
  s.missing.clear();
  // 2100 ticks since the last answer, but 700 per period: below the threshold.
  EXPECT_TRUE(s.sweep(s.congested(200, 700)).empty());
}

// What others may do to the counters of a port between two sweeps.
void disturb(Script& s, PortId port) {
  Growth& c = s.counters[port];
  switch (*rc::gen::inRange(0, 8)) {
    case 0: c = {0, 0, 0}; break;                                              // cleared by another tool
    case 1: c.wait = c.congestion = kCounterMax; break;                        // saturated
    case 2: c.wait = *rc::gen::inRange<std::uint64_t>(0, c.wait + 1); break;   // gone backwards
    case 3: c.congestion = *rc::gen::inRange<std::uint64_t>(0, c.congestion + 1); break;
    case 4:  // by more than a sweep's growth: less cannot be told from a slower flow by anybody
      if (c.data > 400) c.data = *rc::gen::inRange<std::uint64_t>(0, c.data - 400);
      break;
    case 5: s.missing.insert(port); break;                                     // no answer
    default: break;
  }
}

RC_GTEST_PROP(DcmsCounters, WhateverHappensToThemACalmFabricIsLeftAlone, ()) {
  Script s;
  for (int i = 0; i < 30; ++i) {
    s.missing.clear();
    disturb(s, s.root);
    disturb(s, s.victim);
    const auto growth = [] { return *rc::gen::inRange<std::uint64_t>(0, 900); };
    RC_ASSERT(s.sweep({{s.root, {0, growth(), 100}}, {s.victim, {growth(), 0, growth()}}}).empty());
  }
}

RC_GTEST_PROP(DcmsCounters, WhateverHappensToThemAVictimIsNotGivenUp, ()) {
  Script s({}, 50);
  s.sweep(s.congested(200));
  RC_ASSERT(s.low());
  for (int i = 0; i < 30; ++i) {
    s.missing.clear();
    disturb(s, s.root);
    disturb(s, s.victim);
    const std::uint64_t data = *rc::gen::inRange<std::uint64_t>(270, 310);  // falls by less than the threshold
    RC_ASSERT(s.sweep(*rc::gen::arbitrary<bool>() ? s.congested(data) : s.relieved(data)).empty());
  }
  RC_ASSERT(s.low());
}

TEST(DcmsSweeps, LongWhileCalmShortDuringAnEvent) {
  Script s;
  s.settings.calm_period = kPeriod * 4;
  s.controller = std::make_unique<DcmsController>(s.topology, s.settings);
  s.now = {};
  s.sweep();
  EXPECT_EQ(s.now, kPeriod * 4);
  s.sweep({{s.root, {0, 50000, 100}}});
  EXPECT_EQ(s.now, kPeriod * 5);
}

TEST(DcmsSweeps, WatchListReadsKnownRootsAndTheirSenders) {
  Script s;
  s.settings.watch_every = 3;
  s.controller = std::make_unique<DcmsController>(s.topology, s.settings);
  s.now = {};
  s.sweep();
  s.sweep({{s.root, {0, 5000, 100}}});
  const Actions asked = s.controller->step(s.now, {});
  EXPECT_EQ(asked.read, (std::vector<PortId>{s.victim, s.root}));
}

// While answers come in, the rest of them is waited for: requests are paced, and a large fabric takes its time.
TEST(DcmsSweeps, AreJudgedWhenAnswersStopComing) {
  Script s;
  const Time apart = s.settings.answer_timeout - Time{1};
  const std::vector<PortId> asked = s.controller->step(s.now, {}).read;
  ASSERT_GT(asked.size(), 3u);
  const Time began = s.now;
  for (const PortId port : asked) {
    s.now += apart;
    const Actions actions = s.controller->step(s.now, {{{port, 0u, 0u, std::uint64_t{1000}}}});
    EXPECT_EQ(actions.wake_at, port == asked.back() ? began + kPeriod : s.now + s.settings.answer_timeout);
  }
}

TEST(DcmsSweeps, LeaveOutSwitchesThatCannotBeAsked) {
  Script s;
  DcmsController controller(s.topology, s.settings, {false, true});
  for (const PortId port : controller.step({}, {}).read)
    EXPECT_EQ(s.topology.node_of(port), s.topology.node_of(s.root)) << s.topology.port_name(port);
}

TEST(RequestPacer, SendsAFewAtATimeAndSettingsFirst) {
  RequestPacer pacer(2);
  Actions sweep;
  sweep.read = {{1}, {2}, {3}, {4}};
  pacer.add(sweep);
  EXPECT_EQ(pacer.next()->port, PortId{1});
  EXPECT_EQ(pacer.next()->port, PortId{2});
  EXPECT_FALSE(pacer.next());
  Actions decision;
  decision.set = {{{9}, 7}};
  pacer.add(decision);
  pacer.done();
  const auto set = pacer.next();
  ASSERT_TRUE(set);
  EXPECT_EQ(set->kind, ManagementRequest::Kind::set);
  EXPECT_EQ(set->rate, 7u);
  EXPECT_FALSE(pacer.next());
  sweep.read = {{5}};  // a new sweep: what was not asked in the last one is out of date
  pacer.add(sweep);
  pacer.done();
  EXPECT_EQ(pacer.next()->port, PortId{5});
  pacer.done();
  EXPECT_FALSE(pacer.next());
}

}  // namespace
}  // namespace weir
