// The engine behind a served subnet: what is written while packets are under way takes effect, and nothing is
// miscounted.
#include "live/live_scheme.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "live/agents/agents.h"
#include "live/lane_tables.h"
#include "live/serve.h"
#include "mad/smp_fields.h"
#include "packet/packet_engine.h"
#include "run/simulate.h"
#include "run/vocabulary.h"
#include "scenario/parse.h"

namespace weir::live {
namespace {

constexpr const char* kText = R"(
[topology]
kind = "two-switch"
left = 2
right = 2
links = 2
[link]
rate = "8Gbps"
delay = "10ns"
[[traffic]]
pattern = "uniform"
load = {load}
[scheme]
name = "cca"
{scheme}
[routing]
kind = "min-hop"
[run]
until = "duration"
duration = "400us"
)";

std::string text_with(const std::string& scheme, const std::string& load = "0.3") {
  std::string text = kText;
  text.replace(text.find("{scheme}"), 8, scheme);
  return text.replace(text.find("{load}"), 6, load);
}

// A run whose clock needs no wall; `act` is called at every turn.
Measurements serve_text(const std::string& text, const std::function<void(Subnet&, Time)>& act, bool up = true) {
  const Scenario scenario = parse_scenario_text(text, "test", vocabulary());
  const RunSetup setup = set_up(scenario);
  const RunInput run = run_input(setup);
  const CcaSettings cca = cca_settings(run, scenario.section("scheme"), 0);
  const std::uint32_t lanes = run.config.switches.lanes;
  Subnet subnet(setup.network->topology, lanes);
  show_settings(subnet, cca, lanes);
  show_lane_tables(subnet, run.config.switches.lane_tables);
  if (up) subnet.configure(setup.network->routes);
  LiveScheme live(cca, subnet);
  SessionOptions options;
  options.socket = "weir-test-" + std::to_string(::getpid());
  options.end = run.config.run.duration;
  std::int64_t wall = 0;
  Time last{-1};
  options.wall_ns = [&] { return wall += 1'000'000; };  // a turn each 10 us of simulated time
  options.ratio = 0.01;
  int looks = 0;  // at one moment; many of them: the run has ended, and stands
  options.stopped = [&] {
    if (live.now() > last) {
      act(subnet, last = live.now());
      looks = 0;
    }
    return live.now() >= options.end || ++looks > 20;
  };
  Session session(options, subnet, live);
  live.serve_with(session);
  return run_packets(run, live);
}
Measurements serve(const std::string& scheme, const std::function<void(Subnet&, Time)>& act, bool up = true,
                   const std::string& load = "0.3") {
  return serve_text(text_with(scheme, load), act, up);
}

double number_of(const Measurements& m, const std::string& name) {
  for (const auto& [key, value] : m.scheme_numbers)
    if (key == name) return value;
  return 0;
}
std::uint64_t sent(const Measurements& m) {
  std::uint64_t packets = 0;
  for (const PortResult& port : m.ports) packets += port.xmit_packets;
  return packets;
}

TEST(LiveScheme, AnUntouchedSubnetRunsLikeTheSchemeItself) {
  const Measurements served = serve("threshold = 15", [](Subnet&, Time) {});
  const Scenario scenario = parse_scenario_text(text_with("threshold = 15"), "test", vocabulary());
  const Measurements plain = simulate(scenario).measurements;
  ASSERT_EQ(served.ports.size(), plain.ports.size());
  EXPECT_GT(sent(plain), 200u);
  for (std::size_t p = 0; p < plain.ports.size(); ++p) {
    EXPECT_EQ(served.ports[p].xmit_bytes, plain.ports[p].xmit_bytes) << p;
    EXPECT_EQ(served.ports[p].wait, plain.ports[p].wait) << p;
    EXPECT_EQ(served.ports[p].marked, plain.ports[p].marked) << p;
  }
  ASSERT_EQ(served.classes.size(), plain.classes.size());
  for (std::size_t c = 0; c < plain.classes.size(); ++c) EXPECT_EQ(served.classes[c].marked, plain.classes[c].marked);
  EXPECT_EQ(served.one_thread, "a served fabric has one clock for all its nodes");
}

TEST(LiveScheme, NothingMovesBeforeAManagerHasBeenThere) {
  EXPECT_EQ(sent(serve("", [](Subnet&, Time) {}, false)), 0u);
  const Scenario scenario = parse_scenario_text(text_with(""), "test", vocabulary());
  const RunSetup setup = set_up(scenario);
  const Measurements later = serve(
      "",
      [&](Subnet& subnet, Time now) {
        if (now >= Time{200'000'000} && subnet.lid(subnet.of(HostId{0})) == 0) subnet.configure(setup.network->routes);
      },
      false);
  EXPECT_GT(sent(later), 100u);
}

// Both switches send what is for the first host to each other: it goes round until it has crossed too many. With more
// traffic such a circle fills the buffers and becomes a deadlock.
TEST(LiveScheme, TablesThatLeadInACircleLosePacketsAndSaySo) {
  const auto lead_round = [](Subnet& subnet, Time) {
    const std::uint32_t lid = subnet.lid(subnet.of(HostId{0}));
    for (SubnetNode& node : subnet.nodes())
      if (node.is_switch) node.forwarding[lid] = static_cast<std::uint8_t>(node.last_port());
    ++subnet.routes_version;
  };
  const Measurements m = serve("", lead_round, true, "0.03");
  EXPECT_EQ(m.ending, Ending::duration) << m.ending_text;
  EXPECT_GT(number_of(m, "packets lost in a routing loop"), 0);
}

// The host's link is down for every other 10 us.
TEST(LiveScheme, ALinkThatGoesDownLosesWhatHasNoWayLeft) {
  const RunSetup setup = set_up(parse_scenario_text(text_with("", "0.8"), "test", vocabulary()));
  const Measurements m = serve(
      "",
      [&](Subnet& subnet, Time now) {
        const bool down = now.ps / 10'000'000 % 2 == 1;
        subnet.set_link(subnet.topology().host_port({0}), !down);
        if (!down) subnet.configure(setup.network->routes);
      },
      true, "0.8");
  EXPECT_GT(number_of(m, "packets lost without a route"), 0);
}

// All packets are marked as soon as the threshold is written, and none before.
TEST(LiveScheme, SettingsThatAreWrittenActFromThenOn) {
  const auto marked = [](const Measurements& m) {
    std::uint64_t sum = 0;
    for (const PortResult& port : m.ports) sum += port.marked;
    return sum;
  };
  EXPECT_EQ(marked(serve("threshold = 0", [](Subnet&, Time) {}, true, "0.9")), 0u);
  const auto turn_on = [](Subnet& subnet, Time now) {
    if (now < Time{100'000'000} || now >= Time{110'000'000}) return;
    for (std::uint32_t n = 0; n < subnet.nodes().size(); ++n) {
      if (!subnet.nodes()[n].is_switch) continue;
      subnet.nodes()[n].congestion.of_switch.threshold = 15;
      subnet.congestion_changed.push_back(n);
    }
  };
  const Measurements m = serve("threshold = 0", turn_on, true, "0.9");
  EXPECT_GT(marked(m), 0u);
}

// Two flows on lanes 0 and 1 of 64-byte units share the link to a host. They come from hosts 0 and 1 unless told.
std::string two_lanes(const std::string& switches, int second_source = 1) {
  return R"([topology]
kind = "star"
hosts = 3
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = [1024]
[switch]
lanes = 2
)" + switches + R"([[traffic]]
pattern = "flows"
lane = 0
list = [[0, 2, 10000000, "0us"]]
[[traffic]]
pattern = "flows"
lane = 1
list = [[)" + std::to_string(second_source) +
         R"(, 2, 10000000, "0us"]]
[scheme]
name = "cca"
threshold = 0
[run]
until = "duration"
duration = "400us"
)";
}
// Of what was delivered, the share of lane 1.
double upper_share(const Measurements& m) {
  const auto low = static_cast<double>(m.flows.at(0).delivered), high = static_cast<double>(m.flows.at(1).delivered);
  return high / (low + high);
}
// Entries of a table (1: low, 3: high) of all ports of the switch, as a tool writes them.
void write_table(Subnet& subnet, std::uint32_t block,
                 const std::vector<std::pair<std::uint8_t, std::uint8_t>>& entries) {
  SubnetAgent agent(subnet);
  const NodePort at = subnet.of(SwitchId{0});
  for (std::uint32_t port = 1; port < subnet.node(at).ports.size(); ++port) {
    mad::Mad m;
    m.set_class(mad::Class::subnet_lid, 1);
    m.set_method(mad::Method::set);
    m.set_attribute(mad::smp::kLaneArbitration, block << 16 | port);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      m.data()[2 * i] = entries[i].first;
      m.data()[2 * i + 1] = entries[i].second;
    }
    agent.answer(at, m);
    EXPECT_EQ(m.status(), mad::status::kOk);
  }
}
void write_limit(Subnet& subnet, std::uint64_t limit) {
  SubnetAgent agent(subnet);
  const NodePort at = subnet.of(SwitchId{0});
  for (std::uint32_t port = 1; port < subnet.node(at).ports.size(); ++port) {
    mad::Mad m;
    m.set_class(mad::Class::subnet_lid, 1);
    m.set_method(mad::Method::set);
    m.set_attribute(mad::smp::kPortInfo, port);
    std::copy_n(subnet.port({at.node, port}).info.begin(), mad::kSmpDataBytes, m.data().begin());
    put(m.data(), mad::port_info::kHighLimit, limit);
    put(m.data(), mad::port_info::kState, 0);
    put(m.data(), mad::port_info::kPhysicalState, 0);
    agent.answer(at, m);
  }
}

// Lanes of service levels 0 and 1, as a tool writes them: of an adapter, or of a switch from one port to another.
void write_map(Subnet& subnet, NodePort at, std::uint32_t from, std::uint32_t to, std::pair<int, int> lanes) {
  mad::Mad m;
  m.set_class(mad::Class::subnet_lid, 1);
  m.set_method(mad::Method::set);
  m.set_attribute(mad::smp::kLaneMap, from << 8 | to);
  put(m.data(), mad::lane_map::of(0), static_cast<std::uint64_t>(lanes.first));
  put(m.data(), mad::lane_map::of(1), static_cast<std::uint64_t>(lanes.second));
  SubnetAgent(subnet).answer(at, m);
  EXPECT_EQ(m.status(), mad::status::kOk);
}
void write_switch_map(Subnet& subnet, HostId from, std::pair<int, int> lanes) {
  const auto port = [&](HostId host) { return subnet.peer(subnet.of(host))->port; };
  write_map(subnet, subnet.of(SwitchId{0}), port(from), port(HostId{2}), lanes);
}
const auto from_the_start = [](const auto& write) {
  return [write, done = false](Subnet& subnet, Time) mutable {
    if (!std::exchange(done, true)) write(subnet);
  };
};

TEST(LiveScheme, ServiceLevelsTakeTheLanesThatAToolHasWritten) {
  const auto with_maps = [](std::pair<int, int> of_first, std::pair<int, int> of_second) {
    return upper_share(serve_text(two_lanes(""), from_the_start([=](Subnet& subnet) {
                                    write_switch_map(subnet, HostId{0}, of_first);
                                    write_switch_map(subnet, HostId{1}, of_second);
                                  })));
  };
  EXPECT_GT(with_maps({0, 1}, {0, 1}), 0.95);  // the higher lane first
  EXPECT_LT(with_maps({1, 0}, {1, 0}), 0.05);
  EXPECT_LT(with_maps({1, 0}, {0, 0}), 0.05) << "the map is that of the input";
  EXPECT_NEAR(with_maps({1, 1}, {1, 1}), 0.5, 0.05) << "one lane for both";
}

// Both flows come from one host, and compete for its link.
TEST(LiveScheme, AdaptersHaveMapsToo) {
  const auto with_map = [](std::pair<int, int> lanes) {
    return upper_share(serve_text(two_lanes("", 0), from_the_start([=](Subnet& subnet) {
                                    write_map(subnet, subnet.of(HostId{0}), 0, 0, lanes);
                                  })));
  };
  EXPECT_GT(with_map({0, 1}), 0.95);
  EXPECT_LT(with_map({1, 0}), 0.05);
  EXPECT_NEAR(with_map({0, 0}), 0.5, 0.01) << "in turn";
  EXPECT_NEAR(with_map({1, 1}), 0.5, 0.01);
}

TEST(LiveScheme, AServiceLevelWithoutALaneIsLostAtASwitchAndWaitsAtAHost) {
  const Measurements lost = serve_text(two_lanes(""), from_the_start([](Subnet& subnet) {
                                         write_switch_map(subnet, HostId{1}, {0, 15});
                                       }));
  EXPECT_GT(lost.flows.at(0).delivered, 300'000);
  EXPECT_EQ(lost.flows.at(1).delivered, 0);
  EXPECT_GT(number_of(lost, "packets lost without a route"), 100);
  const auto until = [](Time end) {  // no lane before
    return [end](Subnet& subnet, Time now) {
      write_map(subnet, subnet.of(HostId{1}), 0, 0, {0, now < end ? 15 : 1});
    };
  };
  EXPECT_LT(serve_text(two_lanes(""), until({1'000'000'000})).flows.at(1).delivered, 30'000);
  const Measurements half = serve_text(two_lanes(""), until({200'000'000}));
  EXPECT_NEAR(static_cast<double>(half.flows.at(1).delivered), 200e3, 30e3);
  EXPECT_EQ(number_of(half, "packets lost without a route"), 0);
}

TEST(LiveScheme, ArbitrationTablesThatAreWrittenShareTheLink) {
  EXPECT_GT(upper_share(serve_text(two_lanes(""), [](Subnet&, Time) {})), 0.95);  // the higher lane first
  const auto low_only = [](Subnet& subnet) { write_table(subnet, 1, {{0, 48}, {1, 16}}); };
  EXPECT_NEAR(upper_share(serve_text(two_lanes(""), from_the_start(low_only))), 0.25, 0.03);
  const auto high_and_limit = [](Subnet& subnet) {
    write_table(subnet, 3, {{1, 255}});
    write_table(subnet, 1, {{0, 255}});
    write_limit(subnet, 1);  // 4 KiB: four packets
  };
  EXPECT_NEAR(upper_share(serve_text(two_lanes(""), from_the_start(high_and_limit))), 0.8, 0.03);
}

TEST(LiveScheme, TablesOfTheScenarioAreShownAndMayBeChanged) {
  const std::string text = two_lanes("vlarb_high = '1:16'\nvlarb_low = '0:32,1:0'\n");  // one packet each, in turn
  const auto look = [](Subnet& subnet, Time) {
    const LaneTables shown = lane_tables(subnet, {subnet.of(SwitchId{0}).node, 1});
    EXPECT_EQ(shown.high.at(0), (LaneTables::Entry{1, 16}));
    EXPECT_EQ(shown.low.at(0), (LaneTables::Entry{0, 32}));
    EXPECT_EQ(shown.limit, 0u);
  };
  EXPECT_NEAR(upper_share(serve_text(text, look)), 0.5, 0.03);
  const Measurements unlimited = serve_text(text, [](Subnet& subnet, Time) { write_limit(subnet, 255); });
  EXPECT_GT(upper_share(unlimited), 0.95);
}

}  // namespace
}  // namespace weir::live
