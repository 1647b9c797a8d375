// The manager on a subnet that answers, and what it leaves behind.
#include "manage/manager.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/file_text.h"
#include "error_of.h"
#include "manage/growth.h"
#include "manage/lab.h"
#include "manage/metrics.h"
#include "network/short_names.h"
#include "says.h"
#include "source_dir.h"
#include "store/sqlite/query.h"
#include "temp_dir.h"

namespace weir::manage {
namespace {

TEST(Discover, FindsTheSubnetAsItIs) {
  Lab lab;
  EXPECT_EQ(lab.seen.hosts(), 6u);
  EXPECT_EQ(lab.seen.switches(), 2u);
  EXPECT_EQ(lab.fabric.cables.size(), 7u);
  EXPECT_TRUE(lab.fabric.remarks.empty());
  for (std::uint32_t h = 0; h < 6; ++h) {
    const NodeIdentity i = lab.seen.identity({h});
    EXPECT_NE(i.lid, 0u);
    EXPECT_NE(i.port_guid, 0u);
    EXPECT_EQ(lab.seen.link(lab.seen.host_port({h})).rate.gigabits(), 8);
  }
}

// PortInfo shows both as QDR. A rate that no link has is that of the fastest link below.
TEST(Discover, TellsFdr10FromQdr) {
  const auto link = [](LaneSpeed lane) { return LinkProperties{LinkSpeed{4, lane}.rate(), Time{1000}, 0}; };
  const Rate fdr10 = LinkSpeed{4, LaneSpeed::fdr10}.rate(), qdr = LinkSpeed{4, LaneSpeed::qdr}.rate();
  const auto rates = [](const Lab& lab) {  // of the hosts' links, and of the one between the switches
    std::set<Rate> found;
    for (const FabricCable& cable : lab.fabric.cables) found.insert(cable.rate);
    return found;
  };
  const Lab both(kPolicy, link(LaneSpeed::fdr10), link(LaneSpeed::qdr));
  EXPECT_EQ(rates(both), (std::set{qdr, fdr10}));
  for (std::uint32_t h = 0; h < 6; ++h) EXPECT_EQ(both.seen.link(both.seen.host_port({h})).rate, fdr10);
  EXPECT_EQ(rates(Lab(kPolicy, link(LaneSpeed::qdr), link(LaneSpeed::qdr))), std::set{qdr});
  const LinkProperties odd{Rate{41'000'000'000}, Time{1000}, 0};
  EXPECT_EQ(rates(Lab(kPolicy, odd, odd)), std::set{fdr10});
}

TEST(Growth, CountersOfALiveSubnetAreThoseOfItsPorts) {
  Lab lab;
  lab.congest(500);
  const CounterDump dump = read_counters(*lab.transport, lab.seen);
  EXPECT_EQ(dump.size(), 14u);  // both ends of 7 cables
  std::size_t moved = 0;
  for (const auto& [port, counters] : dump) {
    if (counters.wait == 0u) continue;
    ++moved;
    EXPECT_EQ(counters.wait, 500u);
    EXPECT_EQ(counters.data, 500u);
  }
  EXPECT_EQ(moved, 8u);  // of the switches
}

TEST(Manager, DryRunSetsNothingAndSaysWhatItWouldDo) {
  Lab lab;
  Manager manager = lab.manager(nullptr);
  for (int i = 0; i < 6; ++i) lab.congested_round(manager);
  EXPECT_EQ(lab.changed(), 0u);
  EXPECT_GT(manager.decisions().size(), 0u);
  ASSERT_FALSE(lab.said.empty());
  EXPECT_NE(lab.said.front().find("would set its Marking_Rate from 100 to 5"), std::string::npos) << lab.said.front();
}

TEST(Manager, ActsWithinItsBoundsAndUndoesEverythingAtTheEnd) {
  TempDir dir;
  Lab lab;
  lab.options.act = true;
  const auto original = lab.settings();
  ActionLog log(dir / "log.sqlite");
  Manager manager = lab.manager(&log);
  std::size_t most = 0;
  for (int i = 0; i < 10; ++i) {
    lab.congested_round(manager);
    most = std::max(most, lab.changed());
  }
  EXPECT_GT(most, 0u);
  EXPECT_LE(most, 2u);  // bounds.most_low
  EXPECT_GT(manager.totals().refused, 0u);
  for (const auto& [port, s] : lab.settings()) {
    if (s.valid) {
      EXPECT_EQ(s, (mad::SwitchPortCongestion{true, false, 15, 0, 5}));
    }
  }
  manager.undo_all("test");
  EXPECT_EQ(lab.settings(), original);
  EXPECT_TRUE(log.open_actions().empty());
  EXPECT_FALSE(log.all().empty());
  EXPECT_NE(log.all()[0].counters.find("PortXmitWait"), std::string::npos);
  log.intend({0, {}, 0, 0xe41d2d0300a1b2c3, 1, {}, {}, "", ""});
  EXPECT_EQ(log.all().back().switch_guid, 0xe41d2d0300a1b2c3);
  const QueryResult rates = run_query((dir / "log.sqlite").string(), "SELECT rate_before, rate_after FROM rates");
  ASSERT_FALSE(rates.rows.empty());
  EXPECT_EQ(std::get<std::string>(rates.rows[0][0]), "of its switch");
  EXPECT_EQ(std::get<std::int64_t>(rates.rows[0][1]), 5);
}

// As after kill -9: nothing is undone, and the next one finds the log.
TEST(Manager, TheNextOneUndoesWhatAKilledOneHasLeft) {
  TempDir dir;
  Lab lab;
  lab.options.act = true;
  const auto original = lab.settings();
  {
    ActionLog log(dir / "log.sqlite");
    Manager killed = lab.manager(&log);
    for (int i = 0; i < 4; ++i) lab.congested_round(killed);
    EXPECT_GT(lab.changed(), 0u);
  }
  ActionLog log(dir / "log.sqlite");
  EXPECT_FALSE(log.open_actions().empty());
  Manager next = lab.manager(&log);
  lab.options.stopped = [] { return true; };
  Manager ends_at_once(lab.seen, lab.policy, *lab.transport, lab.clock, &log, nullptr, lab.options);
  ends_at_once.run();
  EXPECT_EQ(lab.settings(), original);
  EXPECT_TRUE(log.open_actions().empty());
}

TEST(Manager, APortThatSomebodyElseChangedIsLeftAlone) {
  TempDir dir;
  Lab lab;
  lab.options.act = true;
  ActionLog log(dir / "log.sqlite");
  Manager manager = lab.manager(&log);
  for (int i = 0; i < 4; ++i) lab.congested_round(manager);
  ASSERT_GT(lab.changed(), 0u);
  const mad::SwitchPortCongestion theirs{true, false, 9, 0, 77};
  for (live::SubnetNode& node : lab.subnet.nodes())
    for (mad::SwitchPortCongestion& s : node.congestion.ports)
      if (s.valid) s = theirs;
  manager.undo_all("test");
  for (const auto& [port, s] : lab.settings()) {
    if (s.valid) {
      EXPECT_EQ(s, theirs);
    }
  }
}

// Two managers, as on two machines: what one does makes the other stand aside; neither undoes what the other has set.
TEST(Manager, TwoOnOneSubnetDoNotFight) {
  TempDir dir;
  Lab lab;
  lab.options.act = true;
  lab.policy.bounds.stand_aside = {30'000'000'000'000};
  const auto original = lab.settings();
  ActionLog first_log(dir / "first.sqlite"), second_log(dir / "second.sqlite");
  Manager first = lab.manager(&first_log), second = lab.manager(&second_log);
  std::size_t together = 0, lowered = 0;
  for (int i = 0; i < 12; ++i) {
    lab.congest(100'000);
    const Time wake = first.round();
    second.round();
    lab.clock.at = wake;
    together += first.low_ports() > 0 && second.low_ports() > 0;
    lowered = std::max(lowered, lab.changed());
    EXPECT_EQ(lab.changed(), first.low_ports() + second.low_ports());
  }
  EXPECT_GT(lowered, 0u);
  EXPECT_EQ(together, 0u);
  EXPECT_TRUE(first.stands_aside() || second.stands_aside());
  EXPECT_GT(std::ranges::count_if(lab.said, [](const std::string& s) { return s.find("stands aside") != s.npos; }), 0);
  first.undo_all("test");
  second.undo_all("test");
  EXPECT_EQ(lab.settings(), original);
}

TEST(Manager, StandsAsideWhenAnAdministratorChangesASetting) {
  TempDir dir;
  Lab lab;
  lab.options.act = true;
  lab.policy.bounds.stand_aside = {30'000'000'000'000};
  ActionLog log(dir / "log.sqlite");
  Manager manager = lab.manager(&log);
  for (int i = 0; i < 4; ++i) lab.congested_round(manager);
  ASSERT_GT(lab.changed(), 0u);
  ASSERT_FALSE(manager.stands_aside());
  const mad::SwitchPortCongestion theirs{true, false, 9, 0, 77};
  live::SubnetNode& node = *std::ranges::find_if(lab.subnet.nodes(), [](const auto& n) { return n.is_switch; });
  const auto free = std::ranges::find_if(node.congestion.ports, [](const auto& s) { return !s.valid; });
  *free = theirs;
  lab.congested_round(manager);
  EXPECT_TRUE(manager.stands_aside());
  EXPECT_EQ(lab.changed(), 1u);
  EXPECT_EQ(*free, theirs);
  for (int i = 0; i < 20; ++i) lab.congested_round(manager);
  EXPECT_EQ(lab.changed(), 1u);
  for (int i = 0; i < 20; ++i) lab.congested_round(manager);  // they have rested for half a minute
  EXPECT_FALSE(manager.stands_aside());
  EXPECT_GT(lab.changed(), 1u);
  manager.undo_all("test");
  EXPECT_EQ(lab.changed(), 1u);
  EXPECT_EQ(*free, theirs);
}

// Where PortXmitWait has 64 bits, the manager sees beyond the 32 bits that have long stopped; where it has not, it
// draws no conclusion.
TEST(Manager, ReadsTheWaitOf64BitsWhereThereIsOne) {
  for (const bool narrow : {false, true}) {
    Lab lab;
    lab.wire->narrow = narrow;
    for (live::PortSample& s : lab.machine.samples) s.waited = Time{6'000'000'000};
    Manager manager = lab.manager(nullptr);
    for (int i = 0; i < 6; ++i) lab.congested_round(manager);
    EXPECT_EQ(manager.decisions().empty(), narrow);
    for (const auto& [port, r] : manager.last_readings()) {
      EXPECT_EQ(r.wide_wait, !narrow);
      EXPECT_EQ(*r.xmit_wait, narrow ? 0xffff'ffffu : 6'000'600'000u);
    }
  }
}

TEST(Manager, WithoutAnswersEverythingIsUndone) {
  TempDir dir;
  Lab lab;
  lab.options.act = true;
  const auto original = lab.settings();
  ActionLog log(dir / "log.sqlite");
  Manager manager = lab.manager(&log);
  for (int i = 0; i < 4; ++i) lab.congested_round(manager);
  ASSERT_GT(lab.changed(), 0u);
  lab.wire->faults = 0.5;
  for (int i = 0; i < 20 && lab.changed() > 0; ++i) lab.congested_round(manager);
  lab.wire->faults = 0;
  manager.undo_all("test");
  EXPECT_EQ(lab.settings(), original);
}

// Whatever ends it, nothing stays low.
TEST(Manager, AnErrorUndoesEverything) {
  TempDir dir;
  Lab lab;
  lab.options.act = true;
  const auto original = lab.settings();
  int rounds = 0;
  lab.options.after_round = [&](const Manager& manager) {
    lab.congest(100'000);
    if (manager.low_ports() > 0 && ++rounds > 2) throw std::runtime_error("the clock has gone");
  };
  ActionLog log(dir / "log.sqlite");
  Manager manager = lab.manager(&log);
  EXPECT_THROW(manager.run(), std::runtime_error);
  EXPECT_GT(manager.totals().settings, 0u);
  EXPECT_EQ(lab.settings(), original);
  EXPECT_TRUE(log.open_actions().empty());
}

TEST(Policy, MistakesAreRefusedWithTheirLine) {
  EXPECT_NE(error_of([] {
              read_policy_text("[thresholds]\nwait = 1\ncongestion = 1\ndata = 1\n[bounds]\nmost = 1\n", "p.toml");
            }).find("p.toml:6:"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              read_policy_text("[thresholds]\nwait = 1\ncongestion = 1\ndata = 1\n[actions]\ncc_key = \"x\"\n",
                               "p.toml");
            }).find("is no hexadecimal number"),
            std::string::npos);
  EXPECT_TRUE(matches("S*:1*", "S12:15"));
  EXPECT_FALSE(matches("S*:1*", "S12:25"));
  EXPECT_TRUE(matches("*", ""));
}

TEST(Policy, AScenarioIsNone) {
  EXPECT_TRUE(says(error_of([] { read_policy_text("[topology]\nkind = \"star\"\n", "mine.toml"); }),
                   "unknown section [topology]: this is a scenario, not a policy"));
}

TEST(Policy, EveryKeyIsDocumented) {
  const std::string text = read_text_file(source_dir() + "/docs/live.md");
  for (const SectionSpec& section : policy_vocabulary().sections) {
    if (section.name.empty()) continue;  // words that are no sections
    EXPECT_NE(text.find(fmt::format("| `{}` |", section.name)), std::string::npos) << section.name;
    for (const ParamSpec& p : section.common) {
      const std::string value = p.fallback == kRequired ? " |" : fmt::format(" `{}` |", p.fallback);
      EXPECT_NE(text.find(fmt::format("| `{}` |{}", p.name, value)), std::string::npos) << p.name;
    }
  }
}

// The sample has every key; what depends on no fabric has its default.
TEST(Policy, TheSampleIsOne) {
  const std::string path = source_dir() + "/share/weir-manage.toml";
  const std::string text = read_text_file(path);
  const Policy sample = read_policy(path);
  const Policy least = read_policy_text("", "least");
  for (const SectionSpec& section : policy_vocabulary().sections)
    for (const ParamSpec& p : section.common)
      EXPECT_NE(text.find(fmt::format("\n{} = ", p.name)), std::string::npos) << p.name;
  EXPECT_EQ(sample.controller.period, least.controller.period);
  EXPECT_EQ(sample.controller.calm_period, least.controller.calm_period);
  EXPECT_EQ(sample.controller.answer_timeout, least.controller.answer_timeout);
  EXPECT_EQ(sample.controller.low_limit, least.controller.low_limit);
  EXPECT_EQ(sample.bounds.most_low, least.bounds.most_low);
  EXPECT_EQ(sample.bounds.most_actions, least.bounds.most_actions);
  EXPECT_EQ(sample.bounds.within, least.bounds.within);
  EXPECT_EQ(sample.bounds.stand_aside, least.bounds.stand_aside);
  EXPECT_EQ(sample.wait, least.wait);
  EXPECT_EQ(sample.congestion, least.congestion);
  EXPECT_EQ(sample.data, least.data);
  EXPECT_EQ(sample.wait_bytes, least.wait_bytes);
  EXPECT_EQ(sample.congestion_tick, least.congestion_tick);
}

// Shares are of the port's own link; ticks and words are the same for all ports.
TEST(Policy, ThresholdsThatAreSharesFollowTheLink) {
  const LinkProperties slow{Rate{8'000'000'000}, Time{1000}, 0}, fast{Rate{32'000'000'000}, Time{1000}, 0};
  const Topology t = two_switch({3, 3, 1}, slow, fast);
  const PortId to_host = t.from(t.host_port({0})), between = [&] {
    for (std::uint32_t p = 0;; ++p)
      if (t.link({p}).rate == fast.rate) return PortId{p};
  }();
  const auto of = [&](const std::string& text, PortId port, std::optional<std::uint32_t> known = {}) {
    return controller_for(read_policy_text(text, "p"), t, known).of_ports[port.index];
  };
  // In 10 s, 8 Gb/s are 1.25 G units of 8 bytes.
  EXPECT_NEAR(of("", to_host).wait, 0.05 * 1.25e9, 1);
  EXPECT_NEAR(of("", between).wait, 4 * 0.05 * 1.25e9, 1);
  EXPECT_NEAR(of("", to_host, 128).wait, 0.05 * 1.25e9 / 16, 1);
  EXPECT_NEAR(of("[thresholds]\nwait_bytes = 64\n", to_host, 128).wait, 0.05 * 1.25e9 / 8, 1);
  EXPECT_NEAR(of("", to_host).congestion, 0.95 * 10 / 128e-9, 1);
  EXPECT_NEAR(of("[thresholds]\ncongestion_tick = \"1us\"\n", between).congestion, 0.95 * 10 / 1e-6, 1);
  EXPECT_NEAR(of("", between).data, 0.1 * 10 * 32e9 / 32, 1);
  EXPECT_NEAR(of("[sweeps]\nperiod = \"5s\"\n", between).data, 0.1 * 5 * 32e9 / 32, 1);
  for (const PortId port : {to_host, between}) {
    const DcmsThresholds given = of("[thresholds]\nwait = 700\ncongestion = 80\ndata = 9\n", port, 128);
    EXPECT_EQ(given.wait, 700);
    EXPECT_EQ(given.congestion, 80);
    EXPECT_EQ(given.data, 9);
  }
}

TEST(Manager, SaysThatCongestionControlIsOff) {
  Lab lab;
  const auto said = [&] {
    return std::count_if(lab.said.begin(), lab.said.end(), [](const std::string& text) {
      return text.find("congestion control is off at") != text.npos;
    });
  };
  { Manager manager = lab.manager(nullptr); }
  EXPECT_EQ(said(), 0);
  for (live::SubnetNode& node : lab.subnet.nodes()) node.congestion.of_switch.threshold = 0;
  { Manager manager = lab.manager(nullptr); }
  ASSERT_EQ(said(), 1);
  EXPECT_TRUE(lab.said.back().starts_with("congestion control is off at 2 of 2 switches")) << lab.said.back();
}

// As opensm leaves it with the lines of a scheme that marks every packet: there is nothing to lower.
TEST(Manager, SaysThatARateIsLowAlready) {
  Lab lab;
  for (live::SubnetNode& node : lab.subnet.nodes()) node.congestion.of_switch.marking_rate = 5;  // low_rate
  Manager manager = lab.manager(nullptr);
  ASSERT_EQ(lab.said.size(), 1u);
  EXPECT_TRUE(says(lab.said[0], "the Marking_Rate is not above actions.low_rate (5): there is nothing to lower"));
  EXPECT_TRUE(says(lab.said[0], "scheme.marking_rate=128"));
  for (int i = 0; i < 10; ++i) lab.congested_round(manager);
  EXPECT_EQ(manager.totals().settings, 0u);
  EXPECT_EQ(manager.totals().undone, 0u);
  EXPECT_GT(manager.totals().low_anyway, 0u);
  std::set<std::string> once;
  for (const std::string& text : lab.said) {
    if (text.find("its Marking_Rate is 5 already") == text.npos) continue;
    EXPECT_TRUE(once.insert(text.substr(text.find(" s: "), 10)).second) << text;
  }
  EXPECT_FALSE(once.empty());
}

TEST(Manager, SaysWhichPatternMatchesNoPort) {
  Lab lab;
  lab.policy.bounds.ports = {"S*", "leaf*:*"};
  const Manager manager = lab.manager(nullptr);
  ASSERT_EQ(lab.said.size(), 1u);
  EXPECT_TRUE(says(lab.said[0], "bounds.ports: \"leaf*:*\" matches no switch port of this subnet"));
}

// weir shows names of switches without what they have in common; a policy may use these.
TEST(Policy, TakesTheNamesThatWeirShows) {
  const LinkProperties link{Rate{1'000'000'000}, Time{}, 0};
  const Topology t = to_topology(parse_ibnetdiscover("net", R"(
Switch 4 "S-00000000000000a1" # "MF0;ib7:SX6036/U1" enhanced port 0 lid 11 lmc 0
[1] "S-00000000000000a2"[1] # "MF0;ib8:SX6036/U1" lid 12 4xEDR
[2] "H-00000000000000c1"[1](c11) # "n1" lid 1 4xEDR
Switch 4 "S-00000000000000a2" # "MF0;ib8:SX6036/U1" enhanced port 0 lid 12 lmc 0
[2] "H-00000000000000c2"[1](c21) # "n2" lid 2 4xEDR
)"), {link, link}).topology;
  std::vector<std::string> said;
  const auto ports = [&](std::vector<std::string> patterns) {
    Bounds bounds;
    bounds.ports = std::move(patterns);
    return in_full_names(bounds, t, [&](const std::string& text) { said.push_back(text); }).ports;
  };
  EXPECT_EQ(ports({"ib7:*"}), (std::vector<std::string>{"MF0;ib7:SX6036/U1:1", "MF0;ib7:SX6036/U1:2"}));
  EXPECT_EQ(ports({"MF0;ib7*", "*"}), (std::vector<std::string>{"MF0;ib7*", "*"}));  // full names go first
  EXPECT_TRUE(said.empty());
  EXPECT_EQ(ports({"ib9:*"}), (std::vector<std::string>{}));
  EXPECT_EQ(said.size(), 1u);
  EXPECT_EQ(t.port_name(port_called(t, "ib8:2")), "MF0;ib8:SX6036/U1:2");
  EXPECT_EQ(t.port_name(port_called(t, "MF0;ib8:SX6036/U1:2")), "MF0;ib8:SX6036/U1:2");
  EXPECT_EQ(t.port_name(port_called(t, "n2:1")), "n2:1");
  EXPECT_FALSE(port_called(t, "ib9:1").valid());
}

// A full port for whose switch others wait, but which does not count how long it is congested.
TEST(Manager, SaysThatAFullPortStaysBelowTheThresholds) {
  Lab lab;
  Manager manager = lab.manager(nullptr);
  const auto said = [&] {
    return std::count_if(lab.said.begin(), lab.said.end(), [](const std::string& text) {
      return text.find("does not count as congested") != text.npos;
    });
  };
  const auto round = [&](double share, std::uint64_t waited) {
    for (std::uint32_t p = 0; p < lab.topology.ports(); ++p) {
      if (lab.topology.is_host(lab.topology.node_of({p}))) continue;
      lab.machine.samples[p].sent_bytes += static_cast<std::uint64_t>(share * 1e9);  // 8 Gb/s, a second
      if (!lab.topology.is_host(lab.topology.node_of(lab.topology.to({p}))))
        lab.machine.samples[p].waited += Time{static_cast<std::int64_t>(waited)};
    }
    lab.clock.at = manager.round();
  };
  round(1, 0);
  round(0.5, 5000);  // busy by half
  round(1, 0);       // nobody waits
  EXPECT_EQ(said(), 0);
  round(1, 5000);
  const auto ports = said();
  EXPECT_GT(ports, 0);
  round(1, 5000);
  EXPECT_EQ(said(), ports);  // once for each
  EXPECT_EQ(manager.totals().settings, 0u);
}

TEST(Metrics, TheDashboardAsksForSeriesThatExist) {
  Lab lab;
  Manager manager = lab.manager(nullptr);
  lab.congested_round(manager);
  const std::string page = metrics_text(manager, lab.seen);
  std::size_t asked = 0;
  const std::function<void(const nlohmann::json&)> look = [&](const nlohmann::json& at) {
    for (const auto& [key, value] : at.items()) {
      if (value.is_structured()) look(value);
      if (key != "expr") continue;
      const std::string expression = value.get<std::string>();
      const std::regex series("(infiniband|weir)_[a-z_]+");
      for (std::sregex_iterator found(expression.begin(), expression.end(), series), end; found != end; ++found) {
        ++asked;
        EXPECT_NE(page.find("# TYPE " + found->str() + " "), std::string::npos) << found->str();
      }
    }
  };
  look(nlohmann::json::parse(read_text_file(source_dir() + "/share/weir-grafana.json")));
  EXPECT_GE(asked, 8u);
}

TEST(Recording, ReplayDecidesTheSameAgain) {
  TempDir dir;
  Lab lab;
  const std::string file = (dir / "telemetry.txt").string();
  std::vector<DcmsController::Decision> live_decisions;
  ManagerTotals totals;
  {
    Recorder recorder(file, lab.fabric, lab.seen, 128);
    for (live::PortSample& s : lab.machine.samples) s.waited = Time{6'000'000'000};
    Manager manager(lab.seen, lab.policy, *lab.transport, lab.clock, nullptr, &recorder, lab.options);
    for (int i = 0; i < 12; ++i) {
      if (i % 5 != 4) lab.congest(100'000);
      lab.clock.at = manager.round();
    }
    live_decisions = manager.decisions();
    totals = manager.totals();
  }
  const Recording recording = parse_recording(file, read_text_file(file));
  EXPECT_EQ(recording.wait_bytes, 128u);
  const Topology again = to_topology(recording.fabric, {kLink, kLink}).topology;
  Policy wide = lab.policy;
  wide.bounds.ports = {"*"};
  wide.bounds.most_low = wide.bounds.most_actions = 1000;
  const auto replayed = replay(recording, again, wide);
  ASSERT_EQ(replayed.size(), live_decisions.size());
  ASSERT_FALSE(replayed.empty());
  for (std::size_t i = 0; i < replayed.size(); ++i) {
    EXPECT_EQ(replayed[i].decision.at, live_decisions[i].at);
    EXPECT_EQ(again.port_name(replayed[i].decision.root), lab.seen.port_name(live_decisions[i].root));
    EXPECT_EQ(replayed[i].decision.low, live_decisions[i].low);
    EXPECT_EQ(replayed[i].refusal, "");
  }
  // Bounds refuse what they refused to the manager.
  std::size_t settings = 0, refused = 0, undone = 0;
  for (const auto& [decision, refusal] : replay(recording, again, lab.policy)) {
    settings += decision.low && refusal.empty();
    refused += !refusal.empty();
    undone += !decision.low;
  }
  EXPECT_EQ(settings, totals.settings);
  EXPECT_EQ(refused, totals.refused);
  EXPECT_EQ(undone, totals.undone);
  EXPECT_GT(refused, 0u);
  EXPECT_NE(error_of([] { parse_recording("r", "weir recording 1\n|x\nsweep x\n"); }).find("r:3:"), std::string::npos);
  EXPECT_NE(error_of([] { parse_recording("r", "weir recording 1\nwait-bytes x\n"); }).find("r:2:"), std::string::npos);
}

}  // namespace
}  // namespace weir::manage
